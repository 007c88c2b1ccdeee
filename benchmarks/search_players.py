"""Claim: one turn of search makes the convention bots stronger, by so much, for so much time a game.

``python -m benchmarks.search_players [games] [two_player_games] [file]`` plays `search` and its blueprint on the same
deals, a few at a time for every number of players, and writes docs/search.md anew after each round. Finished games are
kept in the file: a run that was interrupted goes on where it stopped, and more games add to those that are there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.tables import markdown_table, replace_table
from handful.bots.search import blueprint_for
from handful.hanabi.rules import Rules
from handful.lab import Simulation, simulate
from handful.lab.store import Store, open_store

SEED = 2_000_003  # of no game that any setting was chosen by
PLAYERS = (2, 3, 4, 5)
ROUNDS = 40
CHUNK = 10  # games: rounds are multiples of what the lab hands out at a time, so that none is played twice
HEADER = [
    "players",
    "blueprint",
    "games",
    "blueprint: perfect",
    "search: perfect",
    "struck out",
    "mean",
    "CPU s a game",
]


def play(players: int, games: int, store: Store) -> tuple[Simulation, Simulation]:
    """Return the results of the blueprint and of the search on the first so many deals."""
    name = blueprint_for(Rules(players=players))
    blueprint = simulate(name, players=players, games=games, seed=SEED, workers=1)
    return blueprint, simulate("search", players=players, games=games, seed=SEED, workers=1, store=store)


def perfect(result: Simulation) -> str:
    low, high = result.perfect_ci95
    return f"{result.perfect:.2%} ({low:.2%} to {high:.2%})"


def row(blueprint: Simulation, search: Simulation) -> list[str]:
    """Return a line of the table."""
    half = (search.mean_ci95[1] - search.mean_ci95[0]) / 2
    return [
        str(search.players),
        f"`{blueprint.bot}`",
        f"{search.games:,}",
        perfect(blueprint),
        perfect(search),
        f"{search.strikeouts / search.games:.2%}",
        f"{search.mean:.3f} ± {half:.3f}",
        f"{search.cpu_seconds / search.games:.2f}",
    ]


def write(results: Mapping[int, tuple[Simulation, Simulation]]) -> None:
    """Write the table with all games that were played so far."""
    table = markdown_table(HEADER, [row(*results[players]) for players in sorted(results)])
    note = (
        f"Measured with `python -m benchmarks.search_players`: the first deals of seed {SEED}, as many as the third "
        "column says, rules `hanab-live`, one core; ( to ) and ± are of 95 % confidence. No setting was chosen by "
        "these deals."
    )
    replace_table("search.md", "search players", f"\n{note}\n\n{table}\n")


def main(games: str = "2000", two_player_games: str = "1000", path: str = ".venv/search_players.sqlite") -> None:
    """Play in rounds, and write the table after each."""
    results: dict[int, tuple[Simulation, Simulation]] = {}
    with open_store(Path(path)) as store:
        for number in range(1, ROUNDS + 1):
            for players in PLAYERS:
                most = int(two_player_games if players == 2 else games)
                step = -(-most // (ROUNDS * CHUNK)) * CHUNK
                results[players] = play(players, min(most, number * step), store)
                print(*row(*results[players]), sep="  ", flush=True)
            write(results)


if __name__ == "__main__":
    main(*sys.argv[1:])
