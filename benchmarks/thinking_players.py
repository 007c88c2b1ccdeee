"""Claim: `uct` is clearly better than `montecarlo` at equal time; oracles win exactly the deals that can be won.

``python -m benchmarks.thinking_players [--games N] [--seconds S]`` writes the tables of its page. A line takes
at most S seconds of CPU time, and at least 20 games. Finished games are kept (``--store``), and shared with the
leaderboard, which plays the same deals.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.leaderboard import SEED, affordable
from benchmarks.tables import markdown_table, replace_table
from handful.lab import Simulation, simulate
from handful.lab.leaderboard import time_text
from handful.lab.store import Store, open_store
from handful.lab.winnable import winnable

PAGE = "thinking-players.md"
PLAYERS = (2, 3, 4, 5)
SAMPLE = 20

# With three players: the two thinkers at several budgets, and `uct` with a part of it taken away.
THREE_PLAYERS = (
    "rules(reading=text)",
    "montecarlo(playouts=200)",
    "montecarlo",
    "uct(playouts=100)",
    "uct(playouts=300)",
    "uct",
    "uct(playouts=300, depth=1)",
    "uct(playouts=300, caution=0.0)",
    "uct(playouts=300, policy=random)",
)


def played(bot: str, players: int, games: int, seconds: float, store: Store) -> Simulation:
    """Return the result of a bot: of as many games as fit into the time."""
    sample = simulate(bot, players=players, games=min(SAMPLE, games), seed=SEED, store=store)
    count = affordable(games, sample.cpu_seconds / sample.games, seconds)
    return simulate(bot, players=players, games=count, seed=SEED, store=store)


def row(result: Simulation) -> list[str]:
    """Return a line of the table of the thinkers."""
    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    return [
        f"`{result.bot}`",
        f"{result.games:,}",
        f"{result.mean:.2f} ± {half:.2f}",
        f"{result.min} to {result.max}",
        f"{result.strikeouts / result.games:.1%}",
        time_text(result.cpu_seconds / result.games),
    ]


def ceiling_row(players: int, games: int, seconds: float, store: Store) -> list[str]:
    """Return a line of the table of ceilings: `cheat`, `oracle`, and the share of the same deals that can be won."""
    open_hands = played("cheat", players, games, seconds, store)
    oracle = played("oracle", players, games, seconds, store)
    can_be = winnable(players=players, deals=oracle.games, seed=SEED)
    low, high = open_hands.perfect_ci95
    return [
        str(players),
        f"{open_hands.games:,}",
        f"{open_hands.perfect:.2%} ({low:.2%} to {high:.2%})",
        f"{open_hands.mean:.3f}",
        time_text(open_hands.cpu_seconds / open_hands.games),
        f"{oracle.games:,}",
        f"{oracle.histogram[-1]:,}",
        f"{can_be.winnable:,}" + (f", {can_be.undecided} undecided" if can_be.undecided else ""),
        time_text(oracle.cpu_seconds / oracle.games),
    ]


def main(games: int, seconds: float, path: Path) -> None:
    """Play, and write both tables."""
    command = f"python -m benchmarks.thinking_players --games {games} --seconds {seconds:g}"
    note = f"Measured with `{command}`: seed {SEED}, rules `hanab-live`; ± and ( to ) are of 95 % confidence."
    with open_store(path) as store:
        ceilings = []
        for players in PLAYERS:
            ceilings.append(ceiling_row(players, games, seconds, store))
            print(*ceilings[-1], sep="  ", flush=True)
        header = ["players", "games of `cheat`", "perfect", "mean", "CPU time a game"]
        header += ["games of `oracle`", "perfect", "deals that can be won", "CPU time a game"]
        replace_table(PAGE, "ceilings", f"\n{note}\n\n{markdown_table(header, ceilings)}\n")
        rows = []
        for bot in THREE_PLAYERS:
            rows.append(row(played(bot, 3, games, seconds, store)))
            print(*rows[-1], sep="  ", flush=True)
            header = ["bot", "games", "mean", "scores", "struck out", "CPU time a game"]
            replace_table(PAGE, "three players", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--store", type=Path, default=Path(".venv/leaderboard.sqlite"))
    chosen = parser.parse_args()
    main(chosen.games, chosen.seconds, chosen.store)
