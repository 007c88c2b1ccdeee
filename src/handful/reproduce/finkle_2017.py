"""Finkle 2017: the exact games (Figures 1 to 3 and 12), the appendices 7.2 and 7.3, and seven cards (section 6.1)."""

from __future__ import annotations

import csv
from importlib.resources import files
from math import comb
from typing import TYPE_CHECKING

from handful.reproduce.effort import Effort
from handful.reproduce.outcome import (
    Line,
    Outcome,
    Picture,
    Source,
    counted_same,
    digits_line,
    exact_line,
    further_line,
)
from handful.reproduce.pictures import grid
from handful.rummy import solve
from handful.rummy.answers import Answers, HandClass, open_answers
from handful.rummy.figures import FIGURES
from handful.rummy.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Finkle 2017"
TOLERANCE = "His procedure, run here with a tolerance of 10⁻⁶, prints this; exactly it is another number."


def figure_1(_effort: Effort) -> Outcome:
    """Return Figure 1: expected turns of all hands of three cards, aces low."""
    exact, his = solve(3, "low"), solve(3, "low", 1e-6)
    median, his_median = _median(exact), _median(his)
    lines = [
        exact_line("hands of the best class", "240", str(exact.classes()[1].hands)),
        digits_line("the best class", "12.25", exact.summary().best),
        exact_line("hands of the largest class", "544", str(_largest(exact).hands)),
        digits_line("the largest class", "15.228977272", _largest(exact).expected_turns),
        exact_line("classes, by his procedure (tolerance 10⁻⁶)", "688", str(his.summary().classes)),
        exact_line("classes, exactly", "688", str(exact.summary().classes), TOLERANCE),
        digits_line("the median hand, by his procedure", "18.2238314463", his_median),
        digits_line("the median hand, exactly", "18.2238314463", median),
        digits_line("the worst hand, by his procedure", "19.180055096460", his.summary().worst),
        digits_line("the worst hand, exactly", "19.180055096460", exact.summary().worst, TOLERANCE),
        further_line("mean of all deals", f"{exact.summary().mean:.6f} turns"),
    ]
    return _outcome(
        1,
        "Three cards, aces low",
        "section 3.2.1, Figure 1",
        "12.25 to 19.18005509646 turns, 688 classes",
        f"{counted_same(lines)}; {exact.summary().classes} classes, worst {exact.summary().worst:.11f}",
        lines,
    )


def figure_2(_effort: Effort) -> Outcome:
    """Return Figure 2: three cards by three ace rules."""
    high, wrap = solve(3, "high"), solve(3, "wrap")
    below, above = _around(wrap, 16.5)
    lines = [
        exact_line("high: hands of the worst class", "12", str(high.classes()[-1].hands)),
        exact_line("high: a worst hand", "AC 2D KD", high.summary().worst_hand),
        digits_line("high: the worst hand", "18.861678332", high.summary().worst),
        exact_line("wrap: classes", "60", str(wrap.summary().classes)),
        exact_line("wrap: hands of the largest class", "1768", str(_largest(wrap).hands)),
        digits_line("wrap: the largest class", "15.228977272", _largest(wrap).expected_turns),
        exact_line("wrap: hands of the worst class", "52", str(wrap.classes()[-1].hands)),
        digits_line("wrap: the worst hand", "18.2442485400019", wrap.summary().worst),
        digits_line("wrap: the last class below 16", "15.98", below),
        digits_line("wrap: the first class above 16", "17.01", above),
        further_line("mean of all deals, high and wrap", f"{high.summary().mean:.6f}, {wrap.summary().mean:.6f} turns"),
    ]
    return _outcome(
        2,
        "Three cards, three ace rules",
        "sections 3.2.2 and 3.2.3, Figure 2",
        "worst hands 18.861678332 (high) and 18.24424854 (wrap)",
        f"{counted_same(lines)}; worst {high.summary().worst:.9f} and {wrap.summary().worst:.9f}",
        lines,
    )


def figure_3(_effort: Effort) -> Outcome:
    """Return Figure 3: four cards round the corner."""
    wrap = solve(4, "wrap")
    rummies = ", ".join(str(solve(4, aces).summary().rummies) for aces in ("low", "high", "wrap"))
    classes = wrap.summary().classes or 0
    lines = [
        exact_line("rummies: low, high, wrap", "53, 57, 65", rummies),
        exact_line("hands of the best class", "2496", str(wrap.classes()[1].hands)),
        digits_line("the best class", "24.0", wrap.summary().best),
        exact_line("hands of the worst class", "156", str(wrap.classes()[-1].hands)),
        digits_line("the worst hand", "38.6563243418", wrap.summary().worst),
        exact_line("classes, the rummies not counted", "654", str(classes - 1)),
        further_line("mean of all deals", f"{wrap.summary().mean:.6f} turns"),
    ]
    return _outcome(
        3,
        "Four cards, round the corner",
        "section 4.2, Figure 3",
        "24 to 38.6563243418 turns, 654 classes",
        f"{counted_same(lines)}; worst {wrap.summary().worst:.10f}",
        lines,
    )


def figure_12(_effort: Effort) -> Outcome:
    """Return Figure 12: four cards by three ace rules, exactly where the thesis approximates."""
    low, high, wrap = (solve(4, aces).summary() for aces in ("low", "high", "wrap"))
    near = solve(4, "high", 0.001)
    gap = "three turns less" if 2.5 < high.worst - wrap.worst < 3.0 else f"{high.worst - wrap.worst:.2f} turns less"
    lines = [
        digits_line("high, within 0.001: the worst hand", "41.3925", near.summary().worst),
        digits_line("high, exactly: the worst hand", "41.3925", high.worst),
        exact_line("high against low: worst hands", "less than half a turn", _half_turn(low.worst - high.worst)),
        exact_line("wrap against high: worst hands", "nearly three turns less", f"nearly {gap}"),
        further_line(
            "low, exactly: the worst hand", f"{low.worst:.12f} (`{low.worst_hand}`)", "41.88666 (within 0.001)"
        ),
        further_line("high, exactly: the worst hand", f"{high.worst:.12f} (`{high.worst_hand}`)"),
        further_line("classes, exactly: low, high, wrap", f"{low.classes:,}, {high.classes:,}, {wrap.classes:,}"),
        further_line("CPU seconds for all three, exactly", "less than one", "27,108 for low within 0.001"),
    ]
    return _outcome(
        12,
        "Four cards, three ace rules",
        "section 5.5, Figure 12",
        "worst hands 41.88666 (low), 41.3925 (high), 38.6563 (wrap)",
        f"{counted_same(lines)}; exactly {low.worst:.6f}, {high.worst:.6f}, {wrap.worst:.6f}",
        lines,
    )


def classes(_effort: Effort) -> Outcome:
    """Return appendix 7.2: all classes of three cards round the corner."""
    ours = {each.example: each for each in solve(3, "wrap").classes()[1:]}
    lines = []
    for row in published("rummy_classes.csv"):
        turns = solve(3, "wrap").expected_turns(row["example"])
        same = next(each for each in ours.values() if abs(each.expected_turns - turns) < 1e-9)
        lines.append(exact_line(f"hands like {row['example']}", row["hands"], str(same.hands)))
        lines.append(digits_line(f"turns of {row['example']}", row["expected_turns"], turns))
    lines.append(exact_line("classes in all, without the rummies", str(len(lines) // 2), str(len(ours))))
    return Outcome(
        "finkle-2017-appendix-7.2",
        "All classes of three cards, round the corner",
        Source(DOCUMENT, "appendix 7.2"),
        "59 classes: how many hands, and their expected turns",
        counted_same(lines),
        tuple(lines),
    )


def cohorts(_effort: Effort) -> Outcome:
    """Return appendix 7.3: the cohorts of three cards, aces low, within 1 and 0.5 turns."""
    lines: list[Line] = []
    rows = published("rummy_cohorts.csv")
    for tolerance in dict.fromkeys(row["tolerance"] for row in rows):
        mine = solve(3, "low", float(tolerance)).classes()[1:]
        printed = [row for row in rows if row["tolerance"] == tolerance]
        lines.append(exact_line(f"within {tolerance}: cohorts", str(len(printed)), str(len(mine))))
        for row, cohort in zip(printed, mine, strict=True):
            name = f"within {tolerance}: hands like {row['example']}"
            lines.append(exact_line(name, row["hands"], str(cohort.hands)))
            lines.append(digits_line(f"{name}, the least turns", row["cohort_minimum"], cohort.expected_turns))
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
    wrap = tables[0].summary()
    estimate = comb(52, 7) / comb(52, 4) * 654
    lines = [
        further_line(
            "classes round the corner", f"{wrap.classes:,}, exactly", f"about {round(estimate, -5):,.0f}, guessed"
        ),
    ]
    for table in tables:
        told = table.summary()
        text = f"{told.worst:.6f} turns (`{told.worst_hand}`), mean {told.mean:.6f}"
        lines.append(further_line(f"{told.aces}: the worst hand", text, "at most 61.067"))
    larger = [(cards, aces) for cards in (5, 6, 7, 8, 9, 10) for aces in ("low", "high", "wrap")]
    for cards, aces in larger:
        known = solve(cards, aces) if cards < 6 else open_answers(Game(cards, aces))
        if known is not None and cards != 7:
            told = known.summary()
            lines.append(
                further_line(
                    f"{cards} cards, {aces}", f"{told.best:.4f} to {told.worst:.4f} turns, mean {told.mean:.4f}"
                )
            )

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        names = {"low": "o", "wrap": "s"}
        for aces, marker in names.items():
            known = [cards for cards in range(3, 11) if cards < 6 or open_answers(Game(cards, aces)) is not None]
            told = [solve(cards, aces).summary() for cards in known]
            means = [each.mean for each in told]
            spans = ([each.mean - each.best for each in told], [each.worst - each.mean for each in told])
            shift = -0.06 if aces == "low" else 0.06
            at = [cards + shift for cards in known]
            label = "aces low" if aces == "low" else "round the corner"
            axes.errorbar(at, means, yerr=spans, marker=marker, capsize=3, linestyle="none", label=label)
        axes.set_xlabel("cards in hand")
        axes.set_ylabel("expected turns: best, mean, worst")
        axes.set_ylim(bottom=0)
        axes.set_xticks(range(3, 11))
        axes.set_xlim(2.6, 10.4)
        grid(axes)
        axes.legend(frameon=False, loc="upper right")

    caption = "Goes further: expected turns of optimal play by the size of the hand (tables that are on disk)."
    return Outcome(
        "finkle-2017-seven-cards",
        "Seven cards, and all the others",
        Source(DOCUMENT, "section 6.1"),
        "not solved: at most 61.067 turns, about 300,000 classes round the corner",
        f"exact: worst {wrap.worst:.4f} turns, {wrap.classes:,} classes round the corner",
        tuple(lines),
        "Tables of 7 cards with aces low and of 8 to 10 cards are shown if they are on disk (`handful rummy solve`).",
        (Picture("finkle-2017-seven-cards", caption, draw),),
    )


def published(name: str) -> list[dict[str, str]]:
    """Return the rows of a published table."""
    text = files("handful.reproduce").joinpath(f"published/{name}").read_text()
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def figure_picture(number: int) -> Picture:
    """Return a figure of the thesis, drawn from our tables."""
    figure = next(figure for figure in FIGURES if figure.number == number)

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        figure.draw(axes)
        grid(axes)

    return Picture(f"finkle-2017-figure-{number:02}", f"Figure {number}: {figure.title}.", draw)


def _outcome(number: int, title: str, place: str, theirs: str, ours: str, lines: list[Line]) -> Outcome:
    name = f"finkle-2017-figure-{number}"
    return Outcome(name, title, Source(DOCUMENT, place), theirs, ours, tuple(lines), "", (figure_picture(number),))


def _largest(table: Answers) -> HandClass:
    return max(table.classes(), key=lambda each: each.hands)


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


def _half_turn(difference: float) -> str:
    return "less than half a turn" if 0 < difference < 0.5 else f"{difference:.2f} turns"
