"""Claim: the bot `learned` is so much stronger than `conventions`, at such a speed.

``python -m benchmarks.learned_players [games] [file]`` plays both, and `learned` with fewer candidates, on the same
deals, and writes docs/learned.md anew after each round. Finished games are kept in the file: a run that was interrupted
goes on where it stopped, and more games add to those that are there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.search_players import perfect
from benchmarks.tables import markdown_table, replace_table
from handful.lab import Simulation, simulate
from handful.lab.store import open_store

SEED = 3_000_017  # of no game that anything was learned from or chosen by
BOTS = ("conventions", "learned(candidates=3)", "learned")
HEADER = ["bot", "games", "perfect", "struck out", "mean", "games per CPU second"]
ROUNDS = 4


def row(result: Simulation) -> list[str]:
    """Return a line of the table."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    return [
        f"`{result.bot}`",
        f"{result.games:,}",
        perfect(result),
        f"{result.strikeouts / result.games:.2%}",
        f"{result.mean:.3f} ± {half:.3f}",
        f"{result.games / result.cpu_seconds:,.0f}",
    ]


def main(games: str = "20000", path: str = ".venv/learned_players.sqlite") -> None:
    """Play in rounds, and write the table after each."""
    note = (
        f"Measured with `python -m benchmarks.learned_players`: the first deals of seed {SEED}, rules `hanab-live`, "
        "one core; ( to ) and ± are of 95 % confidence. Nothing was learned from these deals or chosen by them."
    )
    with open_store(Path(path)) as store:
        for number in range(1, ROUNDS + 1):
            share = int(games) * number // ROUNDS
            rows = [row(simulate(bot, games=share, players=2, seed=SEED, workers=1, store=store)) for bot in BOTS]
            replace_table("learned.md", "learned players", f"\n{note}\n\n{markdown_table(HEADER, rows)}\n")
            for each in rows:
                print(*each, sep="  ", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
