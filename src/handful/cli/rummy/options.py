"""The options that the commands of `handful rummy` share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from handful.cli.shared.options import positive_number, whole_number

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
