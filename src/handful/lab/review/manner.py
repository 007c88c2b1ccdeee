"""How the players of a game are read: what they know of cards that they use, and tell by cards that they keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handful.hanabi.state import State
from handful.lab.review.doubt import Doubt
from handful.lab.review.trust import Trust


class Manner(NamedTuple):
    """The chance that whoever uses a card knows what it is, and that who could play a card does not keep it.

    `trust`: a card played is playable, one discarded worthless, whatever hints leave it to be. `doubt`: so many are
    left out of the worlds in which a card that was kept could be played. Both are 0 for who knows no more than hints.
    """

    trust: float = 0.0
    doubt: float = 0.0


LITERAL = Manner()


class Manners:
    """What the game itself says of the manner of its players, turn by turn."""

    def __init__(self, states: Sequence[State]) -> None:
        """Take the positions of a game, from the deal to the last."""
        self.trust, self.doubt = Trust(states), Doubt(states)

    def of(self, turn: int) -> Manner:
        """Return how to read who moves on a turn, by the rest of the game."""
        return Manner(self.trust.of(turn), self.doubt.of(turn))
