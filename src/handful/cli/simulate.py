"""`handful simulate`: many games of a bot with itself, alone or compared with another bot on the same deals."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.long_run import DaskOption, resumable
from handful.cli.shared.options import (
    GamesOption,
    JsonOption,
    PlayersOption,
    RepeatOption,
    RulesOption,
    SeedOption,
    VariantOption,
    WorkersOption,
    deal_from,
    parse_seed,
    rules_from,
)
from handful.cli.shared.output import print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar
from handful.cli.shared.simulation_text import print_comparison, print_simulation

if TYPE_CHECKING:
    from handful.bots.players import Player
    from handful.lab import Simulation
    from handful.lab.compare import Comparison
    from handful.lab.store import Store


def simulate(
    bot: Annotated[
        str, typer.Option("--bot", "-b", metavar="NAME", help="A name that `handful bots` lists.")
    ] = "random",
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME", help="Compare with this bot, on the same deals.", show_default=False),
    ] = None,
    players: PlayersOption = None,
    games: GamesOption = 10_000,
    variant: VariantOption = None,
    seed: SeedOption = "0",
    rules: RulesOption = "hanab-live",
    workers: WorkersOption = None,
    dask: DaskOption = None,
    repeat: RepeatOption = 1,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="Keep finished games in this file, and take from it those that are there.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play many games of a bot with itself: average, perfect games, histogram.

    The same seed gives the same result, on any number of cores. With a seed of hanab.live all games are on its deal.

    Example: handful simulate --bot random --players 3 --games 100000
    """
    from handful.bots import player_named
    from handful.bots.best import plays_as

    if against is not None and store is not None:
        raise typer.BadParameter("a comparison is not kept; leave out --store, or --against", param_hint="--store")
    player = player_named(bot)
    other = None if against is None else player_named(against)
    chosen = rules_from(players, variant, rules, seed)
    parsed = parse_seed(seed)
    how: dict[str, Any] = {
        "games": games,
        "seed": parsed.number,
        "rules": chosen,
        "players": chosen.players,
        "workers": workers,
        "dask": dask,
        "repeat": repeat,
        "deal": None if parsed.live is None else deal_from(seed, chosen),
    }
    prepare_kernels()
    if other is None:
        result, stands_for = _simulation(player, store, how), plays_as(player, chosen)
        alias = {} if stands_for is None else {"plays_as": stands_for}
        print_json(result.to_dict() | alias) if as_json else print_simulation(result, stands_for)
    else:
        comparison = _comparison(player, other, how)
        print_json(comparison.to_dict()) if as_json else print_comparison(comparison)


def _simulation(player: Player, path: Path | None, how: dict[str, Any]) -> Simulation:
    """Return the result of a bot's games, which may go on from those of a store."""
    from handful.lab import simulate as run_simulation

    kept: AbstractContextManager[Store | None] = nullcontext() if path is None else resumable(path)
    title = f"{player.name}, {how['players']} players"
    with kept as store, progress_bar(title, how["games"]) as advance:
        return run_simulation(player, **how, store=store, on_progress=advance)


def _comparison(player: Player, other: Player, how: dict[str, Any]) -> Comparison:
    """Return the result of two bots' games on the same deals."""
    from handful.lab.compare import compare

    title = f"{player.name} against {other.name}, {how['players']} players"
    with progress_bar(title, 2 * how["games"]) as advance:
        return compare(player, other, **how, on_progress=advance)
