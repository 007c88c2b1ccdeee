"""Tables of Hanabi on disk: an SQLite file with who sits where, the deal, and every action the moment it was taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from handful._sqlite import Format
from handful.hanabi.deal import Deal
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import variant_named
from handful.web.seat_store import FIRST_COLUMNS, SEATS_AND_ACTIONS, AnySetup, Seat, SeatStore

_SCHEMA = f"""
CREATE TABLE tables (
    {FIRST_COLUMNS},
    variant TEXT NOT NULL, players INTEGER NOT NULL, rules TEXT NOT NULL,
    deck TEXT NOT NULL, starter INTEGER NOT NULL, seed TEXT NOT NULL, is_open INTEGER NOT NULL, chance INTEGER NOT NULL,
    next TEXT REFERENCES tables (host)
);
{SEATS_AND_ACTIONS}
"""


@dataclass(frozen=True)
class Setup(AnySetup[Deal]):
    """What a table of Hanabi is before its first turn."""

    game: ClassVar[str] = "hanabi"


class TableStore(SeatStore[Setup]):
    """The file with all tables of Hanabi. Any thread may use it."""

    format = Format("table file", 0x48464C54, 1, _SCHEMA, busy_seconds=10)  # "HFLT"
    columns: ClassVar[dict[str, type]] = {
        "variant": str,
        "players": int,
        "rules": str,
        "deck": str,
        "starter": int,
        "seed": str,
        "is_open": int,
        "chance": int,
    }

    def described(self, setup: Setup) -> list[Any]:
        """Return the values of the columns for a table."""
        deal, rules = setup.deal, setup.deal.rules
        return [
            *(rules.variant.name, rules.players, rules.options_text()),
            *(deal.text(), deal.starter, deal.seed, setup.is_open, setup.chance),
        ]

    def setup_of(self, host: str, described: Sequence[Any], seats: tuple[Seat, ...]) -> Setup:
        """Return what the values of the columns describe."""
        variant, players, options, deck, starter, seed, is_open, chance = described
        if players != len(seats) or not 0 <= starter < players or chance < 0:
            raise ValueError("a number that is out of range")
        rules = rules_from_text(options, players, variant_named(variant))
        deal = Deal(rules, Deal.from_cards(rules, deck).deck, seed, starter)
        return Setup(host, deal, seats, bool(is_open), chance)
