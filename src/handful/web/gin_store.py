"""Tables of Gin on disk: an SQLite file with who sits where, the house, the seed of the deals, and every action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from handful._sqlite import Format
from handful.rummy.gin.game import GinPlan
from handful.rummy.gin.rules import gin_rules
from handful.web.seat_store import FIRST_COLUMNS, SEATS_AND_ACTIONS, AnySetup, Seat, SeatStore

_SCHEMA = f"""
CREATE TABLE tables (
    {FIRST_COLUMNS},
    rules TEXT NOT NULL, seed TEXT NOT NULL, starter INTEGER NOT NULL,
    is_open INTEGER NOT NULL, chance INTEGER NOT NULL, hints INTEGER NOT NULL,
    next TEXT REFERENCES tables (host)
);
{SEATS_AND_ACTIONS}
"""


@dataclass(frozen=True)
class GinSetup(AnySetup[GinPlan]):
    """What a table of Gin is before its first deal; `has_hints` says whether its players may ask what is best."""

    game: ClassVar[str] = "gin"

    has_hints: bool = True


class GinStore(SeatStore[GinSetup]):
    """The file with all tables of Gin. Any thread may use it."""

    format = Format("file of tables of Gin", 0x48464749, 1, _SCHEMA, busy_seconds=10)  # "HFGI"
    columns: ClassVar[dict[str, type]] = {
        "rules": str,
        "seed": str,
        "starter": int,
        "is_open": int,
        "chance": int,
        "hints": int,
    }

    def described(self, setup: GinSetup) -> list[Any]:
        """Return the values of the columns for a table."""
        plan = setup.deal
        # The seed as text: SQLite's integers end at 2^63.
        return [plan.rules.name, str(plan.seed), plan.starter, setup.is_open, setup.chance, setup.has_hints]

    def setup_of(self, host: str, described: Sequence[Any], seats: tuple[Seat, ...]) -> GinSetup:
        """Return what the values of the columns describe."""
        rules, seed, starter, is_open, chance, hints = described
        if len(seats) != 2 or starter not in (0, 1) or chance < 0 or not seed.isascii() or not seed.isdigit():
            raise ValueError("a number that is out of range")
        plan = GinPlan(gin_rules(rules), int(seed), starter)
        if plan.seed >= 1 << 63:
            raise ValueError("a seed that is out of range")
        return GinSetup(host, plan, seats, bool(is_open), chance, bool(hints))
