"""Find the weights of a stage of the solver: ``python -m benchmarks.tune_stages WIDTH`` prints a grid, the best first.

A stage is a beam of a width (1: greedy) that values tokens, slack and players who can play soon by three weights. Every
combination of the grid decides the same deals, alone: `--deals` of seed `--seed` for each number of players. What
counts is how many it wins with all players together. `STAGES` of `handful.playability.deals.solve` were chosen from
such grids of 6,000 deals of seed 9; the last of them from the five-player deals of seed 0 that those before it leave
(`2000 --left --seed 0 --deals 100000`). A grid does not say which stages go well together: the second one values
tokens, and wins deals that the first leaves.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from handful.hanabi.rules import Rules
from handful.playability.deals.kernels.stages import BEAM, CAPACITY, PACE, decide_deals
from handful.playability.deals.solve import STAGES, desk_for, guides

TOKENS, SLACKS, SOONS = (0, 1, 2, 3, 4, 6, 8), (1, 2, 4, 8, 16), (0, 1, 2)
# How hard the relaxation tries at a node, by the width: what is worth its time there.
EFFORTS = {stage[0]: stage[4] for stage in STAGES}


def outcomes(
    rules: Rules, stages: Sequence[tuple[int, ...]], seed: int, first: int, deals: int
) -> np.typing.NDArray[np.int8]:
    """Return what decides each deal, if these are all stages."""
    desk, methods = desk_for(rules), np.zeros(deals, np.int8)
    decide_deals(desk.work, desk.rulebooks, guides(*stages), seed, first, methods, desk.positions)
    return methods


def left_over(rules: Rules, seed: int, deals: int) -> Iterator[int]:
    """Yield the numbers of the deals that all stages but the last leave undecided."""
    for number, method in enumerate(outcomes(rules, STAGES[:-1], seed, 0, deals)):
        if method not in (PACE, CAPACITY) and method < BEAM:
            yield number


def won(width: int, weights: tuple[int, int, int], wanted: dict[int, list[int] | int], seed: int) -> list[int]:
    """Return how many deals a stage wins, for each number of players."""
    stage = [(width, *weights, EFFORTS.get(width, 200), 0)]
    counts = []
    for players, deals in wanted.items():
        rules = Rules(players=players)
        runs = [(number, 1) for number in deals] if isinstance(deals, list) else [(0, deals)]
        counts.append(sum(int((outcomes(rules, stage, seed, *run) >= BEAM).sum()) for run in runs))
    return counts


def main() -> None:
    """Print the grid of a width."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("width", nargs="?", type=int, default=1)
    parser.add_argument("--deals", type=int, default=6_000, help="for each number of players (default: 6000)")
    parser.add_argument("--seed", type=int, default=9, help="of the deals (default: 9)")
    parser.add_argument("--left", action="store_true", help="only five players, and what the stages before leave")
    parser.add_argument("--most", type=int, default=12, help="rows to print (default: 12)")
    options = parser.parse_args()
    wanted: dict[int, list[int] | int] = dict.fromkeys((2, 3, 4, 5), options.deals)
    if options.left:
        wanted = {5: list(left_over(Rules(players=5), options.seed, options.deals))}
    rows = []
    for weights in product(TOKENS, SLACKS, SOONS):
        rows.append((won(options.width, weights, wanted, options.seed), weights))
        print(f"\r{len(rows)} of {len(TOKENS) * len(SLACKS) * len(SOONS)}", end="", flush=True)
    print(f"\rtoken, slack, soon: deals won with {', '.join(map(str, wanted))} players, of {options.deals:,} each")
    for counts, weights in sorted(rows, key=lambda row: (-sum(row[0]), row[1]))[: options.most]:
        in_use = " (in use)" if any(stage[:4] == (options.width, *weights) for stage in STAGES) else ""
        print(f"{weights}: {sum(counts):,} ({', '.join(f'{count:,}' for count in counts)}){in_use}")


if __name__ == "__main__":
    main()
