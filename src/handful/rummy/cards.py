"""The 52 cards of Rummy, and hands of them as text.

A card is written as its rank, A 2 … 10 J Q K, and its suit, C D H S: `AC 10D JH KS`. `TD` is another way to write
`10D`, small letters are read too, and cards are set apart by blanks or commas. Inside, a hand is often a mask: bit
13 · suit + rank, with rank 0 the ace and suit 0 the clubs, so that 13 bits are a suit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from handful.errors import DealError, NotationError, shown

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
NUM_RANKS = 13
NUM_SUITS = 4
NUM_CARDS = 52

_RANK_OF_TEXT = {text: rank for rank, text in enumerate(RANKS)} | {"T": 9}
_SUIT_OF_TEXT = {text: suit for suit, text in enumerate(SUITS)} | dict(zip("♣♦♥♠", range(4), strict=True))


@dataclass(frozen=True, order=True)
class Card:
    """A card: rank 0 (ace) to 12 (king), suit 0 to 3 (clubs, diamonds, hearts, spades); ordered by rank, then suit.

    >>> print(Card(9, 1))
    10D
    """

    rank: int
    suit: int

    @property
    def bit(self) -> int:
        """The mask of this card alone."""
        return 1 << (NUM_RANKS * self.suit + self.rank)

    def __str__(self) -> str:
        return RANKS[self.rank] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"Card({self})"


# What may be given wherever a hand is asked for: a text, cards, or texts of single cards.
HandLike: TypeAlias = "str | Iterable[Card | str]"


def parse_card(text: str) -> Card:
    """Return the card that is written so.

    >>> parse_card("td")
    Card(10D)
    >>> parse_card("1C")
    Traceback (most recent call last):
    handful.errors.NotationError: card '1C': there is no rank '1'; ranks are A 2 3 4 5 6 7 8 9 10 J Q K
    """
    written = text.strip().upper()
    if len(written) < 2:
        raise NotationError(f"card {shown(text)}: expected a rank and a suit, such as AC, 10D or KS")
    rank_text, suit_text = written[:-1], written[-1]
    if suit_text not in _SUIT_OF_TEXT:
        raise NotationError(f"card {shown(text)}: there is no suit {shown(suit_text)}; suits are {' '.join(SUITS)}")
    if rank_text not in _RANK_OF_TEXT:
        raise NotationError(f"card {shown(text)}: there is no rank {shown(rank_text)}; ranks are {' '.join(RANKS)}")
    return Card(_RANK_OF_TEXT[rank_text], _SUIT_OF_TEXT[suit_text])


def sizes_text(sizes: range) -> str:
    """Return sizes of hands in words.

    >>> sizes_text(range(3, 11)), sizes_text(range(3, 5)), sizes_text(range(3, 4))
    ('3 to 10', '3 or 4', '3')
    """
    ends = dict.fromkeys((sizes[0], sizes[-1]))
    return (" or " if len(sizes) == 2 else " to ").join(map(str, ends))


def parse_cards(given: HandLike, number: int | range | None = None, name: str = "hand") -> tuple[Card, ...]:
    """Return the cards of a hand, in order of rank, then suit; each at most once, and so many if a number is given.

    `name` is what errors call them.

    >>> parse_cards("10d, ac KS")
    (Card(AC), Card(10D), Card(KS))
    >>> parse_cards("AC AC 2D")
    Traceback (most recent call last):
    handful.errors.DealError: hand 'AC AC 2D': AC is there twice
    >>> parse_cards("AC 2D", number=3)
    Traceback (most recent call last):
    handful.errors.DealError: hand 'AC 2D': 2 cards, expected 3
    """
    pieces = [piece for piece in re.split(r"[\s,;]+", given) if piece] if isinstance(given, str) else list(given)
    cards = [piece if isinstance(piece, Card) else parse_card(piece) for piece in pieces]
    hand = shown(given if isinstance(given, str) else " ".join(map(str, cards)))
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise DealError(f"{name} {hand}: {card} is there twice")
    sizes = range(number, number + 1) if isinstance(number, int) else number
    if sizes is not None and len(cards) not in sizes:
        found = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
        raise DealError(f"{name} {hand}: {found}, expected {sizes_text(sizes)}")
    return tuple(sorted(cards))


def format_cards(cards: Iterable[Card]) -> str:
    """Return cards as text, in the order given.

    >>> format_cards(parse_cards("td ac"))
    'AC 10D'
    """
    return " ".join(map(str, cards))


def mask_of(cards: Iterable[Card]) -> int:
    """Return the mask of a hand.

    >>> bin(mask_of(parse_cards("AC 3C")))
    '0b101'
    """
    mask = 0
    for card in cards:
        mask |= card.bit
    return mask


def cards_of(hand_mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in order of rank, then suit.

    >>> cards_of(0b101)
    (Card(AC), Card(3C))
    """
    bits = (bit for bit in range(NUM_CARDS) if hand_mask >> bit & 1)
    return tuple(sorted(Card(bit % NUM_RANKS, bit // NUM_RANKS) for bit in bits))
