"""Where were these games lost? Files, links, numbers of games, archives and folders, analysed on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from handful.display import Listing, Shown
from handful.errors import HandfulError, NotationError, RecordError
from handful.hanabi.live.addresses import is_game_address
from handful.hanabi.live.archives import StoredGame, has_many, is_gzipped, stored_games
from handful.hanabi.live.links import is_file, record_given
from handful.hanabi.live.records import Record
from handful.hanabi.live.seeds import is_live_seed
from handful.lab.games import Chunk, Chunks
from handful.lab.running import work_through
from handful.playability import Analysis, analyse

if TYPE_CHECKING:
    from handful.hanabi.live.site import Site

# Fewer games are analysed sooner than another process has loaded the compiled part.
GAMES_AT_ONCE = 16

# What a game came to, in the order of a summary.
SHORT_VERDICTS = ("won", "lost on the way", "lost by the deal", "undecided", "not lost")

Given: TypeAlias = str | Path | Record | StoredGame
Game: TypeAlias = str | Record | StoredGame


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
    site: Site | None = None,
) -> tuple[AnalysedGame, ...]:
    """Return where each game was lost, in their order: of files, links, numbers, records, archives and folders.

    A game that cannot be read does not stop the others: it comes back with its error. `time_limit` is in seconds, for
    each position searched. `on_progress` is called with the number of games that were just analysed. Numbers of games,
    and links with no more than that, are fetched from `site`, by default hanab.live.
    """
    games = Games(fetched(games_in(given), site), time_limit)
    done: dict[int, list[AnalysedGame]] = {}
    for chunk, analysed in work_through(analyse_chunk, games, Chunks(len(games.games), GAMES_AT_ONCE), workers):
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


def games_in(given: Given | Sequence[Given]) -> tuple[Game, ...]:
    """Return the games that are given; for a folder or an archive, those that are in it, in their order."""
    each_given = [given] if isinstance(given, str | Path | Record | StoredGame) else given
    games = tuple(game for one in each_given for game in _games_of(one))
    if not games:
        raise NotationError("there is nothing to analyse: expected files, links, numbers of games or folders")
    return games


def _games_of(given: Given) -> Iterator[Game]:
    """Yield what is given; for a folder or an archive, what is in it."""
    if isinstance(given, Record | StoredGame):
        yield given
        return
    name = str(given)
    if _is_folder(name):
        files = [path for path in sorted(Path(name).iterdir()) if _is_record(path) or _is_of_many(path)]
        if not files:
            raise NotationError(f"{name} has no records: expected files *.json, *.jsonl or archives in it")
        for path in files:
            yield from _games_of(path)
    elif is_live_seed(name) and not Path(name).exists():
        raise NotationError(f"{name} is a seed, a deal without a game: expected a record or a link")
    elif _is_of_many(Path(name)):
        yield from stored_games(Path(name))
    else:
        yield name


def _is_record(path: Path) -> bool:
    return path.suffix == ".json" and path.is_file()


def _is_of_many(path: Path) -> bool:
    """Whether a file is read game by game: an archive, or anything that is packed."""
    return (has_many(path) or is_gzipped(path)) and is_file(str(path))


def fetched(games: Sequence[Game], site: Site | None = None) -> tuple[Game, ...]:
    """Return the games, those that are given by their numbers fetched: here, for a site is asked one thing at a time.

    >>> fetched(["game.json"])
    ('game.json',)
    """
    if not has_numbers(games):
        return tuple(games)
    from handful.hanabi.live.site import Site

    if site is None:
        with Site() as opened:
            return fetched(games, opened)
    return tuple(_fetched_one(str(game), site) if _is_number(game) else game for game in games)


def has_numbers(games: Sequence[Game]) -> bool:
    """Whether some of the games are given by no more than their numbers, so that they have to be fetched."""
    return any(_is_number(game) for game in games)


def _is_number(game: Game) -> bool:
    return isinstance(game, str) and is_game_address(game) and not is_file(game)


def _fetched_one(given: str, site: Site) -> StoredGame:
    from handful.hanabi.live.site import NotThereError, game_given

    try:
        return StoredGame(given, made=game_given(given, site))
    except (NotThereError, RecordError) as error:
        return StoredGame(given, error=str(error))


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # too long for a path, or with a zero byte: said when it is read
        return False


# The work


@dataclass(frozen=True)
class Games:
    """The games to analyse, from number `first` on, and how long to think about each position."""

    games: tuple[Game, ...]
    time_limit: float | None
    first: int = 0

    is_compiled = False  # most of the time goes into the plain rules, so that processes share the work

    def part(self, chunk: Chunk) -> Games:
        """Return what a worker needs of it for a chunk."""
        return replace(self, games=self.games[chunk.first : chunk.first + chunk.count], first=chunk.first)


def analyse_chunk(games: Games, chunk: Chunk) -> list[AnalysedGame]:
    """Return the analyses of some of the games, in their order."""
    numbers = range(chunk.first, chunk.first + chunk.count)
    return [_analyse_one(games.games[number - games.first], number + 1, games.time_limit) for number in numbers]


def _analyse_one(game: Game, number: int, time_limit: float | None) -> AnalysedGame:
    name = f"game {number}" if isinstance(game, Record) else game.name if isinstance(game, StoredGame) else game
    try:
        record = read_game(game)
    except HandfulError as error:  # which has the name of the file in it
        return AnalysedGame(name, error=str(error))
    try:
        return AnalysedGame(name, analyse(record, time_limit))
    except HandfulError as error:
        return AnalysedGame(name, error=f"{name}: {error}")


def read_game(game: Game) -> Record:
    """Return a game that was given."""
    if isinstance(game, Record):
        return game
    return game.record() if isinstance(game, StoredGame) else record_given(game)
