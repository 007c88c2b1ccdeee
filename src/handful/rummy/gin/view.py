"""What a player of Gin may know: the own hand, the pile, what the opponent took, threw and refused; nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from handful.rummy.cards import Card, format_cards
from handful.rummy.gin.actions import GinAction
from handful.rummy.gin.rules import GinRules


@dataclass(frozen=True)
class GinTurn:
    """A finished turn, as both saw it: who, the upcard if it was taken (None: a card of the stock), what was thrown."""

    player: int
    took: Card | None
    threw: Card

    def to_dict(self) -> dict[str, Any]:
        """Return the turn for JSON."""
        return {"player": self.player, "took": self.took and str(self.took), "threw": str(self.threw)}


@dataclass(frozen=True)
class GinView:
    """A round as one player sees it; it has no place for what is hidden.

    `pile` is from the bottom up, without the upcard. `known` are the cards that the opponent took from the pile and
    still has, `own_known` what the opponent knows so of this hand. `passes` counts who refused the first upcard.
    """

    rules: GinRules
    player: int
    starter: int
    phase: str
    current: int
    hand: tuple[Card, ...]
    upcard: Card | None
    pile: tuple[Card, ...]
    stock_size: int
    taken: Card | None
    passes: int
    knock_limit: int
    known: tuple[Card, ...]
    own_known: tuple[Card, ...]
    refused: tuple[Card, ...]
    turns: tuple[GinTurn, ...]
    scores: tuple[int, int]
    legal: tuple[GinAction, ...]
    takes: int = 0
    repeated: bool = False
    factor: int = 1
    last_upcard: Card | None = None

    @property
    def thrown(self) -> tuple[Card, ...]:
        """What the opponent threw, in this order."""
        return tuple(turn.threw for turn in self.turns if turn.player != self.player)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "player": self.player,
            "phase": self.phase,
            "hand": format_cards(self.hand),
            "upcard": self.upcard and str(self.upcard),
            "pile": format_cards(self.pile),
            "stock_size": self.stock_size,
            "knock_limit": self.knock_limit,
            "opponent_took": format_cards(self.known),
            "opponent_threw": format_cards(self.thrown),
            "opponent_refused": format_cards(self.refused),
            "scores": list(self.scores),
            "legal": [str(action) for action in self.legal],
        }
