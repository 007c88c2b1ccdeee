"""The rules of thumb of van den Bergh 2015, Appendix B: 446 settings, their published averages beside ours."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.resources import files

from handful.lab import Simulation, simulate

# Surely a misprint: with omega_d 0.8 and 1.0 instead of 0.9 the same table has 15.18 and 15.25.
MISPRINTS = {(0.6, 1, 0.9, 1.0, 3, 1, 12.265): 15.265}

RULES_OF_READING = {"tables": "thesis", "text": "thesis, bonus_hint=yes"}


@dataclass(frozen=True)
class PublishedStrategy:
    """A row of Appendix B: a setting, and the average, largest and smallest score of 100,000 games."""

    omega_p: float
    omega_s: int
    omega_d: float
    omega_h: float
    hint: int
    discard: int
    mean: float
    largest: int
    smallest: int

    def bot(self, reading: str = "tables") -> str:
        """Return the bot of this setting."""
        return (
            f"rules(omega_p={self.omega_p}, omega_s={self.omega_s}, omega_d={self.omega_d}, omega_h={self.omega_h}, "
            f"hint={self.hint}, discard={self.discard}, reading={reading})"
        )

    @property
    def omegas(self) -> tuple[float, int, float, float]:
        """The four thresholds: omega_p, omega_s, omega_d, omega_h."""
        return (self.omega_p, self.omega_s, self.omega_d, self.omega_h)

    @property
    def is_favourite(self) -> bool:
        """Whether it has the rules that the thesis finds best: hint rule 3, discard rule 2."""
        return (self.hint, self.discard) == (3, 2)

    @property
    def is_misprint(self) -> bool:
        """Whether its average is surely misprinted."""
        return self._key in MISPRINTS

    @property
    def _key(self) -> tuple[float, int, float, float, int, int, float]:
        return (*self.omegas, self.hint, self.discard, self.mean)


def published_strategies() -> list[PublishedStrategy]:
    """Return the rows of Appendix B, the misprint put right."""
    return [replace(row, mean=MISPRINTS.get(row._key, row.mean)) for row in printed_strategies()]


def printed_strategies() -> list[PublishedStrategy]:
    """Return the rows of Appendix B as they are printed."""
    text = files("handful.reproduce").joinpath("published/rule_strategies.csv").read_text()
    rows = []
    for row in csv.DictReader(line for line in text.splitlines() if not line.startswith("#")):
        setting = (float(row["omega_p"]), int(row["omega_s"]), float(row["omega_d"]), float(row["omega_h"]))
        kinds = (int(row["rho_h"]), int(row["rho_d"]))
        rows.append(PublishedStrategy(*setting, *kinds, float(row["avg"]), int(row["max"]), int(row["min"])))
    return rows


@dataclass(frozen=True)
class StrategyComparison:
    """A published setting, and what we get."""

    published: PublishedStrategy
    ours: Simulation

    @property
    def deviation(self) -> float:
        """Our mean less the published one."""
        return self.ours.mean - self.published.mean


def compare_strategies(
    rows: list[PublishedStrategy],
    games: int = 20_000,
    reading: str = "tables",
    seed: int = 0,
    on_row: Callable[[StrategyComparison], None] | None = None,
) -> list[StrategyComparison]:
    """Return the rows beside ours, played with the reading and the rules that go with it."""
    found = []
    for row in rows:
        ours = simulate(row.bot(reading), players=3, games=games, rules=RULES_OF_READING[reading], seed=seed)
        found.append(StrategyComparison(row, ours))
        if on_row is not None:
            on_row(found[-1])
    return found
