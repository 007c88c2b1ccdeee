"""The leaderboard as it was last measured, all bots on the same deals: `python -m benchmarks.leaderboard` writes it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

COLUMNS = (
    "variant",
    "players",
    "bot",
    "is_best",
    "games",
    "mean",
    "half_width",
    "perfect",
    "low",
    "high",
    "struck_out",
    "speed",
)


@dataclass(frozen=True)
class Standing:
    """How a bot does at a table: a line of docs/leaderboard.md. Intervals are of 95 % confidence.

    The mean score is `mean` ± `half_width`; perfect games, `low` to `high`, and games `struck_out` are shares of 1;
    `speed` is games a CPU second. `is_best` says whether the name `best` stands for the bot there.
    """

    variant: str
    players: int
    bot: str
    is_best: bool
    games: int
    mean: float
    half_width: float
    perfect: float
    low: float
    high: float
    struck_out: float
    speed: int


def standings() -> list[Standing]:
    """Return all lines of the leaderboard, table by table, the strongest bot first.

    >>> {standing.players for standing in standings()} == {2, 3, 4, 5}
    True
    """
    text = files("handful.lab").joinpath("measured/leaderboard.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return [
        Standing(
            row["variant"],
            int(row["players"]),
            row["bot"],
            row["is_best"] == "yes",
            int(row["games"]),
            *(float(row[name]) for name in COLUMNS[5:11]),
            int(row["speed"]),
        )
        for row in rows
    ]
