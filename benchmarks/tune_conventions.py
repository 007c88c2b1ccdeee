"""Tune the weights of `conventions` by an evolution strategy: ``python -m benchmarks.tune_conventions OUT.json``.

`benchmarks.evolution` says how. Generation g plays deals g · games and following of seed `--seed`; the mean score
counts a hundredth of a point's share. The file has the state after the last generation, and is written whole or not at
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

from benchmarks.evolution import Weights, named, next_generation, point_of, start_from, tell
from handful.bots.conventions import WEIGHTS, compiled, weight_table
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import VARIANTS, Rules

SLOPE = 0.01  # what the mean score counts, beside the share of perfect games


def play(rules: Rules, weights: Weights, seed: int, first: int, games: int) -> tuple[float, float]:
    """Return the share of perfect games and the mean score of the bot with some weights."""
    bot = replace(compiled(rules), parameters=weight_table(rules, weights))
    scores = CompiledTable(rules, [bot] * 2).play(seed, first, games).scores
    return float((scores == rules.max_score).mean()), float(scores.mean())


def start_of(kind: str) -> dict[str, Any]:
    """Return the state before the first generation: from the weights in use, or from all weights 1."""
    return start_from(point_of(WEIGHTS) if kind == "present" else np.zeros(2 * len(WEIGHTS)))


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

    def trial(weights: Weights, first: int, games: int) -> tuple[float, float]:
        return play(rules, weights, options.seed, first, games)

    while state["generation"] < options.generations:
        next_generation(state, WEIGHTS, trial, options.seed, options.games, options.population, SLOPE)
        tell(options.out, state, WEIGHTS)
    for name, point in (("tuned", state["point"]), ("in use", start_of("present")["point"])):
        share, mean = play(rules, named(WEIGHTS, np.array(point)), options.seed + 1, 0, options.check)
        print(f"{name}: {share:.2%} perfect, mean {mean:.3f} ({options.check} deals of seed {options.seed + 1})")


if __name__ == "__main__":
    main()
