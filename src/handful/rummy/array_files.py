"""Arrays on disk: a header that says what they are, and a checksum. Written whole or not at all; never read if damaged.

A file is: 8 bytes of magic; the length of the header and its checksum, 4 bytes each; the header as JSON, with blanks up
to 4096 bytes; and the arrays, one after the other, each from a multiple of 64 bytes on, little-endian. The header has
what the writer put there, and for each array its name, type and length, and one CRC-32 over everything behind it.
"""

from __future__ import annotations

import json
import os
import struct
import tempfile
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.errors import HandfulError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.game import Game

    Arrays = Mapping[str, npt.NDArray[Any]]

MAGIC = b"HFRUMMY\n"
HEADER_SIZE = 4096
ALIGNMENT = 64
_PREFIX = struct.Struct("<8sII")
_CHUNK = 1 << 24


class DamagedFileError(HandfulError):
    """A file of ours that is not what was written, or that another version wrote; `game` says whose it is, if known."""

    def __init__(self, message: str, game: Game | None = None) -> None:
        super().__init__(message)
        self.game = game


def write_arrays(path: Path, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a file: to a temporary one beside it first, which then takes its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.seek(HEADER_SIZE)
            checksum, entries, offset = 0, [], HEADER_SIZE
            for name, array in arrays.items():
                padding = b"\0" * (-offset % ALIGNMENT)
                file.write(padding)
                checksum = zlib.crc32(padding, checksum)
                offset += len(padding)
                entries.append({"name": name, "dtype": array.dtype.str, "length": len(array), "offset": offset})
                flat = array.reshape(-1).view("u1").data
                for start in range(0, len(flat), _CHUNK):
                    checksum = zlib.crc32(flat[start : start + _CHUNK], checksum)
                    file.write(flat[start : start + _CHUNK])
                offset += len(flat)
            text = json.dumps({**header, "arrays": entries, "size": offset, "checksum": checksum}).encode()
            text = text.ljust(HEADER_SIZE - _PREFIX.size)
            assert len(text) == HEADER_SIZE - _PREFIX.size, "the header has outgrown its place"
            file.seek(0)
            file.write(_PREFIX.pack(MAGIC, len(text), zlib.crc32(text)) + text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _remove_leftovers(path: Path) -> None:
    """Remove temporary files of earlier writers that were killed. Nobody needs an hour to write one."""
    for leftover in path.parent.glob(path.name + ".*.tmp"):
        with suppress(OSError):
            if time.time() - leftover.stat().st_mtime > 3600:
                leftover.unlink()


def read_header(path: Path, kind: str, version: int) -> dict[str, Any]:
    """Return the header of a file of a kind, if it and the length of the file are as they were written."""
    try:
        with path.open("rb") as file:
            start = file.read(HEADER_SIZE)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise DamagedFileError(f"{path}: {error.strerror}") from error
    if len(start) < HEADER_SIZE:
        raise DamagedFileError(f"{path}: cut off within its header")
    magic, length, checksum = _PREFIX.unpack_from(start)
    text = start[_PREFIX.size :]
    if magic != MAGIC:
        raise DamagedFileError(f"{path}: not a file of handful rummy")
    if length != len(text) or zlib.crc32(text) != checksum:
        raise DamagedFileError(f"{path}: its header is damaged")
    header: dict[str, Any] = json.loads(text)
    if header["size"] != size:
        raise DamagedFileError(f"{path}: {size} bytes, expected {header['size']}")
    if header.get("kind") != kind or header.get("version") != version:
        raise DamagedFileError(f"{path}: not a {kind} of version {version}")
    return header


def map_arrays(path: Path, header: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file, mapped into memory: only what is looked at is read. They cannot be written to."""
    import numpy as np

    _check_data(path, header)
    return {
        entry["name"]: np.memmap(path, np.dtype(entry["dtype"]), "r", entry["offset"], (entry["length"],))
        if entry["length"]
        else np.zeros(0, np.dtype(entry["dtype"]))
        for entry in header["arrays"]
    }


def read_arrays(path: Path, header: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file, read into memory, to go on working with.

    Copies of mapped ones would need twice the memory for a while: pages of a mapped file that were read count, too.
    """
    import numpy as np

    _check_data(path, header)
    return {
        entry["name"]: np.fromfile(path, np.dtype(entry["dtype"]), entry["length"], offset=entry["offset"])
        for entry in header["arrays"]
    }


def _check_data(path: Path, header: Mapping[str, Any]) -> None:
    """Compare the arrays of a file with the checksum in its header.

    A file that was found whole is not read again as long as its size and its time of change stay the same: a small file
    beside it remembers them.
    """
    status = path.stat()
    memory = path.with_name(path.name + ".checked")
    fingerprint = f"{status.st_size} {status.st_mtime_ns} {header['checksum']}"
    with suppress(OSError):
        if memory.read_text() == fingerprint:
            return
    checksum = 0
    with path.open("rb") as file:
        file.seek(HEADER_SIZE)
        while chunk := file.read(_CHUNK):
            checksum = zlib.crc32(chunk, checksum)
    if checksum != header["checksum"]:
        raise DamagedFileError(f"{path}: its data are damaged (checksum {checksum}, expected {header['checksum']})")
    with suppress(OSError):  # a folder that cannot be written to: then it is checked every time
        memory.write_text(fingerprint)


def remove(path: Path) -> None:
    """Remove a file and what is remembered of it, if they are there."""
    path.unlink(missing_ok=True)
    path.with_name(path.name + ".checked").unlink(missing_ok=True)


def read_only(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return values, in memory or on disk, as an array that cannot be written to: one type for kernels."""
    import numpy as np

    view = np.asarray(values).view()
    view.flags.writeable = False
    return view
