"""Van den Bergh 2015, section 4: Figures 1 to 4 and Appendix B, the rules of thumb. All are rows of Appendix B."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Outcome, Picture, Source, counted_same, further_line, threshold
from handful.reproduce.pictures import COLOURS, grid
from handful.reproduce.rule_strategies import PublishedStrategy, printed_strategies, published_strategies
from handful.reproduce.strategy_rows import (
    EXTREMES,
    Curve,
    curve_of,
    curves_picture,
    deviation_in_errors,
    draw_bar,
    lines_of,
    mean_text,
    one_row_each,
    play,
    sums_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh 2015"
WRITTEN = "the strategy as its text describes it"


def figure_1(effort: Effort) -> Outcome:
    """Return Figure 1: all sixteen pairs of rules, with every omega 1."""
    rows = one_row_each([row for row in published_strategies() if row.omegas == (1, 1, 1, 1)])
    rows.sort(key=lambda row: (row.hint, row.discard))
    found, written = play(rows, effort), play(rows, effort, "text")
    lines = lines_of([f"hint rule {row.hint}, discard rule {row.discard}" for row in rows], found)
    best = max(written, key=lambda row: row.ours.mean)
    lines.append(further_line(f"{WRITTEN}, best of the sixteen", mean_text(best), "not played"))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        places = [place + place // 4 for place in range(16)]  # a gap between hint rules
        axes.plot(places, [row.mean for row in rows], "_k", markersize=16, label="published")
        for number, at in enumerate(places):
            draw_bar(axes, at, found[number], COLOURS[0], "ours, as the tables were made" if not at else "")
            draw_bar(axes, at, written[number], COLOURS[1], "ours, as the text says" if not at else "", "s")
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
    rows = _favourites()
    curves = [
        curve_of("safe (omega_s 1)", "omega_p", rows, omega_s=1, omega_d=1, omega_h=1),
        curve_of("daring (omega_s 0)", "omega_p", rows, omega_s=0, omega_d=1, omega_h=1),
    ]
    return _curves(
        effort,
        "bergh-2015-figure-2",
        "How sure to be before a card is played",
        "section 4.3, Figure 2",
        "best 15.41 at omega_p 0.6, playing safely",
        curves,
    )


def figure_3(effort: Effort) -> Outcome:
    """Return Figure 3: omega_d from 0 to 1, for three values of omega_p."""
    rows = _favourites()
    curves = [
        curve_of(f"omega_p {value:g}", "omega_d", rows, omega_s=1, omega_h=1, omega_p=value)
        for value in (0.6, 0.5, 0.7)
    ]
    return _curves(
        effort,
        "bergh-2015-figure-3",
        "How sure to be before a card is thrown as worthless",
        "section 4.3, Figure 3",
        "no trend from omega_d 0.8 on, best 15.41; steadily worse below",
        curves,
    )


def figure_4(effort: Effort) -> Outcome:
    """Return Figure 4: omega_h from 0 to 1."""
    curve = curve_of("omega_p 0.6", "omega_h", _favourites(), omega_p=0.6, omega_s=1, omega_d=1)
    return _curves(
        effort,
        "bergh-2015-figure-4",
        "How often to give a hint while a token is left",
        "section 4.3, Figure 4",
        "best 15.4 at omega_h 1: always hint",
        [curve],
    )


def appendix_b(effort: Effort) -> Outcome:
    """Return Appendix B: all 446 rows as they are printed."""
    rows = printed_strategies()
    found = play(rows, effort)
    lines = lines_of([_setting_text(row) for row in rows], found)
    same = [row for row, line in zip(found, lines, strict=True) if line.verdict == "same"]
    squares = sum(deviation_in_errors(row) ** 2 for row in same) / len(same)
    written = effort.simulate("rules(reading=text)", 3, effort.sample(1_000, 20_000))
    half = (written.mean_ci95[1] - written.mean_ci95[0]) / 2
    text = f"{written.mean:.2f} ± {half:.2f} points, against 15.41 at best in the tables"
    lines.append(further_line(f"{WRITTEN}, by the rules of hanab.live", text))
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
                axes.annotate("printed 12.2650", at, (5.5, 15.1), arrowprops=arrow, color=COLOURS[1])
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


def _favourites() -> list[PublishedStrategy]:
    return [row for row in published_strategies() if row.is_favourite]


def _curves(effort: Effort, name: str, title: str, place: str, published: str, curves: Sequence[Curve]) -> Outcome:
    """Return curves, ours beside theirs; the first one also as the text describes the strategy."""
    ours = [play(curve.rows, effort) for curve in curves]
    written = play(curves[0].rows, effort, "text")
    found = [row for rows in ours for row in rows]
    names = [
        f"{curve.label}, {curve.x} {setting:g}" if len(curves) > 1 else f"{curve.x} {setting:g}"
        for curve in curves
        for setting in curve.settings()
    ]
    lines = lines_of(names, found)
    top, best = max(found, key=lambda row: row.ours.mean), max(written, key=lambda row: row.ours.mean)
    x = curves[0].x
    at = getattr(best.published, x)
    lines.append(further_line(WRITTEN, f"best {mean_text(best)} at {x} {at:g}", "not played"))
    ours_text = f"{counted_same(lines)}; best {mean_text(top)} at {x} {getattr(top.published, x):g}"
    caption = f"{title}: published averages and ours (95 % intervals), hint rule 3 and discard rule 2, three players."
    picture = curves_picture(name, caption, curves, ours, written)
    return Outcome(name, title, Source(DOCUMENT, place), published, ours_text, tuple(lines), EXTREMES, (picture,))


def _setting_text(row: PublishedStrategy) -> str:
    omegas = ", ".join(f"{letter} {value:g}" for letter, value in zip("psdh", row.omegas, strict=True))
    return f"{omegas}, hint {row.hint}, discard {row.discard}"
