"""Deals: the order of the 52 cards, from a seed, from a list of cards, or from hands that somebody wants to see.

Round r of game i of seed S is SplitMix64's stream (S, 0, i, r): the deck in order (clubs, diamonds, hearts, spades,
each from ace to king), shuffled from the front. The first ten cards go to who starts, the next ten to the dealer, the
next one is turned up, and the rest is the stock, its first card on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from handful.errors import DealError
from handful.rummy.cards import NUM_CARDS, NUM_RANKS, Card, HandLike, format_cards, parse_cards
from handful.rummy.gin.rules import HAND_SIZE
from handful.splitmix import DEAL_STREAM, SplitMix64


def card_at(number: int) -> Card:
    """Return the card of a number, 13 · suit + rank."""
    return Card(number % NUM_RANKS, number // NUM_RANKS)


def number_of(card: Card) -> int:
    """Return the number of a card, 13 · suit + rank.

    >>> number_of(card_at(51))
    51
    """
    return NUM_RANKS * card.suit + card.rank


@dataclass(frozen=True)
class GinDeal:
    """The order of the deck.

    >>> deal = GinDeal.from_seed(7)
    >>> format_cards(deal.starter_hand), str(deal.upcard)
    ('2S 3C 3S 6H 7H 9H 9S QH QS KH', '9D')
    """

    deck: tuple[Card, ...]

    def __post_init__(self) -> None:
        if len(self.deck) != NUM_CARDS or len(set(self.deck)) != NUM_CARDS:
            raise DealError(f"a deck of {len(set(self.deck))} different cards: expected all {NUM_CARDS}")

    @property
    def starter_hand(self) -> tuple[Card, ...]:
        """What who starts is dealt, sorted."""
        return tuple(sorted(self.deck[:HAND_SIZE]))

    @property
    def dealer_hand(self) -> tuple[Card, ...]:
        """What the dealer is dealt, sorted."""
        return tuple(sorted(self.deck[HAND_SIZE : 2 * HAND_SIZE]))

    @property
    def upcard(self) -> Card:
        """The first card that is turned up."""
        return self.deck[2 * HAND_SIZE]

    @classmethod
    def from_seed(cls, seed: int, game: int = 0, round_number: int = 0) -> GinDeal:
        """Return round r of game i of a seed."""
        numbers = list(range(NUM_CARDS))
        SplitMix64(seed, DEAL_STREAM, game, round_number).shuffle(numbers)
        return cls(tuple(map(card_at, numbers)))

    @classmethod
    def from_cards(cls, starter: HandLike, dealer: HandLike, upcard: Card, stock: Iterable[Card] = ()) -> GinDeal:
        """Return a deal with these hands; below the given cards of the stock lie the others, in order."""
        hands = parse_cards(starter, HAND_SIZE), parse_cards(dealer, HAND_SIZE)
        given: Sequence[Card] = (*hands[0], *hands[1], upcard, *stock)
        for place, card in enumerate(given):
            if card in given[:place]:
                raise DealError(f"deal {format_cards(given)}: {card} is there twice")
        return cls((*given, *(card_at(n) for n in range(NUM_CARDS) if card_at(n) not in given)))
