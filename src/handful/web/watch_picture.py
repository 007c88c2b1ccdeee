"""What spectators are shown of a game: what everybody at the table knows, and all hands where its maker allowed that.

Made from common knowledge, and not from the view of any seat: what one player sees is hidden from another, and whoever
sits at the table could open the spectators' page, too. Once the game is over everything is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from handful.hanabi.cards import card_text
from handful.hanabi.measures import Measures, measures
from handful.hanabi.rules import Rules
from handful.hanabi.variants import Suit, Variant
from handful.hanabi.view import CommonKnowledge
from handful.web.table_game import TableGame
from handful.web.table_picture import (
    ShownHand,
    ShownStack,
    ShownTurn,
    open_hand,
    shown_discards,
    shown_history,
    shown_stacks,
)


@dataclass(frozen=True)
class Watched:
    """The table as spectators see it; `common` is what everybody there knows."""

    rules: Rules
    common: CommonKnowledge
    ending: str | None
    score: int
    measures: Measures
    has_open_hands: bool
    stacks: tuple[ShownStack, ...]
    hands: tuple[ShownHand, ...]
    discards: tuple[tuple[Suit, tuple[int, ...]], ...]
    history: tuple[ShownTurn, ...]

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
                    {
                        "card": None if card.face is None else card_text(self.variant, card.face),
                        "can_be": card.hinted_text,
                    }
                    for card in hand.cards
                ]
                for hand in self.hands
            ],
            "history": [turn.text for turn in self.history],
        }


def watched(state: TableGame, names: Sequence[str], open_hands: bool) -> Watched:
    """Return the table as spectators see it now."""
    common, variant = state.common_knowledge(), state.rules.variant
    is_open = open_hands or state.is_over
    faces = [[state.card(held) if is_open else None for held in hand] for hand in common.hands]
    hands = tuple(
        ShownHand(seat, names[seat], open_hand(common, seat, faces[seat]), ()) for seat in range(state.rules.players)
    )
    return Watched(
        rules=state.rules,
        common=common,
        ending=state.ending,
        score=state.score if state.is_over else 0,
        measures=measures(common),
        has_open_hands=is_open,
        stacks=shown_stacks(variant, common.stacks, common.stack_values),
        hands=hands,
        discards=shown_discards(common),
        history=shown_history(common, names),
    )
