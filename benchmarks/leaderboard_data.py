"""The leaderboard as data: ``python -m benchmarks.leaderboard_data`` writes the tables of docs/leaderboard.md as CSV.

The package ships the file, so that the lab in a browser shows what was measured. `benchmarks.leaderboard` writes both.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.tables import DOCS
from handful.lab.leaderboard import COLUMNS

TARGET = Path(__file__).parent.parent / "src/handful/lab/measured/leaderboard.csv"
SOURCE = "# The tables of docs/leaderboard.md, written by `python -m benchmarks.leaderboard_data`; shares are of 1."

_HEADING = re.compile(r"### (?P<variant>.+), (?P<players>\d+) players")
_LINE = re.compile(
    r"\| `(?P<bot>[^`]+)`(?P<best> \(`best`\))? \| (?P<games>[\d,]+) \| (?P<mean>[\d.]+) ± (?P<half>[\d.]+) "
    r"\| (?P<perfect>[\d.]+)% \((?P<low>[\d.]+)% to (?P<high>[\d.]+)%\) \| (?P<struck>[\d.]+)% "
    r"\| (?P<speed>[\d,]+|–) \|"
)


def rows(page: str) -> Iterator[list[str]]:
    """Yield the lines of all tables of the page, as the columns of the CSV."""
    variant = players = ""
    for line in page.splitlines():
        if heading := _HEADING.fullmatch(line):
            variant, players = heading["variant"], heading["players"]
        elif found := _LINE.fullmatch(line):
            shares = (f"{float(found[name]) / 100:.4f}" for name in ("perfect", "low", "high", "struck"))
            games, speed = (found[name].replace(",", "").replace("–", "0") for name in ("games", "speed"))
            best = "yes" if found["best"] else "no"
            yield [variant, players, found["bot"], best, games, found["mean"], found["half"], *shares, speed]


def csv_text() -> str:
    """Return what the file has to say."""
    page = (DOCS / "leaderboard.md").read_text(encoding="utf-8")
    ours = page.partition("<!-- leaderboard -->")[2].partition("<!-- end leaderboard -->")[0]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(ours))
    return f"{SOURCE}\n{text.getvalue()}"


def main() -> None:
    """Write the file."""
    TARGET.write_text(csv_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
