"""Which cards would not have been kept? Read off the game itself, as `trust` is.

Hints, counted out, leave a card to be playable with chance q. But players who know more than that of their cards, or
who are told of those that can be played, do not keep such a card for long: that it was kept tells that it is playable
less often than q. The *doubt* d is the chance that a card that can be played is not kept, where one that cannot be
would be. So by Bayes' rule a card that was kept can be played with chance

    P(s) = (1 − d) q / ((1 − d) q + 1 − q).

For every d the mean of s (1 − q) is 1 − d times the mean of (1 − s) q, whatever q is. So (as Mantel and Haenszel
estimate a common ratio of odds)

    d = 1 − (1 + Σ s (1 − q)) / (1 + Σ (1 − s) q), at least 0,

over all cards on all turns of the game on which they were kept, as if one more of either kind had been seen. The cards
that the player to move holds do not count: nothing of what a turn is judged by is known from the cards that it hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.hanabi.actions import Action, Play
from handful.hanabi.cards import card_index
from handful.hanabi.knowledge import Turn
from handful.hanabi.state import State
from handful.hanabi.view import View


@dataclass
class Kept:
    """What a card tells by the turns on which it was kept: Σ s (1 − q) and Σ (1 − s) q."""

    playable: float = 0.0
    not_playable: float = 0.0


def slots_kept(view: View, action: Action | None) -> int:
    """Return the mask of the own slots that an action does not play, of those that hints leave open to be playable."""
    playable_mask, found = view.playable_mask, 0
    for slot, held in enumerate(view.my_hand):
        possible = held.knowledge.possible_mask
        is_open = possible & playable_mask and possible & ~playable_mask
        if is_open and not (isinstance(action, Play) and action.slot == slot):
            found |= 1 << slot
    return found


class Doubt:
    """The cards that were kept in a game, by their order."""

    def __init__(self, states: Sequence[State]) -> None:
        """Take the positions of a game, from the deal to the last."""
        self.kept: dict[int, Kept] = {}
        self.hands: list[list[int]] = []
        for state, turn in zip(states, states[-1].history, strict=False):
            self._count(state, turn)

    def of(self, turn: int) -> float:
        """Return the chance that who moves on a turn would not have kept a card that can be played."""
        others = Kept(1.0, 1.0)
        for order, kept in self.kept.items():
            if order not in self.hands[turn - 1]:
                others.playable += kept.playable
                others.not_playable += kept.not_playable
        return max(0.0, 1.0 - others.playable / others.not_playable)

    def _count(self, state: State, turn: Turn) -> None:
        view, hand = state.view(state.current), state.hand(state.current)
        own = slots_kept(view, turn.action)
        self.hands.append([held.order for held in view.my_hand])
        for slot, held in enumerate(view.my_hand):
            if own >> slot & 1:
                chance = view.chance(slot, view.playable_mask)
                kept = self.kept.setdefault(held.order, Kept())
                if view.playable_mask >> card_index(state.rules.variant, hand[slot]) & 1:
                    kept.playable += 1.0 - chance
                else:
                    kept.not_playable += chance
