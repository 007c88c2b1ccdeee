"""For work that takes longer than a moment: a progress bar on standard error, and what is loaded before it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


def make_progress(what: str, unit: str = "games", **settings: Any) -> Progress:
    """Return a progress bar with the columns of the house; `settings` are those of rich."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn(what, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        **settings,
    )


@contextmanager
def progress_bar(what: str, total: int, unit: str = "games") -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of units that were just done. Nothing is shown where nobody looks."""
    from rich.console import Console

    is_seen = sys.stderr.isatty()
    with make_progress(what, unit, console=Console(stderr=True), transient=True, disable=not is_seen) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)


def prepare_solver() -> None:
    """Load the compiler; what has to be compiled then says so."""
    from handful._jit import announce_compilation, forgo_matrix_products

    announce_compilation()
    forgo_matrix_products()


def prepare_kernels() -> None:
    """Load the compiled part, and say so if it has to be compiled first."""
    # What is loaded here stays for good: to look through it for garbage, now and later, costs a tenth of the start.
    gc.disable()
    prepare_solver()
    import handful.bots.table_kernel  # noqa: F401

    gc.freeze()
    gc.enable()
