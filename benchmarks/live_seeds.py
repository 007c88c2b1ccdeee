"""Claim: these are the deals among hanab.live's first 2,000 seeds of No Variant that cannot be won.

``python -m benchmarks.live_seeds`` solves the deals p2v0s1 … p5v0s2000 and writes docs/unwinnable-seeds.md.
"""

from __future__ import annotations

import sys
from collections import Counter

from benchmarks.tables import markdown_table, replace_table
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.lab.winnable import cause_of
from handful.playability.deals.solve import solve


def main(seeds: int = 2_000) -> None:
    """Solve the deals, and write the tables."""
    summary, rows = [], []
    for players in (2, 3, 4, 5):
        causes: Counter[str] = Counter()
        undecided = 0
        for number in range(1, seeds + 1):
            seed = f"p{players}v0s{number}"
            found = solve(deal_from_live_seed(seed))
            undecided += found.winnable is None
            if found.winnable is False:
                causes[cause_of(found.reason, found.method)] += 1
                rows.append([f"`{seed}`", str(found.score), found.reason])
        told = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        summary.append([f"{players} players", f"{seeds:,}", str(causes.total()), told or "–", str(undecided)])
        print(*summary[-1], sep="  ", flush=True)
    note = "Written by `python -m benchmarks.live_seeds`."
    first = markdown_table(["", "seeds", "cannot be won", "why", "undecided"], summary)
    second = markdown_table(["seed", "best score found", "why it cannot be won"], rows)
    replace_table("unwinnable-seeds.md", "seeds", f"\n{note}\n\n{first}\n\n{second}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
