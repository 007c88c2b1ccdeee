"""`handful count`: how many sequences of one suit can be played with a hand of one card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.options import JsonOption, whole_number
from handful.cli.shared.output import console, print_json

if TYPE_CHECKING:
    from handful.playability.sequences.counting import PlayableCount


def count(
    copies: Annotated[
        list[int],
        typer.Argument(
            parser=whole_number, metavar="X1 X2 …", help="How many cards of value 1, of value 2, …", show_default=False
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Count the sequences that contain 1, 2, 3, … in this order: those that a hand of one card can play.

    All numbers are exact (van den Bergh 2015, Theorem 3.25). A deck of playing cards, its suits aside, has four cards
    of each of 13 values. For larger hands there is handful sequences.

    Example: handful count 3 2 2 2 1

    Example: handful count 4 4 4 4 4 4 4 4 4 4 4 4 4 --json
    """
    from handful.playability.sequences import counting

    found = counting.count(copies)
    print_json(found.to_dict()) if as_json else _print_count(found)


def _print_count(found: PlayableCount) -> None:
    from rich.table import Table

    table = Table(title=f"copies {' '.join(map(str, found.copies))}, hand of 1", title_style="bold", show_header=False)
    table.add_column()
    table.add_column(justify="right", overflow="fold")
    table.add_row("cards", f"{sum(found.copies):,}")
    table.add_row("sequences", f"{found.total:,}")
    table.add_row("playable", f"{found.playable:,}")
    table.add_row("unplayable", f"{found.unplayable:,}")
    table.add_row("probability", f"{float(found.probability):.12g}")
    table.caption = "exact: Theorem 3.25, docs/counting.md"
    console().print(table)
