"""What is known of a card, and what happened on a turn: the parts of common knowledge."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handful.hanabi.actions import Action, Hint, HintSuit
from handful.hanabi.cards import Card
from handful.hanabi.variants import Variant


def touched_mask(variant: Variant, hint: Hint) -> int:
    """Return the mask of all cards that a hint touches."""
    if isinstance(hint, HintSuit):
        return variant.suit_hint_masks[hint.suit]
    return variant.value_hint_masks[variant.value_hints.index(hint.value)]


@dataclass(frozen=True, slots=True)
class CardKnowledge:
    """What everybody knows of a card in a hand from the hints alone (K_c of Bergh 2015, Definition 2.14).

    `possible_mask` has the cards that it can be; bit s of `suit_hints_mask` says that suit hint s touched it, bit v −
    1 of `value_hints_mask` that the value hint v did.
    """

    possible_mask: int
    suit_hints_mask: int = 0
    value_hints_mask: int = 0

    @property
    def is_touched(self) -> bool:
        """Whether any hint has pointed at this card."""
        return bool(self.suit_hints_mask or self.value_hints_mask)

    def after(self, variant: Variant, hint: Hint, is_touched: bool) -> CardKnowledge:
        """Return what is known once a hint has touched this card, or not: a hint tells something of every card."""
        mask = touched_mask(variant, hint)
        if not is_touched:
            return replace(self, possible_mask=self.possible_mask & ~mask)
        possible = self.possible_mask & mask
        if isinstance(hint, HintSuit):
            return replace(self, possible_mask=possible, suit_hints_mask=self.suit_hints_mask | 1 << hint.suit)
        return replace(self, possible_mask=possible, value_hints_mask=self.value_hints_mask | 1 << hint.value - 1)


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand, seen from the back: its place in the deck's order, and what is known of it."""

    order: int
    knowledge: CardKnowledge


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened on a turn, as everybody saw it.

    A play or discard shows its `card`, whose number in the deck's order is `order`; `is_strike` says whether a play
    failed; `drew` is the order of the card drawn, None if none was. A hint has the `touched` slots. `hints`,
    `strikes` and `points` are those after the turn.
    """

    number: int
    actor: int
    action: Action
    hints: int | None
    strikes: int
    points: int
    order: int | None = None
    card: Card | None = None
    is_strike: bool = False
    drew: int | None = None
    touched: tuple[int, ...] = ()
