"""What every file of tables has, whatever is played at them: seats with their secrets, and every action as taken.

A game is how it was set up and its actions: everything else follows from them. So an action that was answered is on
disk, and whatever ends the server, the table is as it was when somebody asks for it again. `SeatStore` knows nothing of
the game: its subclasses say which columns describe a table before its first turn, and read them.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Generic, TypeVar

from handful._sqlite import Database
from handful.errors import HandfulError
from handful.web.errors import BusyError, ConflictError, DamagedTableError, NotFoundError

MAX_TABLES = 100_000
MAX_SEATS, MAX_TURNS = 6, 10_000
LONGEST = 4_000  # characters of whatever is text here

# `tables` has what its subclass says, and before that these columns; at its end stands with which one people go on.
FIRST_COLUMNS = "id INTEGER PRIMARY KEY, host TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL"
SEATS_AND_ACTIONS = """
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

# When somebody last acted at a table. Handful 0.1 does not know of it, and reads and writes the same file all the same.
_LAST_ACTS = "CREATE TABLE IF NOT EXISTS last_acts (table_id INTEGER PRIMARY KEY, day TEXT NOT NULL)"
_ACTED = "INSERT INTO last_acts VALUES (?, ?) ON CONFLICT (table_id) DO UPDATE SET day = excluded.day"

# What SQLite says of a file that cannot be read now, whatever is in it.
PASSING = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOMEM,
)

log = logging.getLogger("handful.web")


@contextmanager
def told_as_damage(number: int) -> Iterator[None]:
    """Let whatever does not fit together in the rows of a table be told as damage."""
    try:
        yield
    except (HandfulError, TypeError, ValueError) as error:
        if getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF in PASSING:
            raise
        log.warning("table %d is damaged: %s", number, type(error).__name__)
        raise DamagedTableError(number) from error


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


DealT = TypeVar("DealT")


@dataclass(frozen=True)
class AnySetup(Generic[DealT]):
    """What a table of any game is before its first turn.

    `host` is the secret in the address of the page with all seats. `is_open` says that somebody chose the deal, and
    so may know it; `chance` is the seed of the bots' own chance.
    """

    game: ClassVar[str]  # that is played, in a word

    host: str
    deal: DealT
    seats: tuple[Seat, ...]
    is_open: bool
    chance: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names at the table, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots at the table, by seat; an empty one for a person."""
        return tuple(seat.bot for seat in self.seats)


SetupT = TypeVar("SetupT", bound=AnySetup[Any])


@dataclass(frozen=True)
class Stored(Generic[SetupT]):
    """A table as it is on disk; `next_host` is that of the game that these players went on with, or empty."""

    number: int
    setup: SetupT
    actions: tuple[int, ...]
    next_host: str


class SeatStore(Database, Generic[SetupT]):
    """The file with all tables of a game. Any thread may use it."""

    columns: ClassVar[dict[str, type]]  # what describes a table before its first turn, and the types of that
    details: ClassVar[tuple[str, ...]] = ()  # what else is kept of a table, where a game has more: names of SQL tables

    @property
    def label(self) -> str:
        """How messages name the file: players may read them, and need not know where it is."""
        return f"{self.format.name} {self.path.name}"

    def described(self, setup: SetupT) -> list[Any]:
        """Return the values of the columns for a table."""
        raise NotImplementedError

    def setup_of(self, host: str, described: Sequence[Any], seats: tuple[Seat, ...]) -> SetupT:
        """Return what the values of the columns describe; whatever is raised is told as damage."""
        raise NotImplementedError

    def create(self, setup: SetupT) -> int:
        """Write down a new table, and return its number."""
        names = ["host", "created_at", *self.columns]
        values = [setup.host, datetime.now(UTC).isoformat(timespec="seconds"), *self.described(setup)]
        with self._transaction() as connection:
            if connection.execute("SELECT count(*) FROM tables").fetchone()[0] >= MAX_TABLES:
                raise BusyError(
                    f"there are {MAX_TABLES:,} tables already: remove {self.path.name}, or use another folder"
                )
            number = connection.execute(
                f"INSERT INTO tables ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", values
            ).lastrowid
            assert number is not None
            connection.executemany(
                "INSERT INTO seats (table_id, seat, name, bot, token) VALUES (?, ?, ?, ?, ?)",
                [(number, index, seat.name, seat.bot, seat.token) for index, seat in enumerate(setup.seats)],
            )
            self._add_details(connection, number, setup)
        return number

    def _add_details(self, connection: sqlite3.Connection, number: int, setup: SetupT) -> None:
        """Write down what else there is of a new table, in the same transaction."""

    def act(self, number: int, turn: int, action: int) -> None:
        """Write down the action of a turn; the database itself refuses a second one for the same turn."""
        try:
            with self._transaction() as connection:
                connection.execute("INSERT INTO actions VALUES (?, ?, ?)", [number, turn, action])
                connection.execute(_ACTED, [number, _today()])
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

    def day_of(self, number: int) -> str:
        """Return the day on which somebody last acted at a table, or else on which it was set."""
        found = self._rows(
            "SELECT coalesce(day, substr(created_at, 1, 10)) FROM tables LEFT JOIN last_acts ON table_id = id"
            " WHERE id = ?",
            [number],
        )
        return str(found[0][0])[:10] if found else ""

    def load(self, number: int) -> Stored[SetupT]:
        """Return a table as it is on disk."""
        # Whoever writes in between adds an action or the next table: nothing that is there ever changes.
        with told_as_damage(number):
            tables = self._rows(f"SELECT host, {', '.join(self.columns)}, next FROM tables WHERE id = ?", [number])
            if tables:
                seats = self._rows(
                    "SELECT seat, name, bot, token FROM seats WHERE table_id = ? ORDER BY seat LIMIT ?",
                    [number, MAX_SEATS + 1],
                )
                actions = self._rows(
                    "SELECT turn, action FROM actions WHERE table_id = ? ORDER BY turn LIMIT ?",
                    [number, MAX_TURNS + 1],
                )
                return self._read(number, tables[0], seats, actions)
        raise NotFoundError("there is no such table any more")

    def _read(self, number: int, row: Sequence[Any], seats: Sequence[Any], actions: Sequence[Any]) -> Stored[SetupT]:
        """Return the table that these rows describe. SQLite takes any value for any column, and files get damaged."""
        *described, next_host = row
        values = [*described, next_host or "", *(value for _seat, *place in seats for value in place)]
        types = [str, *self.columns.values(), str, *(str for _ in seats for _ in range(3))]
        if any(type(value) is not kind for value, kind in zip(values, types, strict=True)):
            raise TypeError("a value of another type")
        if max(len(value) for value in values if isinstance(value, str)) > LONGEST:
            raise ValueError("a text that is too long")
        if [seat for seat, *_place in seats] != list(range(len(seats))):
            raise ValueError("a number that is out of range")
        if [turn for turn, _action in actions] != list(range(1, len(actions) + 1)):
            raise ValueError("a turn is missing")
        if any(type(action) is not int or not 0 <= action <= MAX_TURNS for _turn, action in actions):
            raise ValueError("no action")
        setup = self.setup_of(described[0], described[1:], tuple(Seat(*place) for _seat, *place in seats))
        return Stored(number, setup, tuple(action for _turn, action in actions), next_host or "")

    # Tables that nobody uses any more

    def unused_since(self, day: date) -> list[int]:
        """Return the numbers of the tables at which nobody has acted since before a day."""
        found = self._rows(
            "SELECT id FROM tables LEFT JOIN last_acts ON table_id = id"
            " WHERE coalesce(day, substr(created_at, 1, 10)) < ? ORDER BY id",
            [day.isoformat()],
        )
        return [number for (number,) in found]

    def remove(self, number: int) -> None:
        """Remove a table, with all that was done at it."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE tables SET next = NULL WHERE next = (SELECT host FROM tables WHERE id = ?)", [number]
            )
            for statement in (
                "DELETE FROM actions WHERE table_id = ?",
                "DELETE FROM seats WHERE table_id = ?",
                "DELETE FROM last_acts WHERE table_id = ?",
                *(f"DELETE FROM {detail} WHERE table_id = ?" for detail in self.details),
                "DELETE FROM tables WHERE id = ?",
            ):
                connection.execute(statement, [number])

    def _prepare(self) -> None:
        super()._prepare()
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'last_acts'"):
            with self._transaction() as connection:
                connection.execute(_LAST_ACTS)
                # Nobody knows when there was acted at older tables: so they count from today.
                connection.execute("INSERT OR IGNORE INTO last_acts SELECT id, ? FROM tables", [_today()])

    def _row(self, statement: str, value: str) -> tuple[int, ...] | None:
        rows = self._rows(statement, [value])
        found: tuple[int, ...] | None = rows[0] if rows else None
        return found


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
