"""Claim: with a real pile it pays to count the cards that are gone, a little.

Plays the same deals by the table of the whole deck and by who looks a draw ahead over the cards that can still come,
and writes the table of docs/rummy.md. What was played is kept (`--store`), so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
from math import hypot
from pathlib import Path
from typing import Any

from benchmarks.tables import markdown_table, replace_table
from handful.cli.shared.output import mean_text
from handful.lab.rummy_play import play_rummy
from handful.rummy import answers_folder

SEED = 260
POLICIES = ("optimal", "counting")
# Cards, ace rule, games: fewer where a game takes long.
GAMES = (
    (3, "low", 40_000),
    (4, "low", 40_000),
    (5, "low", 40_000),
    (6, "low", 40_000),
    (7, "low", 20_000),
    (8, "low", 5_000),
    (9, "wrap", 5_000),
    (10, "wrap", 5_000),
)


def play(store: Path, cards: int, aces: str, games: int) -> None:
    """Play what was not played yet of a size."""
    done = {(each["cards"], each["aces"], each["policy"], each["games"]) for each in _stored(store)}
    for policy in POLICIES:
        if (cards, aces, policy, games) in done:
            continue
        found = play_rummy(policy, cards=cards, aces=aces, games=games, deck="pile", seed=SEED)
        told = {"cards": cards, "aces": aces, "policy": policy, "games": games, "mean": found.mean, "sd": found.sd}
        with store.open("a") as file:
            file.write(json.dumps({**told, "ci95": found.mean_ci95}) + "\n")
        print(*told.values(), flush=True)


def _stored(store: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []


def write(store: Path) -> None:
    """Write the table. The interval of what is saved takes the games of both as independent: wide."""
    found = {(each["cards"], each["aces"], each["games"], each["policy"]): each for each in _stored(store)}
    rows = []
    for cards, aces, games in GAMES:
        both = [found.get((cards, aces, games, policy)) for policy in POLICIES]
        plain, counting = both
        if plain is None or counting is None:
            continue
        saved = plain["mean"] - counting["mean"]
        half = 1.96 * hypot(plain["sd"], counting["sd"]) / games**0.5
        told = [mean_text(each["mean"], tuple(each["ci95"])) for each in (plain, counting)]
        share = f"{saved / plain['mean']:.1%} ± {half / plain['mean']:.1%}"
        rows.append([f"{cards}, {aces}", f"{games:,}", *told, f"{saved:.3f} ± {half:.3f}", share])
    note = f"Written by `python -m benchmarks.rummy_counting`; seed {SEED}, 95 % confidence."
    table = markdown_table(["cards, aces", "games", "optimal", "counting", "turns saved", "of all"], rows)
    replace_table("rummy.md", "counting", f"\n{note}\n\n{table}\n")


def main() -> None:
    """Play, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, default=answers_folder() / "counting-measured.jsonl")
    parser.add_argument("--cards", type=int, nargs="*", default=range(3, 8))
    given = parser.parse_args()
    for cards, aces, games in GAMES:
        if cards in given.cards:
            play(given.store, cards, aces, games)
    write(given.store)


if __name__ == "__main__":
    main()
