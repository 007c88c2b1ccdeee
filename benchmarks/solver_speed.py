"""Claim: the middle deal is decided in less than a tenth of a millisecond, and the mean in less than half of one.

``python -m benchmarks.solver_speed`` decides deals one by one, warm and on one core, and writes the tables of
docs/deals.md: how long a deal takes, and which stage decides how many in which time.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict

import numpy as np

from benchmarks.tables import markdown_table, replace_table
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.playability.deals.reasons import why_merged
from handful.playability.deals.solve import MERGED, quick_methods, solve, stage_name

SEED = 0
STAGES = ("merged relaxation", *(stage_name(stage) for stage in range(5)), "exhaustive search", "free game", "SAT")


def main(deals: int = 20_000) -> None:
    """Time the deals, and write the tables."""
    times, stages = [], defaultdict(list)
    for players in (2, 3, 4, 5):
        rules = Rules(players=players)
        warm_up(rules, deals)
        taken = []
        for number in range(deals):
            method, milliseconds = decide(rules, number)
            taken.append(milliseconds)
            stages[players, method].append(milliseconds)
        quantiles = [f"{quantile:.3f}" for quantile in np.quantile(taken, (0.5, 0.99, 0.999))]
        times.append([f"{players} players", quantiles[0], f"{np.mean(taken):.3f}", *quantiles[1:], f"{max(taken):.0f}"])
        print(*times[-1], sep="  ", flush=True)
    rows = []
    for stage in STAGES:
        cells = [stages[players, stage] for players in (2, 3, 4, 5)]
        if any(cells):
            rows.append([stage, *(f"{len(cell):,} ({np.mean(cell):.2f} ms)" if cell else "–" for cell in cells)])
    note = (
        f"Measured with `python -m benchmarks.solver_speed`: milliseconds of CPU time, {deals:,} deals of seed 0 "
        "for each number of players, one by one, warm, on one core; from the shuffling to the replayed line."
    )
    time_table = markdown_table(["", "median", "mean", "99 %", "99.9 %", "most"], times)
    stage_table = markdown_table(["decided by", "2 players", "3 players", "4 players", "5 players"], rows)
    told = "Which stage decides how many of them, and how long these take on average, with all stages before:"
    replace_table("deals.md", "solver speed", f"\n{note}\n\n{time_table}\n\n{told}\n\n{stage_table}\n")


def decide(rules: Rules, number: int) -> tuple[str, float]:
    """Return what decided a deal, and the milliseconds that it took; a reason is found for every deal that is lost."""
    started = time.process_time_ns()
    method = quick_methods(rules, SEED, number, 1)[0]
    if method is None:
        method = solve(Deal.from_seed(rules, SEED, number)).method
    elif method == MERGED:
        why_merged(State(Deal.from_seed(rules, SEED, number)))
    return method, (time.process_time_ns() - started) / 1e6


def warm_up(rules: Rules, deals: int) -> None:
    """Load everything that the slower stages need."""
    for number, method in enumerate(quick_methods(rules, SEED, 0, deals)):
        if method is None:
            solve(Deal.from_seed(rules, SEED, number))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
