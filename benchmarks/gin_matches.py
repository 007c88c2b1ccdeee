"""Claim: in Gin skill shows, the more the longer the game; and how our players do against each other.

``python -m benchmarks.gin_matches`` lets every two players play games to several targets, every deal twice, seats
exchanged, and writes the table of docs/gin.md. A target of 1 is a game of one round that somebody wins. Players that
think are measured in `gin_strongest`. ``--gate`` asks only whether `table`, which looks at no worlds, holds its own
against `marjj`, and how good `marjj` is against `simple`; in more games.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from itertools import combinations

from benchmarks.tables import markdown_table, replace_table
from handful.lab.gin_play import match_gin
from handful.rummy.gin import EAAI, PLAYERS

GAMES, SEED = 4_000, 31_000
TARGETS = (1, 50, 100, 250)
GATE_GAMES, GATE_SEED = 12_000, 32_000
GATE = (("table", "marjj"), ("marjj", "simple"))


def cell(first: str, second: str, target: int) -> str:
    """Return how often the first wins, with half the width of its interval."""
    result = match_gin(first, second, rules=replace(EAAI, target=target), games=GAMES, seed=SEED)
    low, high = result.first_share_ci95
    return f"{result.first_share:.1%} ± {(high - low) / 2:.1%}"


def gate() -> None:
    """Play the games to 100 of the gate, and write what came of them."""
    said = []
    for first, second in GATE:
        result = match_gin(first, second, games=GATE_GAMES, seed=GATE_SEED, workers=1)
        low, high = result.first_share_ci95
        said.append(f"`{first}` wins {result.first_share:.1%} ({low:.1%} to {high:.1%}) against `{second}`")
    text = f"{'; '.join(said)}: {GATE_GAMES:,} games to 100 each, seed {GATE_SEED}.\n"
    replace_table("gin.md", "gin gate", f"\n{text}")
    print(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gate", action="store_true", help="the gate alone")
    if parser.parse_args().gate:
        gate()
        return
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
