"""How many sequences can be played with a hand of m cards: (k, m)-playability of Bergh 2015, sections 3.5 and 3.6.

A single player knows the whole sequence, holds m cards, and on every turn plays or throws one and draws the next. After
the last card is drawn there is one more turn, or (`end_of_deck` "never", as in section 5) as many as there are cards in
the hand. A sequence is playable if every stack can be completed. `sequence_line` decides one sequence and shows how
to play it; here sequences of a whole deck are counted. `lab.sequences` samples decks that are too large for that.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from typing import Any

from handful.display import Shown
from handful.errors import RulesError
from handful.hanabi.rules import EndOfDeck
from handful.playability.sequences.counting import checked_copies, count_playable, count_total
from handful.playability.sequences.positions import PositionCounter

MOST_POSITIONS = 150_000  # half a minute
PUBLISHED_HANDS = (1, 2, 3, 4, 5)

# Rows of Appendix A with a printed fraction that is wrong: (copies, hand) and what it should be, to four decimals.
MISPRINTS: dict[tuple[tuple[int, ...], int], float] = {
    ((1, 2, 1, 4, 2), 1): 0.0559,  # by Lemma 3.21 the same as for (1, 1, 2, 2, 4), where 0.0559 is printed
    ((1, 2, 2, 3, 2), 2): 0.3754,  # 28384 of 75600 sequences are 0.37545 less 3 · 10^-7
}


@dataclass(frozen=True)
class SequenceCount(Shown):
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

    @property
    def unplayable(self) -> int:
        """How many sequences cannot be played."""
        return self.total - self.playable

    @property
    def fraction(self) -> Fraction:
        """The chance that a shuffled deck can be played."""
        return Fraction(self.playable, self.total)

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
        share = f"{self.playable} of {self.total} playable, {float(self.fraction):.9g}"
        return f"<SequenceCount {copies}, hand {self.hand}: {share}>"


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
    table, chosen = [], tuple(hands)
    for row in published_rows():
        table.append((row, [count_sequences(row.copies, hand) for hand in chosen]))
        if on_progress is not None:
            on_progress(1)
    return table


def total_fraction(counts: Iterable[SequenceCount]) -> Fraction:
    """Return the fraction of playable sequences among those of several decks."""
    every = list(counts)
    return Fraction(sum(each.playable for each in every), sum(each.total for each in every))
