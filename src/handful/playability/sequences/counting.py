"""How many sequences can be played with a hand of one card: T, χ and ψ of Bergh 2015, section 3.4.

One suit with values 1 … k, and x_i cards of value i, in any order; N = x_1 + … + x_k. A hand of one card plays or
throws every card as it comes, so a sequence is playable if it contains 1, 2, …, k in this order (Theorem 3.13.2).
T counts all sequences, χ the playable ones, ψ = T − χ the others; Bergh et al. 2016, section 3, call ψ F.

The printed formula (Theorem 3.25, in `counting_theorems`) is a sum over up to (x_1 + 1) ⋯ (x_k + 1) terms. Here the
same number comes from one product of k polynomials (docs/counting.md has the proof):

    χ(x_1, …, x_k) = Σ_r (−1)^(N − k − r) · C(N, r) · c_r,

with c_r the number of sequences of length r in which every value i comes fewer than x_i times, that is, r! times the
coefficient of z^r in Π_i (1 + z + z²/2! + … + z^(x_i − 1)/(x_i − 1)!). Horton and Kurn 1981 were the first to count
these sequences, for equal numbers of copies (OEIS A047909; A268667 has one 1, two 2s, three 3s, …).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from handful.display import Shown
from handful.errors import RulesError

MOST_CARDS = 500  # a second or two


@dataclass(frozen=True)
class PlayableCount(Shown):
    """How many sequences with these copies there are, and how many of them a hand of one card can play.

    >>> count((3, 2, 2, 2, 1))
    <PlayableCount 3 2 2 2 1: 5934 of 75600 playable, 0.0784920635>
    """

    copies: tuple[int, ...]
    total: int
    playable: int

    @property
    def unplayable(self) -> int:
        """How many sequences cannot be played: ψ, or F."""
        return self.total - self.playable

    @property
    def probability(self) -> Fraction:
        """The chance that a shuffled deck can be played."""
        return Fraction(self.playable, self.total)

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
        copies = " ".join(map(str, self.copies))
        return f"<PlayableCount {copies}: {self.playable} of {self.total} playable, {float(self.probability):.9g}>"


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
