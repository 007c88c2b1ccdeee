"""Many games in a file or a folder: JSON lines, archives (zip, tar), any of them gzipped, and Parquet.

A game that cannot be read does not stop the others: it comes with what is wrong with it.
"""

from __future__ import annotations

import gzip
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from handful.errors import HandfulError, RecordError
from handful.hanabi.live.records import MAX_RECORD_BYTES, Record, read_record

LINES = (".jsonl", ".ndjson")
ARCHIVES = (".zip", ".tar", ".tgz")
TABLES = (".parquet",)
GZIPPED = ".gz"
MOST_MEMBERS = 10_000_000
DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError)


@dataclass(frozen=True)
class StoredGame:
    """A game of a file: `name` says where it stands; its JSON text or the record itself; or what is wrong with it."""

    name: str
    text: bytes | None = None
    made: Record | None = None
    error: str = ""

    def record(self) -> Record:
        """Return the game; what cannot be read or played is refused, by its name."""
        if self.error:
            raise RecordError(self.error)
        if self.made is not None:
            return self.made
        try:
            return read_record(self.text or b"")
        except HandfulError as error:
            raise RecordError(f"{self.name}: {error}") from error


def kind_of(path: Path) -> str:
    """Return the ending that says what is in a file, without that of gzip.

    >>> kind_of(Path("games.JSONL.gz")), kind_of(Path("all.tar.gz")), kind_of(Path("game.json"))
    ('.jsonl', '.tar', '.json')
    """
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] == GZIPPED:
        endings.pop()
    return endings[-1] if endings else ""


def has_many(path: Path) -> bool:
    """Whether a file, by its ending, is one that holds many games."""
    return kind_of(path) in (*LINES, *ARCHIVES, *TABLES)


def is_gzipped(path: Path) -> bool:
    """Whether a file is packed with gzip, by its ending."""
    return path.suffix.lower() == GZIPPED


def stored_games(path: Path) -> Iterator[StoredGame]:
    """Yield the games of a file, in their order; those of a folder by the names of its files.

    In a folder, and in an archive, what does not end as games do is passed over.
    """
    if path.is_dir():
        for each in sorted(path.iterdir()):
            if each.is_file() and _is_of_games(each.name):
                yield from stored_games(each)
        return
    try:
        yield from _games_of_file(path)
    except DAMAGED as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        yield StoredGame(str(path), error=f"{path} cannot be read: {reason}")


def _is_of_games(name: str) -> bool:
    path = Path(name)
    return kind_of(path) == ".json" or has_many(path)


def _games_of_file(path: Path) -> Iterator[StoredGame]:
    kind = kind_of(path)
    if kind == ".zip":
        yield from _games_of_zip(path)
    elif kind in (".tar", ".tgz"):
        yield from _games_of_tar(path)
    elif kind in TABLES:
        from handful.hanabi.live.datasets import read_dataset

        yield from read_dataset(path)
    else:
        with gzip.open(path) if is_gzipped(path) else path.open("rb") as file:
            yield from _games_of_stream(str(path), file)


class Readable(Protocol):
    """What is read here: a file, plain or unpacked as it is read."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, or what is left."""

    def readline(self, size: int, /) -> bytes:
        """Return a line, or so many bytes of it."""


def _games_of_stream(name: str, stream: Readable) -> Iterator[StoredGame]:
    """Yield the games of an open file: one, or one a line."""
    if kind_of(Path(name)) not in LINES:
        yield StoredGame(name, _at_most(stream))
        return
    number = 0
    while line := stream.readline(MAX_RECORD_BYTES + 2):
        number += 1
        if len(line) > MAX_RECORD_BYTES + 1:
            yield StoredGame(
                f"{name}:{number}", error=f"{name}:{number}: more than {MAX_RECORD_BYTES:,} bytes in a line"
            )
            return
        if line.strip():
            yield StoredGame(f"{name}:{number}", line)


def _games_of_zip(path: Path) -> Iterator[StoredGame]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist()[:MOST_MEMBERS]:
            if not member.is_dir() and _is_of_games(member.filename):
                with archive.open(member) as file:
                    yield from _games_of_member(f"{path}:{member.filename}", file)


def _games_of_tar(path: Path) -> Iterator[StoredGame]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and _is_of_games(member.name) else None
            if file is not None:
                with file:
                    yield from _games_of_member(f"{path}:{member.name}", file)


def _games_of_member(name: str, file: IO[bytes]) -> Iterator[StoredGame]:
    """Yield the games of a file in an archive. An archive in it is not opened."""
    if kind_of(Path(name)) in (*ARCHIVES, *TABLES):
        yield StoredGame(name, error=f"{name}: an archive in an archive, expected records")
    elif is_gzipped(Path(name)):
        with gzip.open(file) as unpacked:
            yield from _games_of_stream(name, unpacked)
    else:
        yield from _games_of_stream(name, file)


def _at_most(stream: Readable) -> bytes:
    """Return what is in a stream, up to one byte more than a record may have."""
    return stream.read(MAX_RECORD_BYTES + 1)
