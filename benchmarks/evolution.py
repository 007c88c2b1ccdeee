"""An evolution strategy over the weights of a bot: what the scripts that tune bots have in common.

The point is the logarithm of all weights: none may become negative, and a factor means the same for a large one as for
a small one. In each generation `population` points are drawn around the present one, in pairs that mirror each other,
and all play the same deals, which no other generation plays: number generation · games and following. What counts is
the share of perfect games, and the mean score a little, so that a bad start has a slope to climb. The better half moves
the point, by weights that fall with the rank; the step grows while moves go the same way, and shrinks otherwise
(cumulative step-size adaptation, Hansen & Ostermeier 2001).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from handful._files import write_whole

Floats = npt.NDArray[np.float64]
Weights = Mapping[str, tuple[float, float]]  # each at the start of the game, and at its end
# play(weights, first deal, games) -> the share of perfect games, and the mean score
Play = Callable[[Weights, int, int], tuple[float, float]]
FIRST_STEP = 0.15  # of the logarithms


def named(names: Weights, point: Floats) -> dict[str, tuple[float, float]]:
    """Return the weights of a point, by their names."""
    pairs = np.exp(point).reshape(-1, 2)
    return {name: (float(start), float(end)) for name, (start, end) in zip(names, pairs, strict=True)}


def point_of(weights: Weights) -> Floats:
    """Return the point of some weights."""
    logarithms: Floats = np.log(np.array(list(weights.values()))).ravel()
    return logarithms


def start_from(point: Floats) -> dict[str, Any]:
    """Return the state before the first generation."""
    return {"generation": 0, "point": point.tolist(), "path": [0.0] * len(point), "step": FIRST_STEP, "log": []}


def next_generation(
    state: dict[str, Any], names: Weights, play: Play, seed: int, games: int, population: int, slope: float
) -> None:
    """Move the point of a state by one generation, and add a line to its log."""
    number = state["generation"]
    point, path = np.array(state["point"]), np.array(state["path"])
    half = np.random.default_rng([seed, number]).standard_normal((population // 2, len(point)))
    moves = np.concatenate([half, -half])
    played = [play(named(names, point + state["step"] * move), number * games, games) for move in moves]
    worth = np.array([share + slope * mean for share, mean in played])
    best = np.argsort(-worth, kind="stable")[: population // 2]
    ranks = np.log(len(best) + 0.5) - np.log(np.arange(1, len(best) + 1))
    ranks /= ranks.sum()
    move, effective = ranks @ moves[best], 1.0 / (ranks**2).sum()
    rate = (effective + 2) / (len(point) + effective + 5)
    path = (1 - rate) * path + np.sqrt(rate * (2 - rate) * effective) * move
    usual = np.sqrt(len(point)) * (1 - 1 / (4 * len(point)))  # the length of a path of moves without direction
    state["point"], state["path"] = (point + state["step"] * move).tolist(), path.tolist()
    state["step"] *= float(np.exp(rate / (1 + rate) * (np.linalg.norm(path) / usual - 1)))
    state["generation"] = number + 1
    shares, means = np.array(played).T
    state["log"].append({"perfect": shares.mean(), "mean": means.mean(), "step": state["step"]})


def tell(out: Path, state: dict[str, Any], names: Weights) -> None:
    """Print the last line of the log, and write the state with its weights to a file, whole or not at all."""
    line = state["log"][-1]
    print(
        f"generation {state['generation']}: {line['perfect']:.2%} perfect, mean {line['mean']:.3f}, "
        f"step {line['step']:.4f}",
        flush=True,
    )
    weights = {
        name: [float(f"{number:.3g}") for number in pair]
        for name, pair in named(names, np.array(state["point"])).items()
    }
    write_whole(out, json.dumps(state | {"weights": weights}).encode())
