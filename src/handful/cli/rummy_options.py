"""What the commands of `handful rummy` share: options, and a bar for tables that are being made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from handful.cli.options import positive_number, whole_number
from handful.cli.progress import make_progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from handful.rummy import Progress

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
