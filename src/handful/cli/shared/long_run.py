"""What commands share that run for long: where results are kept, a view of how far they are, and how they go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from handful.cli.shared.output import complain, console
from handful.cli.shared.progress import make_progress

if TYPE_CHECKING:
    from rich.console import RenderableType

    from handful.lab.statistics import Interval
    from handful.lab.store import Store

StoreOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Keep finished work in this file.  [default: the user's own]",
        show_default=False,
    ),
]
DaskOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDR", help="Play on the Dask cluster at this address, or 'local'.", show_default=False
    ),
]


@contextmanager
def resumable(path: Path | None) -> Iterator[Store]:
    """Give the store of a long run. Who interrupts the run is told how it goes on."""
    from handful.cli.main import INTERRUPTED
    from handful.lab.store import open_store

    with open_store(path) as store:
        try:
            yield store
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                print(file=sys.stderr)  # terminals leave ^C at the end of a line
            complain(f"interrupted. What is finished is kept in {store.path}: the same command goes on from there")
            raise typer.Exit(INTERRUPTED) from None


@contextmanager
def live_view(what: str, total_games: int, above: Callable[[], RenderableType]) -> Iterator[Callable[[int], None]]:
    """Give a function to call with the number of games that were just done; `above` is shown over the progress bar.

    It is shown on standard error, and only where somebody looks.
    """
    from rich.console import Group
    from rich.live import Live

    if not sys.stderr.isatty():
        yield lambda games: None
        return
    progress = make_progress(what)
    task = progress.add_task(what, total=total_games)
    page = console(to_stderr=True)
    with Live(get_renderable=lambda: Group(above(), progress), console=page, transient=True):
        yield lambda games: progress.advance(task, games)


def mean_text(mean: float, interval: Interval) -> str:
    """Return a mean with half the width of its interval.

    >>> mean_text(18.2, (18.1, 18.3))
    '18.200 ± 0.100'
    """
    return f"{mean:.3f} ± {(interval[1] - interval[0]) / 2:.3f}"


def share_text(share: float, interval: Interval) -> str:
    """Return a proportion with its interval.

    >>> share_text(0.5, (0.4, 0.6))
    '50.00% (40.00% to 60.00%)'
    """
    return f"{share:.2%} ({interval[0]:.2%} to {interval[1]:.2%})"
