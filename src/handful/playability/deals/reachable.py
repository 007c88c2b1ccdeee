"""How many points could still be reached after every turn of a game, with all cards known?

From above: no stack goes past a card that is lost, no more cards can be played than turns are left to play them (see
`pace`), and where the solver proves that the maximum is out of reach, one point less. From below: a beam that looks for
points. What can be reached after a turn could be reached before it, and what could not before it cannot after it. Where
the two meet, the number is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handful.errors import RulesError
from handful.hanabi.measures import best_score, pace
from handful.hanabi.state import State
from handful.playability.deals.solve import check_solvable, desk_for


class Reach(NamedTuple):
    """The most points that can be reached from a position: at least `low`, at most `high`."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        """Whether it is known."""
        return self.low == self.high

    @property
    def text(self) -> str:
        """The number, or the two that it lies between.

        >>> Reach(24, 25).text
        '24 to 25'
        """
        return str(self.low) if self.is_exact else f"{self.low} to {self.high}"


def reachable_scores(states: Sequence[State], answers: Sequence[bool | None]) -> list[Reach]:
    """Return for each position of a game, the deal first, what could be reached from it.

    `answers` says for each whether the maximum can be reached (None: undecided).
    """
    most = states[0].rules.max_score
    try:
        check_solvable(states[0].rules)
    except RulesError:
        return [Reach(states[-1].score, most)] * len(states)
    highs: list[int] = []
    for state, answer in zip(states, answers, strict=True):
        bound = most if answer else _bound(state) if answer is None else min(most - 1, _bound(state))
        highs.append(min(bound, highs[-1]) if highs else bound)
    lows = [0] * len(states)
    low = 0
    for place in range(len(states) - 1, -1, -1):
        low = max(
            low, most if answers[place] else states[place].score if states[place].is_over else states[place].points
        )
        if low < highs[place] and not states[place].is_over:
            low = max(low, _found(states[place]))
        lows[place] = low
    return [Reach(low, high) for low, high in zip(lows, highs, strict=True)]


def _bound(state: State) -> int:
    """Return a score that is never exceeded, as far as the discards and the turns that are left tell."""
    if state.is_over:
        return state.score
    return best_score(state) + min(0, pace(state) or 0)


def _found(state: State) -> int:
    """Return the points of the best line that a beam finds."""
    line = desk_for(state.rules).best_line(state)
    reached = state.copy()
    for action in line:
        reached.act(action)
    return reached.points
