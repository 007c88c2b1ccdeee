"""What a site has answered, on disk: an SQLite file, in which every answer is whole from the moment it is there.

A game is kept as the site sent it, compressed. Lists of games are kept row by row, so that a list that was interrupted
goes on, and one that has grown is asked for what is new. Several processes may use the file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from handful._files import user_folder
from handful._sqlite import Database, Format
from handful.hanabi.live.site.rows import GameRow, Page, read_row, row_to_dict

# A game that is not there may be finished, or be made public, some other day.
ASK_AGAIN_AFTER = timedelta(days=1)

_SCHEMA = """
CREATE TABLE games (
    site TEXT NOT NULL, id INTEGER NOT NULL, answer BLOB NOT NULL, fetched_at TEXT NOT NULL, PRIMARY KEY (site, id)
) WITHOUT ROWID;
CREATE TABLE missing (
    site TEXT NOT NULL, id INTEGER NOT NULL, asked_at TEXT NOT NULL, PRIMARY KEY (site, id)
) WITHOUT ROWID;
CREATE TABLE rows (
    site TEXT NOT NULL, id INTEGER NOT NULL, row TEXT NOT NULL, PRIMARY KEY (site, id)
) WITHOUT ROWID;
CREATE TABLE lists (
    site TEXT NOT NULL, name TEXT NOT NULL, total INTEGER NOT NULL, asked_at TEXT NOT NULL, PRIMARY KEY (site, name)
) WITHOUT ROWID;
CREATE TABLE listed (
    site TEXT NOT NULL, name TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (site, name, id)
) WITHOUT ROWID;
"""


def default_path() -> Path:
    """Return where fetched games are kept if nobody says otherwise."""
    return user_folder("data") / "games.sqlite"


def open_cache(path: Path | None = None) -> Cache:
    """Return the cache of a file, which is made if there is none; by default the user's own."""
    if path is None:
        path = default_path()
        path.parent.mkdir(parents=True, exist_ok=True)
    return Cache(path)


class Cache(Database):
    """A file of answers. Use it as a context manager, or `close` it."""

    format = Format("cache of games", 0x48464743, 1, _SCHEMA, busy_seconds=60)  # "HFGC"

    # Games

    def game(self, site: str, number: int) -> str | None:
        """Return the JSON text of a game, if it is there and whole."""
        rows = self._rows("SELECT answer FROM games WHERE site = ? AND id = ?", [site, number])
        return unpacked(rows[0][0]) if rows else None

    def packed_games(self, site: str, numbers: Iterable[int]) -> dict[int, bytes]:
        """Return those of the games that are there, packed as they are kept."""
        found: dict[int, bytes] = {}
        wanted = list(numbers)
        for first in range(0, len(wanted), 500):
            some = wanted[first : first + 500]
            marks = ", ".join("?" * len(some))
            found |= self._rows(f"SELECT id, answer FROM games WHERE site = ? AND id IN ({marks})", [site, *some])
        return found

    def known(self, site: str) -> set[int]:
        """Return the numbers of all games of a site that are there."""
        return {number for (number,) in self._rows("SELECT id FROM games WHERE site = ?", [site])}

    def add_game(self, site: str, number: int, answer: object) -> None:
        """Keep a game, as the site's JSON."""
        packed = zlib.compress(json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode(), 9)
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?)", [site, number, packed, _now()])
            connection.execute("DELETE FROM missing WHERE site = ? AND id = ?", [site, number])

    def add_missing(self, site: str, number: int) -> None:
        """Note that the site has no such game."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO missing VALUES (?, ?, ?)", [site, number, _now()])

    def missing_since(self, site: str, number: int) -> str | None:
        """Return when the site said that it has no such game, if that was not long ago."""
        rows = self._rows("SELECT asked_at FROM missing WHERE site = ? AND id = ?", [site, number])
        if not rows or datetime.fromisoformat(rows[0][0]) + ASK_AGAIN_AFTER < datetime.now(UTC):
            return None
        return str(rows[0][0])

    # Lists

    def add_page(self, site: str, name: str, page: Page) -> None:
        """Keep a page of a list."""
        with self._transaction() as connection:
            for row in page.rows:
                text = json.dumps(row_to_dict(row), separators=(",", ":"), ensure_ascii=False)
                connection.execute("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", [site, row.id, text])
                connection.execute("INSERT OR IGNORE INTO listed VALUES (?, ?, ?)", [site, name, row.id])
            connection.execute("INSERT OR REPLACE INTO lists VALUES (?, ?, ?, ?)", [site, name, page.total, _now()])

    def rows_of(self, site: str, name: str) -> list[GameRow]:
        """Return the rows of a list that are there, the newest first."""
        found = self._rows(
            "SELECT row FROM listed JOIN rows USING (site, id) WHERE site = ? AND name = ? ORDER BY id DESC",
            [site, name],
        )
        with self._errors_as_sentences():
            return [read_row(json.loads(text)) for (text,) in found]

    def row(self, site: str, number: int) -> GameRow | None:
        """Return what a list has said of a game."""
        found = self._rows("SELECT row FROM rows WHERE site = ? AND id = ?", [site, number])
        with self._errors_as_sentences():
            return read_row(json.loads(found[0][0])) if found else None

    def listed_at(self, site: str, name: str) -> str:
        """Return when a list was asked for last; empty if never."""
        found = self._rows("SELECT asked_at FROM lists WHERE site = ? AND name = ?", [site, name])
        return str(found[0][0]) if found else ""


def unpacked(answer: Any) -> str | None:
    """Return the text of a game as it is kept; None if it is damaged, so that it is asked for again."""
    try:
        return zlib.decompress(answer).decode()
    except (zlib.error, UnicodeDecodeError, TypeError):
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
