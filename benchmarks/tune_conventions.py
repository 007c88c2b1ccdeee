"""Tune the weights of `conventions` by an evolution strategy: ``python -m benchmarks.tune_conventions OUT.json``.

The point is the logarithm of all weights, at the start of the game and at its end: none may become negative, and a
factor means the same for a large one as for a small one. In each generation `--population` points are drawn around the
present one, in pairs that mirror each other, and all play the same `--games` deals, which no other generation plays:
deals of seed `--seed`, from number generation · games on. What counts is the share of perfect games, and the mean score
a little (a hundredth of a point's share), so that a bad start has a slope to climb. The better half moves the point, by
weights that fall with the rank; the step grows while moves go the same way, and shrinks otherwise (cumulative step-size
adaptation, Hansen & Ostermeier 2001). The file has the state after the last generation, and is written whole or not at
all: however a run ends, the same command goes on from there, and comes to the same weights as one that was not
interrupted. At the end the point and the weights in use play deals of another seed, `--seed` + 1.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from handful._files import write_whole
from handful.bots.conventions import WEIGHTS, compiled, weight_table
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import VARIANTS, Rules

Floats = npt.NDArray[np.float64]
SLOPE = 0.01  # what the mean score counts, beside the share of perfect games
FIRST_STEP = 0.15  # of the logarithms


def named(point: Floats) -> dict[str, tuple[float, float]]:
    """Return the weights of a point, by their names: at the start of the game, and at its end."""
    pairs = np.exp(point).reshape(-1, 2)
    return {name: (float(start), float(end)) for name, (start, end) in zip(WEIGHTS, pairs, strict=True)}


def play(rules: Rules, point: Floats, seed: int, first: int, games: int) -> tuple[float, float]:
    """Return the share of perfect games and the mean score of the bot with the weights of a point."""
    bot = replace(compiled(rules), parameters=weight_table(rules, named(point)))
    scores = CompiledTable(rules, [bot] * 2).play(seed, first, games).scores
    return float((scores == rules.max_score).mean()), float(scores.mean())


def start_of(kind: str) -> dict[str, Any]:
    """Return the state before the first generation: from the weights in use, or from all weights 1."""
    size = 2 * len(WEIGHTS)
    point = np.log(np.array(list(WEIGHTS.values()))).ravel() if kind == "present" else np.zeros(size)
    return {"generation": 0, "point": point.tolist(), "path": [0.0] * size, "step": FIRST_STEP, "log": []}


def next_generation(state: dict[str, Any], rules: Rules, seed: int, games: int, population: int) -> None:
    """Move the point of a state by one generation, and add a line to its log."""
    number = state["generation"]
    point, path = np.array(state["point"]), np.array(state["path"])
    half = np.random.default_rng([seed, number]).standard_normal((population // 2, len(point)))
    moves = np.concatenate([half, -half])
    played = [play(rules, point + state["step"] * move, seed, number * games, games) for move in moves]
    worth = np.array([share + SLOPE * mean for share, mean in played])
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Go on with the run that a file has, or begin it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="where the weights are written, and read to go on")
    parser.add_argument("--generations", type=int, default=300, help="in all (default: 300)")
    parser.add_argument("--population", type=int, default=24, help="points of a generation, even (default: 24)")
    parser.add_argument("--games", type=int, default=2000, help="deals of a generation (default: 2000)")
    parser.add_argument("--seed", type=int, default=31, help="of deals and of chance (default: 31)")
    parser.add_argument("--variant", default="No Variant", help="what is played (default: No Variant)")
    parser.add_argument("--start", choices=("present", "flat"), default="present", help="weights in use, or all 1")
    parser.add_argument("--check", type=int, default=10_000, help="deals played at the end (default: 10000)")
    options = parser.parse_args(arguments)
    rules = Rules(VARIANTS[options.variant], 2)
    told = {name: getattr(options, name) for name in ("population", "games", "seed", "variant", "start")}
    state = start_of(options.start) | {"options": told}
    if options.out.exists():
        state = json.loads(options.out.read_text())
        if state["options"] != told:
            parser.error(f"{options.out} is of a run with other options: {state['options']}")
    while state["generation"] < options.generations:
        next_generation(state, rules, options.seed, options.games, options.population)
        line = state["log"][-1]
        print(
            f"generation {state['generation']}: {line['perfect']:.2%} perfect, mean {line['mean']:.3f}, "
            f"step {line['step']:.4f}",
            flush=True,
        )
        weights = {
            name: [float(f"{number:.3g}") for number in pair] for name, pair in named(np.array(state["point"])).items()
        }
        write_whole(options.out, json.dumps(state | {"weights": weights}).encode())
    for name, point in (("tuned", state["point"]), ("in use", start_of("present")["point"])):
        share, mean = play(rules, np.array(point), options.seed + 1, 0, options.check)
        print(f"{name}: {share:.2%} perfect, mean {mean:.3f} ({options.check} deals of seed {options.seed + 1})")


if __name__ == "__main__":
    main()
