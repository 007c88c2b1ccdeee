"""For work that takes longer than a moment: what is loaded before it, how far it is, and how it goes on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from handful.cli.shared.output import complain_of_interruption, console

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress

    from handful.lab.store import Store

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


class Interruption:
    """Whether Ctrl-C was pressed; kept, because the compiler, for one, may swallow the exception."""

    has_happened = False

    @classmethod
    def note(cls, _signal: int, _frame: object) -> None:
        """Keep in mind that it was pressed, and stop what is being done."""
        cls.has_happened = True
        raise KeyboardInterrupt

    @classmethod
    def heed(cls) -> None:
        """Stop now, if somebody wanted that and was not heard."""
        if cls.has_happened:
            raise KeyboardInterrupt


def make_progress(unit: str = "games", **settings: Any) -> Progress:
    """Return a progress bar with the columns of the house; `settings` are those of rich.

    What is done is the description of its task, and no part of a column, in which braces would mean something.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
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
    with make_progress(unit, console=Console(stderr=True), transient=True, disable=not is_seen) as progress:
        task = progress.add_task(what, total=total)

        def advance(done: int) -> None:
            Interruption.heed()
            progress.advance(task, done)

        yield advance


@contextmanager
def live_view(what: str, total_games: int, above: Callable[[], RenderableType]) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of games that were just done; `above` is shown over the progress bar.

    It is shown on standard error, and only where somebody looks.
    """
    from rich.console import Group
    from rich.live import Live

    if not sys.stderr.isatty():
        yield lambda games: Interruption.heed()
        return
    progress = make_progress()
    task = progress.add_task(what, total=total_games)
    with Live(get_renderable=lambda: Group(above(), progress), console=console(to_stderr=True), transient=True):
        yield lambda games: progress.advance(task, games)


@contextmanager
def goes_on_from(place: Path) -> Iterator[None]:
    """Let who interrupts a long run know how it goes on: what is finished is kept in a file or folder."""
    try:
        yield
    except KeyboardInterrupt:
        complain_of_interruption(f"What is finished is kept in {place}: the same command goes on from there")
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def resumable(path: Path | None) -> Iterator[Store]:
    """Give the store of a long run. Who interrupts the run is told how it goes on."""
    from handful.lab.store import open_store

    with open_store(path) as store, goes_on_from(store.path):
        yield store


def prepare_solver() -> None:
    """Load the compiler; what has to be compiled then says so."""
    from handful._jit import announce_compilation, forgo_matrix_products

    announce_compilation()
    forgo_matrix_products()
    Interruption.heed()


def prepare_kernels() -> None:
    """Load the compiled part, and say so if it has to be compiled first."""
    # What is loaded here stays for good: to look through it for garbage, now and later, costs a tenth of the start.
    gc.disable()
    prepare_solver()
    import handful.bots.table_kernel  # noqa: F401

    gc.freeze()
    gc.enable()
    Interruption.heed()
