"""The weights of the bot `partner`, by the number of players: `weights.csv`.

Each is given at the start of the game, and when the deck is empty; in between, by the share of the deck that is left.
With two to four players the numbers are those of `benchmarks/partner_start.csv`: found by runs of an evolution strategy
with earlier conventions that are not to be had any more, `coming` by hand. Those for five are what
``python -m benchmarks.tune_partner --players 5 --slope 0.2 --games 600 --generations 40 --write`` found, which begins
there (with the conventions just before partners were watched for keeping to them); those for six are the same.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

WEIGHTS_FILE = Path(__file__).with_name("weights.csv")
FEWEST, MOST = 2, 6  # players


def read_weights(path: Path, players: int) -> dict[str, tuple[float, float]]:
    """Return the weights for so many players from a file."""
    with path.open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if int(row["players"]) == players]
    return {row["weight"]: (float(row["full deck"]), float(row["empty deck"])) for row in rows}


@cache
def weights_for(players: int) -> dict[str, tuple[float, float]]:
    """Return the weights for so many players."""
    return read_weights(WEIGHTS_FILE, min(max(players, FEWEST), MOST))
