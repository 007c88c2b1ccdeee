"""How rounds end after each choice, played out to their ends: what an adviser tells beside the win chance."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import kernel
from handful._records import Annotated, TypedDict, record_type
from handful.rummy.gin.kernels.judgement import Weights
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rulebook, Views
from handful.rummy.gin.kernels.places import Choices, make_world, play_out
from handful.rummy.gin.kernels.round import UNDERCUT, act
from handful.splitmix_jit import Chance


class EndingFields(TypedDict):
    """How the play-outs of a choice ended, counted."""

    won: Annotated[int, np.int64]
    lost: Annotated[int, np.int64]
    gin: Annotated[int, np.int64]  # by this player
    undercut: Annotated[int, np.int64]  # of this player's knocks
    turns: Annotated[int, np.int64]  # of both


ENDING = record_type(EndingFields)
Endings: TypeAlias = npt.NDArray[np.void]


@kernel
def count_endings(
    views: Views,
    rules: Rulebook,
    choices: Choices,
    opponents: npt.NDArray[np.int64],
    weights: Weights,
    chance: Chance,
    endings: Endings,
) -> None:
    """Play each choice out in each world, to the end, and add how that was."""
    rounds, seen, features = np.zeros(2, ROUND), np.zeros(1, VIEW), np.zeros(weights.shape[2])
    r = rounds[1]
    for world in range(len(opponents)):
        make_world(views, 0, opponents[world], rounds, chance, 0)
        for k in range(len(choices)):
            rounds[1] = rounds[0]
            act(rounds, 1, rules, choices[k])
            play_out(rounds, 1, seen, rules, weights, features)
            e = endings[k]
            e["won"] += r["winner"] == 0
            e["lost"] += r["winner"] == 1
            e["gin"] += r["ending"] > UNDERCUT and r["winner"] == 0
            e["undercut"] += r["ending"] == UNDERCUT and r["winner"] == 1
            e["turns"] += r["num_turns"] - rounds[0]["num_turns"] + (r["ending"] > 0)
