"""What the commands of `handful rummy` share: options, pages of figures, and answers that have to be made first."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from handful.cli.shared.options import positive_number, whole_number
from handful.cli.shared.output import complain
from handful.cli.shared.progress import make_progress
from handful.errors import HandfulError
from handful.rummy.cards import sizes_text
from handful.rummy.game import CHECKPOINT_SIZES, HAND_SIZES, SOLVED_AT_ONCE

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from rich.table import Table as Page

    from handful.rummy import Answers, Game, Progress

PATIENCE = 300.0  # seconds: what takes longer is made only by who asks for it

CardsOption: TypeAlias = Annotated[
    int,
    typer.Option(
        "--cards",
        "-c",
        parser=whole_number,
        metavar="N",
        help=f"How many cards in hand, {sizes_text(HAND_SIZES)}.",
    ),
]
AcesOption: TypeAlias = Annotated[
    str, typer.Option("--aces", "-a", metavar="A", help="low (A23), high (A23, QKA) or wrap (A23, QKA, KA2).")
]
RummySeedOption: TypeAlias = Annotated[
    int, typer.Option("--seed", "-s", parser=whole_number, metavar="S", help="Which games.")
]
MostTurnsOption: TypeAlias = Annotated[
    int,
    typer.Option("--most-turns", parser=positive_number, metavar="T", help="A game that takes longer is given up."),
]


def page_of(title: str, *columns: str, **look: Any) -> Page:
    """Return a page for rows of these columns, if any; a name that begins with > is that of figures: to the right."""
    from rich.table import Table as Page

    page = Page(title=title, title_style="bold", show_header=bool(columns), **look)
    for name in columns:
        page.add_column(name.removeprefix(">"), justify="right" if name.startswith(">") else "left")
    return page


@contextmanager
def solving_bar(what: str = "") -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows how far games are solved, a bar for each. Nothing is shown where nobody looks.

    Answers that are missing or damaged are refused with the command that makes them.
    """
    from rich.console import Console

    from handful.rummy import DamagedFileError, NotSolvedError

    bars: list[Bar] = []
    tasks: dict[Game, TaskID] = {}

    def show(progress: Progress) -> None:
        if not sys.stderr.isatty():
            return
        game = progress.game
        if not bars:
            bars.append(make_progress(console=Console(stderr=True), transient=True))
            bars[0].start()
        if game not in tasks:
            name = f"{what}{game.cards} cards, aces {game.aces}"
            tasks[game] = bars[0].add_task(name, total=progress.total, unit="hands")
        bars[0].update(tasks[game], completed=progress.done)

    try:
        yield show
    except (DamagedFileError, NotSolvedError) as error:
        if error.game is None:
            raise
        raise HandfulError(f"{error}. To make it: {solve_command(error.game)}") from error
    finally:
        for bar in bars:
            bar.stop()


def solve_command(game: Game) -> str:
    """Return the command that makes the answers of a game."""
    tolerance = f" --tolerance {game.tolerance:g}" if game.tolerance else ""
    return f"handful rummy solve --cards {game.cards} --aces {game.aces}{tolerance}"


def made_answers(games: Sequence[Game], fresh: bool = False) -> list[tuple[Answers, bool]]:
    """Return the answers of games, and whether each was there; who has to wait is told for how long."""
    from handful.rummy import DamagedFileError, estimate
    from handful.rummy.answers import open_answers
    from handful.rummy.solver.solve import solve_side_by_side

    found: dict[Game, Answers] = {}
    for game in [] if fresh else games:
        try:
            answers = open_answers(game)
        except DamagedFileError as error:
            complain(f"{error}; it is made again")
        else:
            found |= {} if answers is None else {game: answers}
    missing = [game for game in dict.fromkeys(games) if game not in found]
    for game in missing:
        needed = estimate(game.cards, game.aces, game.tolerance)
        if needed.seconds > SOLVED_AT_ONCE:
            complain(str(needed))
    with warnings.catch_warnings(), may_be_interrupted(missing), solving_bar() as show:
        warnings.filterwarnings("ignore", message=".*it is made again")  # that a file is damaged was said above
        made = dict(zip(missing, solve_side_by_side(missing, fresh=fresh, progress=show), strict=True))
    return [(found[game], True) if game in found else (made[game], False) for game in games]


def make_ready(cards: int, aces: str) -> None:
    """Make the answers that somebody asks for, if they are missing and take a few minutes at most."""
    from handful.rummy import Game, answers_folder, estimate

    game = Game(cards, aces)
    if not (answers_folder() / game.file_name).exists() and SOLVED_AT_ONCE < estimate(cards, aces).seconds <= PATIENCE:
        made_answers([game])


@contextmanager
def may_be_interrupted(games: Sequence[Game]) -> Iterator[None]:
    """Say how an interrupted run goes on, if it does."""
    from handful.cli.shared.progress import INTERRUPTED

    try:
        yield
    except KeyboardInterrupt:
        if not any(game.cards in CHECKPOINT_SIZES for game in games):
            raise
        complain("interrupted. The same command goes on from the last checkpoint")
        raise typer.Exit(INTERRUPTED) from None
