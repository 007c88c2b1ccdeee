"""Findings on disk, so that no game is analysed twice: an SQLite file, in which a finding is whole or not there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from handful import __version__
from handful._files import user_folder
from handful._sources import PACKAGE, files_needed, hash_of
from handful._sqlite import Database, Format
from handful.hanabi.live.archives import StoredGame
from handful.lab.history.findings import Finding

_SCHEMA = """
CREATE TABLE findings (key TEXT PRIMARY KEY, finding TEXT NOT NULL) WITHOUT ROWID;
"""


def open_findings(path: Path | None = None) -> Findings:
    """Return the findings of a file, which is made if there is none; by default the user's own."""
    if path is None:
        path = user_folder("data") / "findings.sqlite"
        path.parent.mkdir(parents=True, exist_ok=True)
    return Findings(path)


class Findings(Database):
    """A file of findings. Use it as a context manager, or `close` it."""

    format = Format("file of findings", 0x48464644, 1, _SCHEMA, busy_seconds=60)  # "HFFD"

    def of(self, games: Mapping[str, StoredGame]) -> dict[str, Finding]:
        """Return the findings that are there, by the keys of games; each has the name that its game has now."""
        found: dict[str, Finding] = {}
        keys = list(games)
        for first in range(0, len(keys), 500):
            some = keys[first : first + 500]
            marks = ", ".join("?" * len(some))
            rows = self._rows(f"SELECT key, finding FROM findings WHERE key IN ({marks})", some)
            with self._errors_as_sentences():
                for key, text in rows:
                    found[key] = Finding.from_dict({**json.loads(text), "game": games[key].name})
        return found

    def add(self, findings: Iterable[tuple[str, Finding]]) -> None:
        """Keep findings. Those that more time could change are not kept, nor is what cannot be read."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO findings VALUES (?, ?)",
                [
                    (key, json.dumps(finding.to_dict(), ensure_ascii=False, separators=(",", ":")))
                    for key, finding in findings
                    if finding.is_decided
                ],
            )


def key_of(game: StoredGame) -> str:
    """Return all that the finding of a game depends on: the game itself, and the code."""
    text = game.text if game.made is None else game.made.to_text().encode()
    return sha256(f"{code_version()}\n".encode() + (text or game.error.encode())).hexdigest()


@cache
def code_version() -> str:
    """Return the version of the code that findings come from: ours, with a hash of the sources."""
    files = files_needed([PACKAGE / "lab" / "history" / "findings.py"])
    return f"{__version__}+{hash_of(files)[:12]}"
