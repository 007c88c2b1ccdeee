"""Finkle 2017: the waiting times of Rummy, exactly and within a tolerance.

The exact games are Figures 1 to 3 and 12, the appendices and section 6.1; the approximation, beside the exact values,
is section 5, Figures 4 to 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, inf
from typing import TYPE_CHECKING

from handful.reproduce.outcome import (
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
)
from handful.reproduce.pictures import draw_bars, grid
from handful.rummy import solve
from handful.rummy.answers import Answers, HandClass, open_answers
from handful.rummy.figures import FIGURES, LARGE, RESIDUALS, TIMED_3, TIMED_4, cost_of, kinds_of
from handful.rummy.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Finkle 2017"
SECONDS_0_001 = 27_108.0  # of four cards, aces low, within 0.001
ESTIMATED_CLASSES = 300_000  # of seven cards round the corner, in one digit
TOLERANCE = "His procedure, run here with a tolerance of 10⁻⁶, prints this; exactly it is another number."
TURNS = "{:.6f} turns".format


# Exactly


def figure_1(_effort: Effort) -> Outcome:
    """Return Figure 1: expected turns of all hands of three cards, aces low."""
    exact, his = solve(3, "low"), solve(3, "low", 1e-6)
    lines = [
        Line.exact("hands of the best class", 240, exact.classes()[1].hands),
        Line.digits("the best class", "12.25", exact.summary().best),
        Line.exact("hands of the largest class", 544, _largest(exact).hands),
        Line.digits("the largest class", "15.228977272", _largest(exact).expected_turns),
        Line.exact("classes, by his procedure (tolerance 10⁻⁶)", 688, _classes(his)),
        Line.exact("classes, exactly", 688, _classes(exact), TOLERANCE),
        Line.digits("the median hand, by his procedure", "18.2238314463", _median(his)),
        Line.digits("the median hand, exactly", "18.2238314463", _median(exact)),
        Line.digits("the worst hand, by his procedure", "19.180055096460", his.summary().worst),
        Line.digits("the worst hand, exactly", "19.180055096460", exact.summary().worst, TOLERANCE),
        Line.further("mean of all deals", exact.summary().mean, TURNS),
    ]
    return _outcome(
        1,
        "Three cards, aces low",
        "section 3.2.1",
        "12.25 to 19.18005509646 turns, 688 classes",
        f"{_classes(exact)} classes, worst {exact.summary().worst:.11f}",
        lines,
    )


def figure_2(_effort: Effort) -> Outcome:
    """Return Figure 2: three cards by three ace rules."""
    high, wrap = solve(3, "high"), solve(3, "wrap")
    below, above = _around(wrap, 16.5)
    lines = [
        Line.exact("high: hands of the worst class", 12, high.classes()[-1].hands),
        Line.digits("high: AC 2D KD, a worst hand", "18.861678332", high.expected_turns("AC 2D KD")),
        Line.digits("high: the worst hand", "18.861678332", high.summary().worst),
        Line.exact("wrap: classes", 60, _classes(wrap)),
        Line.exact("wrap: hands of the largest class", 1768, _largest(wrap).hands),
        Line.digits("wrap: the largest class", "15.228977272", _largest(wrap).expected_turns),
        Line.exact("wrap: hands of the worst class", 52, wrap.classes()[-1].hands),
        Line.digits("wrap: the worst hand", "18.2442485400019", wrap.summary().worst),
        Line.digits("wrap: the last class below 16", "15.98", below),
        Line.digits("wrap: the first class above 16", "17.01", above),
        Line.further("high: mean of all deals", high.summary().mean, TURNS),
        Line.further("wrap: mean of all deals", wrap.summary().mean, TURNS),
    ]
    return _outcome(
        2,
        "Three cards, three ace rules",
        "sections 3.2.2 and 3.2.3",
        "worst hands 18.861678332 (high) and 18.24424854 (wrap)",
        f"worst {high.summary().worst:.9f} and {wrap.summary().worst:.9f}",
        lines,
    )


def figure_3(_effort: Effort) -> Outcome:
    """Return Figure 3: four cards round the corner."""
    wrap = solve(4, "wrap")
    rummies = tuple(solve(4, aces).summary().rummies for aces in ("low", "high", "wrap"))
    lines = [
        Line.exact("rummies: low, high, wrap", (53, 57, 65), rummies, form="{}, {}, {}".format),
        Line.exact("hands of the best class", 2496, wrap.classes()[1].hands),
        Line.digits("the best class", "24.0", wrap.summary().best),
        Line.exact("hands of the worst class", 156, wrap.classes()[-1].hands),
        Line.digits("the worst hand", "38.6563243418", wrap.summary().worst),
        Line.exact("classes, the rummies not counted", 654, _classes(wrap) - 1),
        Line.further("mean of all deals", wrap.summary().mean, TURNS),
    ]
    theirs = "24 to 38.6563243418 turns, 654 classes"
    return _outcome(
        3, "Four cards, round the corner", "section 4.2", theirs, f"worst {wrap.summary().worst:.10f}", lines
    )


def figure_12(_effort: Effort) -> Outcome:
    """Return Figure 12: four cards by three ace rules, exactly where the thesis approximates."""
    low, high, wrap = (solve(4, aces).summary() for aces in ("low", "high", "wrap"))
    near = solve(4, "high", 0.001)
    turns = "{:.4f} turns".format
    lines = [
        Line.digits("high, within 0.001: the worst hand", "41.3925", near.summary().worst),
        Line.digits("high, exactly: the worst hand", "41.3925", high.worst),
        Line.between(
            "low less high: worst hands", "less than half a turn", low.worst - high.worst, (0.0, 0.5), form=turns
        ),
        Line.between(
            "high less wrap: worst hands", "nearly three turns", high.worst - wrap.worst, (2.5, 3.0), form=turns
        ),
        Line.between("low, exactly: the worst hand", "41.88666 within 0.001", low.worst, _near(41.88666, 0.001)),
        *(
            Line.further(f"{each.aces}, exactly: classes, the worst hand", value, "{:,}, {:.12f} (`{}`)".format)
            for each in (low, high, wrap)
            for value in [(each.classes or 0, each.worst, each.worst_hand)]
        ),
        Line.faster(
            "CPU seconds: low within 0.001 there, all three exactly here",
            SECONDS_0_001,
            sum(each.cpu_seconds for each in (low, high, wrap)),
        ),
    ]
    return _outcome(
        12,
        "Four cards, three ace rules",
        "section 5.5",
        "worst hands 41.88666 (low), 41.3925 (high), 38.6563 (wrap)",
        f"exactly {low.worst:.6f}, {high.worst:.6f}, {wrap.worst:.6f}",
        lines,
    )


def classes(_effort: Effort) -> Outcome:
    """Return appendix 7.2: all classes of three cards round the corner."""
    table, rows = solve(3, "wrap"), published_rows("rummy_classes.csv")
    ours, lines = table.classes()[1:], []
    for row in rows:
        turns = table.expected_turns(row["example"])
        same = next(each for each in ours if abs(each.expected_turns - turns) < 1e-9)
        lines.append(Line.exact(f"hands like {row['example']}", int(row["hands"]), same.hands))
        lines.append(Line.digits(f"turns of {row['example']}", row["expected_turns"], turns))
    lines.append(Line.exact("classes in all, without the rummies", len(rows), len(ours)))
    return Outcome(
        "finkle-2017-appendix-7.2",
        "All classes of three cards, round the corner",
        Source(DOCUMENT, "appendix 7.2"),
        f"{len(rows)} classes: how many hands, and their expected turns",
        counted_same(lines),
        tuple(lines),
    )


def cohorts(_effort: Effort) -> Outcome:
    """Return appendix 7.3: the cohorts of three cards, aces low, within 1 and 0.5 turns."""
    lines: list[Line] = []
    rows = published_rows("rummy_cohorts.csv")
    for tolerance in dict.fromkeys(row["tolerance"] for row in rows):
        mine = solve(3, "low", float(tolerance)).classes()[1:]
        printed = [row for row in rows if row["tolerance"] == tolerance]
        lines.append(Line.exact(f"within {tolerance}: cohorts", len(printed), len(mine)))
        for row, cohort in zip(printed, mine, strict=False):
            name = f"within {tolerance}: hands like {row['example']}"
            lines.append(Line.exact(name, int(row["hands"]), cohort.hands))
            lines.append(Line.digits(f"{name}, the least turns", row["cohort_minimum"], cohort.expected_turns))
    return Outcome(
        "finkle-2017-appendix-7.3",
        "Cohorts of three cards, aces low",
        Source(DOCUMENT, "appendix 7.3"),
        f"{len(rows)} cohorts, within 1 and within 0.5 turns",
        counted_same(lines),
        tuple(lines),
    )


def seven_cards(effort: Effort) -> Outcome:
    """Return what section 6.1 estimates of seven cards, beside the exact tables."""
    tables = [solve(7, "wrap")]
    low = solve(7, "low") if effort.full else open_answers(Game(7, "low"))
    if low is not None:
        tables.append(low)
    wrap, found = tables[0].summary(), _classes(tables[0])
    guessed = (
        f"Guessed there, from as many classes a hand as four cards have ({comb(52, 7) / comb(52, 4) * 654:,.0f}); "
        f"counted here: there are {found / comb(52, 7) / (654 / comb(52, 4)):.2f} times as many a hand."
    )
    half_a_digit = (ESTIMATED_CLASSES - 50_000, ESTIMATED_CLASSES + 50_000)
    published = f"about {ESTIMATED_CLASSES:,}"
    lines = [Line.between("classes round the corner", published, found, half_a_digit, guessed, "{:,}".format)]
    for table in tables:
        told = table.summary()
        lines.append(
            Line.between(f"{told.aces}: the worst hand", "at most 61.067", told.worst, (0, 61.067), form=TURNS)
        )
        lines.append(Line.further(f"{told.aces}: mean of all deals", told.mean, TURNS))
    for cards in (5, 6, 8, 9, 10):
        for aces in ("low", "high", "wrap"):
            known = solve(cards, aces) if cards < 6 else open_answers(Game(cards, aces))
            if known is not None:
                told = known.summary()
                form = "{:.4f} to {:.4f} turns, mean {:.4f}".format
                lines.append(Line.further(f"{cards} cards, {aces}", (told.best, told.worst, told.mean), form))
    return Outcome(
        "finkle-2017-seven-cards",
        "Seven cards, and all the others",
        Source(DOCUMENT, "section 6.1"),
        f"not solved: at most 61.067 turns, {published} classes round the corner",
        f"exact: worst {wrap.worst:.4f} turns, {found:,} classes round the corner",
        tuple(lines),
        "Tables of 7 cards with aces low and of 8 to 10 cards are shown if they are on disk (`handful rummy solve`).",
        (_sizes_picture(),),
    )


# Within a tolerance


def errors_of(tolerance: float) -> tuple[float, float]:
    """Return the greatest and the mean error of the approximation of three cards, aces low, over all hands."""
    import numpy as np

    exact, rough = kinds_of(3, "low"), kinds_of(3, "low", tolerance)
    errors = rough.values - exact.values
    return float(errors.max()), float(np.average(errors, weights=exact.orbits))


def figure_4(_effort: Effort) -> Outcome:
    """Return Figure 4: three cards within 1, against the exact values."""
    rough, exact = solve(3, "low", 1.0), solve(3, "low")
    greatest, mean = errors_of(1.0)
    error_there = rough.expected_turns("3C 5C KD") - exact.expected_turns("3C 5C KD")
    slip = "Appendix 7.3 lists 9 cohorts, and 9 there are: a slip."
    lines = [
        Line.digits("greatest error", "0.6109", greatest),
        Line.digits("error of hands like 3C 5C KD", "0.6109", error_there),
        Line.digits("mean error", "0.086", mean),
        Line.exact("cohorts, in the text", 7, _cohorts(rough), slip),
        Line.exact("cohorts, in appendix 7.3", 9, _cohorts(rough)),
    ]
    theirs = "greatest error 0.6109, mean 0.086"
    ours = f"greatest error {greatest:.4f}, mean {mean:.4f}, {_cohorts(rough)} cohorts"
    return _outcome(4, "Three cards within one turn", "section 5.3", theirs, ours, lines)


def figure_5(_effort: Effort) -> Outcome:
    """Return Figure 5: the errors of three cards within 0.5."""
    greatest, mean = errors_of(0.5)
    lines = [
        Line.between("greatest error", "less than 0.5", greatest, (-inf, 0.5), form="{:.4f}".format),
        Line.further("mean error", mean, "{:.4f}".format),
    ]
    ours = f"greatest error {greatest:.4f}, mean {mean:.4f}"
    theirs = "errors far below the tolerance"
    return _outcome(5, "Errors of three cards within 0.5", "section 5.3", theirs, ours, lines)


def figure_6(_effort: Effort) -> Outcome:
    """Return Figure 6: the errors of three cards within several tolerances."""
    lines = []
    for tolerance in (1.0, *RESIDUALS, 0.001):
        greatest, mean = errors_of(tolerance)
        name, form = f"within {tolerance:g}", "{:.3g}".format
        lines.append(Line.between(f"{name}: greatest", "below the tolerance", greatest, (-inf, tolerance), form=form))
        lines.append(Line.between(f"{name}: mean", "below the greatest", mean, (-inf, greatest), form=form))
    quoted = (
        "Which cohort a hand falls into hangs on small differences, and the errors with it: what is quoted are figures "
        f"of tolerances nearby (the mean within 0.15 is {errors_of(0.15)[1]:.4f}, and {errors_of(0.0009)[1]:.2e} "
        "within 0.0009). Those for tolerance 1 agree."
    )
    greatest, mean = errors_of(0.001)
    lines.append(Line.digits("within 0.1: mean error", "0.019", errors_of(0.1)[1], quoted))
    lines.append(Line.digits("within 0.001: greatest error", "2.35e-4", greatest, quoted))
    lines.append(Line.digits("within 0.001: mean error", "1.87e-5", mean, quoted))
    theirs = "mean 0.019 within 0.1; 2.35e-4 and 1.87e-5 within 0.001"
    ours = f"mean {errors_of(0.1)[1]:.3f}; {greatest:.2e} and {mean:.2e}"
    return _outcome(6, "Errors of three cards within several tolerances", "section 5.3", theirs, ours, lines)


def figure_7(_effort: Effort) -> Outcome:
    """Return Figure 7: what a tolerance costs, three cards. Within 0.001 it took about 290 seconds."""
    return _cost(7, 3, TIMED_3, -0.538, (0.001, 290.0), "section 5.3")


def figure_8(_effort: Effort) -> Outcome:
    """Return Figure 8: four cards within 1."""
    rough, nearby = solve(4, "low", 1.0), solve(4, "low", 0.996)
    largest, there = _largest(rough), _largest(nearby)
    reason = (
        "Cohorts hang on small differences: with a tolerance of 0.996 instead of 1 the largest cohort is number "
        f"{_from_the_right(nearby)} from the right (printed: 4) and of hands like {there.example}, {there.hands:,} of "
        f"them from {there.expected_turns:.4f} on; within exactly 1 it is another."
    )
    lines = [
        Line.exact("cohorts", 19, _cohorts(rough)),
        Line.exact("hands that are no rummies", 270672, sum(each.hands for each in rough.classes()[1:])),
        Line.exact("the largest cohort, counted from the right", 4, _from_the_right(rough), reason),
        Line.exact("the same within 0.996", 4, _from_the_right(nearby)),
        Line.exact("hands of the largest cohort", 67468, largest.hands, reason),
        Line.digits("its least turns", "39.6312457202", largest.expected_turns, reason),
        Line.further("classes, exactly", _classes(solve(4, "low")), "{:,}".format),
    ]
    theirs = "19 cohorts, the largest of 67,468 hands from 39.63 on"
    ours = f"{_cohorts(rough)} cohorts, the largest of {largest.hands:,} hands from {largest.expected_turns:.2f} on"
    return _outcome(8, "Four cards within one turn", "section 5.4", theirs, ours, lines)


def figure_9(_effort: Effort) -> Outcome:
    """Return Figure 9: four cards within several tolerances, which come close to a curve: the exact one."""
    exact, tolerances = kinds_of(4, "low"), (1.0, *LARGE)
    errors = [abs(kinds_of(4, "low", tolerance).values - exact.values) for tolerance in tolerances]
    means = [float(each.mean()) for each in errors]
    turns = "{:.4f} turns".format
    lines: list[Line] = []
    for tolerance, mean, before in zip(tolerances[1:], means[1:], means, strict=False):
        published = "closer than the one before"
        lines.append(Line.between(f"within {tolerance:g}: mean error", published, mean, (0.0, before), form=turns))
    for tolerance, each in zip(tolerances, errors, strict=True):
        value = float(each.max())
        lines.append(Line.further(f"within {tolerance:g}: greatest error", value, turns, "exact values not known"))
    ours = f"mean error {means[0]:.3f} to {means[-1]:.3f} turns"
    theirs = "they converge towards a central curve"
    return _outcome(9, "Four cards within several tolerances", "section 5.4", theirs, ours, lines)


def figure_10(_effort: Effort) -> Outcome:
    """Return Figure 10: four cards within 0.001."""
    fine, exact, less = solve(4, "low", 0.001), solve(4, "low").summary(), solve(4, "low", 0.001 - 1e-9, keep=False)
    last = fine.classes()[-1].expected_turns
    cohorts_reason = (
        f"Rounding at the borders of cohorts: within 10⁻⁹ less than 0.001 it is {_cohorts(less)}, with "
        f"{less.classes()[-1].expected_turns:.5f} as the least value of the last."
    )
    bound_reason = "It is the least value of the last cohort, and so no upper bound: the worst hand takes longer."
    lines = [
        Line.exact("cohorts", 2609, _cohorts(fine), cohorts_reason),
        Line.digits("the least value of the last cohort", "41.88666", last),
        Line.digits("the upper bound of all hands", "41.88666", exact.worst, bound_reason),
        Line.further("the worst hand, exactly", (exact.worst, exact.worst_hand), "{:.12f} (`{}`)".format),
        Line.faster("CPU seconds: within 0.001 there, exactly here", SECONDS_0_001, exact.cpu_seconds),
    ]
    theirs = "2609 cohorts, upper bound 41.88666, in 8 hours"
    ours = f"{_cohorts(fine)} cohorts; exactly {exact.worst:.8f}"
    return _outcome(10, "Four cards within 0.001", "section 5.4", theirs, ours, lines)


def figure_11(_effort: Effort) -> Outcome:
    """Return Figure 11: what a tolerance costs, four cards. Within 1 it took 225 seconds."""
    return _cost(11, 4, TIMED_4, -0.710, (1.0, 225.0), "section 5.4")


def _cost(
    number: int, cards: int, tolerances: Sequence[float], printed: float, timed: tuple[float, float], place: str
) -> Outcome:
    """Return how cohorts and time grow as a tolerance falls. His time was one pass over all hands for each cohort."""
    costs = {tolerance: cost_of(cards, tolerance) for tolerance in tolerances}
    exponent = Estimate.power_law((tolerance, cohorts) for tolerance, (_seconds, cohorts) in costs.items())
    seconds = sum(each for each, _cohorts in costs.values())
    reason = "Cohorts are fitted here and times there, and to other tolerances; his are not listed."
    name, within = (
        "exponent: time there, cohorts (a pass over all hands each) here",
        Tolerance(1, rounding=5e-4),
    )
    form = plus_minus(3)
    lines = [
        Line.sampled(name, printed, exponent, within, reason, form=form, theirs="{:.3f}".format),
        Line.faster(
            f"CPU seconds within {timed[0]:g}, each hand visited once", timed[1], costs[timed[0]][0], "{:.4f}".format
        ),
        Line.further(f"CPU seconds for all {len(costs)} tolerances together", seconds, "{:.2f}".format),
    ]
    ours = f"cohorts grow as t^{exponent.value:.3f}; all {len(costs)} tolerances take {seconds:.1f} CPU s"
    title = f"What a tolerance costs, {'three' if cards == 3 else 'four'} cards"
    return _outcome(number, title, place, f"time grows as t^{printed:.3f}", ours, lines)


# What they share


def _outcome(number: int, title: str, place: str, theirs: str, ours: str, lines: list[Line]) -> Outcome:
    """Return the outcome of a figure of the thesis, drawn from our tables."""
    figure = next(figure for figure in FIGURES if figure.number == number)

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        figure.draw(axes)
        grid(axes)

    picture = Picture(f"finkle-2017-figure-{number:02}", f"Figure {number}: {figure.title}.", draw)
    source, told = Source(DOCUMENT, f"{place}, Figure {number}"), f"{counted_same(lines)}; {ours}"
    return Outcome(f"finkle-2017-figure-{number}", title, source, theirs, told, tuple(lines), "", (picture,))


def _sizes_picture() -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, (aces, label) in enumerate((("low", "aces low"), ("wrap", "round the corner"))):
            known = [cards for cards in range(3, 11) if cards < 6 or open_answers(Game(cards, aces)) is not None]
            told = [solve(cards, aces).summary() for cards in known]
            spans = [Estimate(each.mean, each.best, each.worst) for each in told]
            draw_bars(axes, [cards - 0.06 + 0.12 * number for cards in known], spans, number, capsize=3, label=label)
        axes.set_xlabel("cards in hand")
        axes.set_ylabel("expected turns: best, mean, worst")
        axes.set_ylim(bottom=0)
        axes.set_xticks(range(3, 11))
        axes.set_xlim(2.6, 10.4)
        grid(axes)
        axes.legend(frameon=False, loc="upper right")

    caption = "Goes further: expected turns of optimal play by the size of the hand (tables that are on disk)."
    return Picture("finkle-2017-seven-cards", caption, draw)


def _classes(table: Answers) -> int:
    return table.summary().classes or 0


def _cohorts(table: Answers) -> int:
    return _classes(table) - 1


def _largest(table: Answers) -> HandClass:
    """Return the class of most hands, the rummies not among them."""
    return max(table.classes()[1:], key=lambda each: each.hands)


def _from_the_right(table: Answers) -> int:
    """Return the place of the largest cohort, counted from the last one, which is 1."""
    return len(table.classes()) - table.classes().index(_largest(table))


def _median(table: Answers) -> float:
    passed = 0
    for each in table.classes():
        passed += each.hands
        if passed >= table.game.hands / 2:
            return each.expected_turns
    raise AssertionError("some hand is in the middle")


def _around(table: Answers, turns: float) -> tuple[float, float]:
    """Return the greatest expected turns below a number, and the least above."""
    every = [each.expected_turns for each in table.classes()]
    return max(each for each in every if each < turns), min(each for each in every if each > turns)


def _near(value: float, by: float) -> tuple[float, float]:
    return value - by, value + by
