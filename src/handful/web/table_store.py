"""Tables of Hanabi on disk: an SQLite file with who sits where, the deal, and every action the moment it was taken.

Beside that it has how the table is played at, the notes of each seat, what was said, and what is left on the clocks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from handful._sqlite import Format
from handful.hanabi.deal import Deal
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import variant_named
from handful.web.errors import NotFoundError
from handful.web.seat_store import (
    FIRST_COLUMNS,
    SEATS_AND_ACTIONS,
    AnySetup,
    Seat,
    SeatStore,
    Stored,
    told_as_damage,
)
from handful.web.table_options import TableOptions
from handful.web.table_talk import LONGEST_NOTE, LONGEST_SAID, MAX_SAID, Said

_SCHEMA = f"""
CREATE TABLE tables (
    {FIRST_COLUMNS},
    variant TEXT NOT NULL, players INTEGER NOT NULL, rules TEXT NOT NULL,
    deck TEXT NOT NULL, starter INTEGER NOT NULL, seed TEXT NOT NULL, is_open INTEGER NOT NULL, chance INTEGER NOT NULL,
    next TEXT REFERENCES tables (host)
);
{SEATS_AND_ACTIONS}
"""

# What Handful 0.1 does not know of: it reads and writes the same file all the same. Tables that were set before have
# no row in `options`: they are played as they were.
_DETAILS = """
CREATE TABLE IF NOT EXISTS options (
    table_id INTEGER PRIMARY KEY, watch TEXT NOT NULL UNIQUE,
    casual INTEGER NOT NULL, open_hands INTEGER NOT NULL, base INTEGER NOT NULL, increment INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS notes (
    table_id INTEGER NOT NULL, seat INTEGER NOT NULL, card INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (table_id, seat, card)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS said (
    table_id INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clocks (
    table_id INTEGER NOT NULL, seat INTEGER NOT NULL, left_ms INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Setup(AnySetup[Deal]):
    """What a table of Hanabi is before its first turn. `watch` is the secret in the address for spectators."""

    game: ClassVar[str] = "hanabi"

    options: TableOptions = field(default_factory=TableOptions)
    watch: str = ""


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
    details: ClassVar[tuple[str, ...]] = ("options", "notes", "said", "clocks")

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

    def load(self, number: int) -> Stored[Setup]:
        """Return a table as it is on disk."""
        stored = super().load(number)
        with told_as_damage(number):
            rows = self._rows(
                "SELECT watch, casual, open_hands, base, increment FROM options WHERE table_id = ?", [number]
            )
            if not rows:
                return stored
            watch, *chosen = rows[0]
            if type(watch) is not str or any(type(each) is not int for each in chosen):
                raise TypeError("a value of another type")
            casual, open_hands, base, increment = chosen
            options = TableOptions(bool(casual), bool(open_hands), base, increment)
            return replace(stored, setup=replace(stored.setup, options=options, watch=watch))

    def find_watch(self, watch: str) -> int:
        """Return the number of the table that a spectators' secret belongs to."""
        row = self._row("SELECT table_id FROM options WHERE watch = ?", watch)
        if row is None:
            raise NotFoundError("there is no such table to watch: the link may be incomplete")
        return row[0]

    # Notes on cards

    def notes(self, number: int) -> dict[tuple[int, int], str]:
        """Return all notes at a table, by seat and card (its order in the deck)."""
        rows = self._rows("SELECT seat, card, text FROM notes WHERE table_id = ?", [number])
        return {(seat, card): str(text)[:LONGEST_NOTE] for seat, card, text in rows}

    def note(self, number: int, seat: int, card: int, text: str) -> None:
        """Write down a seat's note on a card, instead of the one before; an empty one removes it."""
        with self._transaction() as connection:
            if text:
                connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", [number, seat, card, text])
            else:
                connection.execute(
                    "DELETE FROM notes WHERE table_id = ? AND seat = ? AND card = ?", [number, seat, card]
                )

    # What was said

    def said(self, number: int) -> list[Said]:
        """Return what was said at a table last, the oldest first."""
        rows = self._rows(
            "SELECT number, seat, text, at FROM said WHERE table_id = ? ORDER BY number DESC LIMIT ?",
            [number, MAX_SAID],
        )
        return [Said(each, seat, str(text)[:LONGEST_SAID], str(at)[:25]) for each, seat, text, at in reversed(rows)]

    def say(self, number: int, seat: int, text: str, at: str) -> int:
        """Write down what a seat says, forget what was said long before it, and return its number."""
        with self._transaction() as connection:
            row = connection.execute("SELECT max(number) FROM said WHERE table_id = ?", [number]).fetchone()
            said = int(row[0] or 0) + 1
            connection.execute("INSERT INTO said VALUES (?, ?, ?, ?, ?)", [number, said, seat, text, at])
            connection.execute("DELETE FROM said WHERE table_id = ? AND number <= ?", [number, said - MAX_SAID])
        return said

    # Clocks

    def clocks(self, number: int) -> dict[int, float]:
        """Return how many seconds were left to the seats of a table when this was last written down."""
        rows = self._rows("SELECT seat, left_ms FROM clocks WHERE table_id = ?", [number])
        return {seat: left_ms / 1000 for seat, left_ms in rows if type(left_ms) is int and left_ms >= 0}

    def set_clock(self, number: int, seat: int, left: float) -> None:
        """Write down how many seconds a seat has left."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?)", [number, seat, round(1000 * left)])

    def _add_details(self, connection: sqlite3.Connection, number: int, setup: Setup) -> None:
        chosen = setup.options
        if setup.watch:
            connection.execute(
                "INSERT INTO options VALUES (?, ?, ?, ?, ?, ?)",
                [
                    *(number, setup.watch, chosen.is_casual, chosen.open_hands),
                    *(chosen.base_seconds, chosen.increment_seconds),
                ],
            )

    def _prepare(self) -> None:
        super()._prepare()
        found = {name for (name,) in self._rows("SELECT name FROM sqlite_master")}
        if not found.issuperset(self.details):
            with self._transaction() as connection:
                for statement in filter(str.strip, _DETAILS.split(";")):
                    connection.execute(statement)
