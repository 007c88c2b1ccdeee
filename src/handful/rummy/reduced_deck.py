"""Cards that were thrown and are gone: the game on what is left of the deck, solved anew.

Finkle 2017, section 6.3 ("more accurate simulation of actual games"): a program that computes E again in the light of
the cards that cannot come back. Without symmetry there are C(m, n) hands of m cards: a second for 400,000 of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from handful.errors import DealError
from handful.rummy.answers import Discard, discards_of
from handful.rummy.array_files import read_only
from handful.rummy.cards import (
    NUM_CARDS,
    Card,
    HandLike,
    cards_of,
    format_cards,
    mask_of,
    parse_card,
    parse_cards,
)
from handful.rummy.distribution import Turns, follow
from handful.rummy.gone.whole_deck import solve_whole_deck
from handful.rummy.melds import check_aces, rummies

if TYPE_CHECKING:
    from handful.rummy.kernels.chain import SolvedGame


class ReducedDeck:
    """A solved game on a deck from which some cards are gone. It answers as `Answers` do.

    >>> deck = ReducedDeck(3, "wrap", "5C 6C")
    >>> round(deck.expected_turns("AC 4C 7C"), 6)
    18.042488
    """

    def __init__(self, cards: int, aces: str, seen: HandLike) -> None:
        import numpy as np

        from handful.rummy.kernels.reduced_deck import make_binomials, number_of

        self.cards = cards
        self.aces = check_aces(aces)
        self.seen = parse_cards(seen)
        left = cards_of((1 << NUM_CARDS) - 1 & ~mask_of(self.seen))
        self.places = {card: place for place, card in enumerate(left)}
        self._binomials = make_binomials(cards)
        left_mask = mask_of(left)
        found = [
            number_of(self._binomials, np.array(sorted(self.places[card] for card in cards_of(rummy))), cards)
            for rummy in rummies(aces, cards)
            if not rummy & ~left_mask
        ]
        if not found:
            raise DealError(f"with {format_cards(self.seen)} gone, no {cards} cards that are left meld")
        self.values = read_only(solve_whole_deck(len(left), cards, np.array(sorted(found), np.int64)))

    @property
    def draws(self) -> int:
        """From how many cards one draws."""
        return len(self.places) - self.cards

    def number(self, hand: HandLike) -> int:
        """Return the number of a hand among those of this deck."""
        import numpy as np

        from handful.rummy.kernels.reduced_deck import number_of

        cards = parse_cards(hand, self.cards)
        self._check_left(cards)
        return int(number_of(self._binomials, np.array(sorted(self.places[card] for card in cards)), self.cards))

    def expected_turns(self, hand: HandLike) -> float:
        """Return how many turns a hand takes on average, played best."""
        return float(self.values[self.number(hand)])

    def turns_of(self, hand: HandLike, least_visits: float = 0.0) -> Turns:
        """Return how many turns a hand takes: the whole distribution; hands that are met less likely count by lot."""
        number = self.number(hand)
        return follow(self._solved(), number, least_visits, self._binomials, most_hands=len(self.values))

    def discards(self, hand: HandLike, draw: Card | str) -> tuple[Discard, ...]:
        """Return every card that may be thrown after a draw, the best first. What is thrown can be drawn again."""
        drawn = draw if isinstance(draw, Card) else parse_card(draw)
        self._check_left((drawn,))
        return discards_of(parse_cards(hand, self.cards), drawn, self.expected_turns)

    def _check_left(self, cards: Iterable[Card]) -> None:
        for card in cards:
            if card not in self.places:
                raise DealError(f"{card} is among the cards that are gone: {format_cards(self.seen)}")

    def _solved(self) -> SolvedGame:
        from handful.rummy.kernels.chain import SolvedGame
        from handful.rummy.kernels.hand_index import make_hand_index

        hand_index = make_hand_index(self.aces, self.cards)
        return SolvedGame(hand_index, self.values, len(self.places), self.cards)
