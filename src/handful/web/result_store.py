"""Results of jobs on disk: the address of one that is done still answers after the server was started anew.

A result is what a function of ours has returned, as Python writes it. It is read again only by the same code, and only
what consists of our own plain types: a file that somebody else has written cannot make the server do anything.
"""

from __future__ import annotations

import io
import logging
import pickle
import zlib
from collections.abc import Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from handful import __version__
from handful._sources import files_needed, hash_of, source_of
from handful._sqlite import Database, Format
from handful.errors import HandfulError

MAX_RESULTS = 1_000  # the oldest are forgotten
MAX_BYTES = 200_000_000  # of all together
MAX_RESULT_BYTES = 10_000_000  # of one: a larger one is not kept

_SCHEMA = """
CREATE TABLE results (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, key TEXT NOT NULL, kind TEXT NOT NULL, code TEXT NOT NULL,
    size INTEGER NOT NULL, content BLOB NOT NULL
);
CREATE INDEX results_by_key ON results (key);
"""
_TOO_OLD = """
DELETE FROM results WHERE number IN (
    SELECT number FROM (
        SELECT number, row_number() OVER newest AS place, sum(size) OVER newest AS bytes
        FROM results WINDOW newest AS (ORDER BY number DESC)
    ) WHERE place > ? OR bytes > ?
)
"""

log = logging.getLogger("handful.web")


class Kept(NamedTuple):
    """A result that was kept, with the job that it is of."""

    id: str
    key: str
    kind: str
    args: dict[str, Any]
    result: Any


class ResultStore(Database):
    """The file with results. Any thread may use it."""

    format = Format("result file", 0x48464A52, 1, _SCHEMA, busy_seconds=10)  # "HFJR"

    def keep(self, kept: Kept, function: str) -> bool:
        """Keep a result of a function (`module:name`), and forget the oldest; return whether it can be kept."""
        content = written(kept.args, kept.result)
        if content is None or len(content) > MAX_RESULT_BYTES:
            return False
        row = (kept.id, kept.key, kept.kind, code_of(function), len(content), content)
        with self._transaction() as connection:
            connection.execute("DELETE FROM results WHERE key = ? AND key <> ''", (kept.key,))
            connection.execute(
                "INSERT INTO results (id, key, kind, code, size, content) VALUES (?, ?, ?, ?, ?, ?)", row
            )
            connection.execute(_TOO_OLD, (MAX_RESULTS, MAX_BYTES))
        return True

    def of_id(self, job_id: str, functions: dict[str, str]) -> Kept | None:
        """Return the result of a job, if it is there; `functions` has that of each kind."""
        return _kept(self._rows(f"{_SELECT} WHERE id = ?", (job_id,)), functions)

    def of_key(self, key: str, functions: dict[str, str]) -> Kept | None:
        """Return the result of the job of a key, if it is there."""
        return _kept(self._rows(f"{_SELECT} WHERE key = ?", (key,)), functions)


_SELECT = "SELECT id, key, kind, code, content FROM results"


def _kept(rows: Sequence[Any], functions: dict[str, str]) -> Kept | None:
    for job_id, key, kind, code, content in rows:
        if kind in functions and code == code_of(functions[kind]):
            found = read(content)
            if found is not None:
                return Kept(job_id, key, kind, *found)
    return None


@cache
def code_of(function: str) -> str:
    """Return a hash of the code that a function of a job, `module:name`, depends on."""
    source = source_of(function.partition(":")[0])
    return hash_of(files_needed([] if source is None else [source]), __version__, function)[:16]


# Python objects as bytes, and with care back again

_PLAIN = {
    ("builtins", "set"),
    ("builtins", "frozenset"),
    ("builtins", "range"),
    ("collections", "Counter"),
    ("collections", "OrderedDict"),
    ("fractions", "Fraction"),
    ("datetime", "date"),
    ("datetime", "datetime"),
    ("markupsafe", "Markup"),
}


class _Reader(pickle.Unpickler):
    """Reads values of our own plain types, and nothing else: no function is ever called."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the type of a name, or refuse it."""
        if (module, name) in _PLAIN:
            return getattr(import_module(module), name)
        if module.partition(".")[0] in OWN_PACKAGES and name.isidentifier():
            found = getattr(import_module(module), name, None)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, tuple | Enum)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no plain type of ours")


OWN_PACKAGES = ("handful",)


def written(args: dict[str, Any], result: Any) -> bytes | None:
    """Return a result as bytes; None if it could not be read again."""
    try:
        content = zlib.compress(pickle.dumps((args, result), protocol=5))
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    return content if read(content) is not None else None


def read(content: bytes) -> tuple[dict[str, Any], Any] | None:
    """Return what bytes say; None if that is nothing of ours, or damaged.

    >>> read(written({"cards": 3}, (1, 2)))
    ({'cards': 3}, (1, 2))
    >>> read(zlib.compress(pickle.dumps(({}, print))))
    """
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(content, 20 * MAX_RESULT_BYTES)
        args, result = _Reader(io.BytesIO(text)).load()
    except Exception:  # whatever a damaged file may lead to: it is as if nothing were there
        return None
    return (args, result) if unpacker.eof and isinstance(args, dict) else None


def open_results(path: Path) -> ResultStore | None:
    """Return the file; without it, which is said in the server's window, results are known until the server stops."""
    try:
        return ResultStore(path)
    except HandfulError as error:
        log.warning("results of computations are not kept: %s", error)
        return None
