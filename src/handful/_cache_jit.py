"""Compiled kernels on disk: in the user's cache folder, and those that came with the package.

An entry is one file: a checksum, and what numba needs to have the function back. Its name is a hash of the types of
its arguments, of the processor that it was made for and of the Python that made it; its folder is named by a hash of
the sources (see `_jit`). So nothing in it depends on where the package lies, or when that was installed. An entry that
is damaged counts as none and is written again; if nothing can be written, the kernel is compiled again next time.

A package that was built with compiled kernels (``make dist``) has them for the processor level `LEVEL`: they are used
where the processor has all that this level asks for. The code is as fast as that for the processor at hand.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import config, serialize, sigutils
from numba.core.compiler import CompileResult

from handful._files import write_whole

# A level of the psABI for x86-64, and what a processor must have for it (Intel since 2013, AMD since 2015).
LEVEL = "x86-64-v3"
_NEEDS = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")

_MARK = b"handful kernel 1\n"
_DIGEST_SIZE = hashlib.sha256().digest_size


@cache
def has_level() -> bool:
    """Return whether the processor at hand can run what was compiled for `LEVEL`."""
    features = llvmlite.binding.get_host_cpu_features()
    return all(features.get(need, False) for need in _NEEDS)


def read_entry(path: Path) -> Any | None:
    """Return what an entry holds; None if there is none, or if it is damaged."""
    try:
        text = path.read_bytes()
    except OSError:
        return None
    start = len(_MARK) + _DIGEST_SIZE
    if not text.startswith(_MARK) or hashlib.sha256(text[start:]).digest() != text[len(_MARK) : start]:
        return None
    return pickle.loads(text[start:])


def write_entry(path: Path, held: Any) -> None:
    """Write an entry, whole or not at all."""
    text = serialize.dumps(held)
    write_whole(path, _MARK + hashlib.sha256(text).digest() + text)


class KernelCache:
    """The entries of one function: numba's dispatchers ask it before they compile, and tell it afterwards.

    `folder` is where entries are read and written, None if that is not possible; `shipped` is where the package has
    those that it came with, None if it has none.
    """

    def __init__(self, function: Callable[..., Any], folder: Path | None, shipped: Path | None) -> None:
        self._name = function.__qualname__.replace("<", "").replace(">", "")
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        self._closure = hashlib.sha256(serialize.dumps(cells)).hexdigest() if cells else ""
        self._folder, self._shipped = folder, shipped

    @property
    def cache_path(self) -> str:
        """The folder with the entries, as text."""
        return str(self._folder or "")

    def load_overload(self, signature: Any, target: Any) -> Any | None:
        """Return the compiled function for a signature, or None if there is none on disk."""
        target.refresh()  # what types and functions numba knows, so that they can be read
        for path in self._places(signature, target.codegen().magic_tuple()):
            held = read_entry(path)
            if held is not None:
                return CompileResult._rebuild(target, *held)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a compiled function down, if that is possible."""
        if self._folder is None or result.library.has_dynamic_globals or result.lifted:
            return
        path = self._folder / self._file_name(signature, result.target_context.codegen().magic_tuple())
        try:
            write_entry(path, result._reduce())
        except OSError:  # a full disk, a folder that is gone: next time it is compiled again
            return

    def flush(self) -> None:
        """Forget nothing: entries of other sources are in other folders."""

    def _places(self, signature: Any, processor: tuple[str, str, str]) -> Iterator[Path]:
        if self._folder is not None:
            yield self._folder / self._file_name(signature, processor)
        if self._shipped is not None and has_level():
            yield self._shipped / self._file_name(signature, (processor[0], LEVEL, ""))

    def _file_name(self, signature: Any, processor: tuple[str, str, str]) -> str:
        args, return_type = sigutils.normalize_signature(signature)
        how = (sys.implementation.cache_tag, f"bounds checked: {config.BOUNDSCHECK}", f"optimised: {config.OPT}")
        words = (*map(str, args), str(return_type), *processor, *how, self._closure)
        return f"{self._name}-{hashlib.sha256('|'.join(words).encode()).hexdigest()[:24]}.kernel"
