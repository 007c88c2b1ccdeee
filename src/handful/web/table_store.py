"""Tables on disk: an SQLite file with who sits where, the deal, and every action the moment it was taken.

A game is its deal and its actions: everything else follows from them. So an action that was answered is on disk, and
whatever ends the server, the table is as it was when somebody asks for it again.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime

from handful._sqlite import Database, Format
from handful.errors import HandfulError
from handful.hanabi.deal import Deal
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import variant_named
from handful.web.errors import BusyError, ConflictError, NotFoundError

MAX_TABLES = 100_000

_SCHEMA = """
CREATE TABLE tables (
    id INTEGER PRIMARY KEY, host TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL,
    variant TEXT NOT NULL, players INTEGER NOT NULL, rules TEXT NOT NULL,
    deck TEXT NOT NULL, starter INTEGER NOT NULL, seed TEXT NOT NULL, is_open INTEGER NOT NULL, chance INTEGER NOT NULL,
    next TEXT REFERENCES tables (host)
);
CREATE TABLE seats (
    table_id INTEGER NOT NULL REFERENCES tables (id), seat INTEGER NOT NULL,
    name TEXT NOT NULL, bot TEXT NOT NULL, token TEXT NOT NULL UNIQUE,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE actions (
    table_id INTEGER NOT NULL REFERENCES tables (id), turn INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (table_id, turn)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Seat:
    """A place at a table: a person (`bot` is empty) or a bot. The token is the secret in the address of the seat."""

    name: str
    bot: str
    token: str

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return not self.bot


@dataclass(frozen=True)
class Setup:
    """What a table is before its first turn.

    `host` is the secret in the address of the page with all seats. `is_open` says that somebody chose the deal, and
    so may know it; `chance` is the seed of the bots' own chance.
    """

    host: str
    deal: Deal
    seats: tuple[Seat, ...]
    is_open: bool
    chance: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return tuple(seat.name for seat in self.seats)


@dataclass(frozen=True)
class Stored:
    """A table as it is on disk; `next_host` is that of the game that these players went on with, or empty."""

    number: int
    setup: Setup
    actions: tuple[int, ...]
    next_host: str


class TableStore(Database):
    """The file with all tables. Any thread may use it."""

    format = Format("table file", 0x48464C54, 1, _SCHEMA, busy_seconds=10)  # "HFLT"

    @property
    def label(self) -> str:
        """How messages name the file: players may read them, and need not know where it is."""
        return f"{self.format.name} {self.path.name}"

    def create(self, setup: Setup) -> int:
        """Write down a new table, and return its number."""
        rules = setup.deal.rules
        with self._transaction() as connection:
            if connection.execute("SELECT count(*) FROM tables").fetchone()[0] >= MAX_TABLES:
                raise BusyError(
                    f"there are {MAX_TABLES:,} tables already: remove {self.path.name}, or use another folder"
                )
            number = connection.execute(
                "INSERT INTO tables (host, created_at, variant, players, rules, deck, starter, seed, is_open, chance)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    *(setup.host, datetime.now(UTC).isoformat(timespec="seconds")),
                    *(rules.variant.name, rules.players, rules.options_text()),
                    *(setup.deal.text(), setup.deal.starter, setup.deal.seed, setup.is_open, setup.chance),
                ],
            ).lastrowid
            assert number is not None
            connection.executemany(
                "INSERT INTO seats (table_id, seat, name, bot, token) VALUES (?, ?, ?, ?, ?)",
                [(number, index, seat.name, seat.bot, seat.token) for index, seat in enumerate(setup.seats)],
            )
        return number

    def act(self, number: int, turn: int, action: int) -> None:
        """Write down the action of a turn; the database itself refuses a second one for the same turn."""
        try:
            with self._transaction() as connection:
                connection.execute("INSERT INTO actions VALUES (?, ?, ?)", [number, turn, action])
        except HandfulError as error:
            if isinstance(error.__cause__, sqlite3.IntegrityError):
                raise ConflictError(f"turn {turn} was taken already: load the page again") from None
            raise HandfulError(f"the action could not be saved, and was not taken: {error.__cause__}") from None

    def set_next(self, number: int, host: str) -> str:
        """Say with which table the players go on, unless that is said already; return that table's host."""
        with self._transaction() as connection:
            connection.execute("UPDATE tables SET next = ? WHERE id = ? AND next IS NULL", [host, number])
            found: str = connection.execute("SELECT next FROM tables WHERE id = ?", [number]).fetchone()[0]
            return found

    def find_seat(self, token: str) -> tuple[int, int]:
        """Return the number of the table and the seat that a secret belongs to."""
        row = self._row("SELECT table_id, seat FROM seats WHERE token = ?", token)
        if row is None:
            raise NotFoundError("there is no such seat: the link may be incomplete")
        return row[0], row[1]

    def find_host(self, host: str) -> int:
        """Return the number of the table that a host's secret belongs to."""
        row = self._row("SELECT id FROM tables WHERE host = ?", host)
        if row is None:
            raise NotFoundError("there is no such table: the link may be incomplete")
        found: int = row[0]
        return found

    def load(self, number: int) -> Stored:
        """Return a table as it is on disk."""
        # Whoever writes in between adds an action or the next table: nothing that is there ever changes.
        (row,) = self._rows(
            "SELECT host, variant, players, rules, deck, starter, seed, is_open, chance, next FROM tables WHERE id = ?",
            [number],
        )
        seats = self._rows("SELECT name, bot, token FROM seats WHERE table_id = ? ORDER BY seat", [number])
        actions = self._rows("SELECT action FROM actions WHERE table_id = ? ORDER BY turn", [number])
        host, variant, players, options, deck, starter, seed, is_open, chance, next_host = row
        rules = rules_from_text(options, players, variant_named(variant))
        cards = Deal.from_cards(rules, deck).deck
        deal = Deal(rules, cards, seed, starter)
        setup = Setup(host, deal, tuple(Seat(*seat) for seat in seats), bool(is_open), chance)
        return Stored(number, setup, tuple(action for (action,) in actions), next_host or "")

    def _row(self, statement: str, value: str) -> tuple[int, ...] | None:
        rows = self._rows(statement, [value])
        found: tuple[int, ...] | None = rows[0] if rows else None
        return found
