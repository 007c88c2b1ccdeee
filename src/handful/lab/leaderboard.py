"""The leaderboard as it was last measured, all bots on the same deals: `python -m benchmarks.leaderboard` writes it.

The package has it as data, so that the lab in a browser can show it; docs/leaderboard.md is made from the same lines.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from importlib.resources import files

from handful.bots.best import best_player
from handful.hanabi.rules import Rules
from handful.hanabi.variants import variant_named
from handful.lab.simulate import Simulation

FILE = "measured/leaderboard.csv"
_NOTE = (
    "# Written by `python -m benchmarks.leaderboard`. Shares are of 1, intervals of 95 %, seconds of CPU time a game."
)


@dataclass(frozen=True)
class Standing:
    """How a bot does at a table: a line of the leaderboard. Intervals are of 95 % confidence.

    The mean score is `mean` ± `half_width`; perfect games, `low` to `high`, and games `struck_out` are shares of 1;
    `seconds` is CPU time a game.
    """

    variant: str
    players: int
    bot: str
    games: int
    mean: float
    half_width: float
    perfect: float
    low: float
    high: float
    struck_out: float
    seconds: float

    @staticmethod
    def of(result: Simulation) -> Standing:
        """Return the line of a result."""
        low, high = result.perfect_ci95
        return Standing(
            result.variant,
            result.players,
            result.bot,
            result.games,
            round(result.mean, 4),
            round((result.mean_ci95[1] - result.mean_ci95[0]) / 2, 4),
            round(result.perfect, 5),
            round(low, 5),
            round(high, 5),
            round(result.strikeouts / result.games, 5),
            float(f"{result.cpu_seconds / result.games:.3g}"),
        )

    @property
    def perfect_ci95(self) -> tuple[float, float]:
        """The interval of perfect games."""
        return self.low, self.high

    @property
    def time_text(self) -> str:
        """The CPU time of a game, with its unit."""
        return time_text(self.seconds)

    @property
    def is_best(self) -> bool:
        """Whether the name `best` stands for the bot at this table."""
        return self.bot == best_player(Rules(variant_named(self.variant), self.players)).name


def time_text(seconds: float) -> str:
    """Return a time with its unit.

    >>> time_text(0.00028), time_text(0.0123), time_text(1.5)
    ('0.28 ms', '12.3 ms', '1.50 s')
    """
    if seconds >= 1.0:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-5 else f"{1e6 * seconds:.3g} µs"


def standings() -> list[Standing]:
    """Return all lines of the leaderboard, table by table, the strongest bot first.

    >>> {standing.players for standing in standings()} == {2, 3, 4, 5}
    True
    """
    text = files("handful.lab").joinpath(FILE).read_text(encoding="utf-8")
    kinds = {"str": str, "int": int, "float": float}
    columns = [(field.name, kinds[str(field.type)]) for field in fields(Standing)]
    rows = csv.DictReader(line for line in text.splitlines() if not line.startswith("#"))
    return [Standing(**{name: kind(row[name]) for name, kind in columns}) for row in rows]


def standings_text(lines: Iterable[Standing]) -> str:
    """Return what the file has to say for these lines."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([field.name for field in fields(Standing)])
    writer.writerows(astuple(line) for line in lines)
    return f"{_NOTE}\n{text.getvalue()}"
