"""Tables on disk: an SQLite file with who sits where, the deal, and every action the moment it was taken.

A game is its deal and its actions: everything else follows from them. So an action that was answered is on disk, and
whatever ends the server, the table is as it was when somebody asks for it again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from handful.errors import HandfulError
from handful.hanabi.deal import Deal
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import variant_named
from handful.web.errors import BusyError, ConflictError, NotFoundError

APPLICATION_ID = 0x48464C54  # "HFLT": how SQLite's header tells a file of ours from others
SCHEMA_VERSION = 1
BUSY_SECONDS = 10
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


class TableStore:
    """The file with all tables. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with self._errors_as_sentences():
            # Every statement is a transaction of its own, unless `_transaction` says otherwise.
            self._connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def create(self, setup: Setup) -> int:
        """Write down a new table, and return its number."""
        rules = setup.deal.rules
        with self._transaction():
            if self._connection.execute("SELECT count(*) FROM tables").fetchone()[0] >= MAX_TABLES:
                raise BusyError(
                    f"there are {MAX_TABLES:,} tables already: remove {self.path.name}, or use another folder"
                )
            number = self._connection.execute(
                "INSERT INTO tables (host, created_at, variant, players, rules, deck, starter, seed, is_open, chance)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    *(setup.host, datetime.now(UTC).isoformat(timespec="seconds")),
                    *(rules.variant.name, rules.players, rules.options_text()),
                    *(setup.deal.text(), setup.deal.starter, setup.deal.seed, setup.is_open, setup.chance),
                ],
            ).lastrowid
            assert number is not None
            self._connection.executemany(
                "INSERT INTO seats (table_id, seat, name, bot, token) VALUES (?, ?, ?, ?, ?)",
                [(number, index, seat.name, seat.bot, seat.token) for index, seat in enumerate(setup.seats)],
            )
        return number

    def act(self, number: int, turn: int, action: int) -> None:
        """Write down the action of a turn; the database itself refuses a second one for the same turn."""
        try:
            with self._lock:
                self._connection.execute("INSERT INTO actions VALUES (?, ?, ?)", [number, turn, action])
        except sqlite3.IntegrityError:
            raise ConflictError(f"turn {turn} was taken already: load the page again") from None
        except sqlite3.Error as error:
            raise HandfulError(f"the action could not be saved, and was not taken: {error}") from None

    def set_next(self, number: int, host: str) -> str:
        """Say with which table the players go on, unless that is said already; return that table's host."""
        with self._transaction():
            self._connection.execute("UPDATE tables SET next = ? WHERE id = ? AND next IS NULL", [host, number])
            found: str = self._connection.execute("SELECT next FROM tables WHERE id = ?", [number]).fetchone()[0]
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
        with self._lock, self._errors_as_sentences():
            row = self._connection.execute(
                "SELECT host, variant, players, rules, deck, starter, seed, is_open, chance, next"
                " FROM tables WHERE id = ?",
                [number],
            ).fetchone()
            seats = self._connection.execute(
                "SELECT name, bot, token FROM seats WHERE table_id = ? ORDER BY seat", [number]
            ).fetchall()
            actions = self._connection.execute(
                "SELECT action FROM actions WHERE table_id = ? ORDER BY turn", [number]
            ).fetchall()
        host, variant, players, options, deck, starter, seed, is_open, chance, next_host = row
        rules = rules_from_text(options, players, variant_named(variant))
        cards = Deal.from_cards(rules, deck).deck
        deal = Deal(rules, cards, seed, starter)
        setup = Setup(host, deal, tuple(Seat(*seat) for seat in seats), bool(is_open), chance)
        return Stored(number, setup, tuple(action for (action,) in actions), next_host or "")

    def _row(self, statement: str, value: str) -> tuple[int, ...] | None:
        with self._lock, self._errors_as_sentences():
            found: tuple[int, ...] | None = self._connection.execute(statement, [value]).fetchone()
            return found

    def _prepare(self) -> None:
        run = self._connection.execute
        # Readers do not wait for writers, and a commit survives whatever ends this process. Only a machine that loses
        # its power may lose what was written last; to wait for the disk at every action (FULL) took 8 to 16 ms.
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA foreign_keys = ON")
        with self._transaction():
            application, version = (run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
            is_new = run("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
            if not is_new and application != APPLICATION_ID:
                raise HandfulError(f"{self.path} is not a file of tables: expected one that `handful serve` has made")
            if not is_new and version != SCHEMA_VERSION:
                raise HandfulError(f"{self.path} was written by another version of handful: use another folder")
            if is_new:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    run(statement)
                run(f"PRAGMA application_id = {APPLICATION_ID}")
                run(f"PRAGMA user_version = {SCHEMA_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, self._errors_as_sentences():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise HandfulError(f"the tables in {self.path.name} cannot be used: {error}") from None
