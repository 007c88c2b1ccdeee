"""Claim: every deal is decided, and these fractions of them can be won.

``python -m benchmarks.winnable_deals`` decides 100,000 deals for each number of players, three more variants, and one
hint token more or fewer, and writes the tables of docs/deals.md; a number of deals may be given.
"""

from __future__ import annotations

import sys

from benchmarks.tables import markdown_table, replace_table
from handful.lab.winnable import winnable

GAMES = (
    ("No Variant", "No Variant", "hanab-live"),
    ("6 Suits", "6 Suits", "hanab-live"),
    ("Rainbow (6 Suits)", "Rainbow (6 Suits)", "hanab-live"),
    ("Black (6 Suits)", "Black (6 Suits)", "hanab-live"),
    ("No Variant, 7 hint tokens", "No Variant", "hanab-live, max_hints=7"),
    ("No Variant, 9 hint tokens", "No Variant", "hanab-live, max_hints=9"),
)
CAUSES = ("pace", "capacity", "who holds what", "tokens")


def main(deals: int = 100_000) -> None:
    """Decide the deals, and write the table."""
    rows = []
    for name, variant, rules in GAMES:
        for players in (2, 3, 4, 5):
            found = winnable(players=players, deals=deals, seed=0, variant=variant, rules=rules)
            low, high = found.ci95
            assert set(found.causes) <= set(CAUSES), found.causes
            causes = [str(found.causes.get(cause, 0)) for cause in CAUSES]
            speed = f"{1000 * found.cpu_seconds / found.deals:.2f}"
            shares = [f"{found.fraction:.3%}", f"{low:.3%} to {high:.3%}"]
            rows.append([f"{name}, {players} players", *shares, *causes, str(found.undecided), speed])
            print(*rows[-1], sep="  ", flush=True)
            write(deals, rows)


def write(deals: int, rows: list[list[str]]) -> None:
    """Write the table, as far as it is."""
    header = ["", "winnable", "95 % interval", *CAUSES, "undecided", "CPU ms a deal"]
    note = (
        f"Measured with `python -m benchmarks.winnable_deals`: {deals:,} deals of seed 0 in each row. The rules are "
        "those of hanab.live; the four columns after the interval count the causes of the deals that cannot be won."
    )
    replace_table("deals.md", "winnable", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
