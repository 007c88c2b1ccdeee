"""What the commands of `handful rummy` share: options, and a bar for tables that are being made."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from handful.cli.options import positive_number, whole_number
from handful.cli.output import complain
from handful.cli.progress import make_progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from handful.rummy import Game, Progress, Table

LONG = 60.0  # seconds: what takes longer says so before it starts
PATIENCE = 300.0  # seconds: what takes longer is made only by who asks for it

CardsOption: TypeAlias = Annotated[
    int, typer.Option("--cards", "-c", parser=whole_number, metavar="N", help="How many cards in hand, 3 to 10.")
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


@contextmanager
def solving_bar(what: str = "") -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows how far a table is. Nothing is shown where nobody looks."""
    from rich.console import Console

    bars: list[Bar] = []

    def show(progress: Progress) -> None:
        if not sys.stderr.isatty():
            return
        game = progress.game
        name = f"{what}{game.cards} cards, aces {game.aces}"
        if not bars:
            bars.append(make_progress(name, "hands", console=Console(stderr=True), transient=True))
            bars[0].start()
            bars[0].add_task(name, total=progress.total)
        bars[0].update(bars[0].task_ids[0], completed=progress.done)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def made_table(game: Game, fresh: bool = False) -> tuple[Table, bool]:
    """Return the table of a game, and whether it was there; who has to wait is told for how long."""
    from handful.rummy import DamagedFileError, estimate
    from handful.rummy import solve as solve_game
    from handful.rummy.table import open_table

    table = None
    if not fresh:
        try:
            table = open_table(game)
        except DamagedFileError as error:
            complain(f"{error}; it is made again")
    if table is not None:
        return table, True
    needed = estimate(game.cards, game.aces, game.tolerance)
    if needed.seconds > LONG:
        complain(str(needed))
    with warnings.catch_warnings(), may_be_interrupted(game.cards), solving_bar() as show:
        warnings.simplefilter("ignore")  # that the table is damaged was said above
        return solve_game(game.cards, game.aces, game.tolerance, fresh=fresh, progress=show), False


def make_ready(cards: int, aces: str) -> None:
    """Make the table of a game that somebody asks something about, if it is missing and takes a few minutes at most."""
    from handful.rummy import Game, estimate, tables_folder

    game = Game(cards, aces)
    if not (tables_folder() / game.file_name).exists() and LONG < estimate(cards, aces).seconds <= PATIENCE:
        made_table(game)


@contextmanager
def may_be_interrupted(cards: int) -> Iterator[None]:
    """Say how an interrupted run goes on, if it does."""
    from handful.cli.main import INTERRUPTED
    from handful.rummy.long_run import CHECKPOINT_FROM

    try:
        yield
    except KeyboardInterrupt:
        if cards < CHECKPOINT_FROM:
            raise
        complain("interrupted. The same command goes on from the last checkpoint")
        raise typer.Exit(INTERRUPTED) from None
