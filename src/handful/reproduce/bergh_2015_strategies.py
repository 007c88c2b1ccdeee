"""Van den Bergh 2015, section 4: the rules of thumb. Appendix B has 446 settings; Figures 1 to 4 are rows of it.

The original played 10,000 deals ten times each; the standard error of its averages is taken as that of 10,000 games,
which is a little too much. docs/rules-of-thumb.md tells the two readings of the strategy apart: the tables were made
with one of them, and the text describes the other, which plays better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from handful.lab.simulate import Simulation
from handful.reproduce.outcome import (
    BETTER_PLAY,
    Effort,
    Estimate,
    Line,
    Outcome,
    Picture,
    Source,
    Tolerance,
    counted_same,
    plus_minus,
    published_rows,
    threshold,
    written,
)
from handful.reproduce.pictures import COLOURS, draw_bars, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh 2015"
DEALS = 10_000  # of the original, ten games each
RARE = 0.9  # share of games struck out beyond which points are a rare event
AS_WRITTEN = "the strategy as its text describes it"
# Surely a misprint: with omega_d 0.8 and 1.0 instead of 0.9 the same table has 15.18 and 15.25.
MISPRINTS = {(0.6, 1, 0.9, 1.0, 3, 1, 12.265): 15.265}
MISPRINT = (
    "A misprint: with omega_d 0.8 and 1.0 instead of 0.9 the same table has 15.18 and 15.25; surely 15.2650 is meant."
)
EXTREMES = "The largest and smallest scores of the table are those of 100,000 games, and are not compared."
RULES_OF_READING = {"tables": "thesis", "text": "thesis, bonus_hint=yes"}


# The rows of Appendix B


@dataclass(frozen=True)
class PublishedStrategy:
    """A row of Appendix B: a setting, and the average, largest and smallest score of 100,000 games."""

    omega_p: float
    omega_s: int
    omega_d: float
    omega_h: float
    hint: int
    discard: int
    mean: float
    largest: int
    smallest: int

    def bot(self, reading: str = "tables") -> str:
        """Return the bot of this setting."""
        return (
            f"rules(omega_p={self.omega_p}, omega_s={self.omega_s}, omega_d={self.omega_d}, omega_h={self.omega_h}, "
            f"hint={self.hint}, discard={self.discard}, reading={reading})"
        )

    @property
    def omegas(self) -> tuple[float, int, float, float]:
        """The four thresholds: omega_p, omega_s, omega_d, omega_h."""
        return (self.omega_p, self.omega_s, self.omega_d, self.omega_h)

    @property
    def is_favourite(self) -> bool:
        """Whether it has the rules that the thesis finds best: hint rule 3, discard rule 2."""
        return (self.hint, self.discard) == (3, 2)

    @property
    def is_misprint(self) -> bool:
        """Whether its average is surely misprinted."""
        return self._key in MISPRINTS

    @property
    def _key(self) -> tuple[float, int, float, float, int, int, float]:
        return (*self.omegas, self.hint, self.discard, self.mean)


def published_strategies() -> list[PublishedStrategy]:
    """Return the rows of Appendix B, the misprint put right."""
    return [replace(row, mean=MISPRINTS.get(row._key, row.mean)) for row in printed_strategies()]


def printed_strategies() -> list[PublishedStrategy]:
    """Return the rows of Appendix B as they are printed."""
    rows = []
    for row in published_rows("rule_strategies.csv"):
        setting = (float(row["omega_p"]), int(row["omega_s"]), float(row["omega_d"]), float(row["omega_h"]))
        kinds = (int(row["rho_h"]), int(row["rho_d"]))
        rows.append(PublishedStrategy(*setting, *kinds, float(row["avg"]), int(row["max"]), int(row["min"])))
    return rows


# Ours beside them


@dataclass(frozen=True)
class StrategyComparison:
    """A published setting, and what we get."""

    published: PublishedStrategy
    ours: Simulation

    @property
    def deviation(self) -> float:
        """Our mean less the published one."""
        return self.ours.mean - self.published.mean

    @property
    def error(self) -> float:
        """The standard error of the deviation, from both samples."""
        sd, error = self.ours.sd, Estimate.mean(self.ours).error
        if self.ours.strikeouts > RARE * self.ours.games:
            # Nearly all games end at 0, and a sample may miss the few others: take the largest spread that scores from
            # 0 to the published maximum can have around the published average.
            sd = sqrt(self.published.mean * max(self.published.largest - self.published.mean, 0.0))
            error = sd / sqrt(self.ours.games)
        return hypot(error, sd / sqrt(DEALS))


def play(rows: Sequence[PublishedStrategy], effort: Effort, reading: str = "tables") -> list[StrategyComparison]:
    """Return the rows beside ours, played with the reading and the rules that go with it."""
    games = effort.sample(1_000, 20_000)
    found = []
    for number, row in enumerate(rows, 1):
        ours = effort.simulate(row.bot(reading), 3, games, RULES_OF_READING[reading])
        found.append(StrategyComparison(row, ours))
        effort.on_progress(number / len(rows))
    return found


def lines_of(names: Sequence[str], rows: Sequence[StrategyComparison]) -> list[Line]:
    """Return the comparison of each row: the same if chance explains the difference."""
    return [
        Line.sampled(
            name,
            row.published.mean,
            Estimate.mean(row.ours),
            Tolerance(len(rows), row.error),
            MISPRINT if row.published.is_misprint else "",
            theirs="{:.4f}".format,
        )
        for name, row in zip(names, rows, strict=True)
    ]


def best_player_line(effort: Effort) -> Line:
    """Return our strongest player of three, by the rules of the thesis, beside its best average."""
    games = effort.sample(500, 20_000)
    best = max(row.mean for row in published_strategies())
    ours = Estimate.mean(effort.simulate("best", 3, games, rules="thesis"))
    name = f"our strongest player, by the rules of the thesis, three players, {games:,} games"
    return Line.sampled(name, best, ours, Tolerance(1), theirs="{:.2f} at best".format, aim=BETTER_PLAY)


def mean_text(result: Simulation) -> str:
    """Return a mean with half the width of its 95 % interval."""
    return written(Estimate.mean(result), plus_minus())


def one_row_each(rows: Sequence[PublishedStrategy]) -> list[PublishedStrategy]:
    """Return the rows without settings that came before: some occur in several tables, with other noise."""
    return list({row.bot(): row for row in reversed(rows)}.values())[::-1]


def sums_of(rows: Sequence[StrategyComparison]) -> str:
    """Return how far ours are from the published averages, over all rows."""
    mean = sum(row.deviation for row in rows) / len(rows)
    return f"mean deviation {mean:+.3f}, absolute {sum(abs(row.deviation) for row in rows) / len(rows):.3f}"


# Curves: rows in which one threshold varies


class Curve(NamedTuple):
    """Rows in which one threshold varies; `x` is its name."""

    label: str
    x: str
    rows: list[PublishedStrategy]

    def settings(self) -> list[float]:
        """Return the values of the threshold, in the order of the rows."""
        return [float(getattr(row, self.x)) for row in self.rows]


def curve_of(label: str, x: str, **fixed: Any) -> Curve:
    """Return the curve of the favourite rows with these settings, in the order of the threshold."""
    rows = [row for row in published_strategies() if row.is_favourite]
    chosen = one_row_each([row for row in rows if all(getattr(row, name) == value for name, value in fixed.items())])
    return Curve(label, x, sorted(chosen, key=lambda row: float(getattr(row, x))))


def curves_picture(
    name: str,
    caption: str,
    curves: Sequence[Curve],
    ours: Sequence[Sequence[StrategyComparison]],
    as_written: Sequence[StrategyComparison] = (),
) -> Picture:
    """Return a picture of curves: published averages as black marks, ours with intervals.

    `as_written` is the first curve played as the text describes the strategy.
    """

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, (curve, rows) in enumerate(zip(curves, ours, strict=True)):
            at = curve.settings()
            axes.plot(at, [row.ours.mean for row in rows], color=COLOURS[number], linewidth=1)
            draw_bars(axes, at, [Estimate.mean(row.ours) for row in rows], number, label=curve.label)
            label = "published" if number == 0 else ""
            axes.plot(at, [row.published.mean for row in rows], "_k", markersize=11, label=label)
        if as_written:
            at = curves[0].settings()
            axes.plot(at, [row.ours.mean for row in as_written], "--", color="#777777", label="as the text says")
        axes.set_xlabel(" or ".join(dict.fromkeys(curve.x for curve in curves)))
        axes.set_ylabel("mean score")
        axes.set_ylim(bottom=0)
        grid(axes)
        axes.legend(frameon=False, loc="lower right")

    return Picture(name, caption, draw)


# The figures and the appendix


def figure_1(effort: Effort) -> Outcome:
    """Return Figure 1: all sixteen pairs of rules, with every omega 1."""
    rows = one_row_each([row for row in published_strategies() if row.omegas == (1, 1, 1, 1)])
    rows.sort(key=lambda row: (row.hint, row.discard))
    found, as_written = play(rows, effort), play(rows, effort, "text")
    lines = lines_of([f"hint rule {row.hint}, discard rule {row.discard}" for row in rows], found)
    top = max((Estimate.mean(row.ours) for row in as_written), key=lambda mean: mean.value)
    lines.append(Line.further(f"{AS_WRITTEN}, best of the sixteen", top, plus_minus(), "not played"))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        places = [place + place // 4 for place in range(16)]  # a gap between hint rules
        axes.plot(places, [row.mean for row in rows], "_k", markersize=16, label="published")
        draw_bars(axes, places, [Estimate.mean(row.ours) for row in found], label="ours, as the tables were made")
        draw_bars(axes, places, [Estimate.mean(row.ours) for row in as_written], 1, label="ours, as the text says")
        axes.set_xticks(places, [str(row.discard) for row in rows])
        for hint in (1, 2, 3, 4):
            axes.text(5 * hint - 3.5, 18.4, f"hint rule {hint}", ha="center")
        axes.set_ylim(0, 19.5)
        axes.set_xlabel("discard rule")
        axes.set_ylabel("mean score")
        grid(axes, "y")
        axes.legend(frameon=False, loc="lower right")

    caption = "Mean scores of the sixteen pairs of rules with all omegas 1, three players."
    return Outcome(
        "bergh-2015-figure-1",
        "Sixteen pairs of hint and discard rules",
        Source(DOCUMENT, "section 4.3, Figure 1"),
        "16 averages, best 13.10 (hint 3, discard 1)",
        f"{counted_same(lines)}; {sums_of(found)}",
        tuple(lines),
        EXTREMES,
        (Picture("bergh-2015-figure-1", caption, draw),),
    )


def figure_2(effort: Effort) -> Outcome:
    """Return Figure 2: omega_p from 0 to 1, with and without the safe play that omega_s = 1 is."""
    curves = [
        curve_of("safe (omega_s 1)", "omega_p", omega_s=1, omega_d=1, omega_h=1),
        curve_of("daring (omega_s 0)", "omega_p", omega_s=0, omega_d=1, omega_h=1),
    ]
    published = "best 15.41 at omega_p 0.6, playing safely"
    return _curves(effort, 2, "How sure to be before a card is played", published, curves)


def figure_3(effort: Effort) -> Outcome:
    """Return Figure 3: omega_d from 0 to 1, for three values of omega_p."""
    curves = [
        curve_of(f"omega_p {value:g}", "omega_d", omega_s=1, omega_h=1, omega_p=value) for value in (0.6, 0.5, 0.7)
    ]
    published = "no trend from omega_d 0.8 on, best 15.41; steadily worse below"
    return _curves(effort, 3, "How sure to be before a card is thrown as worthless", published, curves)


def figure_4(effort: Effort) -> Outcome:
    """Return Figure 4: omega_h from 0 to 1."""
    curve = curve_of("omega_p 0.6", "omega_h", omega_p=0.6, omega_s=1, omega_d=1)
    published = "best 15.4 at omega_h 1: always hint"
    return _curves(effort, 4, "How often to give a hint while a token is left", published, [curve])


def appendix_b(effort: Effort) -> Outcome:
    """Return Appendix B: all 446 rows as they are printed."""
    rows = printed_strategies()
    found = play(rows, effort)
    lines = lines_of([_setting_text(row) for row in rows], found)
    same = [row for row, line in zip(found, lines, strict=True) if line.verdict == "same" and row.error]
    squares = sum((row.deviation / row.error) ** 2 for row in same) / len(same)
    as_written = Estimate.mean(effort.simulate("rules(reading=text)", 3, effort.sample(1_000, 20_000)))
    lines.append(Line.further(f"{AS_WRITTEN}, by the rules of hanab.live", as_written, plus_minus()))
    note = (
        f"{found[0].ours.games:,} games a row. A row is the same if it is within {threshold(len(found)):.2f} standard "
        "errors of both samples; by chance alone one of all rows would be outside once in a hundred such tables. The "
        f"mean square of the deviations in standard errors is {squares:.2f}. {EXTREMES}"
    )

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        axes.plot([0, 16.5], [0, 16.5], color="#888888", linewidth=0.8)
        axes.plot([row.mean for row in rows], [row.ours.mean for row in found], ".", color=COLOURS[0], alpha=0.6)
        for row in found:
            if row.published.is_misprint:
                at = (row.published.mean, row.ours.mean)
                arrow = {"arrowstyle": "->", "color": COLOURS[1]}
                told = f"printed {row.published.mean:.4f}"
                axes.annotate(told, at, (5.5, 15.1), arrowprops=arrow, color=COLOURS[1])
        axes.set_xlabel("published mean score")
        axes.set_ylabel("ours")
        grid(axes)

    caption = "The 446 averages of Appendix B, published and ours; on the line they are equal."
    return Outcome(
        "bergh-2015-appendix-b",
        "All settings of the rules of thumb",
        Source(DOCUMENT, "Appendix B"),
        "446 averages of three players",
        f"{counted_same(lines)}; {sums_of(found)}",
        tuple(lines),
        note,
        (Picture("bergh-2015-appendix-b", caption, draw, (5.6, 5.2)),),
    )


def _curves(effort: Effort, number: int, title: str, published: str, curves: Sequence[Curve]) -> Outcome:
    """Return curves, ours beside theirs; the first one also as the text describes the strategy."""
    ours = [play(curve.rows, effort) for curve in curves]
    as_written = play(curves[0].rows, effort, "text")
    found = [row for rows in ours for row in rows]
    names = [
        f"{curve.label}, {curve.x} {setting:g}" if len(curves) > 1 else f"{curve.x} {setting:g}"
        for curve in curves
        for setting in curve.settings()
    ]
    lines = lines_of(names, found)
    top, best = (max(each, key=lambda row: row.ours.mean) for each in (found, as_written))
    x = curves[0].x
    at = getattr(best.published, x)
    lines.append(
        Line.further(f"{AS_WRITTEN}, best at {x} {at:g}", Estimate.mean(best.ours), plus_minus(), "not played")
    )
    told = f"{counted_same(lines)}; best {mean_text(top.ours)} at {x} {getattr(top.published, x):g}"
    caption = f"{title}: published averages and ours (95 % intervals), hint rule 3 and discard rule 2, three players."
    name, source = f"bergh-2015-figure-{number}", Source(DOCUMENT, f"section 4.3, Figure {number}")
    picture = curves_picture(name, caption, curves, ours, as_written)
    return Outcome(name, title, source, published, told, tuple(lines), EXTREMES, (picture,))


def _setting_text(row: PublishedStrategy) -> str:
    omegas = ", ".join(f"{letter} {value:g}" for letter, value in zip("psdh", row.omegas, strict=True))
    return f"{omegas}, hint {row.hint}, discard {row.discard}"
