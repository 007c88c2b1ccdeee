"""Write the table of docs/reproduce.md: ``python -m benchmarks.reproduced`` does what `handful reproduce` does.

A folder may be given for the report; without one it goes to report/.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.tables import replace_table
from handful.reproduce.contents import experiments
from handful.reproduce.report import counts_text
from handful.reproduce.run import Reproduction, reproduce


def page(found: Reproduction) -> str:
    """Return the table, and why something differs where it does."""
    lines = ["| source | published | ours | verdict |", "|---|---|---|---|"]
    lines += [f"| {each.source} | {each.published} | {each.ours} | {each.verdict} |" for each in found.outcomes]
    reasons = [f"- {each.source}: {each.reason}" for each in found.outcomes if each.reason]
    note = f"Written by `python -m benchmarks.reproduced`. {counts_text(found.outcomes)}"
    return "\n".join([note, "", *lines, "", "Why it differs, where it does:", "", *reasons])


def main(folder: str = "report") -> None:
    """Run all experiments quickly, and write the table."""
    found = reproduce(experiments(), Path(folder), on_progress=lambda name, _done: print(name, flush=True))
    replace_table("reproduce.md", "reproduced", f"\n{page(found)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
