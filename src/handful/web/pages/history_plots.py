"""The plots of a history: lines through points, and columns; a template draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.lab.history.findings import PACE_POINTS
from handful.lab.history.summary import TURNS_A_BIN, Line, Summary
from handful.web.pages.plots import Plot, Tick, columns_plot, round_step, with_axes


@dataclass(frozen=True)
class Curve:
    """A line of a plot: the places of its points, x and y in per cent of the plot, y downwards; and what it is."""

    name: str
    mark: str
    points: tuple[tuple[float, float], ...]

    @property
    def path(self) -> str:
        """The points as SVG has them."""
        return " ".join(f"{x:.2f},{y:.2f}" for x, y in self.points)


@dataclass(frozen=True)
class Curves:
    """Lines over one axis, with marks below and at the side (`left` of those is a height, from above)."""

    curves: tuple[Curve, ...]
    below: tuple[Tick, ...]
    beside: tuple[Tick, ...]


@dataclass(frozen=True)
class Plots:
    """All plots of a history; None where there is nothing to show."""

    perfect: Plot | None
    efficiency: Curves | None
    pace: Curves | None
    lost_turns: Plot | None


def plots_of(summary: Summary) -> Plots:
    """Return the plots of what games say."""
    times = summary.over_time
    return Plots(
        perfect=perfect_plot(times) if len(times) > 1 else None,
        efficiency=efficiency_curves(times),
        pace=curves_of(
            [(name, name, list(curve)) for name, curve in summary.pace_curve.items()],
            [f"{100 - 100 * place // (PACE_POINTS - 1)} %" for place in range(PACE_POINTS)],
        ),
        lost_turns=lost_plot(summary.lost_turns) if summary.lost_turns else None,
    )


def perfect_plot(lines: Sequence[Line]) -> Plot:
    """Return the share of perfect games over time."""

    def words(place: int) -> str:
        line = lines[place]
        return f"{line.name}: {line.perfect} of {line.games} games perfect, {line.perfect_share:.0%} of those winnable"

    shares = [line.perfect_share for line in lines]
    plot = columns_plot(shares, words, lambda _: "usual", lambda place: lines[place].name, 6)
    return with_axes(plot, max(shares), "of those that could be won", "", "%")


def efficiency_curves(lines: Sequence[Line]) -> Curves | None:
    """Return the efficiency over time, and the least that was needed."""
    if len(lines) < 2 or all(line.efficiency is None for line in lines):
        return None
    return curves_of(
        [
            ("efficiency", "all", [line.efficiency for line in lines]),
            ("least needed", "needed", [line.least_efficiency for line in lines]),
        ],
        [line.name for line in lines],
    )


def lost_plot(turns: dict[int, int]) -> Plot:
    """Return how many games were lost on which turns."""
    firsts = list(turns)
    counts = [turns[first] for first in firsts]

    def span(place: int) -> str:
        return f"{firsts[place]}–{firsts[place] + TURNS_A_BIN - 1}"

    plot = columns_plot(counts, lambda place: f"turns {span(place)}: {counts[place]} lost", lambda _: "cost", span)
    return with_axes(plot, max(counts), "games", "turns")


def curves_of(lines: Sequence[tuple[str, str, Sequence[float | None]]], labels: Sequence[str]) -> Curves | None:
    """Return lines (their name, mark and values) over places with these labels; None if there is no value.

    >>> curves = curves_of([("a", "all", [1.0, None, 3.0])], ["x", "y", "z"])
    >>> curves.curves[0].path, [tick.text for tick in curves.below]
    ('0.00,100.00 100.00,0.00', ['x', 'y', 'z'])
    """
    values = [value for _, _, line in lines for value in line if value is not None]
    if not values:
        return None
    low, high = min(values), max(values)
    spread = (high - low) or 1.0
    last = max(1, len(labels) - 1)

    def place(number: int, value: float) -> tuple[float, float]:
        return 100 * number / last, 100 * (high - value) / spread

    curves = tuple(
        Curve(name, mark, tuple(place(number, value) for number, value in enumerate(line) if value is not None))
        for name, mark, line in lines
        if any(value is not None for value in line)
    )
    step = round_step(len(labels), 6)
    below = tuple(Tick(100 * number / last, labels[number]) for number in range(0, len(labels), step))
    beside = tuple(Tick(100 * (high - value) / spread, f"{value:.2f}") for value in (low, (low + high) / 2, high))
    return Curves(curves, below, beside)
