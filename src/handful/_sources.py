"""Which files of ours another one depends on, and a hash of them: what was made by the same code, and what was not.

Compiled kernels and stored results are kept under such a hash, so that nothing old is used after an edit, and an edit
in one room leaves what the others made.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
# "from handful._bits import wide", "from handful.bots import (…)", "import handful._bits": also indented ones.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(handful[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+(handful[\w.]*))", re.M
)


def source_of(module: str) -> Path | None:
    """Return the file of a module of ours, or None if there is no such module.

    >>> source_of("handful._bits").name, source_of("handful.nothing")
    ('_bits.py', None)
    """
    path = PACKAGE.joinpath(*module.split(".")[1:])
    places = (path.with_suffix(".py"), path / "__init__.py") if path != PACKAGE else (path / "__init__.py",)
    return next((place for place in places if place.is_file()), None)


@cache
def _read(path: Path) -> tuple[bytes, frozenset[Path]]:
    """Return the hash of a file and the files of ours that it imports from."""
    text = path.read_bytes()
    files: set[Path | None] = set()
    if path == PACKAGE / "__init__.py":  # it names all rooms, for type checkers, and loads none of them
        return hashlib.sha256(text).digest(), frozenset()
    for module, names, plain in _IMPORT.findall(text):
        base = (module or plain).decode()
        parts = [word.split()[0] for word in names.decode().strip("() \n,").split(",") if word.split()]
        modules = [source_of(f"{base}.{part}") for part in parts]
        # A package itself counts where more than modules is imported from it.
        files |= set(modules if parts and all(modules) else [*modules, source_of(base)])
    return hashlib.sha256(text).digest(), frozenset(file for file in files if file is not None)


def files_needed(paths: Iterable[Path]) -> frozenset[Path]:
    """Return some files, and all files of ours that they import, near and far."""
    found = set(paths)
    to_read = list(found)
    while to_read:
        new = _read(to_read.pop())[1] - found
        found |= new
        to_read += new
    return frozenset(found)


def hash_of(files: Iterable[Path], *words: str) -> str:
    """Return a hash of the contents of files, and of some words, as 64 digits."""
    digest = hashlib.sha256("\n".join(words).encode())
    for file in sorted(files):
        digest.update(_read(file)[0])
    return digest.hexdigest()


@cache
def all_files(*places: str) -> frozenset[Path]:
    """Return the sources of ours in some places, files or folders of the package; without a place, all of them."""
    found: set[Path] = set()
    for place in [PACKAGE / name for name in places] or [PACKAGE]:
        found |= set(place.rglob("*.py")) if place.is_dir() else {place}
    return frozenset(found)
