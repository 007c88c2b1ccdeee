"""A deal: rules and the order of the deck, from which everything else follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from handful.errors import DealError
from handful.hanabi.cards import Card, card_text, parse_cards, sorted_deck
from handful.hanabi.rules import Rules
from handful.splitmix import DEAL_STREAM, SplitMix64


@dataclass(frozen=True)
class Deal:
    """The deck in its order, top card first. Player 0 is dealt a whole hand, then player 1, …; player `starter` begins.

    `seed` says where the order came from, if from a seed: ``7`` or ``7/12`` (game 12 of seed 7), or hanab.live's
    ``p4v0s415``.
    """

    rules: Rules
    deck: tuple[Card, ...] = field(repr=False)
    seed: str = ""
    starter: int = 0

    def __post_init__(self) -> None:
        check_cards(self.rules, self.deck)
        if not 0 <= self.starter < self.rules.players:
            raise DealError(f"player {self.starter} is to start: expected 0 to {self.rules.players - 1}")

    @staticmethod
    def from_seed(rules: Rules, seed: int, game: int = 0) -> Deal:
        """Return deal number `game` of a seed: always the same, whoever asks and however the games are split up.

        The sorted deck (r1 r1 r1 r2 …) is shuffled from the front with SplitMix64's stream (seed, DEAL_STREAM, game).

        >>> Deal.from_seed(Rules(), seed=0).text()[:20]
        'r3 r2 b2 b3 y4 b4 y5'
        """
        check_seed(seed, game)
        deck = sorted_deck(rules.variant)
        SplitMix64(seed, DEAL_STREAM, game).shuffle(deck)
        return Deal(rules, tuple(deck), f"{seed}/{game}" if game else f"{seed}")

    @staticmethod
    def from_cards(rules: Rules, cards: str | Iterable[Card]) -> Deal:
        """Return the deal with the cards in this order, top first: a text such as ``r1 y2 …``, or the cards."""
        deck = parse_cards(rules.variant, cards) if isinstance(cards, str) else cards
        return Deal(rules, tuple(deck))

    def text(self) -> str:
        """Return the cards in their order."""
        return " ".join(card_text(self.rules.variant, card) for card in self.deck)


def check_seed(seed: int, game: int = 0) -> None:
    """Refuse numbers that kernels cannot hold: they would make other games of them."""
    for name, number in (("seed", seed), ("game", game)):
        if not 0 <= number < 1 << 63:
            raise DealError(f"{name} {number}: expected a number of 0 to 2^63 − 1")


def check_cards(rules: Rules, cards: Iterable[Card]) -> None:
    """Refuse cards that are not exactly the deck of the rules' variant."""
    variant = rules.variant
    left = dict(Counter(sorted_deck(variant)))
    for position, card in enumerate(cards, start=1):
        if not (0 <= card.suit < variant.num_suits and 1 <= card.value <= variant.num_values):
            raise DealError(f"card {position} is {tuple(card)}, which is not in {variant.name}")
        if not left[card]:
            copies = variant.suits[card.suit].copies[card.value - 1]
            raise DealError(f"card {position} is {card_text(variant, card)} again: {variant.name} has {copies} of it")
        left[card] -= 1
    missing = [card for card, count in left.items() for _ in range(count)]
    if missing:
        names = " ".join(card_text(variant, card) for card in missing[:10])
        raise DealError(
            f"{len(missing)} of {variant.num_cards} cards are missing: {names}{' …' if len(missing) > 10 else ''}"
        )
