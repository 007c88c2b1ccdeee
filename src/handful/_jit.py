"""The one decorator of all kernels: numba, compiled once and kept on disk.

Importing this module imports numba (half a second), so only files with kernels do it, and those are imported only
where a kernel is about to be called. A test holds that line.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import typeinfer

from handful._cache_jit import LEVEL, KernelCache, has_level
from handful._dispatcher_jit import KernelDispatcher
from handful._files import user_folder
from handful._sources import PACKAGE, all_files, files_needed, hash_of
from handful.errors import HandfulError

# Kernels that are passed to kernels ("first-class functions") are marked experimental since 2020; our tests watch them.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

SHIPPED = PACKAGE / "_compiled"  # kernels that came with the package, if it was built with some

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@cache
def _source_fingerprint(path: Path) -> str:
    """Return a short hash of a file and of all files of ours that it depends on, near and far.

    A compiled function has in it what it calls, and constants that it uses, of other files. So every state of these
    files has a folder of its own; and an edit in one room does not make the others compile anew.
    """
    return hash_of(files_needed([path]), numba.__version__)[:16]


def cache_folder() -> Path:
    """Return where compiled kernels are kept: in the user's cache folder, unless HANDFUL_KERNEL_CACHE says where."""
    named = os.environ.get("HANDFUL_KERNEL_CACHE")
    try:
        return Path(named or user_folder("cache") / "kernels").resolve()
    except HandfulError:  # there is no home: a place in which nothing is, and nothing can be
        return Path(os.devnull)


def _prepared_mark(processor: str) -> str:
    """Return the name of the file that says: all kernels of these sources are compiled for a processor."""
    return f"prepared-{hash_of(all_files(), numba.__version__, processor)[:16]}"


def is_prepared() -> bool:
    """Return whether all kernels have been compiled, here or before the package was built (see `preparation`)."""
    own = cache_folder() / _prepared_mark(numba.core.registry.cpu_target.target_context.codegen().magic_tuple()[1])
    return own.is_file() or (has_level() and (SHIPPED / _prepared_mark(LEVEL)).is_file())


def note_prepared() -> None:
    """Write down that all kernels have been compiled."""
    processor = numba.core.registry.cpu_target.target_context.codegen().magic_tuple()[1]
    with suppress(OSError):
        (cache_folder() / _prepared_mark(processor)).touch()


@cache
def _cache_folders(path: Path) -> tuple[Path | None, Path | None]:
    """Return the user's and the package's own folder for the compiled kernels of a file; None where there is none."""
    fingerprint = _source_fingerprint(path)
    shipped, parent = SHIPPED / fingerprint, cache_folder()
    folder = parent / fingerprint
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            _remove_old_folders(parent)
        found: Path | None = folder
    except OSError:
        found = None
    return found, shipped if shipped.is_dir() else None


def _remove_old_folders(parent: Path) -> None:
    """Remove what earlier versions compiled, if nobody has added to it for a month."""
    for place in parent.iterdir():
        if time.time() - place.stat().st_mtime > 30 * 24 * 3600:
            if place.is_dir():
                shutil.rmtree(place, ignore_errors=True)
            else:  # the mark that all was compiled, some of which may be removed now
                place.unlink(missing_ok=True)


def _compile(
    function: Callable[Parameters, Result], signature: Any = None, **options: Any
) -> Callable[Parameters, Result]:
    """Return the function as a numba dispatcher that keeps its machine code in our folder."""
    if numba.config.DISABLE_JIT:
        return function
    # Without the interpreter's lock, so that threads share the work; division by zero is not checked for.
    usual = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None}
    compiled = KernelDispatcher(function, {}, {**usual, **options})
    compiled._cache = KernelCache(function, *_cache_folders(Path(function.__code__.co_filename)))
    if signature is not None:
        with typeinfer.register_dispatcher(compiled):
            compiled.compile(signature)
        compiled.disable_compile()
    return cast(Callable[Parameters, Result], compiled)


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return the function compiled, when it is first called."""
    return _compile(function)


def inlined_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return the function compiled into whatever kernel calls it: for the small steps of a game.

    LLVM puts it there. If numba does it, in a language of its own (``inline="always"``), compiling takes longer, and
    the code is no faster.
    """
    return _compile(function, forceinline=True)


def borrowing_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return the function compiled, when it is first called, as a kernel that makes no arrays, but borrows those given.

    Numba then counts no references to them. Where small kernels are compiled into one and arrays are passed on in
    tuples, that counting would be done for every array on every turn, and take a fifth to a third of the time.
    """
    return _compile(function, _nrt=False)


def kernel_of_type(
    signature: Any, *, borrows: bool = False
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Return a decorator for a kernel of one explicit signature, compiled at once; `borrows` as a `borrowing_kernel`.

    Needed where kernels are passed to kernels: only a function of a known type hits the cache there.
    """
    return lambda function: _compile(function, signature, _nrt=not borrows)


def forgo_matrix_products() -> None:
    """Let numba not look for SciPy's linear algebra, which costs a third of a second. For the command line alone.

    No kernel of ours multiplies matrices; a program that uses handful as a library may have some that do.
    """
    if "scipy" not in sys.modules:
        blocked: dict[str, Any] = {"scipy": None}
        sys.modules.update(blocked)
        try:
            numba.core.registry.cpu_target.target_context.refresh()
        finally:
            del sys.modules["scipy"]
