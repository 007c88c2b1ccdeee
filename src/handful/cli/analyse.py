"""`handful analyse`: where was a played game lost? One game turn by turn, or whole folders of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from handful.cli.shared.conventions import ConventionsOption, findings_in, findings_told, print_findings
from handful.cli.shared.fetching import OfflineOption, SiteOption, opened_site
from handful.cli.shared.options import TIME_LIMIT, JsonOption, TimeLimitOption, WorkersOption
from handful.cli.shared.output import (
    ANSWERS,
    PLAIN,
    complain,
    console,
    counted,
    listing,
    print_json,
    rules_text,
    sentence,
)
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import HandfulError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from handful.bots.partner.review import Finding
    from handful.lab import AnalysedGame
    from handful.lab.analyses import Game
    from handful.playability import Analysis
    from handful.playability.deals.analysis import AnalysedTurn


def analyse(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|LINK|ID|DIR",
            help="Records (hanab.live's JSON), its links, numbers of its games, archives and folders of records.",
            show_default=False,
        ),
    ] = None,
    time_limit: TimeLimitOption = TIME_LIMIT,
    workers: WorkersOption = None,
    conventions: ConventionsOption = False,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the turn that lost a game, and the line that would have won from just before it.

    A game is shown turn by turn; of several games, or of a folder, each is a line. What cannot be read among several
    is named, and the rest goes on; the exit code is 2 only if nothing can be read. With --json, several games or a
    folder are a list, one object each, with its `input`, and with an `error` instead of an analysis where there is one.

    A number of a game, or a link with no more than that, is fetched from the site: once, and kept. A link that ends in
    #T opens the game at turn T. Archives are zip and tar files; .jsonl has a record a line; any may be gzipped.

    The pace is how many discards are still affordable: points + cards left to draw + players − best score still
    possible. Gotten are the cards played, or touched and not known to be worthless; efficiency is gotten / hints spent.

    --conventions lists hints that touch what is worthless or touched already, missed saves, missed play hints, discards
    with a play known, and hints whose focus is not what they say of it; what may have had a reason is marked unclear.

    Example: handful analyse game.json

    Example: handful analyse 1874799

    Example: handful analyse records/ --json

    Example: handful analyse game.json --conventions
    """
    from handful.lab.analyses import analyse_all, fetched, games_in, has_numbers

    games = games_in(inputs or [])
    is_list = list(games) != inputs or len(games) > 1  # a folder of one record is a list, too
    if has_numbers(games):
        with opened_site(site, offline) as opened:
            games = fetched(games, opened)
    prepare_solver()
    with progress_bar("analysing", len(games)) as advance:
        results = analyse_all(games, time_limit=time_limit, workers=workers, on_progress=advance)
    errors = [result.error for result in results if result.analysis is None]
    if not is_list and errors:
        raise HandfulError(errors[0])
    for error in errors:
        complain(error)
    findings = [_findings(game, result) if conventions else None for game, result in zip(games, results, strict=True)]
    if as_json:
        found = [result.to_dict() | findings_told(of_game) for result, of_game in zip(results, findings, strict=True)]
        print_json(found if is_list else found[0] | _opened((inputs or [""])[0]))
    elif is_list:
        _print_list(console(), results)
    else:
        assert results[0].analysis is not None, "an error was raised above"
        print_analysis(console(), results[0].analysis, opened_turn((inputs or [""])[0]))
    if conventions and not as_json:
        print_findings(console(), [result.given for result in results], findings)
    if len(errors) == len(results):
        raise typer.Exit(2)


def _findings(game: Game, result: AnalysedGame) -> list[Finding] | None:
    from handful.lab.analyses import read_game

    return None if result.analysis is None else findings_in(result.given, read_game(game))


def opened_turn(given: str) -> int | None:
    """Return the turn at which a link opens its game, if it says so.

    >>> opened_turn("https://hanab.live/replay/1874799#17"), opened_turn("1874799")
    (17, None)
    """
    _, hash_sign, turn = given.strip().rpartition("#")
    is_said = hash_sign and "/" in given and turn.isascii() and turn.isdigit() and 0 < len(turn) <= 4 and int(turn)
    return int(turn) if is_said else None


def _opened(given: str) -> dict[str, int]:
    turn = opened_turn(given)
    return {} if turn is None else {"opened_at_turn": turn}


# What is shown


def print_analysis(out: Console, analysis: Analysis, opened: int | None = None) -> None:
    """Print a game turn by turn, where it was lost, and the line that was missed; the turn that is opened is marked."""
    from handful.cli.shared.table_text import print_line
    from handful.hanabi.state import Ending

    game = f"{rules_text(analysis.rules)}: {', '.join(analysis.names)}"
    how = f" ({analysis.ending})" if analysis.ending and analysis.ending not in get_args(Ending) else ""
    out.print(f"{game}; score {analysis.score} of {analysis.rules.max_score}{how}", style="bold", soft_wrap=True)
    if analysis.turns:
        out.print(_turns_table(analysis, opened))
    out.print(sentence(analysis.verdict), style="bold", soft_wrap=True)
    if analysis.reason:
        out.print(sentence(analysis.reason), soft_wrap=True)
    if analysis.missed_line is not None:
        begins = len(analysis.missed_line.finished.history) - len(analysis.missed_line.line) + 1
        out.print(f"\nFrom turn {begins} on, this would have won:")
        print_line(out, analysis.missed_line, analysis.names, analysis.link)


def _turns_table(analysis: Analysis, opened: int | None) -> Table:
    columns = (">turn", "what happened", "winnable", *_NUMBERS)
    table = listing(columns, **PLAIN)
    table.columns[0].style = "dim"
    for turn in analysis.turns:
        style = "bold" if _is_suspect(turn) else "reverse" if turn.number == opened else ""
        table.add_row(*_cells(turn, turn.number == opened), style=style)
    return table


_NUMBERS = (">points", ">pace", "risk", ">hints", ">strikes", ">deck", ">gotten", ">effic.")


def _cells(turn: AnalysedTurn, is_opened: bool) -> list[str]:
    change = ANSWERS[turn.winnable_after]
    if _is_suspect(turn):
        change = f"{ANSWERS[turn.winnable_before]} → {change}"
    pace, hints = ("–" if number is None else str(number) for number in (turn.pace, turn.hints))
    return [
        f"{'▶ ' if is_opened else ''}{turn.number}",
        turn.text,
        change,
        f"{turn.points}/{turn.best_score}",
        pace,
        turn.risk or "–",
        hints,
        str(turn.strikes),
        str(turn.deck_size),
        str(turn.gotten),
        "–" if turn.efficiency is None else f"{turn.efficiency:.2f}",
    ]


def _is_suspect(turn: AnalysedTurn) -> bool:
    """Whether the answer after a turn is another than before."""
    return turn.winnable_before is not turn.winnable_after


def _print_list(out: Console, results: Sequence[AnalysedGame]) -> None:
    """Print a line for each game that could be read, and what they came to."""
    from handful.lab.analyses import SHORT_VERDICTS, short_verdict

    read = [(result.given, result.analysis) for result in results if result.analysis is not None]
    if not read:
        return
    rows = [(given, f"{found.score} of {found.rules.max_score}", found.verdict) for given, found in read]
    out.print(listing(("game", "score", "verdict"), rows, **PLAIN))
    counts = Counter(short_verdict(found) for _, found in read)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in SHORT_VERDICTS if counts[verdict])
    unread = len(results) - len(read)
    out.print(f"{counted(len(read), 'game')}: {said}." + (f" {unread} could not be read." if unread else ""))
