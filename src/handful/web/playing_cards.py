"""Cards of the 52 as pages draw them."""

from __future__ import annotations

from dataclasses import dataclass

from handful.rummy.cards import RANKS, SUITS, Card

SUIT_SIGNS = ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e")  # as text, not as pictures
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RANK_NAMES = ("ace", *RANKS[1:10], "jack", "queen", "king")


@dataclass(frozen=True)
class Face:
    """A card as the page draws it."""

    text: str
    rank: str
    sign: str
    suit: str
    words: str

    @property
    def short(self) -> str:
        """Rank and sign, as they are written in a sentence."""
        return f"{self.rank}{self.sign}"


def face_of(card: Card) -> Face:
    """Return the face of a card.

    >>> face_of(Card(9, 1)).words
    '10 of diamonds'
    """
    words = f"{RANK_NAMES[card.rank]} of {SUIT_NAMES[card.suit]}"
    return Face(str(card), RANKS[card.rank], SUIT_SIGNS[card.suit], SUITS[card.suit].lower(), words)
