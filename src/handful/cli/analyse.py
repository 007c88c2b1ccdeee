"""`handful analyse`: where was a played game lost? One game turn by turn, or whole folders of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from handful.cli.options import JsonOption, WorkersOption
from handful.cli.output import complain, console, counted, print_json
from handful.cli.progress import progress_bar
from handful.cli.solve import ANSWERS, TIME_LIMIT, TimeLimitOption, prepare_solver, print_line, record_from, sentence
from handful.errors import HandfulError, NotationError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from handful.lab.games import Chunk
    from handful.playability.analysis import AnalysedTurn, Analysis

# Fewer games are analysed sooner than another process has loaded the compiled part.
GAMES_AT_ONCE = 16

# What a game came to, in the order of the summary.
SHORT_VERDICTS = ("won", "lost on the way", "lost by the deal", "undecided", "not lost")


def analyse(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|LINK|DIR",
            help="Records (hanab.live's JSON), its links, folders of records (*.json).",
            show_default=False,
        ),
    ] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the turn that lost a game, and the line that would have won from just before it.

    A game is shown turn by turn; of several games, or of a folder, each is a line. What cannot be read among several
    is named, and the rest goes on; the exit code is 2 only if nothing can be read. With --json, several games or a
    folder are a list, one object each, with its `input`, and with an `error` instead of an analysis where there is one.

    The pace is how many discards are still affordable: points + cards left to draw + players − maximum.

    Example: handful analyse game.json

    Example: handful analyse records/ --json
    """
    given = list(_games_in(inputs or []))
    is_list = given != inputs or len(given) > 1  # a folder of one record is a list, too
    prepare_solver()
    results = _analyse_all(Games(tuple(given), time_limit), workers)
    errors = [result for result in results if isinstance(result, str)]
    if not is_list and errors:
        raise HandfulError(errors[0])
    for error in errors:
        complain(error)
    if as_json:
        found = [_object(each, result) for each, result in zip(given, results, strict=True)]
        print_json(found if is_list else found[0])
    elif is_list:
        _print_list(console(), given, results)
    else:
        assert not isinstance(results[0], str), "an error was raised above"
        print_analysis(console(), results[0])
    if len(errors) == len(results):
        raise typer.Exit(2)


def _games_in(inputs: Sequence[str]) -> Iterator[str]:
    """Yield the files and links that are given; for a folder, its records in the order of their names."""
    from handful.hanabi.links import is_link
    from handful.hanabi.live_seeds import is_live_seed

    if not inputs:
        raise NotationError("there is nothing to analyse: expected files, links or folders")
    for given in inputs:
        if not is_link(given) and _is_folder(given):
            files = sorted(path for path in Path(given).glob("*.json") if path.is_file())
            if not files:
                raise NotationError(f"{given} has no records: expected files *.json in it")
            yield from map(str, files)
        elif is_live_seed(given) and not Path(given).exists():
            raise NotationError(f"{given} is a seed, a deal without a game: expected a record or a link")
        else:
            yield given


def _is_folder(given: str) -> bool:
    try:
        return Path(given).is_dir()
    except (OSError, ValueError):  # too long for a path, or with a zero byte: said when it is read
        return False


# Many games


@dataclass(frozen=True)
class Games:
    """The files and links to analyse."""

    given: tuple[str, ...]
    time_limit: float

    is_compiled = False  # most of the time goes into the plain rules, so that processes share the work


Result: TypeAlias = "Analysis | str"  # or what is wrong, in a sentence


def analyse_chunk(games: Games, chunk: Chunk) -> list[Result]:
    """Return the analyses of some of the games, in their order."""
    return [_analyse_one(given, games.time_limit) for given in games.given[chunk.first : chunk.first + chunk.count]]


def _analyse_one(given: str, time_limit: float) -> Result:
    from handful.playability.analysis import analyse as analyse_record

    try:
        record = record_from(given)
    except HandfulError as error:
        return str(error)
    try:
        return analyse_record(record, time_limit)
    except HandfulError as error:
        return f"{given}: {error}"


def _analyse_all(games: Games, workers: int | None) -> list[Result]:
    """Return the analyses of all games, in their order, made on all cores."""
    from handful.lab.executors import work_through
    from handful.lab.games import Chunk

    total = len(games.given)
    chunks = [Chunk(first, min(GAMES_AT_ONCE, total - first)) for first in range(0, total, GAMES_AT_ONCE)]
    done: dict[int, list[Result]] = {}
    with progress_bar("analysing", total) as advance:
        for chunk, results in work_through(analyse_chunk, games, chunks, workers):
            done[chunk.first] = results
            advance(chunk.count)
    return [result for chunk in chunks for result in done[chunk.first]]


# What is shown


def _object(given: str, result: Result) -> dict[str, Any]:
    return {"input": given, **({"error": result} if isinstance(result, str) else result.to_dict())}


def print_analysis(out: Console, analysis: Analysis) -> None:
    """Print a game turn by turn, where it was lost, and the line that was missed."""
    rules, options = analysis.rules, analysis.rules.options_text()
    game = f"{rules.variant.name}{f' ({options})' if options else ''}: {', '.join(analysis.names)}"
    out.print(f"{game}; score {analysis.score} of {rules.max_score}", style="bold", soft_wrap=True)
    if analysis.turns:
        out.print(_turns_table(analysis))
    out.print(sentence(analysis.verdict), style="bold", soft_wrap=True)
    if analysis.reason:
        out.print(sentence(analysis.reason), soft_wrap=True)
    if analysis.missed_line is not None:
        begins = len(analysis.missed_line.finished.history) - len(analysis.missed_line.line) + 1
        out.print(f"\nFrom turn {begins} on, this would have won:")
        print_line(out, analysis.missed_line, analysis.names, analysis.link)


def _turns_table(analysis: Analysis) -> Table:
    from rich.table import Table

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("turn", justify="right", style="dim")
    table.add_column("what happened")
    table.add_column("winnable")
    for name in ("points", "pace", "hints", "strikes", "deck"):
        table.add_column(name, justify="right")
    for turn in analysis.turns:
        table.add_row(*_cells(turn), style="bold" if _is_suspect(turn) else "")
    return table


def _cells(turn: AnalysedTurn) -> list[str]:
    change = ANSWERS[turn.winnable_after]
    if _is_suspect(turn):
        change = f"{ANSWERS[turn.winnable_before]} → {change}"
    pace, hints = ("–" if number is None else str(number) for number in (turn.pace, turn.hints))
    return [str(turn.number), turn.text, change, str(turn.points), pace, hints, str(turn.strikes), str(turn.deck_size)]


def _is_suspect(turn: AnalysedTurn) -> bool:
    """Whether the answer after a turn is another than before."""
    return turn.winnable_before is not turn.winnable_after


def _print_list(out: Console, given: Sequence[str], results: Sequence[Result]) -> None:
    """Print a line for each game that could be read, and what they came to."""
    from rich.table import Table

    table = Table("game", "score", "verdict", box=None, header_style="dim", pad_edge=False)
    counts: Counter[str] = Counter()
    for name, result in zip(given, results, strict=True):
        if isinstance(result, str):
            continue
        counts[short_verdict(result)] += 1
        table.add_row(name, f"{result.score} of {result.rules.max_score}", result.verdict)
    if not counts:
        return
    out.print(table)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in SHORT_VERDICTS if counts[verdict])
    unread = len(results) - counts.total()
    out.print(f"{counted(counts.total(), 'game')}: {said}." + (f" {unread} could not be read." if unread else ""))


def short_verdict(analysis: Analysis) -> str:
    """Return what a game came to, as one of `SHORT_VERDICTS`."""
    if analysis.is_won:
        return "won"
    if analysis.lost_at_turn is not None:
        return "lost on the way" if analysis.lost_at_turn else "lost by the deal"
    return "not lost" if analysis.lost_between is None else "undecided"
