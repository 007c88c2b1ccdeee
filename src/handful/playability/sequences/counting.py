"""How many sequences of a deck can be played, with a hand of one card (Bergh 2015, section 3.4) or of m (3.5 and 3.6).

**A hand of one card.** One suit with values 1 … k, and x_i cards of value i, in any order; N = x_1 + … + x_k. A hand of
one card plays or throws every card as it comes, so a sequence is playable if it contains 1, 2, …, k in this order
(Theorem 3.13.2). T counts all sequences, χ the playable ones, ψ = T − χ the others; Bergh et al. 2016, section 3, call
ψ F.

The printed formula (Theorem 3.25, in `theorems`) is a sum over up to (x_1 + 1) ⋯ (x_k + 1) terms. Here the
same number comes from one product of k polynomials (docs/counting.md has the proof):

    χ(x_1, …, x_k) = Σ_r (−1)^(N − k − r) · C(N, r) · c_r,

with c_r the number of sequences of length r in which every value i comes fewer than x_i times, that is, r! times the
coefficient of z^r in Π_i (1 + z + z²/2! + … + z^(x_i − 1)/(x_i − 1)!). Horton and Kurn 1981 were the first to count
these sequences, for equal numbers of copies (OEIS A047909; A268667 has one 1, two 2s, three 3s, …).

**A hand of m cards.** A single player knows the whole sequence, and on every turn plays or throws one card and draws
the next. After the last card is drawn there is one more turn, or (`end_of_deck` "never", as in section 5) as many as
there are cards in the hand. A sequence is (k, m)-playable if every stack can be completed. `line` decides one sequence
and shows how to play it; here those of a whole deck are counted. `lab.sequences` samples decks that are too large for
that.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from math import comb
from typing import Any

from handful.display import Shown
from handful.errors import RulesError
from handful.hanabi.rules import EndOfDeck
from handful.playability.sequences.positions import PositionCounter

MOST_CARDS = 500  # a second or two
MOST_POSITIONS = 150_000  # half a minute
PUBLISHED_HANDS = (1, 2, 3, 4, 5)

# Rows of Appendix A with a printed fraction that is wrong: (copies, hand) and what it should be, to four decimals.
MISPRINTS: dict[tuple[tuple[int, ...], int], float] = {
    ((1, 2, 1, 4, 2), 1): 0.0559,  # by Lemma 3.21 the same as for (1, 1, 2, 2, 4), where 0.0559 is printed
    ((1, 2, 2, 3, 2), 2): 0.3754,  # 28384 of 75600 sequences are 0.37545 less 3 · 10^-7
}


class _Counted(Shown):
    """How many of all sequences are playable."""

    total: int
    playable: int

    @property
    def unplayable(self) -> int:
        """How many sequences cannot be played: ψ, or F."""
        return self.total - self.playable

    @property
    def fraction(self) -> Fraction:
        """The chance that a shuffled deck can be played."""
        return Fraction(self.playable, self.total)

    @property
    def share(self) -> str:
        """The same in words."""
        return f"{self.playable} of {self.total} playable, {float(self.fraction):.9g}"


@dataclass(frozen=True)
class PlayableCount(_Counted):
    """How many sequences with these copies there are, and how many of them a hand of one card can play.

    >>> count((3, 2, 2, 2, 1))
    <PlayableCount 3 2 2 2 1: 5934 of 75600 playable, 0.0784920635>
    """

    copies: tuple[int, ...]
    total: int
    playable: int

    @property
    def probability(self) -> Fraction:
        """The chance that a shuffled deck can be played."""
        return self.fraction

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "copies": list(self.copies),
            "total": self.total,
            "playable": self.playable,
            "unplayable": self.unplayable,
            "probability": float(self.probability),
            "probability_exact": str(self.probability),
        }

    def __repr__(self) -> str:
        return f"<PlayableCount {' '.join(map(str, self.copies))}: {self.share}>"


def count(copies: Iterable[int]) -> PlayableCount:
    """Return how many sequences with x_i cards of value i there are, and how many are playable with a hand of one.

    >>> count((4,) * 13).unplayable
    91973270026324484565579418350194489655582912237019
    """
    checked = checked_copies(copies)
    return PlayableCount(checked, count_total(checked), count_playable(checked))


def count_total(copies: Iterable[int]) -> int:
    """Return T(x_1, …, x_k) = N! / (x_1! ⋯ x_k!), the number of all sequences (Bergh 2015, equation 3.4.1).

    >>> count_total((3, 2, 2, 2, 1))
    75600
    """
    total, num_cards = 1, 0
    for copies_of_value in checked_copies(copies):
        num_cards += copies_of_value
        total *= comb(num_cards, copies_of_value)
    return total


def count_playable(copies: Iterable[int]) -> int:
    """Return χ(x_1, …, x_k), the number of sequences that contain 1, 2, …, k in this order (Bergh 2015, section 3.4).

    >>> count_playable((3, 2, 2, 2, 1))
    5934
    """
    checked = checked_copies(copies)
    num_cards, num_values = sum(checked), len(checked)
    if 0 in checked:
        return 0
    # χ = Σ_r (−1)^(N − k − r) · C(N, r) · c_r
    return sum(
        (-1) ** (num_cards - num_values - length) * comb(num_cards, length) * sequences
        for length, sequences in enumerate(short_sequences(checked))
    )


def count_unplayable(copies: Iterable[int]) -> int:
    """Return ψ(x_1, …, x_k), the number of sequences that do not contain 1, …, k (F of Bergh et al. 2016, section 3).

    >>> count_unplayable((3, 2, 2, 2, 1))
    69666
    """
    checked = checked_copies(copies)
    return count_total(checked) - count_playable(checked)


def short_sequences(copies: Sequence[int]) -> list[int]:
    """Return c_0, c_1, …: how many sequences of each length have fewer than x_i cards of value i, for every i.

    They are built value by value: a sequence of length r with i cards of the new value is one of length r − i
    of the others, and a choice of the i places. All copies are at least 1.

    >>> short_sequences((2, 3))  # at most one 1 and two 2s: (), 1 2, 12 21 22, 122 212 221
    [1, 2, 3, 3]
    """
    counts = [1]
    for copies_of_value in copies:
        longer = [0] * (len(counts) + copies_of_value - 1)
        for length, sequences in enumerate(counts):
            for added in range(copies_of_value):
                longer[length + added] += comb(length + added, added) * sequences
        counts = longer
    return counts


def checked_copies(copies: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of copies of values 1, 2, …, or refuse them."""
    checked = tuple(copies)
    if not checked:
        raise RulesError("no copies: expected how many cards there are of value 1, of value 2, …, such as 3 2 2 2 1")
    for value, number in enumerate(checked, start=1):
        if number < 0:
            raise RulesError(f"{number} copies of value {value}: expected 0 or more")
    if sum(checked) > MOST_CARDS:
        raise RulesError(f"{sum(checked)} cards: expected at most {MOST_CARDS}")
    return checked


# A hand of several cards


@dataclass(frozen=True)
class SequenceCount(_Counted):
    """How many sequences of a deck there are, and how many of them a hand of so many cards can play.

    `copies` are those of values 1, 2, … in each of the `suits`. `positions` is how many had to be told apart.
    """

    copies: tuple[int, ...]
    suits: int
    hand: int
    end_of_deck: EndOfDeck
    total: int
    playable: int
    positions: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "copies": list(self.copies),
            "suits": self.suits,
            "hand": self.hand,
            "end_of_deck": self.end_of_deck,
            "total": self.total,
            "playable": self.playable,
            "unplayable": self.unplayable,
            "fraction": float(self.fraction),
            "fraction_exact": str(self.fraction),
            "positions": self.positions,
        }

    def __repr__(self) -> str:
        suits = "" if self.suits == 1 else f" in {self.suits} suits"
        copies = " ".join(map(str, self.copies)) + suits
        return f"<SequenceCount {copies}, hand {self.hand}: {self.share}>"


def count_sequences(
    copies: Iterable[int],
    hand: int,
    suits: int = 1,
    end_of_deck: EndOfDeck = "last-round",
    most_positions: int | None = MOST_POSITIONS,
) -> SequenceCount:
    """Return how many sequences of a deck are playable with a hand of so many cards.

    `most_positions` is how many positions may be told apart before the deck is refused as too large; None for no limit.

    >>> count_sequences((3, 2, 2, 2, 1), hand=5)
    <SequenceCount 3 2 2 2 1, hand 5: 66360 of 75600 playable, 0.877777778>
    """
    checked = checked_deck(copies, hand, suits)
    total = count_total(checked * suits)
    if hand == 1:
        # Suits do not meet in the hand (Bergh 2015, Theorem 3.33): the cards of each suit come in any of their orders.
        playable = total * count_playable(checked) ** suits // count_total(checked) ** suits
        return SequenceCount(checked, suits, hand, end_of_deck, total, playable, 1)
    counter = _counter(suits, len(checked), hand, end_of_deck)
    playable = counter.count_playable(checked * suits, most_positions)
    return SequenceCount(checked, suits, hand, end_of_deck, total, playable, counter.num_positions)


def checked_deck(copies: Iterable[int], hand: int, suits: int) -> tuple[int, ...]:
    """Return the copies of values 1, 2, … of each suit, or refuse a deck and a hand that do not fit."""
    if suits < 1:
        raise RulesError(f"{suits} suits: expected at least 1")
    checked = checked_copies(copies)
    num_cards = suits * sum(checked)
    if not 1 <= hand <= max(num_cards, 1):
        raise RulesError(f"a hand of {hand} cards: expected 1 to {num_cards}, for that is the deck")
    return checked


@lru_cache(maxsize=8)
def _counter(suits: int, values: int, hand: int, end_of_deck: EndOfDeck) -> PositionCounter:
    return PositionCounter(suits, values, hand, end_of_deck)


@dataclass(frozen=True)
class PublishedRow:
    """A row of Bergh 2015, Appendix A: copies of the values 1 … 5, ten cards in all, and the fractions printed."""

    copies: tuple[int, ...]
    fractions: dict[int, float]  # by hand size, to four decimals, misprints put right
    printed: dict[int, float]


def published_rows() -> list[PublishedRow]:
    """Return the 126 rows of Bergh 2015, Appendix A."""
    text = files("handful.playability.sequences").joinpath("published/sequences.csv").read_text()
    rows = []
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        copies = tuple(int(row[f"x{value}"]) for value in range(1, 6))
        printed = {hand: float(row[f"m{hand}"]) for hand in PUBLISHED_HANDS}
        right = {hand: MISPRINTS.get((copies, hand), fraction) for hand, fraction in printed.items()}
        rows.append(PublishedRow(copies, right, printed))
    return rows


def published_table(
    hands: Iterable[int] = PUBLISHED_HANDS, on_progress: Callable[[int], None] | None = None
) -> list[tuple[PublishedRow, list[SequenceCount]]]:
    """Return the rows of Bergh 2015, Appendix A, each with our counts for these hand sizes.

    `on_progress` is called with 1 after every row.
    """
    compared, chosen = [], tuple(hands)
    for row in published_rows():
        compared.append((row, [count_sequences(row.copies, hand) for hand in chosen]))
        if on_progress is not None:
            on_progress(1)
    return compared


def total_fraction(counts: Iterable[SequenceCount]) -> Fraction:
    """Return the fraction of playable sequences among those of several decks."""
    every = list(counts)
    return Fraction(sum(each.playable for each in every), sum(each.total for each in every))
