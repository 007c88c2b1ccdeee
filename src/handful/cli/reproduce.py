"""`handful reproduce`: every published table and figure, ours beside theirs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.options import JsonOption, StoreOption, WorkersOption, option
from handful.cli.shared.output import complain, console, print_json
from handful.cli.shared.progress import prepare_kernels, resumable

if TYPE_CHECKING:
    from handful.reproduce.run import Reproduction

UNEXPLAINED = 1  # the answer to "is every difference explained?" is no
VERDICT_STYLES = {"same": "green", "differs": "yellow", "goes further": "cyan"}


def reproduce(
    is_full: Annotated[bool, option("--full", "Samples for publication: hours of CPU time, resumable.")] = False,
    only: Annotated[
        list[str] | None, option("--only NAME", "Only this experiment, or all that begin so; repeat it for several.")
    ] = None,
    out: Annotated[Path, option("--out -o DIR", "Write the report into this folder.")] = Path("report"),
    is_list: Annotated[bool, option("--list", "List the experiments and leave.")] = False,
    store: StoreOption = None,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Recompute every published table and figure, print ours beside theirs, and write a report with all figures.

    Each gets a verdict: same; differs, and why; or goes further. The report is a Markdown page, an HTML page that can
    be sent to anybody, and every figure as SVG and PNG. Exit code 1: something differs, and nobody knows why.

    Example: handful reproduce

    Example: handful reproduce --only finkle-2017 --only bergh-2016-table-1

    Example: handful reproduce --full --out report-full
    """
    from handful.reproduce.contents import experiments_named
    from handful.reproduce.outcome import Effort
    from handful.reproduce.run import reproduce as run

    chosen = experiments_named(only or ())
    if is_list:
        names = [experiment.name for experiment in chosen]
        print_json(names) if as_json else print(*names, sep="\n")
        return
    prepare_kernels()
    if is_full:
        out.mkdir(parents=True, exist_ok=True)
        with resumable(store or out / "games.sqlite") as kept, _progress(len(chosen)) as tell:
            found = run(chosen, out, Effort(full=True, workers=workers, store=kept), tell)
    else:
        with _progress(len(chosen)) as tell:
            found = run(chosen, out, Effort(workers=workers), tell)
    if as_json:
        print_json([outcome.to_dict() for outcome in found.outcomes])
    else:
        _print(found)
    if found.unexplained:
        complain(f"it differs, and nobody knows why: {', '.join(found.unexplained)}")
        raise typer.Exit(UNEXPLAINED)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str, float], None]]:
    """Give a function to call with the name of the present experiment, and how many are done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description:<26}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    is_seen = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not is_seen) as progress:
        task = progress.add_task("", total=total)
        yield lambda name, done: progress.update(task, description=name, completed=done)


def _print(found: Reproduction) -> None:
    from rich.table import Table
    from rich.text import Text

    from handful.reproduce.report import counts_text

    out = console()
    table = Table(title="Every published table, ours beside theirs")
    for column, share in (("source", 3), ("published", 4), ("ours", 5)):
        table.add_column(column, ratio=share)
    table.add_column("verdict", no_wrap=True)
    for outcome in found.outcomes:
        verdict = Text(outcome.verdict, style=VERDICT_STYLES[outcome.verdict])
        table.add_row(str(outcome.source), outcome.published, outcome.ours, verdict)
    out.print(table)
    reasons = [(outcome.source, outcome.reason) for outcome in found.outcomes if outcome.reason]
    if reasons:
        out.print("\nWhy it differs, where it does:")
        for source, reason in reasons:
            out.print(f"  {source}: {reason}")
    out.print(f"\n{counts_text(found.outcomes)} {found.seconds:.0f} s.")
    out.print(f"The report: {found.page}", soft_wrap=True)
