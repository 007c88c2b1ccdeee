"""An action and its reward, on records: `rewards` says what the parts mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel
from handful.hanabi.kernels.game import act, score
from handful.hanabi.kernels.layout import PERFECT, Decks, Game, Rulebook

Weights = npt.NDArray[np.float64]

SCORE, PERFECT_GAME, POINT, STRIKE, LOST = range(5)


@inlined_kernel
def reachable(game: Game, rulebook: Rulebook) -> int:
    """Return the points that the stacks can still reach with the copies that are left."""
    values = wide(rulebook["values"])
    points = wide(0)
    for suit in range(rulebook["suits"]):
        height = wide(game["stacks"][suit])
        while height < values and game["left"][suit * values + height] > 0:
            height += 1
        points += height
    return points


@inlined_kernel
def act_for_reward(game: Game, rulebook: Rulebook, deck: Decks, action: int, weights: Weights) -> float:
    """Carry out a legal action and return its reward."""
    points, strikes, before = wide(game["points"]), wide(game["strikes"]), score(game, rulebook)
    can_reach = reachable(game, rulebook) if weights[LOST] != 0 else wide(0)
    act(game, rulebook, deck, action)
    reward: float = weights[SCORE] * (score(game, rulebook) - before)
    reward += weights[PERFECT_GAME] * (game["ending"] == PERFECT)
    reward += weights[POINT] * (game["points"] - points)
    reward += weights[STRIKE] * (game["strikes"] - strikes)
    if weights[LOST] != 0:
        reward += weights[LOST] * (can_reach - reachable(game, rulebook))
    return reward
