"""Claim: `montecarlo` is the strongest player of Gin here: python -m benchmarks.gin_strongest

It plays games to 100 against the others, every deal twice, seats exchanged, on seeds that nothing was fitted to.
"""

from __future__ import annotations

import argparse

from benchmarks.tables import markdown_table, replace_table
from handful.lab.gin_play import match_gin

SEED = 91_000
OPPONENTS = ("marjj", "simple", "table", "quick")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    options, rows = parser.parse_args(), []
    for opponent in OPPONENTS:
        result = match_gin("montecarlo", opponent, games=options.games, seed=SEED, workers=options.workers)
        low, high = result.first_share_ci95
        rows.append(
            (
                opponent,
                f"{result.first_share:.1%}",
                f"{low:.1%} to {high:.1%}",
                f"{result.points[0]:.0f} to {result.points[1]:.0f}",
                f"{result.cpu_seconds / result.games:.2f} s",
            )
        )
        print(rows[-1], flush=True)
    table = markdown_table(["against", "games won", "95 %", "points in a game", "CPU a game, both"], rows)
    replace_table("gin.md", "gin strongest", f"\n{options.games:,} games each, seed {SEED}.\n\n{table}\n")


if __name__ == "__main__":
    main()
