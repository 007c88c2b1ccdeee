"""The files of ours: who reads does not wait for who writes, and nothing is left open."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from handful._sqlite import Database, Format
from handful.errors import HandfulError

SECONDS = 60  # after which a test that waits has failed


class Notes(Database):
    """A file of notes; `begins` is set when a writer asks SQLite for its turn."""

    format = Format("notebook", 0x48464C4E, 1, "CREATE TABLE notes (text TEXT NOT NULL)", busy_seconds=SECONDS)

    def __init__(self, path: Path) -> None:
        self.begins = threading.Event()
        self.opened: list[sqlite3.Connection] = []
        super().__init__(path)

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        connection.set_trace_callback(lambda statement: self.begins.set() if "IMMEDIATE" in statement else None)
        self.opened.append(connection)
        return connection

    def add(self, text: str) -> None:
        with self._transaction() as connection:
            connection.execute("INSERT INTO notes VALUES (?)", [text])

    def all(self) -> list[str]:
        return [text for (text,) in self._rows("SELECT text FROM notes ORDER BY rowid")]


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Notes]:
    with Notes(tmp_path / "notes.sqlite") as opened:
        yield opened


def test_who_waits_to_write_holds_up_nobody_who_reads(notes: Notes) -> None:
    notes.add("first")
    notes.begins.clear()
    other = sqlite3.connect(notes.path, isolation_level=None)  # to SQLite the same as one of another process
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor() as pool:
        writers = [pool.submit(notes.add, text) for text in ("second", "third")]
        assert notes.begins.wait(SECONDS)
        assert [pool.submit(notes.all).result() for _ in range(4)] == [["first"]] * 4
        assert not any(writer.done() for writer in writers)
        other.execute("COMMIT")
        for writer in writers:
            writer.result()
    other.close()
    assert sorted(notes.all()) == ["first", "second", "third"]


def test_what_is_not_committed_is_not_read(notes: Notes) -> None:
    def stop_half_way() -> None:
        with notes._transaction() as connection:
            connection.execute("INSERT INTO notes VALUES ('half')")
            assert notes.all() == []  # through another connection, which sees what is in the file
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop_half_way()
    assert notes.all() == []


def test_as_many_connections_as_are_used_at_once_and_all_are_closed(notes: Notes) -> None:
    together = threading.Barrier(5, timeout=SECONDS)

    def read() -> None:
        with notes._borrowed() as connection:
            together.wait()
            connection.execute("SELECT 1")

    for _ in range(3):
        with ThreadPoolExecutor() as pool:
            for reader in [pool.submit(read) for _ in range(5)]:
                reader.result()
    assert len(notes.opened) == 5
    notes.close()
    for connection in notes.opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
    assert not notes.path.with_name("notes.sqlite-wal").exists()
    with pytest.raises(HandfulError, match=r"notebook .*notes\.sqlite: Cannot operate on a closed database"):
        notes.all()


def test_who_closes_waits_for_who_reads(notes: Notes) -> None:
    is_reading, may_go_on = threading.Event(), threading.Event()

    def read() -> list[tuple[int]]:
        with notes._borrowed() as connection:
            is_reading.set()
            assert may_go_on.wait(SECONDS)
            return connection.execute("SELECT 7").fetchall()

    with ThreadPoolExecutor() as pool:
        reader = pool.submit(read)
        assert is_reading.wait(SECONDS)
        closer = pool.submit(notes.close)
        assert not closer.done()
        may_go_on.set()
        assert reader.result() == [(7,)]
        closer.result()
