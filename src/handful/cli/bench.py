"""`handful bench`: the speeds that we claim, measured here and now."""

from __future__ import annotations

from typing import Annotated

import typer

from handful.cli.shared.options import JsonOption
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar


def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Measure OpenSpiel beside us (needs open_spiel).")] = False,
    players: Annotated[
        list[int] | None,
        typer.Option(
            "--players", "-p", metavar="P", min=2, max=5, help="How many play; may be repeated.  [default: 2, 5]"
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="G", min=1, help="Games of our engine in a round.")
    ] = 50_000,
    as_json: JsonOption = False,
) -> None:
    """Measure complete games of random legal actions per CPU second, on one core.

    Ours and the peers' rounds alternate, and the best round of each counts.

    Example: handful bench --peers
    """
    from handful.lab.speed import measure

    prepare_kernels()
    counts = players or [2, 5]
    speeds = []
    with progress_bar("measuring", len(counts), "tables") as advance:
        for count in counts:
            speeds += measure(count, with_peers=peers, games=games)
            advance(1)
    if as_json:
        print_json([speed.to_dict() for speed in speeds])
        return
    from rich.table import Table

    table = Table(title="Complete random games per CPU second, one core", title_style="bold")
    for column in ("players", "games per CPU second", "engine is … times as fast"):
        table.add_column(column, justify="right")
    table.add_column("what", justify="left")
    for speed in speeds:
        table.add_row(str(speed.players), f"{speed.games_per_cpu_second:,.0f}", f"{speed.ratio:,.1f}", speed.name)
    console().print(table)
