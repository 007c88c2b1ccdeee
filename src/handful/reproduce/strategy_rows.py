"""Rows of the rules of thumb, published averages beside ours, and curves of them.

The original played 10,000 deals ten times each; the standard error of its averages is taken as that of 10,000 games,
which is a little too much. docs/rules-of-thumb.md tells the two readings of the strategy apart: the tables were made
with one of them, and the text describes the other, which plays better.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Line, Picture, standard_error, threshold
from handful.reproduce.pictures import COLOURS, MARKERS, grid
from handful.reproduce.rule_strategies import RULES_OF_READING, PublishedStrategy, StrategyComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEALS = 10_000  # of the original, ten games each
RARE = 0.9  # share of games struck out beyond which points are a rare event
MISPRINT = (
    "A misprint: with omega_d 0.8 and 1.0 instead of 0.9 the same table has 15.18 and 15.25; surely 15.2650 is meant."
)
EXTREMES = "The largest and smallest scores of the table are those of 100,000 games, and are not compared."


def play(rows: Sequence[PublishedStrategy], effort: Effort, reading: str = "tables") -> list[StrategyComparison]:
    """Return the rows beside ours."""
    games = effort.sample(1_000, 20_000)
    found = []
    for number, row in enumerate(rows, 1):
        ours = effort.simulate(row.bot(reading), 3, games, rules=RULES_OF_READING[reading])
        found.append(StrategyComparison(row, ours))
        effort.on_progress(number / len(rows))
    return found


def deviation_in_errors(row: StrategyComparison) -> float:
    """Return by how many standard errors our mean differs from the published one."""
    ours, published = row.ours, row.published
    sd, error = ours.sd, standard_error(ours.mean_ci95)
    if ours.strikeouts > RARE * ours.games:
        # Nearly all games end at 0, and a sample may miss the few others: take the largest spread that scores from 0 to
        # the published maximum can have around the published average.
        sd = sqrt(published.mean * max(published.largest - published.mean, 0.0))
        error = sd / sqrt(ours.games)
    both = sqrt(error**2 + sd**2 / DEALS)
    if both == 0:
        return 0.0 if row.deviation == 0 else inf
    return row.deviation / both


def mean_text(row: StrategyComparison) -> str:
    """Return our mean with half the width of its 95 % interval."""
    low, high = row.ours.mean_ci95
    return f"{row.ours.mean:.2f} ± {(high - low) / 2:.2f}"


def lines_of(names: Sequence[str], rows: Sequence[StrategyComparison]) -> list[Line]:
    """Return the comparison of each row: the same if chance explains the difference."""
    most = threshold(len(rows))
    lines = []
    for name, row in zip(names, rows, strict=True):
        published = f"{row.published.mean:.4f}"
        if abs(deviation_in_errors(row)) <= most:
            lines.append(Line(name, published, mean_text(row), "same"))
        else:
            reason = MISPRINT if row.published.is_misprint else ""
            lines.append(Line(name, published, mean_text(row), "differs", reason))
    return lines


def one_row_each(rows: Sequence[PublishedStrategy]) -> list[PublishedStrategy]:
    """Return the rows without settings that came before: some occur in several tables, with other noise."""
    return list({row.bot(): row for row in reversed(rows)}.values())[::-1]


def sums_of(rows: Sequence[StrategyComparison]) -> str:
    """Return how far ours are from the published averages, over all rows."""
    mean = sum(row.deviation for row in rows) / len(rows)
    return f"mean deviation {mean:+.3f}, absolute {sum(abs(row.deviation) for row in rows) / len(rows):.3f}"


class Curve(NamedTuple):
    """Rows in which one threshold varies; `x` is its name."""

    label: str
    x: str
    rows: list[PublishedStrategy]

    def settings(self) -> list[float]:
        """Return the values of the threshold, in the order of the rows."""
        return [float(getattr(row, self.x)) for row in self.rows]


def curve_of(label: str, x: str, rows: Sequence[PublishedStrategy], **fixed: Any) -> Curve:
    """Return the curve of the rows with these settings, in the order of the threshold."""
    chosen = one_row_each([row for row in rows if all(getattr(row, name) == value for name, value in fixed.items())])
    return Curve(label, x, sorted(chosen, key=lambda row: float(getattr(row, x))))


def draw_bar(axes: Axes, at: float, row: StrategyComparison, colour: str, label: str = "", marker: str = "o") -> None:
    """Draw our mean of a row with its 95 % interval."""
    low, high = row.ours.mean_ci95
    axes.errorbar(
        [at],
        [row.ours.mean],
        yerr=[[row.ours.mean - low], [high - row.ours.mean]],
        color=colour,
        marker=marker,
        markersize=4,
        capsize=2,
        linestyle="none",
        label=label,
    )


def curves_picture(
    name: str,
    caption: str,
    curves: Sequence[Curve],
    ours: Sequence[Sequence[StrategyComparison]],
    written: Sequence[StrategyComparison] = (),
) -> Picture:
    """Return a picture of curves: published averages as black marks, ours with intervals.

    `written` is the first curve played as the text describes the strategy.
    """

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, (curve, rows) in enumerate(zip(curves, ours, strict=True)):
            at, colour = curve.settings(), COLOURS[number]
            axes.plot(at, [row.ours.mean for row in rows], color=colour, linewidth=1)
            for place, row in enumerate(rows):
                draw_bar(axes, at[place], row, colour, curve.label if not place else "", MARKERS[number])
            published = "published" if number == 0 else ""
            axes.plot(at, [row.published.mean for row in rows], "_k", markersize=11, label=published)
        if written:
            at = curves[0].settings()
            axes.plot(at, [row.ours.mean for row in written], "--", color="#777777", label="as the text says")
        names = list(dict.fromkeys(curve.x for curve in curves))
        axes.set_xlabel(" or ".join(names))
        axes.set_ylabel("mean score")
        axes.set_ylim(bottom=0)
        grid(axes)
        axes.legend(frameon=False, loc="lower right")

    return Picture(name, caption, draw)
