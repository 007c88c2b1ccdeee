"""SQLite files of ours: refused if they are not what they should be; several threads and processes may use one."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from handful.errors import HandfulError

MAX_IDLE = 8  # connections that are kept for the next reader: each has three file descriptors


class Format(NamedTuple):
    """What a kind of file is: how a message names it, its mark and version in SQLite's header, and its tables."""

    name: str
    application_id: int
    version: int
    schema: str
    busy_seconds: float  # how long to wait for another process that is writing


class Database:
    """A file of some format, made if there is none. Use it as a context manager, or `close` it.

    Any thread may use it. Each borrows a connection for as long as it reads or writes, so that who reads never waits
    for who writes (write-ahead logging), nor for a writer that is itself waiting for another process.

    What was committed survives whatever ends the process; only a machine that loses its power may lose what came last
    (to wait for the disk each time would take 8 to 16 ms).
    """

    format: Format  # that of the subclass

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.Lock()  # our own writers queue here: SQLite would let them poll
        self._returned = threading.Condition()
        self._idle: list[sqlite3.Connection] = []
        self._num_lent = 0
        self._is_closed = False
        if not path.parent.is_dir():
            raise HandfulError(f"{self.label}: there is no directory {path.parent}")
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def label(self) -> str:
        """How messages name the file."""
        return f"{self.format.name} {self.path}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file, as soon as nobody is in the middle of reading or writing."""
        with self._returned:
            self._is_closed = True
            self._returned.wait_for(lambda: self._num_lent == 0)
            while self._idle:
                self._idle.pop().close()

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows that a query finds."""
        with self._borrowed() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Let what is done inside be done whole or not at all, and be in the file afterwards."""
        with self._writing, self._borrowed() as connection:
            # Immediate, so that two writers wait for each other at the start, where waiting is possible.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that nobody else uses."""
        with self._errors_as_sentences():
            with self._returned:
                if self._is_closed:
                    raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
                connection = self._idle.pop() if self._idle else None
                self._num_lent += 1
            try:
                connection = connection or self._connect()
                yield connection
            finally:
                with self._returned:
                    self._num_lent -= 1
                    if connection is not None and len(self._idle) < MAX_IDLE:
                        self._idle.append(connection)
                    elif connection is not None:
                        connection.close()
                    self._returned.notify_all()

    def _connect(self) -> sqlite3.Connection:
        # Every statement is a transaction of its own, unless `_transaction` says otherwise.
        connection = sqlite3.connect(
            self.path, timeout=self.format.busy_seconds, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self) -> None:
        """Make the tables, if the file is new; refuse a file that is not ours."""
        if self._is_new():
            with self._borrowed() as connection, suppress(sqlite3.OperationalError):
                # Readers and a writer do not block each other in this mode. If another process is opening the file
                # right now, it is setting the mode too.
                connection.execute("PRAGMA journal_mode = WAL")
            with self._transaction() as connection:
                if self._is_new():  # and no other process was quicker
                    for statement in filter(str.strip, self.format.schema.split(";")):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {self.format.application_id}")
                    connection.execute(f"PRAGMA user_version = {self.format.version}")
        if self._number("application_id") != self.format.application_id:
            raise HandfulError(
                f"{self.label}: an SQLite file of another program, expected a {self.format.name} of handful"
            )
        version = self._number("user_version")
        if version != self.format.version:
            raise HandfulError(
                f"{self.label}: written by another handful (format {version} instead of {self.format.version})"
            )

    def _is_new(self) -> bool:
        (tables,) = self._rows("SELECT count(*) FROM sqlite_master")[0]
        return not tables and self._number("application_id") == 0 and self._number("user_version") == 0

    def _number(self, pragma: str) -> int:
        return int(self._rows(f"PRAGMA {pragma}")[0][0])

    @contextmanager
    def _errors_as_sentences(self) -> Iterator[None]:
        try:
            yield
        except HandfulError:
            raise
        except (sqlite3.Error, TypeError, ValueError) as error:  # the last two: a field that cannot be read
            damaged = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
            is_damaged = not isinstance(error, sqlite3.Error) or getattr(error, "sqlite_errorcode", None) in damaged
            reason = f"damaged, or not a {self.format.name} of handful" if is_damaged else str(error)
            raise HandfulError(f"{self.label}: {reason}") from error
