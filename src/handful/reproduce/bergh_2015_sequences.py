"""Van den Bergh 2015, section 3: the closed formula, its identity, and Appendix A: playable sequences of ten cards."""

from __future__ import annotations

from itertools import product
from math import factorial
from typing import TYPE_CHECKING

from handful.lab.sequences import SequenceSample, sample_sequences
from handful.playability.sequences.counting import (
    MISPRINTS,
    PUBLISHED_HANDS,
    count_sequences,
    count_unplayable,
    published_table,
)
from handful.playability.sequences.theorems import identity_3_26, unplayable_by_formula, unplayable_by_recurrence
from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Line, Outcome, Picture, Source, counted_same, exact_line, further_line
from handful.reproduce.pictures import COLOURS, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh 2015"
HANABI = (3, 2, 2, 2, 1)
SUITS = 5
REASONS: dict[tuple[tuple[int, ...], int], str] = {
    ((1, 2, 1, 4, 2), 1): "2114 of 37800 are 0.05593; by symmetry (Lemma 3.21) what (1, 1, 2, 2, 4) has, where 0.0559 "
    "is printed.",
    ((1, 2, 2, 3, 2), 2): "28384 of 75600 are 0.3754497, which the printed algorithm finds too: wrongly rounded.",
}


def theorem_3_25(effort: Effort) -> Outcome:
    """Return the closed formula beside the recurrence and our own formula, on all small decks."""
    most = effort.pick(3, 4)
    decks = [copies for values in (2, 3, 4, 5) for copies in product(range(1, most + 1), repeat=values)]
    agree = 0
    for number, copies in enumerate(decks, 1):
        ours = count_unplayable(copies)
        agree += ours == unplayable_by_formula(copies) == unplayable_by_recurrence(copies)
        if number % 50 == 0:
            effort.on_progress(number / len(decks))
    lines = [
        exact_line(f"decks of 2 to 5 values with 1 to {most} copies", f"{len(decks):,} agree", f"{agree:,} agree"),
        further_line(
            "our formula",
            "a number of steps in the order of N² instead of a sum over up to (x_1 + 1) ⋯ (x_k + 1) terms, and the "
            "proof by generating functions that section 5 asks for",
        ),
    ]
    return Outcome(
        "bergh-2015-theorem-3.25",
        "How many sequences a hand of one card cannot play",
        Source(DOCUMENT, "Theorem 3.25"),
        "a closed formula for the number of them",
        f"agrees with the recurrence and with our formula on {agree:,} of {len(decks):,} decks",
        tuple(lines),
        "docs/counting.md has the proofs.",
    )


def corollary_3_26(_effort: Effort) -> Outcome:
    """Return the identity for one card of each value, as the thesis prints it and as the article does."""
    lines = []
    for values in range(2, 11):
        wanted = factorial(values) - 1
        printed = identity_3_26(values, as_printed=True)
        reason = "The exponent is k (as in Bergh et al. 2016, section 3), not k − ℓ: for k = 4 the printed sum is 55."
        lines.append(exact_line(f"k = {values}: the sum as printed", f"{wanted:,}", f"{printed:,}", reason))
        lines.append(exact_line(f"k = {values}: with exponent k", f"{wanted:,}", f"{identity_3_26(values):,}"))
    return Outcome(
        "bergh-2015-corollary-3.26",
        "An identity for k! − 1",
        Source(DOCUMENT, "Corollary 3.26"),
        "the sum with exponent k − ℓ is k! − 1",
        "false from k = 4 on (55, not 23); with exponent k it is true",
        tuple(lines),
    )


def appendix_a(effort: Effort) -> Outcome:
    """Return the 630 fractions of Appendix A, and what lies beyond ten cards of one suit."""
    table = published_table(on_progress=lambda _row: None)
    effort.on_progress(0.2)
    lines = []
    for row, counts in table:
        for count in counts:
            printed, exact = row.printed[count.hand], float(count.fraction)
            name = f"({', '.join(map(str, row.copies))}), m = {count.hand}"
            # To four decimals, with half a unit of the last for the rounding.
            if abs(printed - exact) <= 0.5e-4 + 1e-12 and (row.copies, count.hand) not in MISPRINTS:
                lines.append(Line(name, f"{printed:.4f}", f"{exact:.4f}", "same"))
            else:
                reason = REASONS.get((row.copies, count.hand), "")
                lines.append(Line(name, f"{printed:.4f}", f"{exact:.7f}", "differs", reason))
    for suits, copies, hand in ((2, (2, 2, 2), 2), (2, (2, 2, 2), 3), (1, (3, 2, 2, 2, 2, 2, 1), 3), (3, (2, 2, 2), 2)):
        count = count_sequences(copies, hand, suits)
        deck = f"{suits} suit{'s' * (suits > 1)} of ({', '.join(map(str, copies))}), m = {hand}"
        told = f"{count.playable:,} of {count.total:,}, {float(count.fraction):.5f}"
        lines.append(further_line(deck, told, "too much memory" if suits > 1 else "–"))
    samples = _samples(effort)
    for sample in samples:
        if sample.hand in (1, 2, 3, 4, 5, 10, 15):
            low, high = sample.ci95
            told = f"{sample.fraction:.3%} ({low:.3%} to {high:.3%}) of {sample.total:,} orders"
            lines.append(further_line(f"the whole deck of 50 cards, m = {sample.hand}", told, "future research"))
    return Outcome(
        "bergh-2015-appendix-a",
        "Playable sequences of ten cards, for hands of one to five",
        Source(DOCUMENT, "Appendix A"),
        f"{len(table) * len(PUBLISHED_HANDS)} fractions to four decimals",
        f"{counted_same(lines)}; the whole deck of 50 cards sampled for hands of 1 to {samples[-1].hand}",
        tuple(lines),
        "Exact counts. The thesis stops at one suit of ten cards; larger decks are counted up to symmetry, or sampled.",
        (_orders_picture(samples),),
    )


def _samples(effort: Effort) -> list[SequenceSample]:
    orders = effort.sample(10_000, 1_000_000)
    samples = []
    for hand in range(1, 21):
        samples.append(sample_sequences(HANABI, hand, SUITS, total=orders, workers=effort.workers))
        effort.on_progress(0.2 + 0.8 * hand / 20)
    return samples


def _orders_picture(samples: list[SequenceSample]) -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        hands, shares = [sample.hand for sample in samples], [100 * sample.fraction for sample in samples]
        low = [share - 100 * sample.ci95[0] for share, sample in zip(shares, samples, strict=True)]
        high = [100 * sample.ci95[1] - share for share, sample in zip(shares, samples, strict=True)]
        axes.errorbar(hands, shares, yerr=(low, high), color=COLOURS[0], marker="o", markersize=4, capsize=2)
        axes.axhline(97.28, color="#888888", linewidth=0.8, linestyle="--")
        axes.text(20, 94.5, "97.28 %: for the others no hand is large enough", ha="right", va="top", fontsize=9)
        axes.set_xticks(range(1, 21))
        axes.set_xlabel("cards in hand")
        axes.set_ylabel("playable orders, %")
        axes.set_ylim(0, 106)
        grid(axes)

    caption = "Goes further: how many orders of the whole deck (50 cards) a single player who knows them can play."
    return Picture("bergh-2015-appendix-a", caption, draw)
