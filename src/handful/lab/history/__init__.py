"""What do a player's games say? Analysed on all cores, kept as they are done, and put together."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import write_whole
from handful.display import Listing, Shown
from handful.hanabi.live.archives import StoredGame
from handful.hanabi.live.links import ADDRESS
from handful.lab.games import Chunk, Chunks
from handful.lab.history.findings import Finding, finding_of
from handful.lab.history.summary import Played, Summary, is_own, summarise
from handful.lab.running import work_through

if TYPE_CHECKING:
    from handful.lab.history.kept import Findings

GAMES_AT_ONCE = 16


@dataclass(frozen=True)
class Given:
    """A game of a history, its JSON and all; and when it was played, if that is known."""

    game: StoredGame
    day: date | None = None


@dataclass(frozen=True)
class History(Shown):
    """The games of a player, each with what it says, and what they say together. `analysed` were not kept before."""

    player: str
    site: str
    games: tuple[Played, ...]
    summary: Summary
    analysed: int = field(compare=False)
    seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it; the games are in the CSV."""
        return {**self.summary.to_dict(), "site": self.site, "analysed": self.analysed, "seconds": self.seconds}

    def shown(self) -> Listing:
        """Return what a notebook shows: the results, and the games to learn from."""
        counts = ", ".join(f"{count:,} {name}" for name, count in self.summary.results.items() if count)
        rows: list[tuple[object, ...]] = [
            (each.game, f"{each.score} of {each.max_score}", each.turn, each.player, each.mistake, each.text)
            for each in self.summary.instructive
        ]
        return Listing(f"{self.summary.games:,} games: {counts}", ("game", "score", "turn", "by", "mistake", ""), rows)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.summary.results.items() if count)
        return f"<History {self.player or 'of all'}: {self.summary.games} games, {counts}>"


def history(
    games: Sequence[Given],
    names: Sequence[str] = (),
    *,
    site: str = "",
    time_limit: float | None = 60.0,
    workers: int | None = None,
    dask: str | None = None,
    kept: Findings | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> History:
    """Return what games say, the oldest first.

    The first of `names` is whom they are about, if there is one; games that not all of these played are left out.
    With `kept`, games whose findings are there are not analysed again, and the others are kept as they are done: who is
    interrupted goes on there. With `dask`, the cluster at that address does the work. `site` is the address at which
    the games can be seen. `on_progress` is called with the number of games that were just done.
    """
    from handful.lab.history.kept import key_of

    started = time.perf_counter()
    keys = [key_of(each.game) for each in games]
    by_key = {key: each.game for key, each in zip(keys, games, strict=True)}
    found: dict[str, Finding] = {} if kept is None else kept.of(by_key)
    if on_progress is not None and found:
        on_progress(sum(key in found for key in keys))
    missing = [key for key in by_key if key not in found]
    work = Work(tuple(by_key[key] for key in missing), time_limit)
    for chunk, findings in work_through(find_chunk, work, Chunks(len(missing), GAMES_AT_ONCE), workers, dask):
        done = list(zip(missing[chunk.first : chunk.first + chunk.count], findings, strict=True))
        if kept is not None:
            kept.add(done)
        found |= dict(done)
        if on_progress is not None:
            on_progress(chunk.count)
    played = tuple(
        Played(replace(found[key], game=each.game.name), each.day)
        for key, each in zip(keys, games, strict=True)
        if has_players(found[key], names)
    )
    player = names[0] if names else ""
    summary = summarise(played, player, lambda finding: link_to(finding, site))
    return History(player, site, played, summary, len(missing), time.perf_counter() - started)


def has_players(finding: Finding, names: Iterable[str]) -> bool:
    """Whether all of these played; of a game that cannot be read nobody knows."""
    return bool(finding.error) or {name.lower() for name in names} <= {name.lower() for name in finding.names}


def link_to(finding: Finding, site: str) -> str:
    """Return a link that opens a game at the turn that lost it: by its number on its site, or with the game in it."""
    turn = f"#{finding.lost_at}" if finding.lost_at else ""
    if finding.game_id and site:
        return f"{site}/replay/{finding.game_id}{turn}"
    return f"{ADDRESS}{finding.link}{turn}" if finding.link else ""


# The work


@dataclass(frozen=True)
class Work:
    """The games to analyse, from number `first` on, and how long to think about each position."""

    games: tuple[StoredGame, ...]
    time_limit: float | None
    first: int = 0

    is_compiled = False  # most of the time goes into the plain rules, so that processes share the work

    def part(self, chunk: Chunk) -> Work:
        """Return what a worker needs of it for a chunk."""
        return Work(self.games[chunk.first : chunk.first + chunk.count], self.time_limit, chunk.first)


def find_chunk(work: Work, chunk: Chunk) -> list[Finding]:
    """Return what some of the games say, in their order."""
    numbers = range(chunk.first - work.first, chunk.first - work.first + chunk.count)
    return [finding_of(work.games[number], work.time_limit) for number in numbers]


# As a table for other programs

CSV_COLUMNS = (
    *("game", "game_id", "date", "names", "players", "variant", "rules", "seed", "score", "max_score", "turns"),
    *("ending", "result", "lost_at", "mistake", "by", "is_own", "foreseen", "efficiency", "least_efficiency"),
    *("pace_at_half", "cause", "reason", "link", "error"),
)


def write_csv(found: History, path: Path) -> None:
    """Write a row for each game, whole or not at all."""
    write_whole(path, csv_text(found).encode())


def csv_text(found: History) -> str:
    """Return a row for each game, as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for each in found.games:
        finding = each.finding
        values = {name: value for name, value in finding.to_dict().items() if name in CSV_COLUMNS}
        more: dict[str, Any] = {
            "date": each.day or "",
            "names": ", ".join(finding.names),
            "players": finding.players,
            "by": "" if finding.culprit is None else finding.names[finding.culprit],
            "is_own": "" if finding.culprit is None else "yes" if is_own(finding, found.player) else "no",
            "pace_at_half": finding.paces[len(finding.paces) // 2] if finding.paces else "",
            "link": link_to(finding, found.site),
        }
        writer.writerow({name: _plain(value) for name, value in (values | more).items()})
    return text.getvalue()


def _plain(value: Any) -> Any:
    return f"{value:.4f}" if isinstance(value, float) else "" if value is None else value
