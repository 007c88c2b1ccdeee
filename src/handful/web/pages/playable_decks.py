"""What the page says of decks with so many copies of each value: how many orders there are, how many can be played.

For a hand of one card the theorem gives the number, term by term; for larger hands positions are counted, at once if
they are few.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from handful.errors import RulesError
from handful.playability.sequences.counting import PlayableCount, SequenceCount, count, count_sequences, short_sequences

MIN_VALUES, MAX_VALUES, MAX_COPIES = 2, 7, 6
HANDS = (1, 2, 3, 4, 5, 6)
POSITIONS_AT_ONCE = 2_100  # some 30 ms for each size of the hand, in which the server does nothing else
LONG_NUMBER = 15  # digits

_COUNTING = threading.Lock()  # counters are shared, and count for one at a time


@dataclass(frozen=True)
class Term:
    """A term of the formula for χ: ± C(N, r) · c_r."""

    length: int
    sign: int
    ways: int
    sequences: int

    @property
    def value(self) -> int:
        """The term itself."""
        return self.sign * self.ways * self.sequences


@dataclass(frozen=True)
class HandSize:
    """How much of the decks a hand of so many cards can play; `counted` is None if there are too many positions."""

    hand: int
    counted: SequenceCount | None

    @property
    def fraction(self) -> float | None:
        """The part of the orders that can be played."""
        return None if self.counted is None else float(self.counted.fraction)


@dataclass(frozen=True)
class Decks:
    """All orders of a deck: those that a hand of one card can play, by the theorem, and those of larger hands."""

    counted: PlayableCount
    terms: tuple[Term, ...]
    hands: tuple[HandSize, ...]

    @property
    def num_cards(self) -> int:
        """How many cards there are."""
        return sum(self.counted.copies)

    @property
    def has_open_hands(self) -> bool:
        """Whether there are hand sizes for which nothing was counted."""
        return any(each.counted is None for each in self.hands)


def checked(copies: Sequence[int]) -> tuple[int, ...]:
    """Return copies that the page can show, or refuse them."""
    if not MIN_VALUES <= len(copies) <= MAX_VALUES:
        raise RulesError(f"{len(copies)} values: expected {MIN_VALUES} to {MAX_VALUES}")
    for value, number in enumerate(copies, start=1):
        if not 1 <= number <= MAX_COPIES:
            raise RulesError(f"{number} copies of value {value}: expected 1 to {MAX_COPIES}")
    return tuple(copies)


def decks_of(copies: Sequence[int]) -> Decks:
    """Return what there is to say of all decks with these copies.

    >>> decks_of((3, 2, 2, 2, 1)).counted.playable
    5934
    """
    checked_copies = checked(copies)
    hands = tuple(
        HandSize(hand, _counted(checked_copies, hand, POSITIONS_AT_ONCE))
        for hand in HANDS
        if hand <= max(1, sum(checked_copies))
    )
    return Decks(count(checked_copies), terms_of(checked_copies), hands)


def terms_of(copies: Sequence[int]) -> tuple[Term, ...]:
    """Return the terms of χ = Σ_r (−1)^(N − k − r) · C(N, r) · c_r; their sum is the number of playable orders.

    >>> sum(term.value for term in terms_of((3, 2, 2, 2, 1)))
    5934
    """
    num_cards, num_values = sum(copies), len(copies)
    return tuple(
        Term(length, (-1) ** (num_cards - num_values - length), comb(num_cards, length), sequences)
        for length, sequences in enumerate(short_sequences(copies))
    )


@lru_cache(maxsize=1000)
def _counted(copies: tuple[int, ...], hand: int, most_positions: int) -> SequenceCount | None:
    with _COUNTING:
        try:
            return count_sequences(copies, hand, most_positions=most_positions)
        except RulesError:
            return None


def number_text(number: int) -> str:
    """Return a whole number for reading; one of many digits as a power of ten as well.

    >>> number_text(75600), number_text(10**20)
    ('75,600', '1.000 · 10^20')
    """
    if abs(number) < 10**LONG_NUMBER:
        return f"{number:,}".replace("-", "−")
    digits, _, power = f"{number:.3e}".partition("e+")
    return f"{digits} · 10^{int(power)}".replace("-", "−")
