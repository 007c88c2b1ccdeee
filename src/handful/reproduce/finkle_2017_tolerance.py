"""Finkle 2017, section 5: the approximation within a tolerance (Figures 4 to 11), beside the exact values."""

from __future__ import annotations

from math import log

from handful.reproduce.effort import Effort
from handful.reproduce.finkle_2017 import DOCUMENT, figure_picture
from handful.reproduce.outcome import (
    Line,
    Outcome,
    Source,
    Verdict,
    counted_same,
    digits_line,
    exact_line,
    further_line,
)
from handful.rummy import Answers, solve
from handful.rummy.answers import HandClass
from handful.rummy.figures import LARGE, RESIDUALS, TIMED_3, TIMED_4, cost_of, kinds_of

QUOTED = (
    "Which cohort a hand falls into hangs on small differences, and the errors with it: what is quoted are figures of "
    "tolerances nearby (a mean of 0.019 comes out within 0.15, and 1.84e-5 within 0.0009). Those for tolerance 1 agree."
)
FIT = 0.1  # exponents of power laws that were fitted to other tolerances agree to this


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
    lines = [
        digits_line("greatest error", "0.6109", greatest),
        digits_line("error of hands like 3C 5C KD", "0.6109", error_there),
        digits_line("mean error", "0.086", mean),
        exact_line(
            "cohorts, in the text", "7", str(_cohorts(rough)), "Appendix 7.3 lists 9 cohorts, and 9 there are: a slip."
        ),
        exact_line("cohorts, in appendix 7.3", "9", str(_cohorts(rough))),
    ]
    ours = f"greatest error {greatest:.4f}, mean {mean:.4f}, {_cohorts(rough)} cohorts"
    return _outcome(
        4, "Three cards within one turn", "section 5.3, Figure 4", "greatest error 0.6109, mean 0.086", ours, lines
    )


def figure_5(_effort: Effort) -> Outcome:
    """Return Figure 5: the errors of three cards within 0.5."""
    greatest, mean = errors_of(0.5)
    lines = [
        exact_line("greatest error", "less than 0.5", _below(greatest, 0.5)),
        further_line("greatest and mean error", f"{greatest:.4f}, {mean:.4f} turns"),
    ]
    ours = f"greatest error {greatest:.4f}, mean {mean:.4f}"
    theirs = "errors far below the tolerance"
    return _outcome(5, "Errors of three cards within 0.5", "section 5.3, Figure 5", theirs, ours, lines)


def figure_6(_effort: Effort) -> Outcome:
    """Return Figure 6: the errors of three cards within several tolerances."""
    lines = []
    for tolerance in (1.0, *RESIDUALS, 0.001):
        greatest, mean = errors_of(tolerance)
        is_ordered = tolerance > greatest > mean
        told = "tolerance > greatest > mean" if is_ordered else f"{greatest:.4g}, {mean:.4g}"
        lines.append(exact_line(f"within {tolerance:g}", "tolerance > greatest > mean", told))
        lines.append(further_line(f"within {tolerance:g}: greatest, mean", f"{greatest:.3g}, {mean:.3g} turns"))
    lines.append(digits_line("within 0.1: mean error", "0.019", errors_of(0.1)[1], QUOTED))
    greatest, mean = errors_of(0.001)
    lines.append(digits_line("within 0.001: greatest error", "2.35e-4", greatest, QUOTED))
    lines.append(digits_line("within 0.001: mean error", "1.87e-5", mean, QUOTED))
    theirs = "mean 0.019 within 0.1; 2.35e-4 and 1.87e-5 within 0.001"
    ours = f"mean {errors_of(0.1)[1]:.3f}; {greatest:.2e} and {mean:.2e}"
    return _outcome(6, "Errors of three cards within several tolerances", "section 5.3, Figure 6", theirs, ours, lines)


def figure_7(_effort: Effort) -> Outcome:
    """Return Figure 7: what a tolerance costs, three cards."""
    return _cost(7, "three", 3, TIMED_3, -0.538, "section 5.3, Figure 7")


def figure_8(_effort: Effort) -> Outcome:
    """Return Figure 8: four cards within 1."""
    rough, nearby = solve(4, "low", 1.0), solve(4, "low", 0.996)
    largest, largest_nearby = _largest(rough), _largest(nearby)
    reason = (
        "Cohorts hang on small differences: with a tolerance of 0.996 instead of 1 the largest cohort is, as printed, "
        f"the fourth from the right and of hands like AC AD 3C 3D, {largest_nearby.hands:,} of them from "
        f"{largest_nearby.expected_turns:.4f} on; within exactly 1 it is another."
    )
    lines = [
        exact_line("cohorts", "19", str(_cohorts(rough))),
        exact_line("hands that are no rummies", "270672", str(sum(each.hands for each in rough.classes()[1:]))),
        exact_line("the largest cohort, counted from the right", "fourth", _from_the_right(rough), reason),
        exact_line("the same within 0.996", "fourth", _from_the_right(nearby)),
        exact_line("hands of the largest cohort", "67468", str(largest.hands), reason),
        digits_line("its least turns", "39.6312457202", largest.expected_turns, reason),
        further_line("exactly", f"{solve(4, 'low').summary().classes:,} classes"),
    ]
    theirs = "19 cohorts, the largest of 67,468 hands from 39.63 on"
    ours = f"{_cohorts(rough)} cohorts, the largest of {largest.hands:,} hands from {largest.expected_turns:.2f} on"
    return _outcome(8, "Four cards within one turn", "section 5.4, Figure 8", theirs, ours, lines)


def figure_9(_effort: Effort) -> Outcome:
    """Return Figure 9: four cards within several tolerances, which come close to a curve: the exact one."""
    exact = kinds_of(4, "low")
    lines, means = [], []
    for tolerance in (1.0, *LARGE):
        errors = kinds_of(4, "low", tolerance).values - exact.values
        means.append(float(abs(errors).mean()))
        told = f"{float(errors.max()):.4f}, {means[-1]:.4f} turns"
        lines.append(
            further_line(f"within {tolerance:g}: greatest, mean error", told, "the exact values were not known")
        )
    falling = means == sorted(means, reverse=True)
    lines.insert(
        0, exact_line("smaller tolerances", "come closer to a curve", "come closer to a curve" if falling else "do not")
    )
    ours = f"they do; mean error {means[0]:.3f} to {means[-1]:.3f} turns"
    theirs = "they converge towards a central curve"
    return _outcome(9, "Four cards within several tolerances", "section 5.4, Figure 9", theirs, ours, lines)


def figure_10(_effort: Effort) -> Outcome:
    """Return Figure 10: four cards within 0.001."""
    fine, exact = solve(4, "low", 0.001), solve(4, "low")
    last = fine.classes()[-1].expected_turns
    cohorts_reason = (
        "Rounding at the borders of cohorts: within 10⁻⁹ less than 0.001 it is "
        f"{_cohorts(solve(4, 'low', 0.001 - 1e-9, keep=False))}, with the same least value of the last."
    )
    bound_reason = "It is the least value of the last cohort, and so no upper bound: the worst hand takes longer."
    lines = [
        exact_line("cohorts", "2609", str(_cohorts(fine)), cohorts_reason),
        digits_line("the least value of the last cohort", "41.88666", last),
        digits_line("the upper bound of all hands", "41.88666", exact.summary().worst, bound_reason),
        further_line("the worst hand, exactly", f"{exact.summary().worst:.12f} (`{exact.summary().worst_hand}`)"),
        further_line("CPU seconds, exactly", f"{max(exact.summary().cpu_seconds, 0.1):.1f}", "27,108 within 0.001"),
    ]
    theirs = "2609 cohorts, upper bound 41.88666, in 8 hours"
    ours = f"{_cohorts(fine)} cohorts; exactly {exact.summary().worst:.8f}"
    return _outcome(10, "Four cards within 0.001", "section 5.4, Figure 10", theirs, ours, lines)


def figure_11(_effort: Effort) -> Outcome:
    """Return Figure 11: what a tolerance costs, four cards."""
    return _cost(11, "four", 4, TIMED_4, -0.710, "section 5.4, Figure 11")


def _cost(number: int, word: str, cards: int, tolerances: tuple[float, ...], printed: float, place: str) -> Outcome:
    """Return how cohorts and time grow as a tolerance falls. His time was one pass over all hands for each cohort."""
    costs = [cost_of(cards, tolerance) for tolerance in tolerances]
    cohorts = _exponent(tolerances, [float(cost[1]) for cost in costs])
    seconds = sum(cost[0] for cost in costs)
    verdict: Verdict = "same" if abs(cohorts - printed) <= FIT else "differs"
    reason = "Fitted to other tolerances; his are not listed." if verdict == "differs" else ""
    name = f"exponent: time there, cohorts (a pass over all hands each) here, to {FIT:g}"
    lines = [
        Line(name, f"{printed:.3f}", f"{cohorts:.3f}", verdict, reason),
        further_line(
            f"CPU seconds for all {len(tolerances)} tolerances together, each hand visited once",
            f"{seconds:.2f}",
            "7 (tolerance 1) to about 290 (0.001) each" if cards == 3 else "225 (tolerance 1) to 27,108 (0.001) each",
        ),
    ]
    ours = f"cohorts grow as t^{cohorts:.3f}; all {len(tolerances)} tolerances take {seconds:.1f} CPU s"
    title = f"What a tolerance costs, {word} cards"
    return _outcome(number, title, place, f"time grows as t^{printed:.3f}", ours, lines)


def _exponent(xs: tuple[float, ...], ys: list[float]) -> float:
    """Return the exponent of the power law that fits best (least squares on the logarithms)."""
    at, values = [log(x) for x in xs], [log(y) for y in ys]
    middle_at, middle = sum(at) / len(at), sum(values) / len(values)
    above = sum((x - middle_at) * (y - middle) for x, y in zip(at, values, strict=True))
    return above / sum((x - middle_at) ** 2 for x in at)


def _outcome(number: int, title: str, place: str, theirs: str, ours: str, lines: list[Line]) -> Outcome:
    name = f"finkle-2017-figure-{number}"
    told = f"{counted_same(lines)}; {ours}"
    return Outcome(name, title, Source(DOCUMENT, place), theirs, told, tuple(lines), "", (figure_picture(number),))


def _cohorts(table: Answers) -> int:
    return (table.summary().classes or 0) - 1


def _below(value: float, bound: float) -> str:
    return f"less than {bound:g}" if value < bound else f"{value:g}"


def _largest(table: Answers) -> HandClass:
    return max(table.classes()[1:], key=lambda each: each.hands)


def _from_the_right(table: Answers) -> str:
    """Return the place of the largest cohort, in words, counted from the last one."""
    names = ("first", "second", "third", "fourth", "fifth")
    place = len(table.classes()) - 1 - table.classes().index(_largest(table))
    return names[place] if place < len(names) else str(place + 1)
