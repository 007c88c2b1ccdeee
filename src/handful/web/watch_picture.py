"""What spectators are shown of a game: what everybody at the table knows, and all hands where its maker allowed that.

Made from common knowledge, and not from the view of any seat: what one player sees is hidden from another, and whoever
sits at the table could open the spectators' page, too. Once the game is over everything is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handful.hanabi.cards import Card, card_text, cards_in
from handful.hanabi.knowledge import HeldCard
from handful.hanabi.notation import slot_text, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Suit, Variant
from handful.hanabi.view import CommonKnowledge
from handful.web.table_game import TableGame
from handful.web.table_picture import ShownStack, shown_stacks, told_of


@dataclass(frozen=True)
class WatchedCard:
    """A card in a hand: its face, or None where spectators do not see it; `suit` and `value` are what hints leave."""

    letter: str
    face: Card | None
    suit: Suit | None
    value: str
    told_suits: tuple[Suit, ...]
    told_text: tuple[str, ...]
    can_be: str
    is_touched: bool


@dataclass(frozen=True)
class WatchedHand:
    """The cards of a player, oldest first."""

    seat: int
    name: str
    cards: tuple[WatchedCard, ...]


@dataclass(frozen=True)
class Watched:
    """The table as spectators see it; `common` is what everybody there knows."""

    rules: Rules
    common: CommonKnowledge
    ending: str | None
    score: int
    has_open_hands: bool
    stacks: tuple[ShownStack, ...]
    hands: tuple[WatchedHand, ...]
    discards: tuple[tuple[Suit, tuple[str, ...]], ...]
    history: tuple[str, ...]

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self.rules.variant

    def to_dict(self) -> dict[str, Any]:
        """Return what is seen, as plain values; seats count from 1, cards are written as `r1`."""
        common = self.common
        return {
            "names": [hand.name for hand in self.hands],
            "to_move": None if common.is_over else common.current + 1,
            "is_over": common.is_over,
            "ending": self.ending,
            "turn": common.turn_number,
            "variant": self.variant.name,
            "open_hands": self.has_open_hands,
            "stacks": None if common.is_hidden else {stack.suit.letter: stack.height for stack in self.stacks},
            "hints": common.hints,
            "strikes": None if common.is_hidden else common.strikes,
            "score": self.score if common.is_over else None,
            "deck_size": common.deck_size,
            "hands": [
                [
                    {"card": None if card.face is None else card_text(self.variant, card.face), "can_be": card.can_be}
                    for card in hand.cards
                ]
                for hand in self.hands
            ],
            "history": list(self.history),
        }


def watched(state: TableGame, names: Sequence[str], open_hands: bool) -> Watched:
    """Return the table as spectators see it now."""
    common, variant = state.common_knowledge(), state.rules.variant
    is_open = open_hands or state.is_over
    hands = tuple(
        WatchedHand(
            seat,
            names[seat],
            tuple(
                _card(variant, slot, held, state.card(held) if is_open else None)
                for slot, held in enumerate(common.hands[seat])
            ),
        )
        for seat in range(state.rules.players)
    )
    return Watched(
        rules=state.rules,
        common=common,
        ending=state.ending,
        score=state.score if state.is_over else 0,
        has_open_hands=is_open,
        stacks=shown_stacks(variant, common.stacks, common.stack_values),
        hands=hands,
        discards=_discards(common),
        history=tuple(turn_text(state.rules, turn, names) for turn in common.history),
    )


def _card(variant: Variant, slot: int, held: HeldCard, face: Card | None) -> WatchedCard:
    known = held.knowledge
    told_suits, told_values = told_of(variant, known)
    possible = list(cards_in(variant, known.possible_mask))
    suits, values = {card.suit for card in possible}, {card.value for card in possible}
    return WatchedCard(
        letter=slot_text(slot),
        face=face,
        suit=variant.suits[suits.pop()] if len(suits) == 1 else None,
        value=variant.value_text(values.pop()) if len(values) == 1 else "",
        told_suits=told_suits,
        told_text=tuple(map(variant.value_hint_text, told_values)),
        can_be="anything"
        if known.possible_mask == variant.all_mask
        else " ".join(card_text(variant, card) for card in possible),
        is_touched=known.is_touched,
    )


def _discards(common: CommonKnowledge) -> tuple[tuple[Suit, tuple[str, ...]], ...]:
    variant = common.rules.variant
    return tuple(
        (suit, tuple(map(variant.value_text, sorted(card.value for card in common.discards if card.suit == index))))
        for index, suit in enumerate(variant.suits)
    )
