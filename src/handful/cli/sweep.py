"""`handful sweep`: a bot under every combination of some settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.long_run import DaskOption, StoreOption, live_view, mean_text, resumable, share_text
from handful.cli.shared.options import JsonOption, WorkersOption
from handful.cli.shared.output import console, counted, print_json
from handful.cli.shared.progress import prepare_kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from handful.lab.tuning.sweep import Row, Sweep

LIVE_ROWS = 12


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What to sweep.")],
    store: StoreOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the results, to a file that ends in .png or .svg."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a bot under every combination of some settings, all on the same deals.

    Finished games are kept: a sweep that is interrupted, even killed, goes on where it stopped. The file says what to
    vary:

    \b
        bot = "rules"
        players = 3                # or a list
        games = 20000              # for each combination
        rules = "thesis"           # also: name, seed, variant, repeat
        [grid]
        omega_p = [0.4, 0.5, 0.6]
        hint = [2, 3]
        [plot]                     # optional; instead of y, `lines` draws lines
        x = "omega_p"
        y = "hint"
        value = "mean"             # or "perfect"

    Example: handful sweep daring.toml --plot daring.png
    """  # noqa: D301  # the mark means: keep the lines that follow as they are
    from handful.lab.plots import check_plot_file, plot_sweep
    from handful.lab.tuning.sweep import plot_of, read_sweep, run_sweep

    swept = read_sweep(file)
    if plot is not None:
        check_plot_file(plot)
        plot_of(swept)  # refuses before the work what it would refuse after it
    rows: list[Row] = []
    with resumable(store) as kept:
        prepare_kernels()
        what = counted(len(swept.points), "combination")
        with live_view(what, swept.total_games, lambda: sweep_table(swept, rows[-LIVE_ROWS:])) as advance:
            run_sweep(swept, store=kept, workers=workers, dask=dask, on_progress=advance, on_row=rows.append)
        if plot is not None:
            plot_sweep(swept, rows, plot)
    if as_json:
        print_json(
            {
                "name": swept.name,
                "games": swept.games,
                "seed": swept.seed,
                "axes": {axis.name: list(axis.values) for axis in swept.axes},
                "rows": [row.to_dict() for row in rows],
                "store": str(kept.path),
                "plot": None if plot is None else str(plot),
            }
        )
        return
    console().print(sweep_table(swept, rows))
    if plot is not None:
        console().print(f"The plot is in {plot}.")


def sweep_table(swept: Sweep, rows: Sequence[Row]) -> Table:
    """Return the results, a row for each combination; the best ones stand out."""
    from rich.table import Table

    first = swept.points[0]
    rules = first.rules.options_text()
    table = Table(
        title=swept.name or f"{first.player.name.partition('(')[0]}, {first.rules.variant.name}",
        title_style="bold",
        caption=f"{swept.games:,} games each, seed {swept.seed}{'; rules: ' if rules else ''}{rules}; 95 % confidence",
    )
    for axis in swept.axes:
        table.add_column(axis.name, justify="right")
    for name in ("mean score", "perfect games", "struck out"):
        table.add_column(name, justify="right")
    best_mean = max((row.result.mean for row in rows), default=0.0)
    for row in rows:
        result = row.result
        table.add_row(
            *(str(value) for value in row.values.values()),
            mean_text(result.mean, result.mean_ci95),
            share_text(result.perfect, result.perfect_ci95),
            f"{result.strikeouts / result.games:.2%}",
            style="bold" if result.mean == best_mean else None,
        )
    return table
