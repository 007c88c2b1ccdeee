"""Claim: the engine plays complete random games at least 80 times as fast as OpenSpiel stepped from Python.

``python -m benchmarks.engine_speed`` measures both in the same run and writes the table of docs/speed.md.
"""

from __future__ import annotations

import platform
import resource

from benchmarks.tables import markdown_table, replace_table
from handful.hanabi import Rules
from handful.hanabi.kernels.batch import random_games
from handful.lab.speed import measure


def peak_memory_mb() -> float:
    """Return the most memory this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure, print and write the tables."""
    rows = [
        [speed.name, str(players), f"{speed.games_per_cpu_second:,.0f}", f"{speed.ratio:,.1f}"]
        for players in (2, 3, 4, 5)
        for speed in measure(players)
    ]
    table = markdown_table(["what", "players", "games per CPU second", "our engine is … times as fast"], rows)
    note = f"Measured with `python -m benchmarks.engine_speed`, Python {platform.python_version()}, one core."
    replace_table("speed.md", "engine speed", f"\n{note}\n\n{table}\n")
    print(table)

    memory = []
    for games in (10_000, 100_000, 1_000_000):
        random_games(Rules(players=2), seed=0, count=1)
        for first in range(0, games, 2000):
            random_games(Rules(players=2), seed=0, count=2000, first=first)
        memory.append([f"{games:,}", f"{peak_memory_mb():.0f}"])
    table = markdown_table(["games", "peak memory of the process (MB)"], memory)
    replace_table("speed.md", "memory", f"\n{table}\n")
    print(table)


if __name__ == "__main__":
    main()
