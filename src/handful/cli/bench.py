"""`handful bench`: the speeds that we claim, measured here and now."""

from __future__ import annotations

from typing import Annotated

from handful.cli.shared.options import JsonOption, option
from handful.cli.shared.output import console, listing, print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar


def bench(
    peers: Annotated[bool, option("--peers", "Measure OpenSpiel beside us (needs open_spiel).")] = False,
    players: Annotated[
        list[int] | None, option("--players -p P", "How many play; may be repeated.  [default: 2, 5]", min=2, max=5)
    ] = None,
    games: Annotated[int, option("--games -n G", "Games of our engine in a round.", min=1)] = 50_000,
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
    columns = (">players", ">games per CPU second", ">engine is … times as fast", "what")
    rows = (
        (str(speed.players), f"{speed.games_per_cpu_second:,.0f}", f"{speed.ratio:,.1f}", speed.name)
        for speed in speeds
    )
    console().print(listing(columns, rows, title="Complete random games per CPU second, one core"))
