"""Claim: what our panel finds hard, a bot that is not on it finds hard, too.

``python -m benchmarks.deal_difficulty`` rates 1,000 fresh deals for each number of players, lets bots that are not on
the panel play each of them again and again (with a slip now and then, for they have no chance of their own), and
correlates the two by ranks (Spearman). It writes docs/deal_difficulty.csv and the tables of docs/difficulty.md: the
correlations, how often these bots win the easiest and the hardest deals, and lists of seeds of hanab.live. With
``reference`` it writes the difficulties of other deals, against which `handful deal` gives percentiles. Rows that the
CSV file has already are not measured again: delete it to start anew.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.hanabi import Deal, Rules, deal_from_live_seed
from handful.lab.difficulty.deal import REFERENCE, Difficulty, all_difficulties
from handful.lab.difficulty.panel import Member, panel_for, play_panel, won_by
from handful.lab.statistics import spearman

SEED, REFERENCE_SEED = 2026, 1999
DEALS, REFERENCE_DEALS, LISTED = 1000, 500, 200
PLAYS = 100
PLAYERS = (2, 3, 4, 5)
MOST_LISTED = 8
FIFTHS = 5
HELD_OUT = {
    2: (Member("partner", 0.02), Member("information", 0.02)),
    3: (Member("partner", 0.02), Member("partner(level=1)", 0.02)),
    4: (Member("partner", 0.02), Member("hat", 0.02), Member("hat-2018", 0.02)),
    5: (Member("partner", 0.02), Member("hat", 0.02), Member("hat-2018", 0.02)),
}
COLUMNS = ("players", "bot", "slip", "deals", "plays", "win_rate", "spearman", "fifths", "cpu_seconds")
RESULTS = DOCS / "deal_difficulty.csv"


def main(what: str = "all") -> None:
    """Measure what is asked for, and write it."""
    if what in ("all", "reference"):
        write_reference()
    if what in ("all", "check"):
        write_check()
    if what in ("all", "lists"):
        write_lists()


def rated(deals: Sequence[Deal]) -> list[float]:
    """Return the difficulties of deals."""
    found = []
    for first in range(0, len(deals), 50):
        found += [1 - fmean(each.share for each in shares) for shares in play_panel(deals[first : first + 50])]
    return found


def write_reference() -> None:
    """Write the difficulties of the reference deals, sorted."""
    rows = []
    for players in PLAYERS:
        rules = Rules(players=players)
        found = sorted(rated([Deal.from_seed(rules, REFERENCE_SEED, game) for game in range(REFERENCE_DEALS)]))
        text = " ".join(f"{each:.4f}".rstrip("0").rstrip(".") for each in found)
        rows.append({"variant": "No Variant", "players": players, "seed": REFERENCE_SEED, "difficulties": text})
        print("reference", players, f"mean {fmean(found):.3f}", flush=True)
    with REFERENCE.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_check() -> None:
    """Write how the difficulty relates to what bots that are not on the panel win."""
    known: dict[tuple[str, str, str], dict[str, str]] = {}
    if RESULTS.exists():
        with RESULTS.open() as file:
            known = {(row["players"], row["bot"], row["plays"]): row for row in csv.DictReader(file)}
    rows: list[dict[str, str]] = []
    for players in PLAYERS:
        deals = [Deal.from_seed(Rules(players=players), SEED, game) for game in range(DEALS)]
        difficulties: list[float] = []
        for member in HELD_OUT[players]:
            row = known.get((str(players), member.bot, str(PLAYS)))
            if row is None:
                difficulties = difficulties or rated(deals)
                row = row_of(players, member, deals, difficulties)
                print(*row.values(), sep="  ", flush=True)
            rows.append(row)
    write_results(rows)


def row_of(players: int, member: Member, deals: Sequence[Deal], difficulties: Sequence[float]) -> dict[str, str]:
    """Return how a bot fares against the difficulty."""
    assert member.bot not in {each.bot for each in panel_for(Rules(players=players))}, "it must not be on the panel"
    started = time.process_time()
    wins = [
        won / PLAYS for first in range(0, len(deals), 50) for won in won_by(member, deals[first : first + 50], PLAYS)
    ]
    order = sorted(range(len(deals)), key=lambda number: difficulties[number])
    size = len(order) // FIFTHS
    fifths = [fmean(wins[number] for number in order[fifth * size : (fifth + 1) * size]) for fifth in range(FIFTHS)]
    values: list[Any] = [players, member.bot, member.slip, len(deals), PLAYS, f"{fmean(wins):.4f}"]
    values += [f"{-spearman(difficulties, wins):.3f}", " ".join(f"{each:.4f}" for each in fifths)]
    values += [f"{time.process_time() - started:.0f}"]
    return dict(zip(COLUMNS, map(str, values), strict=True))


def write_results(rows: Sequence[dict[str, str]]) -> None:
    """Write the results as data and as a table."""
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shown = [
        [
            f"{row['players']} players, `{row['bot']}`",
            row["spearman"],
            f"{float(row['win_rate']):.1%}",
            *(f"{float(each):.1%}" for each in row["fifths"].split()),
        ]
        for row in rows
    ]
    header = [
        "bot that is not on the panel",
        "Spearman",
        "wins",
        "easiest fifth",
        "second",
        "third",
        "fourth",
        "hardest",
    ]
    note = (
        f"Measured with `python -m benchmarks.deal_difficulty check`: {DEALS:,} deals of seed {SEED} for each number "
        f"of players, each played {PLAYS} times by each bot, which slips on 2 % of its turns. Spearman's correlation "
        "is that of ease (1 − difficulty) with the bot's win rate, over the deals."
    )
    replace_table("difficulty.md", "check", f"\n{note}\n\n{markdown_table(header, shown)}\n")


def write_lists() -> None:
    """Write seeds of hanab.live that are easy, hard, or cannot be won."""
    shown = []
    for players in PLAYERS:
        deals = [deal_from_live_seed(f"p{players}v0s{number}") for number in range(1, LISTED + 1)]
        found = sorted(all_difficulties(deals), key=lambda each: each.order)
        can = [each for each in found if each.winnable]
        lists = {
            "easy": can[:MOST_LISTED],
            "middling": can[len(can) // 2 - MOST_LISTED // 2 : len(can) // 2 + MOST_LISTED // 2],
            "hard": can[-MOST_LISTED:],
            "cannot be won": [each for each in found if each.winnable is False][-MOST_LISTED:],
        }
        shown += [[f"{players} players, {name}", _seeds(some)] for name, some in lists.items() if some]
    note = (
        f"Written by `python -m benchmarks.deal_difficulty lists`, of the seeds 1 to {LISTED}: `!seed N` sets one up "
        "on hanab.live, `handful play --seed p3v0sN` here. In brackets the difficulty, 0 to 100."
    )
    replace_table("difficulty.md", "lists", f"\n{note}\n\n{markdown_table(['', 'seeds'], shown)}\n")


def _seeds(found: Sequence[Difficulty]) -> str:
    return ", ".join(f"{each.seed.rpartition('s')[2]} ({100 * each.difficulty:.0f})" for each in found)


if __name__ == "__main__":
    main(*sys.argv[1:])
