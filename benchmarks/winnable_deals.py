"""Claim: every deal is decided, and these fractions of them can be won.

``python -m benchmarks.winnable_deals`` decides 100,000 deals for each number of players, two more variants, and one
hint token more or fewer (10,000 with a black suit, whose deals take fifty times as long), and writes
docs/winnable_deals.csv and the table of docs/deals.md. Rows that the file has already, with as many deals, are not
computed again: delete it to start anew. A number of deals may be given.

Rainbow (6 Suits) has no rows of its own: its deals are those of 6 Suits, and so are the answers, for a hint is but a
pass, and there is always one to give.
"""

from __future__ import annotations

import csv
import sys

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.lab.winnable import winnable

GAMES = (
    ("No Variant", "No Variant", "hanab-live"),
    ("6 Suits, Rainbow (6 Suits)", "6 Suits", "hanab-live"),
    ("No Variant, 7 hint tokens", "No Variant", "hanab-live, max_hints=7"),
    ("No Variant, 9 hint tokens", "No Variant", "hanab-live, max_hints=9"),
    ("Black (6 Suits)", "Black (6 Suits)", "hanab-live"),
)
CAUSES = ("pace", "capacity", "who holds what", "tokens")
COLUMNS = ("game", "players", "deals", "winnable", "low", "high", *CAUSES, "undecided", "cpu_ms")
RESULTS = DOCS / "winnable_deals.csv"
SEED = 0
DEALS = 100_000
SLOW = {"Black (6 Suits)": 10_000}
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
        wanted = deals or SLOW.get(name, DEALS)
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
        "columns after the interval count the deals that cannot be won, by cause. Deals of Rainbow (6 Suits) are "
        "those of 6 Suits, and hints are but passes: so are the answers."
    )
    replace_table("deals.md", "winnable", f"\n{note}\n\n{markdown_table(header, shown)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
