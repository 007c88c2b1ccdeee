"""Claim: in Gin skill shows, the more the longer the game; and how our players do against each other.

``python -m benchmarks.gin_matches`` lets every two players play games to several targets, every deal twice, seats
exchanged, and writes the table of docs/gin.md. A target of 1 is a game of one round that somebody wins. Players that
think are measured in `gin_strongest`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from benchmarks.tables import markdown_table, replace_table
from handful.lab.gin_play import match_gin
from handful.rummy.gin import EAAI, PLAYERS

GAMES, SEED = 4_000, 31_000
TARGETS = (1, 50, 100, 250)


def cell(first: str, second: str, target: int) -> str:
    """Return how often the first wins, with half the width of its interval."""
    result = match_gin(first, second, rules=replace(EAAI, target=target), games=GAMES, seed=SEED)
    low, high = result.first_share_ci95
    return f"{result.first_share:.1%} ± {(high - low) / 2:.1%}"


def main() -> None:
    header = ["player", "against", *("a round" if target == 1 else f"to {target}" for target in TARGETS)]
    rows = [
        [first, second, *(cell(first, second, target) for target in TARGETS)]
        for second, first in combinations([name for name, player in PLAYERS.items() if not player.thinks], 2)
    ]
    table = markdown_table(header, rows)
    replace_table("gin.md", "gin matches", f"\n{GAMES:,} games a cell, seed {SEED}.\n\n{table}\n")
    print(table)


if __name__ == "__main__":
    main()
