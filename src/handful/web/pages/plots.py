"""Columns side by side, with marks below: the geometry of a plot, which a template draws as SVG.

All places are in per cent of the width, so that a plot is as wide as its page and its letters are not stretched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, floor, log10

from handful.rummy.distribution import Turns

MOST_COLUMNS = 60
MOST_LEVELS = 4


@dataclass(frozen=True)
class Column:
    """A column: its height as a part of the plot's, what it says of itself, and a class for the page."""

    left: float
    width: float
    height: float
    words: str
    mark: str = ""


@dataclass(frozen=True)
class Tick:
    """A mark below the plot."""

    left: float
    text: str


@dataclass(frozen=True)
class Level:
    """A line across the plot: its height as a part of the plot's, and the value there."""

    height: float
    text: str


@dataclass(frozen=True)
class Plot:
    """A plot of columns, and what its axes say: the values at some heights, what these are, what stands below."""

    columns: tuple[Column, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Level, ...] = ()
    beside: str = ""
    below: str = ""


def columns_plot(
    heights: Sequence[float],
    words: Callable[[int], str],
    mark: Callable[[int], str] = lambda _place: "",
    labels: Callable[[int], str] = str,
    most_ticks: int = 10,
) -> Plot:
    """Return the plot of some heights; `words`, `mark` and `labels` say what there is to say of each, by its place.

    >>> plot = columns_plot([1, 2], "{} apples".format)
    >>> [column.height for column in plot.columns], [tick.text for tick in plot.ticks]
    ([0.5, 1.0], ['0', '1'])
    """
    top = max(heights, default=0) or 1
    width = 100 / max(1, len(heights))
    columns = tuple(
        Column(place * width, width, height / top, words(place), mark(place)) for place, height in enumerate(heights)
    )
    step = round_step(len(heights), most_ticks)
    ticks = tuple(Tick((place + 0.5) * width, labels(place)) for place in range(0, len(heights), step))
    return Plot(columns, ticks)


def with_axes(plot: Plot, top: float, beside: str, below: str, unit: str = "") -> Plot:
    """Return a plot with axes that say what they are; `top` is the value of its highest column.

    >>> [level.text for level in with_axes(Plot((), ()), 0.17, "of all games", "turns", "%").levels]
    ['5 %', '10 %', '15 %']
    """
    most = 100 * top if unit == "%" else top
    if most <= 0:
        return replace(plot, beside=beside, below=below)
    power = 10.0 ** floor(log10(most / MOST_LEVELS))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power * MOST_LEVELS >= most * (1 - 1e-9))
    values = [step * number for number in range(1, int(most / step + 1e-9) + 1)]
    levels = tuple(Level(value / most, f"{value:.12g}{f' {unit}' if unit else ''}") for value in values)
    return replace(plot, levels=levels, beside=beside, below=below)


def round_step(length: int, most: int) -> int:
    """Return a step of 1, 2 or 5 times a power of ten with which a length has at most so many steps.

    >>> round_step(26, 10), round_step(300, 10), round_step(5, 10)
    (5, 50, 1)
    """
    least = max(1, ceil(length / most))
    power = int(10 ** int(log10(least)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def first_score(histogram: Sequence[int]) -> int:
    """Return the score with which a plot begins: the lowest that came, but such that there are six at least."""
    lowest = next((score for score, times in enumerate(histogram) if times), 0)
    return min(lowest, max(0, len(histogram) - 6))


def scores_plot(histogram: Sequence[int], first: int | None = None) -> Plot:
    """Return the plot of how often each score came, from the score `first` on, or else from the lowest that did."""
    games = sum(histogram)
    first = first_score(histogram) if first is None else first
    shown = histogram[first:]

    def words(place: int) -> str:
        times = shown[place]
        return f"score {first + place}: {times:,} game{'' if times == 1 else 's'}, {times / games:.2%}"

    def mark(place: int) -> str:
        return "perfect" if first + place == len(histogram) - 1 else ""

    plot = columns_plot(shown, words, mark, lambda place: str(first + place), most_ticks=13)
    return with_axes(plot, max(shown) / games, "of all games", "score", "%")


def turns_plot(turns: Turns) -> Plot:
    """Return the plot of how many turns a hand takes: up to where all but one of 200 games are done.

    Turns are taken together where there are too many for a column each; the column of the median has a mark, and so
    have those that hold nine games of ten.
    """
    last = turns.quantile(0.995)
    size = max(1, ceil((last + 1) / MOST_COLUMNS))
    chances = [sum(turns.chances[first : first + size]) for first in range(0, last + 1, size)]
    done = list(accumulate(chances))
    low, median, high = (turns.quantile(share) // size for share in (0.05, 0.5, 0.95))

    def words(place: int) -> str:
        first, end = place * size, place * size + size - 1
        span = f"turn {first}" if first == end else f"turns {first} to {end}"
        return f"{span}: {chances[place]:.2%}; done by then: {done[place]:.1%}"

    def mark(place: int) -> str:
        return "median" if place == median else "usual" if low <= place <= high else ""

    plot = columns_plot(chances, words, mark, lambda place: str(place * size))
    if size > 1:  # a mark stands where the column of its turn begins
        plot = replace(plot, ticks=tuple(replace(tick, left=tick.left - 50 / len(chances)) for tick in plot.ticks))
    below = "turns" if size == 1 else f"turns, {size} to a column"
    return with_axes(plot, max(chances), "of all games", below, "%")
