"""Claim: in Rummy skill beats ignorance, but among players who know what they do luck decides.

``python -m benchmarks.rummy_skill`` plays the matches (some minutes) and writes the tables of docs/rummy.md.
"""

from __future__ import annotations

import sys

from benchmarks.tables import markdown_table, replace_table
from handful.cli.shared.output import mean_text, share_text
from handful.lab.rummy_play import match_rummy, play_rummy

OPPONENTS = ("random", "greedy", "optimal(tolerance=5)", "optimal(tolerance=1)", "optimal")


def main(most_cards: int = 6, games: int = 20_000) -> None:
    """Play, print and write the tables."""
    rows = []
    for cards in range(3, most_cards + 1):
        for policy in ("optimal", "greedy", "random"):
            if policy == "random" and cards > 4:
                continue  # it would take thousands of turns
            alone = [play_rummy(policy, cards=cards, games=games, deck=deck) for deck in ("replace", "pile")]
            expected = alone[0].expected
            rows.append(
                [
                    f"{cards}, {policy}",
                    "" if expected is None else f"{expected:.4f}",
                    *(f"{mean_text(each.mean, each.mean_ci95)} (sd {each.sd:.2f})" for each in alone),
                ]
            )
            print(*rows[-1], sep="  ", flush=True)
    note = f"Written by `python -m benchmarks.rummy_skill`; aces low, {games:,} games each, seed 0, 95 % confidence."
    table = markdown_table(["cards, policy", "exact", "turns, cards come back at once", "turns, with a pile"], rows)
    replace_table("rummy.md", "turns alone", f"\n{note}\n\n{table}\n")

    rows = []
    for cards in range(3, most_cards + 1):
        for opponent in OPPONENTS:
            if "tolerance" in opponent and cards > 4:
                continue
            for takes in (False, True):
                result = match_rummy("optimal", opponent, cards=cards, games=games, takes=takes)
                better, interval = result.better_deal_share, result.better_deal_share_ci95
                rows.append(
                    [
                        f"{cards}, {opponent}, {'taken' if takes else 'not taken'}",
                        share_text(result.first_share, result.first_share_ci95),
                        share_text(result.starter_share, result.starter_share_ci95),
                        "" if better is None or interval is None else share_text(better, interval),
                        f"{result.mean_turns:.1f}",
                    ]
                )
                print(*rows[-1], sep="  ", flush=True)
    header = ["cards, opponent, discards", "optimal won", "who started won", "the better deal won", "turns of both"]
    replace_table("rummy.md", "matches", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
