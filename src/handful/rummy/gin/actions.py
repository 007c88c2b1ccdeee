"""What can be done at a table of Gin, and its number: throws 0 … 51, take, draw, pass, knocks 55 … 106, big gin."""

from __future__ import annotations

from dataclasses import dataclass

from handful.errors import NotationError, shown
from handful.rummy.cards import NUM_CARDS, Card, parse_card
from handful.rummy.gin.deal import card_at, number_of

TAKE = NUM_CARDS
DRAW = NUM_CARDS + 1
PASS = NUM_CARDS + 2
KNOCK = NUM_CARDS + 3  # + the card that is thrown
BIG_GIN = KNOCK + NUM_CARDS
NUM_ACTIONS = BIG_GIN + 1

_PLAIN = {"take": TAKE, "draw": DRAW, "pass": PASS, "big-gin": BIG_GIN}


@dataclass(frozen=True, order=True)
class GinAction:
    """An action: a kind (take, draw, pass, throw, knock, big-gin), and the card that is thrown, if one is."""

    kind: str
    card: Card | None = None

    @property
    def number(self) -> int:
        """Its number, as kernels and environments have it.

        >>> parse_action("knock KS").number
        106
        """
        if self.card is None:
            return _PLAIN[self.kind]
        return number_of(self.card) + (KNOCK if self.kind == "knock" else 0)

    def __str__(self) -> str:
        return self.kind if self.card is None else f"{self.kind} {self.card}"


def action_at(number: int) -> GinAction:
    """Return the action of a number.

    >>> str(action_at(0)), str(action_at(TAKE)), action_at(BIG_GIN).number == BIG_GIN
    ('throw AC', 'take', True)
    """
    if 0 <= number < NUM_CARDS:
        return GinAction("throw", card_at(number))
    if KNOCK <= number < BIG_GIN:
        return GinAction("knock", card_at(number - KNOCK))
    for kind, plain in _PLAIN.items():
        if plain == number:
            return GinAction(kind)
    raise NotationError(f"action {number}: expected 0 to {NUM_ACTIONS - 1}")


def parse_action(text: str) -> GinAction:
    """Return the action that is written so: take, draw, pass, throw 7H, knock 7H, big-gin; a card alone is thrown.

    >>> parse_action("7h")
    GinAction(kind='throw', card=Card(7H))
    """
    kind, *rest = text.lower().split() or [""]
    if kind in _PLAIN and not rest:
        return GinAction(kind)
    if kind in ("throw", "knock") and len(rest) == 1:
        return GinAction(kind, parse_card(rest[0]))
    if not rest and len(kind) in (2, 3):
        return GinAction("throw", parse_card(kind))
    raise NotationError(f"action {shown(text)}: expected take, draw, pass, throw CARD, knock CARD or big-gin")
