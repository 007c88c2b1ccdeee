"""An action that nobody has played, tried on the page: how good it is, and what is still possible after it."""

from __future__ import annotations

from dataclasses import dataclass

from handful.hanabi.live.records import Record
from handful.lab.review.reviewed import ReviewedTurn
from handful.playability.deals.reachable import reachable_scores
from handful.playability.deals.solve import solve

SECONDS = 10.0


@dataclass(frozen=True)
class Tried:
    """A judged action, and whether the maximum is possible after it with all cards known; `reach` in words."""

    turn: ReviewedTurn
    winnable: bool | None
    reach: str


def tried(record: Record, turn: ReviewedTurn) -> Tried:
    """Return the last action of a game as it is shown."""
    state = record.replay()
    winnable = state.ending == "perfect" if state.is_over else solve(state, SECONDS).winnable
    return Tried(turn, winnable, reachable_scores([state], [winnable])[0].text)
