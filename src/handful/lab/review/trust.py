"""How much more than hints literally say do the players of a game know of their own cards? Read off the game itself.

Players who agree on meanings know of a card that it can be played although no hint has said so. Somebody who takes
hints for what they literally say would call such a play a gamble. How far the group goes beyond hints shows in its
game: of the plays that hints alone would have let fail, how many did not? With q the chance that hints leave a used
card to be what it should be, and s whether it was, trust is t in the model P(s) = t + (1 − t) q:

    t = Σ (s − q) / (1 + Σ (1 − q)), at least 0,

over the other plays of the game (for a discard over the other discards), as if one more had failed. Nothing of the
turn itself is counted: a gamble does not become knowledge by its luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.hanabi.actions import Action, Discard, Play
from handful.hanabi.cards import card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.state import State
from handful.hanabi.view import View


@dataclass(frozen=True)
class Use:
    """A card that was used: the chance by hints that it was what it should be, and whether it was."""

    is_play: bool
    chance: float
    is_good: bool


def known_by_use(view: View, action: Action | None) -> tuple[int, int]:
    """Return the slot that an action uses and the cards for which one uses it so; −1 and none for a hint."""
    match action:
        case Play(slot):
            return slot, view.playable_mask
        case Discard(slot):
            return slot, view.worthless_mask
    return -1, 0


class Trust:
    """The cards that were used in a game, by the number of the turn."""

    def __init__(self, states: Sequence[State]) -> None:
        """Take the positions of a game, from the deal to the last."""
        turns = states[-1].history
        uses = {turn.number: use_of(state, turn) for state, turn in zip(states, turns, strict=False)}
        self.uses = {number: use for number, use in uses.items() if use is not None}

    def of(self, turn: int) -> float:
        """Return how far to trust that who used a card on a turn knew what it was; 0 for hints."""
        use = self.uses.get(turn)
        if use is None:
            return 0.0
        others = [each for number, each in self.uses.items() if number != turn and each.is_play == use.is_play]
        gained = sum(each.is_good - each.chance for each in others)
        return max(0.0, gained / (1 + sum(1 - each.chance for each in others)))


def use_of(state: State, turn: Turn) -> Use | None:
    """Return how a card was used on the turn that follows a position; None for a hint."""
    view = state.view(state.current)
    slot, known = known_by_use(view, turn.action)
    if slot < 0:
        return None
    card = state.hand(state.current)[slot]
    is_good = bool(known >> card_index(state.rules.variant, card) & 1)
    return Use(isinstance(turn.action, Play), view.chance(slot, known), is_good)
