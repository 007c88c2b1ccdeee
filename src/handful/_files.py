"""Files of users: read up to a limit, written whole or not at all, so that an interrupted run leaves the old one."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from handful.errors import HandfulError


def read_at_most(path: str | Path, most_bytes: int, error_type: type[HandfulError]) -> bytes:
    """Return what is in a file, up to one byte more than the most that is read; what cannot be read is an error."""
    try:
        with Path(path).open("rb") as file:
            return file.read(most_bytes + 1)
    except OSError as error:
        raise error_type(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a zero byte in it
        raise error_type(f"{str(path)!r} cannot be read: {error}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file through a temporary one beside it. What is not a plain file (/dev/stdout) is written as it is."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))  # a link stays a link
    # A name of its own, so that two writers do not meet; short, so that it fits wherever the file's own name does.
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
