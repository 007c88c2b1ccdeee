"""What is known of a card, and what happened on a turn: the parts of common knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from handful.hanabi.actions import Action, Hint, HintKind, HintSuit, HintValue, Unheard
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
    1 of `value_hints_mask` that the value hint v did. `is_pointed_at` says that a hint did which was not heard.
    """

    possible_mask: int
    suit_hints_mask: int = 0
    value_hints_mask: int = 0
    is_pointed_at: bool = False

    @property
    def is_touched(self) -> bool:
        """Whether any hint has pointed at this card."""
        return bool(self.suit_hints_mask or self.value_hints_mask or self.is_pointed_at)

    def value_places_mask(self, variant: Variant) -> int:
        """Return the value hints that touched the card, by their places among those that can be given."""
        return sum((self.value_hints_mask >> value - 1 & 1) << place for place, value in enumerate(variant.value_hints))

    def after(self, variant: Variant, hint: Hint, is_touched: bool) -> CardKnowledge:
        """Return what is known once a hint has touched this card, or not: a hint tells something of every card."""
        mask = touched_mask(variant, hint)
        if not is_touched:
            return replace(self, possible_mask=self.possible_mask & ~mask)
        possible = self.possible_mask & mask
        if isinstance(hint, HintSuit):
            return replace(self, possible_mask=possible, suit_hints_mask=self.suit_hints_mask | 1 << hint.suit)
        return replace(self, possible_mask=possible, value_hints_mask=self.value_hints_mask | 1 << hint.value - 1)


def kind_of(hint: Hint) -> HintKind:
    """Return whether a hint is about a suit or about a value."""
    return "suit" if isinstance(hint, HintSuit) else "value"


def heard(variant: Variant, hint: Hint) -> Hint | Unheard:
    """Return what everybody hears of a hint."""
    if variant.modifiers.duck:
        return Unheard(hint.player)
    return Unheard(hint.player, kind_of(hint)) if variant.modifiers.cow_and_pig else hint


def _hints_meant(variant: Variant, hint: Hint) -> Iterator[Hint]:
    """Yield all hints that sound as this one does."""
    hints: list[Hint] = [HintSuit(hint.player, suit) for suit in range(variant.num_suit_hints)]
    hints += [HintValue(hint.player, value) for value in variant.value_hints]
    for each in hints:
        if heard(variant, each) == heard(variant, hint):
            yield each


def after_hint(
    variant: Variant, hand: Sequence[CardKnowledge], hint: Hint, touched: Sequence[int]
) -> tuple[CardKnowledge, ...]:
    """Return what is known of the cards of a hand once a hint has touched these slots.

    Of a hint that is not heard, every meaning that fits all cards is possible; each card is what one of them allows.
    """
    if not variant.modifiers.hides_hints:
        return tuple(known.after(variant, hint, slot in touched) for slot, known in enumerate(hand))
    possible = [0] * len(hand)
    for meant in _hints_meant(variant, hint):
        masks = [known.after(variant, meant, slot in touched).possible_mask for slot, known in enumerate(hand)]
        if all(masks):
            possible = [before | mask for before, mask in zip(possible, masks, strict=True)]
    return tuple(
        replace(known, possible_mask=mask, is_pointed_at=known.is_pointed_at or slot in touched)
        for slot, (known, mask) in enumerate(zip(hand, possible, strict=True))
    )


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand, seen from the back: its place in the deck's order, and what is known of it."""

    order: int
    knowledge: CardKnowledge


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened on a turn, as everybody saw it, or as one player did.

    A play or discard shows its `card`, whose number in the deck's order is `order`; `is_strike` says whether a play
    failed; `drew` is the order of the card drawn, None if none was. A hint has the `touched` slots. `hints`,
    `strikes` and `points` are those after the turn; `half_token` says that there is half a hint token, too. A card
    that `is_face_down` lies in the hole: who played it does not know it, nor anybody whether it was a strike.
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
    half_token: bool = False
    is_face_down: bool = False

    def as_seen(self, variant: Variant, player: int | None) -> Turn:
        """Return the turn as a player saw it, or, for None, as everybody did, while the game goes on."""
        turn = self
        if isinstance(self.action, HintSuit | HintValue) and player in (None, self.action.player):
            turn = replace(turn, action=heard(variant, self.action))
        if variant.modifiers.hole:
            is_known = not self.is_face_down or player not in (None, self.actor)
            turn = replace(turn, card=self.card if is_known else None, strikes=0, points=0, is_strike=False)
        return turn
