"""For work that takes longer than a moment: what is loaded before it, how far it is, and how it goes on."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from handful.cli.shared.output import complain, complain_of_interruption, console

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

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


def make_progress(**settings: Any) -> Progress:
    """Return progress bars with the columns of the house, for tasks that say their `unit`; `settings` are rich's.

    What is done is the description of a task, and no part of a column, in which braces would mean something.
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
        TextColumn("{task.fields[unit]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        **settings,
    )


@contextmanager
def progress_bar(what: str, total: int, unit: str = "games") -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of units that were just done. Nothing is shown where nobody looks."""
    from rich.console import Console

    is_seen = sys.stderr.isatty()
    progress = make_progress(console=Console(stderr=True), transient=True, disable=not is_seen)
    with progress, _compiling_in(progress):
        task = progress.add_task(what, total=total, unit=unit)

        def advance(done: int) -> None:
            Interruption.heed()
            progress.advance(task, done)

        yield advance


@contextmanager
def growing_bar(what: str, unit: str = "games") -> Iterator[Callable[[int, int], None]]:
    """Give a function to call with how many units are done, of how many: the total may change meanwhile."""
    from rich.console import Console

    progress = make_progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with progress, _compiling_in(progress):
        task = progress.add_task(what, total=None, unit=unit)

        def show(done: int, total: int) -> None:
            Interruption.heed()
            progress.update(task, completed=done, total=total)

        yield show


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
    task = progress.add_task(what, total=total_games, unit="games")
    view = Live(get_renderable=lambda: Group(above(), progress), console=console(to_stderr=True), transient=True)
    with view, _compiling_in(progress):
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


class _Compiling:
    """Says on standard error how many kernels are compiled, of how many; where nobody looks, that some are, once."""

    def __init__(self) -> None:
        self.bars: Progress | None = None  # the progress bars that are shown at the moment,
        self.task: TaskID | None = None  # and the one for compiling among them
        self.is_told = False

    def tell(self, done: int, needed: int) -> None:
        """Show how far it is: in a bar beside the others, or in a line that is written over and over again."""
        if self.bars is not None and not self.bars.disable:
            if self.task is None:
                self.task = self.bars.add_task("Compiling, this once", total=needed, unit="kernels")
            self.bars.update(self.task, completed=done, total=needed, visible=done < needed)
        elif sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty():
            text = f"handful: compiling, this once: {done} of {needed} kernels … " if done < needed else ""
            print(f"\r{text:70}\r{text}", end="", file=sys.stderr, flush=True)
        elif not self.is_told:
            complain("compiling, this once (5 to 20 s) …")
        self.is_told = True


_compiling = _Compiling()


@contextmanager
def _compiling_in(bars: Progress) -> Iterator[None]:
    """Let what has to be compiled meanwhile be told beside these bars."""
    before = _compiling.bars, _compiling.task
    _compiling.bars, _compiling.task = bars, None
    try:
        yield
    finally:
        _compiling.bars, _compiling.task = before


def prepare_solver() -> None:
    """Load the compiler; what has to be compiled then says so."""
    from handful._compilations_jit import announce_compilation
    from handful._jit import forgo_matrix_products

    announce_compilation(_compiling.tell)
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
