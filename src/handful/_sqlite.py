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


class Format(NamedTuple):
    """What a kind of file is: how a message names it, its mark and version in SQLite's header, and its tables."""

    name: str
    application_id: int
    version: int
    schema: str
    busy_seconds: float  # how long to wait for another process that is writing


class Database:
    """A file of some format, made if there is none. Use it as a context manager, or `close` it.

    What was committed survives whatever ends the process; only a machine that loses its power may lose what came last
    (to wait for the disk each time would take 8 to 16 ms).
    """

    format: Format  # that of the subclass

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        if not path.parent.is_dir():
            raise HandfulError(f"{self.label}: there is no directory {path.parent}")
        with self._errors_as_sentences():
            # Every statement is a transaction of its own, unless `_transaction` says otherwise.
            self._connection = sqlite3.connect(
                path, timeout=self.format.busy_seconds, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
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
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows that a query finds."""
        with self._lock, self._errors_as_sentences():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Let what is done inside be done whole or not at all, and be in the file afterwards."""
        with self._lock, self._errors_as_sentences():
            # Immediate, so that two writers wait for each other at the start, where waiting is possible.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _prepare(self) -> None:
        """Make the tables, if the file is new; refuse a file that is not ours."""
        if self._is_new():
            with self._errors_as_sentences(), suppress(sqlite3.OperationalError):
                # Readers and a writer do not block each other in this mode. If another process is opening the file
                # right now, it is setting the mode too.
                self._connection.execute("PRAGMA journal_mode = WAL")
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
        self._rows("PRAGMA synchronous = NORMAL")
        self._rows("PRAGMA foreign_keys = ON")

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
