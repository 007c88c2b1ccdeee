"""One game, stepped from Python: the calls of `handful.envs.pettingzoo`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from handful._jit import kernel
from handful.envs.encoder_kernel import encode
from handful.envs.reward_kernel import Weights, act_for_reward
from handful.hanabi.kernels.game import legal_mask, score
from handful.hanabi.kernels.layout import Decks, Games, Rulebooks

Flags = npt.NDArray[np.bool_]


@kernel
def legal_now(games: Games, rulebooks: Rulebooks) -> int:
    """Return the mask of the legal action numbers."""
    return legal_mask(games[0], rulebooks[0])


@kernel
def act_once(
    games: Games, rulebooks: Rulebooks, decks: Decks, action: int, weights: Weights, has_regained: Flags
) -> float:
    """Carry out a legal action and return its reward."""
    hints = games[0]["hints"]
    reward = act_for_reward(games[0], rulebooks[0], decks[0], action, weights)
    has_regained[0] = games[0]["hints"] > hints
    return reward


@kernel
def observe_once(
    games: Games, rulebooks: Rulebooks, seat: int, has_regained: Flags, row: npt.NDArray[Any], legal: npt.NDArray[Any]
) -> None:
    """Write what a seat sees, and which actions it has: none, if it is not to move."""
    encode(games, 0, rulebooks, seat, has_regained[0], row)
    mask = legal_mask(games[0], rulebooks[0]) if games[0]["current"] == seat else 0
    for action in range(len(legal)):
        legal[action] = mask >> action & 1


@kernel
def final_score(games: Games, rulebooks: Rulebooks) -> int:
    """Return the score if the game ended now."""
    return score(games[0], rulebooks[0])
