"""Claim: every deal is decided, and these fractions of them can be won.

``python -m benchmarks.winnable_deals`` decides 100,000 deals for each number of players, one hint token more or fewer,
and 10,000 deals of the twenty variants that are played most and of some besides, and writes docs/winnable_deals.csv
and the table of docs/deals.md. Rows that the file has already, with as many deals, are not computed again: delete it to
start anew. So a run that was interrupted goes on where it stopped. A number of deals may be given.

`MOST_PLAYED` are the first twenty of a public count of the games of hanab.live (popular_variants.tsv in the repository
Aigul9/hanabi-stats), in its order. Where a hint is but a pass and there is always one to give, variants with the same
cards but for the names of the suits have the same share of winnable deals: then one variant stands for all.
"""

from __future__ import annotations

import csv
import sys

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.hanabi.variants import Variant, variant_named
from handful.lab.winnable import winnable

GAMES = (
    ("No Variant", "No Variant", "hanab-live"),
    ("6 Suits, Rainbow (6 Suits)", "6 Suits", "hanab-live"),
    ("No Variant, 7 hint tokens", "No Variant", "hanab-live, max_hints=7"),
    ("No Variant, 9 hint tokens", "No Variant", "hanab-live, max_hints=9"),
    ("Black (6 Suits)", "Black (6 Suits)", "hanab-live"),
    *((name, name, "hanab-live") for name in ("4 Suits", "3 Suits", "Black (5 Suits)")),
    *((name, name, "hanab-live") for name in ("Up or Down (5 Suits)", "Reversed (6 Suits)")),
    *((name, name, "hanab-live") for name in ("Null (5 Suits)", "Clue Starved (5 Suits)")),
)
MOST_PLAYED = (
    *("No Variant", "Black (6 Suits)", "Rainbow (6 Suits)", "6 Suits", "Dark Rainbow (6 Suits)", "Black (5 Suits)"),
    *("Rainbow (5 Suits)", "4 Suits", "White Reversed (6 Suits)", "Special Mix (5 Suits)", "Pink (6 Suits)", "3 Suits"),
    *("Black & Rainbow (6 Suits)", "Up or Down (5 Suits)", "Brown (5 Suits)", "White (5 Suits)", "White (6 Suits)"),
    *("Dual-Color Mix", "Pink (5 Suits)", "Gray (6 Suits)"),
)
CAUSES = ("pace", "capacity", "who holds what", "tokens")
COLUMNS = ("game", "players", "deals", "winnable", "low", "high", *CAUSES, "undecided", "cpu_ms")
RESULTS = DOCS / "winnable_deals.csv"
SEED = 0
DEALS = 100_000
MANY = 10_000
LARGE = ("No Variant", "6 Suits")
TIME_LIMIT = 600.0  # of the clock, for a deal: far more than any takes on a machine of its own


def main(deals: int | None = None) -> None:
    """Decide the deals that are not decided yet, and write the table."""
    known: dict[tuple[str, str], dict[str, str]] = {}
    if RESULTS.exists():
        with RESULTS.open() as file:
            known = {(row["game"], row["players"]): row for row in csv.DictReader(file)}
    games = [(name, str(players), variant, rules) for name, variant, rules in GAMES for players in (2, 3, 4, 5)]
    order = [(name, players) for name, players, _, _ in games]
    for name, players, variant, rules in games:
        wanted = deals or DEALS if name.startswith(LARGE) else MANY
        row = known.get((name, players))
        if row is None or int(row["deals"]) < wanted:
            known[name, players] = row_of(name, variant, rules, int(players), wanted)
            print(*known[name, players].values(), sep="  ", flush=True)
            write([known[key] for key in order if key in known])
    write([known[key] for key in order])


def row_of(name: str, variant: str, rules: str, players: int, deals: int) -> dict[str, str]:
    """Return a row of results."""
    found = winnable(players=players, deals=deals, seed=SEED, variant=variant, rules=rules, time_limit=TIME_LIMIT)
    assert set(found.causes) <= set(CAUSES), found.causes
    low, high = found.ci95
    causes = [str(found.causes.get(cause, 0)) for cause in CAUSES]
    cells = [name, str(players), str(deals), f"{found.fraction:.5f}", f"{low:.5f}", f"{high:.5f}", *causes]
    cells += [str(found.undecided), f"{1000 * found.cpu_seconds / found.deals:.2f}"]
    return dict(zip(COLUMNS, cells, strict=True))


def answers_key(variant: Variant) -> tuple[object, ...]:
    """Return what the share of winnable deals follows from: hints are passes, if every card can be hinted."""
    touched = 0
    for mask in (*variant.suit_hint_masks, *variant.value_hint_masks):
        touched |= mask
    special = variant.modifiers
    rules = (special.clue_starved, special.hole, special.alternating, special.sudoku, variant.orange_mask)
    suits = sorted((suit.copies, orders) for suit, orders in zip(variant.suits, variant.orders, strict=True))
    return (tuple(suits), rules, touched == variant.all_mask)


def shared_answers() -> str:
    """Return which of the variants that are played most have no rows of their own, and whose rows they have."""
    rows = {answers_key(variant_named(variant)): variant for _, variant, rules in GAMES[::-1] if rules == "hanab-live"}
    others: dict[str, list[str]] = {}
    for name in MOST_PLAYED:
        row = rows[answers_key(variant_named(name))]
        if row != name:
            others.setdefault(row, []).append(name)
    return "; ".join(f"those of {row} also for {', '.join(names)}" for row, names in others.items())


def write(rows: list[dict[str, str]]) -> None:
    """Write the results as data and as a table."""
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shown = [
        [
            f"{row['game']}, {row['players']} players",
            f"{int(row['deals']):,}",
            f"{float(row['winnable']):.3%}",
            f"{float(row['low']):.3%} to {float(row['high']):.3%}",
            *(row[cause] for cause in CAUSES),
            row["undecided"],
            row["cpu_ms"],
        ]
        for row in rows
    ]
    header = ["", "deals", "winnable", "95 % interval", *CAUSES, "undecided", "CPU ms a deal"]
    note = (
        f"Measured with `python -m benchmarks.winnable_deals`, seed {SEED}, under the rules of hanab.live. The four "
        "columns after the interval count the deals that cannot be won, by cause. Among the variants are the twenty "
        f"that are played most, by a public count of games: {', '.join(MOST_PLAYED)}. Where variants have the same "
        "cards but for the names of the suits, and hints are but passes that can always be made, one row stands for "
        f"all of them: {shared_answers()}."
    )
    replace_table("deals.md", "winnable", f"\n{note}\n\n{markdown_table(header, shown)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
