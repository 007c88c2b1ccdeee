"""Where were these games lost? Files, links and whole folders of games, analysed on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from handful.display import Listing, Shown
from handful.errors import HandfulError, NotationError
from handful.hanabi.live.links import record_given
from handful.hanabi.live.records import Record
from handful.hanabi.live.seeds import is_live_seed
from handful.lab.games import Chunk, cut
from handful.lab.running import work_through
from handful.playability import Analysis, analyse

# Fewer games are analysed sooner than another process has loaded the compiled part.
GAMES_AT_ONCE = 16

# What a game came to, in the order of a summary.
SHORT_VERDICTS = ("won", "lost on the way", "lost by the deal", "undecided", "not lost")

Given: TypeAlias = str | Path | Record


@dataclass(frozen=True)
class AnalysedGame(Shown):
    """A game that was given, and where it was lost; if it cannot be read or played, `error` says why, in a sentence.

    `given` is the file or the link; "game 3" if the third of the games was given as a record.
    """

    given: str
    analysis: Analysis | None = None
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        if self.analysis is None:
            return {"input": self.given, "error": self.error}
        return {"input": self.given, **self.analysis.to_dict()}

    def shown(self) -> Listing:
        """Return what a notebook shows: the turns, or what is wrong."""
        if self.analysis is None:
            return Listing(f"{self.given}: {self.error}", (), [])
        inner = self.analysis.shown()
        return inner._replace(sentence=f"{self.given}: {inner.sentence}")

    def __repr__(self) -> str:
        if self.analysis is None:
            return f"<AnalysedGame {self.given}, error: {self.error}>"
        return f"<AnalysedGame {self.given}: {self.analysis.verdict}>"


def analyse_all(
    given: Given | Sequence[Given],
    *,
    time_limit: float | None = 60.0,
    workers: int | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[AnalysedGame, ...]:
    """Return where each game was lost, in their order: of files, links, records, and folders of files (*.json).

    A game that cannot be read does not stop the others: it comes back with its error. `time_limit` is in seconds, for
    each position searched. `on_progress` is called with the number of games that were just analysed.
    """
    games = Games(games_in(given), time_limit)
    done: dict[int, list[AnalysedGame]] = {}
    for chunk, analysed in work_through(analyse_chunk, games, list(cut(len(games.games), GAMES_AT_ONCE)), workers):
        done[chunk.first] = analysed
        if on_progress is not None:
            on_progress(chunk.count)
    return tuple(game for first in sorted(done) for game in done[first])


def short_verdict(analysis: Analysis) -> str:
    """Return what a game came to, as one of `SHORT_VERDICTS`."""
    if analysis.is_won:
        return "won"
    if analysis.lost_at_turn is not None:
        return "lost on the way" if analysis.lost_at_turn else "lost by the deal"
    return "not lost" if analysis.lost_between is None else "undecided"


# Which games


def games_in(given: Given | Sequence[Given]) -> tuple[str | Record, ...]:
    """Return the files, links and records that are given; for a folder, its records in the order of their names."""
    each_given = [given] if isinstance(given, str | Path | Record) else given
    games = tuple(game for one in each_given for game in _games_of(one))
    if not games:
        raise NotationError("there is nothing to analyse: expected files, links or folders")
    return games


def _games_of(given: Given) -> Iterator[str | Record]:
    """Yield what is given; for a folder, what is in it."""
    if isinstance(given, Record):
        yield given
        return
    name = str(given)
    if _is_folder(name):
        files = sorted(path for path in Path(name).glob("*.json") if path.is_file())
        if not files:
            raise NotationError(f"{name} has no records: expected files *.json in it")
        yield from map(str, files)
    elif is_live_seed(name) and not Path(name).exists():
        raise NotationError(f"{name} is a seed, a deal without a game: expected a record or a link")
    else:
        yield name


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # too long for a path, or with a zero byte: said when it is read
        return False


# The work


@dataclass(frozen=True)
class Games:
    """The games to analyse, and how long to think about each position."""

    games: tuple[str | Record, ...]
    time_limit: float | None

    is_compiled = False  # most of the time goes into the plain rules, so that processes share the work


def analyse_chunk(games: Games, chunk: Chunk) -> list[AnalysedGame]:
    """Return the analyses of some of the games, in their order."""
    numbers = range(chunk.first, chunk.first + chunk.count)
    return [_analyse_one(games.games[number], number + 1, games.time_limit) for number in numbers]


def _analyse_one(game: str | Record, number: int, time_limit: float | None) -> AnalysedGame:
    name = f"game {number}" if isinstance(game, Record) else game
    try:
        record = game if isinstance(game, Record) else record_given(game)
    except HandfulError as error:  # which has the name of the file in it
        return AnalysedGame(name, error=str(error))
    try:
        return AnalysedGame(name, analyse(record, time_limit))
    except HandfulError as error:
        return AnalysedGame(name, error=f"{name}: {error}")
