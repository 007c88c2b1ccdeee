"""`handful rummy solve`, `tables` and `figures`: the expected turns of every hand, made, kept and drawn."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.rummy.shared import CardsOption, made_answers, may_be_interrupted, page_of, solving_bar
from handful.cli.shared.options import JsonOption, positive_number
from handful.cli.shared.output import complain, console, counted, print_json
from handful.cli.shared.progress import prepare_solver, progress_bar
from handful.errors import HandfulError, shown
from handful.rummy.cards import sizes_text
from handful.rummy.game import ADDED_SIZES, SOLVED_AT_ONCE

if TYPE_CHECKING:
    from handful.rummy import Answers, SpreadFigures, StoredAnswers, Summary
    from handful.rummy.gone.added import AddedFigures


def tolerance_number(text: str | float) -> float:
    """Return the tolerance that an option is given, or refuse it by name."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise typer.BadParameter(f"{shown(str(text))} is not a tolerance: expected a number of turns, at least 0")
    return number


def solve(
    cards: CardsOption = 3,
    aces: Annotated[
        str, typer.Option("--aces", "-a", metavar="A", help="low, high or wrap; several with commas: low,high,wrap.")
    ] = "low",
    tolerance: Annotated[
        float,
        typer.Option("--tolerance", "-t", parser=tolerance_number, metavar="T", help="Approximate, within T turns."),
    ] = 0.0,
    spread: Annotated[
        bool, typer.Option("--spread", help="Find the standard deviation of the turns of every hand, too.")
    ] = False,
    gone: Annotated[
        bool, typer.Option("--gone", help="Find what each card adds to each hand when it is gone, too (3 to 8 cards).")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Solve again, even if there is a table.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make the table of the expected turns of every hand, or read it if it was made before.

    Exact, unless a tolerance is given: then hands are locked in together whose expected turns seem to lie within it
    (Finkle 2017, section 5). Several games are solved at once, as far as there are cores and memory. A run of 7 cards
    or more that is stopped goes on from its last checkpoint. With --spread
    the standard deviations are kept beside the table, and advice on hands of 7 and more cards has them exactly. With --gone,
    what each card adds is kept, too: what advice with --seen goes by.

    Example: handful rummy solve --cards 3 --aces low,high,wrap

    Example: handful rummy solve --cards 4 --tolerance 0.001 --json

    Example: handful rummy solve --cards 6 --spread

    Example: handful rummy solve --cards 6 --gone
    """
    from handful.rummy import ACE_RULES, Game
    from handful.rummy.melds import check_aces

    names = [name for name in (part.strip() for part in aces.split(",")) if name]
    if not names:
        raise typer.BadParameter(f"--aces {shown(aces)}: expected {', '.join(ACE_RULES)}, or several with commas")
    games = [Game(cards, check_aces(name), tolerance) for name in names]
    if spread and tolerance:
        raise typer.BadParameter("--spread: expected an exact table, without --tolerance")
    if gone and (tolerance or cards not in ADDED_SIZES):
        raise typer.BadParameter(f"--gone: expected an exact table of {sizes_text(ADDED_SIZES)} cards")
    prepare_solver()
    solved: list[dict[str, Any]] = []
    for answers, was_there in made_answers(games, fresh):
        solved.append({**answers.to_dict(), "from_disk": was_there, "file": str(answers.path)})
        figures = _spread(answers, fresh) if spread else None
        if figures is not None:
            solved[-1]["spread"] = figures.to_dict()
        weighed = _added(answers, fresh) if gone else None
        if weighed is not None:
            solved[-1]["gone"] = weighed.to_dict()
        if not as_json:
            _print_summary(answers.summary(), was_there, figures, weighed)
    if as_json:
        print_json(solved if len(solved) > 1 else solved[0])


def _spread(answers: Answers, fresh: bool) -> SpreadFigures:
    """Return the spread of a game in figures; who has to wait is told for how long."""
    from handful.rummy import spread_of
    from handful.rummy.solver.spread import open_spread, spread_seconds

    found = None if fresh else open_spread(answers)
    if found is None:
        seconds = spread_seconds(answers.game)
        if seconds > SOLVED_AT_ONCE:
            complain(
                f"the spread of {answers.game.cards} cards, aces {answers.game.aces}: about {seconds / 60:.0f} minutes"
            )
        with may_be_interrupted([answers.game]), solving_bar("spread of ") as show:
            found = spread_of(answers, fresh=fresh, progress=show)
    return found.figures


def _added(answers: Answers, fresh: bool) -> AddedFigures:
    """Return what each card adds, in figures; who has to wait is told for how long."""
    from handful.rummy.gone.added import added_estimate, added_of, open_added

    found = None if fresh else open_added(answers)
    if found is None:
        needed = added_estimate(answers.game)
        if needed.seconds > SOLVED_AT_ONCE:
            complain(f"what each card adds: {needed}")
        with may_be_interrupted([answers.game]), solving_bar("what cards add, ") as show:
            found = added_of(answers, fresh=fresh, progress=show)
    return found.figures


def _print_summary(summary: Summary, was_there: bool, spread: SpreadFigures | None, gone: AddedFigures | None) -> None:
    within = f", within {summary.tolerance:g} turns" if summary.tolerance else ""
    page = page_of(f"{summary.cards} cards, aces {summary.aces}{within}")
    page.add_row("hands", f"{summary.hands:,}   ({summary.kinds:,} up to symmetry)")
    page.add_row("rummies", f"{summary.rummies:,}")
    if summary.classes is not None:
        name = "cohorts, with the rummies" if summary.tolerance else "classes of equal expected turns"
        ties = f"   ({counted(summary.near_ties, 'near tie')})" if summary.near_ties else ""
        page.add_row(name, f"{summary.classes:,}{ties}")
    page.add_row("best", f"{summary.best:.10f}   {summary.best_hand}")
    page.add_row("worst", f"{summary.worst:.10f}   {summary.worst_hand}")
    page.add_row("mean of all deals", f"{summary.mean:.10f}")
    if spread is not None:
        page.add_row("sd of expected turns", f"{spread.sd_of_expected:.10f}   between hands")
        page.add_row("sd of the turns", f"{spread.sd_of_turns:.10f}   of a deal, draws included")
    when = "read from disk; made in " if was_there else ""
    page.add_row("time", f"{when}{summary.seconds:.2f} s ({summary.cpu_seconds:.2f} s CPU)")
    page.add_row("peak memory", f"{summary.peak_memory_mb:,.0f} MB")
    if spread is not None:
        page.add_row("the spread", f"{spread.cpu_seconds:.2f} s CPU, {spread.peak_memory_mb:,.0f} MB")
    if gone is not None:
        page.add_row("what cards add", f"{gone.cpu_seconds:.2f} s CPU, {gone.peak_memory_mb:,.0f} MB")
    console().print(page)


def tables(
    clear: Annotated[bool, typer.Option("--clear", help="Remove them all, and what interrupted runs left.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List the tables that are kept on disk, or remove them.

    They are in the user's cache folder, or in that of the variable HANDFUL_RUMMY_TABLES.

    Example: handful rummy tables

    Example: handful rummy tables --clear
    """
    from handful.rummy import answers_folder, clear_answers, list_answers

    if clear:
        gone = clear_answers()
        if as_json:
            print_json({"removed": [str(path) for path in gone]})
        else:
            print(f"{counted(len(gone), 'file')} removed from {answers_folder()}")
        return
    stored = list_answers()
    print_json([each.to_dict() for each in stored]) if as_json else _print_tables(stored)


def _print_tables(stored: tuple[StoredAnswers, ...]) -> None:
    from handful.rummy import answers_folder

    figures = (">tolerance", ">best", ">worst", ">mean", ">sd of turns", ">MB", ">made in")
    page = page_of(str(answers_folder()), ">cards", "aces", *figures)
    for each in stored:
        told = each.summary
        if told is None:
            continue
        page.add_row(
            str(told.cards),
            told.aces,
            f"{told.tolerance:g}" if told.tolerance else "exact",
            f"{told.best:.6f}",
            f"{told.worst:.6f}",
            f"{told.mean:.6f}",
            f"{each.spread.sd_of_turns:.6f}" if each.spread else "",
            f"{each.size_mb:,.1f}",
            f"{told.seconds:,.1f} s",
        )
    out = console()
    out.print(page)
    for each in stored:
        if each.problem:
            out.print(f"not used: {each.problem}", soft_wrap=True)


def figures(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Write them into this folder.")],
    only: Annotated[
        list[int] | None,
        typer.Option("--only", parser=positive_number, metavar="N", help="Only this figure; repeat it for several."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the twelve figures of Finkle 2017 from our tables, as SVG and PNG.

    Example: handful rummy figures --out figures

    Example: handful rummy figures --out figures --only 2 --only 12
    """
    from handful.rummy.figures import FIGURES, draw_figures

    if out.exists() and not out.is_dir():
        raise HandfulError(f"--out {out}: expected a folder")
    prepare_solver()
    with progress_bar("figures", len(only or FIGURES), "figures") as advance:
        files = draw_figures(out, only or (), advance)
    if as_json:
        print_json({"files": [str(path) for path in files]})
    else:
        print(*files, sep="\n")
