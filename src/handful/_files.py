"""Files that are written whole or not at all, so that an interrupted run leaves the old one in place."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


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
