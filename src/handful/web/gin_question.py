"""A place in a hand of Gin that somebody describes: the own cards, the upcard, what lies below, what the other took."""

from __future__ import annotations

from dataclasses import dataclass

from handful.errors import DealError
from handful.rummy.cards import NUM_CARDS, Card, format_cards, parse_card
from handful.rummy.gin.deal import GinDeal, card_at
from handful.rummy.gin.round import DRAWING, FIRST_UPCARD, THROWING, Round
from handful.rummy.gin.rules import HAND_SIZE, gin_rules
from handful.rummy.gin.view import GinTurn, GinView


@dataclass(frozen=True)
class GinQuestion:
    """A place, checked: ten cards and an upcard, or eleven cards of which one is to go.

    `discards` are what lies below the upcard, from the first to the last; `took` what the other took from the pile and
    still has. `is_first` says that the upcard is that of the deal.
    """

    hand: tuple[Card, ...]
    upcard: Card | None
    discards: tuple[Card, ...]
    took: tuple[Card, ...]
    scores: tuple[int, int]
    rules: str
    is_first: bool = False

    @staticmethod
    def of(
        hand: str, upcard: str, discards: str, took: str, scores: tuple[int, int], rules: str, is_first: bool = False
    ) -> GinQuestion:
        """Return the place that texts describe, or refuse them."""
        house = gin_rules(rules)
        top = parse_card(upcard) if upcard.strip() else None
        groups = [tuple(map(parse_card, text.replace(",", " ").split())) for text in (hand, discards, took)]
        named = [*groups[0], *groups[1], *groups[2], *([] if top is None else [top])]
        for place, card in enumerate(named):
            if card in named[:place]:
                raise DealError(f"{card} is named twice")
        if len(groups[0]) != HAND_SIZE + (top is None):
            expected = f"{HAND_SIZE} with an upcard, or {HAND_SIZE + 1} of which one is to go"
            raise DealError(f"{len(groups[0])} cards: expected {expected}")
        if len(groups[2]) > HAND_SIZE:
            raise DealError(f"the other holds {len(groups[2])} cards: expected at most {HAND_SIZE}")
        if NUM_CARDS - HAND_SIZE - len(groups[0]) - len(groups[1]) - (top is not None) <= house.wall:
            raise DealError(f"{len(groups[1])} cards lie there: the stock would be at its end, and the hand over")
        if is_first and (top is None or groups[1] or groups[2]):
            raise DealError("at the first upcard nothing has been thrown or taken yet")
        if not all(0 <= score < house.target for score in scores):
            raise DealError(f"a score of {scores[0]} to {scores[1]}: expected 0 to {house.target - 1}")
        return GinQuestion(tuple(sorted(groups[0])), top, groups[1], groups[2], scores, rules, is_first)

    def view(self) -> GinView:
        """Return the place as a view. What is hidden lies anyhow: the view does not show it."""
        known = {*self.hand, *self.discards, *self.took, *([] if self.upcard is None else [self.upcard])}
        hidden = [card_at(number) for number in range(NUM_CARDS) if card_at(number) not in known]
        num_held = HAND_SIZE - len(self.took)
        round_ = Round(GinDeal(tuple(map(card_at, range(NUM_CARDS)))), gin_rules(self.rules), 0, self.scores)
        round_.hands = [set(self.hand), {*self.took, *hidden[:num_held]}]
        round_.known = [set(), set(self.took)]
        round_.stock, round_.pile, round_.upcard = hidden[num_held:], list(self.discards), self.upcard
        round_.phase = FIRST_UPCARD if self.is_first else THROWING if self.upcard is None else DRAWING
        # The other threw what lies on top, and so on downwards, one after the other.
        thrown = [*self.discards, *([] if self.upcard is None or self.is_first else [self.upcard])]
        round_.turns = [GinTurn((len(thrown) - place) % 2, None, card) for place, card in enumerate(thrown)]
        round_.current = 0
        return round_.view(0)

    def fields(self) -> dict[str, str]:
        """Return the place as the fields of an address."""
        found = {
            "hand": format_cards(self.hand),
            "upcard": "" if self.upcard is None else str(self.upcard),
            "discards": format_cards(self.discards),
            "took": format_cards(self.took),
            "own": str(self.scores[0]),
            "other": str(self.scores[1]),
            "rules": self.rules,
            "first": "yes" if self.is_first else "",
        }
        return {name: value for name, value in found.items() if value}
