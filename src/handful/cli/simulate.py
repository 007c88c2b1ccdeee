"""`handful simulate`: many games of a bot with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.options import (
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
from handful.cli.output import console, print_json
from handful.cli.progress import prepare_kernels, progress_bar

if TYPE_CHECKING:
    from rich.table import Table

    from handful.lab import Simulation

BAR_WIDTH = 40


def simulate(
    bot: Annotated[
        str, typer.Option("--bot", "-b", metavar="NAME", help="A name that `handful bots` lists.")
    ] = "random",
    players: PlayersOption = None,
    games: GamesOption = 10_000,
    variant: VariantOption = None,
    seed: SeedOption = "0",
    rules: RulesOption = "hanab-live",
    workers: WorkersOption = None,
    repeat: RepeatOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Play many games of a bot with itself: average, perfect games, histogram.

    The same seed gives the same result, on any number of cores. With a seed of hanab.live all games are on its deal.

    Example: handful simulate --bot random --players 3 --games 100000
    """
    from handful.bots import player_named
    from handful.lab import simulate as run_simulation

    player = player_named(bot)
    chosen = rules_from(players, variant, rules, seed)
    parsed = parse_seed(seed)
    deal = None if parsed.live is None else deal_from(seed, chosen)
    prepare_kernels()
    with progress_bar(f"{player.name}, {chosen.players} players", games) as advance:
        result = run_simulation(
            player,
            players=chosen.players,
            games=games,
            seed=parsed.number,
            rules=chosen,
            workers=workers,
            repeat=repeat,
            deal=deal,
            on_progress=advance,
        )
    if as_json:
        print_json(result.to_dict())
    else:
        print_simulation(result)


def print_simulation(result: Simulation) -> None:
    """Print a result as a person reads it."""
    console().print(summary_table(result))
    console().print(histogram_table(result))


def summary_table(result: Simulation) -> Table:
    """Return the figures of a result."""
    from rich.table import Table

    half = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
    low, high = result.perfect_ci95
    deals = f"seed {result.seed}" + (f", each deal {result.repeat} times" if result.repeat > 1 else "")
    table = Table(
        title=f"{result.bot}, {result.players} players, {result.variant}", show_header=False, title_style="bold"
    )
    table.add_row("games", f"{result.games:,} ({deals})")
    if result.rules:
        table.add_row("rules", result.rules)
    table.add_row("mean score", f"{result.mean:.3f} ± {half:.3f}   (sd {result.sd:.2f}, {result.min} to {result.max})")
    table.add_row("perfect games", f"{result.perfect:.2%}   ({low:.2%} to {high:.2%})")
    table.add_row("struck out", f"{result.strikeouts / result.games:.2%}")
    table.add_row("turns a game", f"{result.turns:.1f}")
    table.add_row(
        "time",
        f"{result.seconds:.2f} s ({result.cpu_seconds:.2f} s CPU), {result.games_per_second:,.0f} games a second",
    )
    table.caption = "± and ( to ): 95 % confidence"
    return table


def histogram_table(result: Simulation) -> Table:
    """Return how often each score came, as bars."""
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 1))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    most = max(result.histogram)
    for score in range(result.min, result.max + 1):
        times = result.histogram[score]
        table.add_row(str(score), _bar(times / most), f"{times:,}")
    return table


def _bar(share: float) -> str:
    """Return a bar of blocks, in eighths of a character."""
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]
