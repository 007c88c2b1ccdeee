"""What a card can be, as it is drawn and as it is said: a row for each suit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.hanabi.variants import Suit, Variant


@dataclass(frozen=True)
class CanBeRow:
    """The cards of a suit that a card can be.

    `left` are their columns and `text` their values, one after another as they are written; `in_sight` are the columns
    that only the cards in sight exclude. A column is the tens of a coordinate: the first is "", the second "1".
    """

    suit: Suit
    left: tuple[str, ...]
    text: str
    in_sight: tuple[str, ...]


def can_be_rows(variant: Variant, possible: int, hinted: int) -> tuple[CanBeRow, ...]:
    """Return a row for each suit: what is `possible`, and what `hinted` has that only the cards in sight exclude."""
    rows, width = [], variant.num_values
    for number, suit in enumerate(variant.suits):
        left = [place for place in range(width) if possible >> number * width + place & 1]
        gone = [place for place in range(width) if (hinted & ~possible) >> number * width + place & 1]
        text = "".join(variant.value_text(place + 1) for place in left)
        rows.append(CanBeRow(suit, tuple(map(_column, left)), text, tuple(map(_column, gone))))
    return tuple(rows)


def in_words(variant: Variant, rows: Sequence[CanBeRow]) -> str:
    """Return what a card can be: "red 1 3, blue 2"; "anything" where nothing is excluded."""
    if sum(len(row.left) for row in rows) == variant.num_suits * variant.num_values:
        return "anything"
    return ", ".join(f"{row.suit.name.lower()} {' '.join(row.text)}" for row in rows if row.left)


def _column(place: int) -> str:
    return str(place) if place else ""
