"""Tune the weights of `partner` by an evolution strategy: ``python -m benchmarks.tune_partner --players 3 --write``.

`benchmarks.evolution` says how. Generation g plays deals g · games and following of seed `--seed`. The file has the
state after the last generation, and is written whole or not at all: however a run ends, the same command goes on from
there, and comes to the same weights as one that was not interrupted. All runs begin at `partner_start.csv`, which has
numbers chosen by hand and by runs with earlier conventions. At the end the point and the start play deals of another
seed, `--seed` + 1; with `--write` the point becomes what the bot uses, `handful/bots/partner/weights.csv`.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.evolution import Weights, named, next_generation, point_of, start_from, tell
from handful._files import write_whole
from handful.bots.partner import compiled, parameter_row
from handful.bots.partner.weights import WEIGHTS_FILE, read_weights
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import VARIANTS, Rules

START = Path(__file__).with_name("partner_start.csv")


def write_weights(players: int, weights: Weights) -> None:
    """Put weights into the file of the bot, in place of those for so many players."""
    with WEIGHTS_FILE.open(newline="") as lines:
        head, *rows = csv.reader(lines)
    told = [[str(players), name, *(f"{number:.3g}" for number in pair)] for name, pair in weights.items()]
    rows = sorted([row for row in rows if int(row[0]) != players] + told, key=lambda row: int(row[0]))
    write_whole(WEIGHTS_FILE, "".join(",".join(row) + "\n" for row in [head, *rows]).encode())


def play(rules: Rules, level: int, weights: Weights, seed: int, first: int, games: int) -> tuple[float, float]:
    """Return the share of perfect games and the mean score of the bot with some weights."""
    bot = replace(compiled(rules), parameters=parameter_row(rules, level, weights))
    scores = CompiledTable(rules, [bot] * rules.players).play(seed, first, games).scores
    return float((scores == rules.max_score).mean()), float(scores.mean())


def main(arguments: Sequence[str] | None = None) -> None:
    """Go on with the run that a file has, or begin it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="the state of the run (default: partner_PLAYERS.json)")
    parser.add_argument("--players", type=int, default=3, help="how many (default: 3)")
    parser.add_argument("--level", type=int, default=3, help="of the conventions (default: 3)")
    parser.add_argument("--generations", type=int, default=100, help="in all (default: 100)")
    parser.add_argument("--population", type=int, default=16, help="points of a generation, even (default: 16)")
    parser.add_argument("--games", type=int, default=400, help="deals of a generation (default: 400)")
    parser.add_argument("--slope", type=float, default=0.1, help="what a point of the mean counts (default: 0.1)")
    parser.add_argument("--seed", type=int, default=41, help="of deals and of chance (default: 41)")
    parser.add_argument("--variant", default="No Variant", help="what is played (default: No Variant)")
    parser.add_argument("--check", type=int, default=4000, help="deals played at the end (default: 4000)")
    parser.add_argument("--write", action="store_true", help="let the bot use what was found")
    options = parser.parse_args(arguments)
    out = options.out or Path(f"partner_{options.players}.json")
    rules = Rules(VARIANTS[options.variant], options.players)
    start = read_weights(START, options.players)
    told = {name: getattr(options, name) for name in ("players", "level", "population", "games", "slope", "seed")}
    state = start_from(point_of(start)) | {"options": told}
    if out.exists():
        state = json.loads(out.read_text())
        if state["options"] != told:
            parser.error(f"{out} is of a run with other options: {state['options']}")

    def trial(weights: Weights, first: int, games: int) -> tuple[float, float]:
        return play(rules, options.level, weights, options.seed, first, games)

    while state["generation"] < options.generations:
        next_generation(state, start, trial, options.seed, options.games, options.population, options.slope)
        tell(out, state, start)
    for name, weights in (("tuned", named(start, np.array(state["point"]))), ("start", start)):
        share, mean = play(rules, options.level, weights, options.seed + 1, 0, options.check)
        print(f"{name}: {share:.2%} perfect, mean {mean:.3f} ({options.check} deals of seed {options.seed + 1})")
    if options.write:
        write_weights(options.players, named(start, np.array(state["point"])))


if __name__ == "__main__":
    main()
