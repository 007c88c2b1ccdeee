"""How far the judgement is off, measured: the figures that answers quote, written by `benchmarks.rummy_gone`."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MEASURED = Path(__file__).with_name("measured.csv")


@dataclass(frozen=True)
class Measured:
    """How far the judgement was off on so many positions with so many cards, and so many gone: in turns.

    `error` is the mean, `greatest` the greatest; `loss` is what the throws that it chooses cost on average.
    """

    cards: int
    gone: int
    positions: int
    error: float
    greatest: float
    loss: float


@cache
def all_measured() -> tuple[Measured, ...]:
    """Return what was measured."""
    with MEASURED.open(newline="") as file:
        return tuple(
            Measured(
                int(row["cards"]),
                int(row["gone"]),
                int(row["positions"]),
                float(row["error"]),
                float(row["greatest"]),
                float(row["loss"]),
            )
            for row in csv.DictReader(file)
        )


def measured_for(cards: int, gone: int) -> Measured | None:
    """Return what was measured for hands of so many cards, with as many gone or the next more; None if nothing was."""
    fitting = [each for each in all_measured() if each.cards == cards and each.gone >= gone]
    return min(fitting, key=lambda each: each.gone) if fitting else None
