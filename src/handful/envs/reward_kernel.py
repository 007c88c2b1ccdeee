"""The reward of a turn, on records: `rewards` says what the parts mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel
from handful.bots.table_kernel import Tables
from handful.hanabi.kernels.game import score
from handful.hanabi.kernels.layout import PERFECT
from handful.hanabi.kernels.worth import best_points

Weights = npt.NDArray[np.float64]
Standing = tuple[int, int, int, int]

SCORE, PERFECT_GAME, POINT, STRIKE, LOST = range(5)


@inlined_kernel
def standing(tables: Tables, g: int, weights: Weights) -> Standing:
    """Return what a reward counts from: score, points, strikes, and the points within reach, if they count."""
    game, rulebook = tables.games[g], tables.rulebooks[0]
    can_reach = best_points(game, rulebook) if weights[LOST] != 0 else wide(0)
    return score(game, rulebook), wide(game["points"]), wide(game["strikes"]), can_reach


@inlined_kernel
def reward_since(before: Standing, tables: Tables, g: int, weights: Weights) -> float:
    """Return the reward of the turn that was made in game g since it stood as before."""
    points, strikes, can_reach = before[1], before[2], before[3]
    now = standing(tables, g, weights)
    reward: float = weights[SCORE] * (now[0] - before[0])
    reward += weights[PERFECT_GAME] * (tables.games[g]["ending"] == PERFECT)
    reward += weights[POINT] * (now[1] - points)
    reward += weights[STRIKE] * (now[2] - strikes)
    if weights[LOST] != 0:
        reward += weights[LOST] * (can_reach - now[3])
    return reward
