"""Claim: with a real pile it pays to count the cards that are gone, a little.

``python -m benchmarks.rummy_counting [GAMES [MOST_CARDS]]`` plays the same deals by the table of the whole deck and by
who looks a draw ahead over the cards that can still come, and writes the table of docs/rummy.md.
"""

from __future__ import annotations

import sys
from math import hypot

from benchmarks.tables import markdown_table, replace_table
from handful.cli.shared.output import mean_text
from handful.lab.rummy_play import play_rummy

SEED = 260


def main(games: int = 20_000, most_cards: int = 7) -> None:
    """Play, print and write the table. The interval of what is saved takes the games of both as independent: wide."""
    rows = []
    for cards in range(3, most_cards + 1):
        plain, counting = (
            play_rummy(policy, cards=cards, games=games, deck="pile", seed=SEED) for policy in ("optimal", "counting")
        )
        saved = plain.mean - counting.mean
        half = 1.96 * hypot(plain.sd, counting.sd) / games**0.5
        told = [mean_text(each.mean, each.mean_ci95) for each in (plain, counting)]
        rows.append([str(cards), *told, f"{saved:.3f} ± {half:.3f}", f"{saved / plain.mean:.2%}"])
        print(*rows[-1], sep="  ", flush=True)
    command = f"python -m benchmarks.rummy_counting {games} {most_cards}"
    note = f"Written by `{command}`; aces low, seed {SEED}, 95 % confidence."
    table = markdown_table(["cards", "optimal", "counting", "turns saved", "of all"], rows)
    replace_table("rummy.md", "counting", f"\n{note}\n\n{table}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
