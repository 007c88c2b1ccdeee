"""Claim: every deal is decided, and these fractions of them can be won.

``python -m benchmarks.winnable_deals`` decides 100,000 deals for each number of players (about an hour) and writes the
table of docs/deals.md; a number of deals may be given.
"""

from __future__ import annotations

import sys

from benchmarks.tables import markdown_table, replace_table
from handful.lab.winnable import winnable


def main(deals: int = 100_000) -> None:
    """Decide the deals, and write the table."""
    rows = []
    for players in (2, 3, 4, 5):
        found = winnable(players=players, deals=deals, seed=0)
        low, high = found.ci95
        causes = ", ".join(f"{cause} {count}" for cause, count in found.causes.items())
        speed = 1000 * found.cpu_seconds / found.deals
        shares = [f"{found.fraction:.2%}", f"{low:.2%} to {high:.2%}"]
        rows.append([f"{players} players", f"{found.deals:,}", *shares, str(found.undecided), causes, f"{speed:.1f}"])
        print(*rows[-1], sep="  ", flush=True)
    header = ["No Variant", "deals", "winnable", "95 % interval", "undecided", "why not", "CPU ms a deal"]
    note = "Measured with `python -m benchmarks.winnable_deals`, seed 0; every line replayed by the plain rules."
    replace_table("deals.md", "winnable", f"\n{note}\n\n{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
