"""`handful simulate`: many games of a bot with itself, alone or compared with another bot on the same deals."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handful.cli.shared.options import (
    DaskOption,
    GamesOption,
    JsonOption,
    PlayersOption,
    RepeatOption,
    RulesOption,
    SeedOption,
    VariantOption,
    WorkersOption,
    deal_from,
    option,
    parse_many,
    parse_seed,
    rules_from,
)
from handful.cli.shared.output import console, figures, listing, mean_text, print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar, resumable

if TYPE_CHECKING:
    from rich.table import Table

    from handful.bots.players import Player
    from handful.lab import Simulation
    from handful.lab.compare import Comparison
    from handful.lab.store import Store

BAR_WIDTH = 40
CONFIDENCE = "± and ( to ): 95 % confidence"


def simulate(
    bot: Annotated[str, option("--bot -b NAME", "A name that `handful bots` lists.")] = "random",
    against: Annotated[str | None, option("--against NAME", "Compare with this bot, on the same deals.")] = None,
    players: PlayersOption = None,
    games: GamesOption = 10_000,
    variant: VariantOption = None,
    seed: SeedOption = "0",
    rules: RulesOption = "hanab-live",
    workers: WorkersOption = None,
    dask: DaskOption = None,
    repeat: RepeatOption = 1,
    store: Annotated[
        Path | None, option("--store FILE", "Keep finished games in this file, and take from it those that are there.")
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
    if parsed.live is None:
        parse_many(seed, ", or a seed of hanab.live")
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


# As a person reads it


def print_simulation(result: Simulation, plays_as: str | None = None) -> None:
    """Print a result: its figures and its histogram; `plays_as` is the bot that an alias stands for."""
    console().print(summary_table(result, plays_as))
    console().print(histogram_table(result))


def print_comparison(comparison: Comparison) -> None:
    """Print two results side by side, and which of the two is better."""
    console().print(comparison_table(comparison))
    console().print(f"{comparison.sentence}.", soft_wrap=True)


def summary_table(result: Simulation, plays_as: str | None = None) -> Table:
    """Return the figures of a result."""
    alias = {} if plays_as is None else {"plays as": plays_as}
    return figures(_title(result, result.bot), (alias | _figures(result)).items(), CONFIDENCE)


def comparison_table(comparison: Comparison) -> Table:
    """Return the figures of two results, side by side, and the differences between them."""
    first, second = comparison.first, comparison.second
    seconds = _figures(second)
    rows = [(name, value, seconds[name]) for name, value in _figures(first).items()]
    table = listing(("", first.bot, second.bot), rows, title=_title(first, f"{first.bot} against {second.bot}"))
    table.add_section()
    half = (comparison.difference_ci95[1] - comparison.difference_ci95[0]) / 2
    low, high = comparison.perfect_difference_ci95
    table.add_row("difference in the mean", f"{comparison.difference:+.3f} ± {half:.3f}")
    table.add_row("in perfect games", f"{comparison.perfect_difference:+.2%}   ({low:+.2%} to {high:+.2%})")
    table.add_row("deals won by", f"{comparison.wins:,}", f"{comparison.losses:,}   (and {comparison.ties:,} tied)")
    table.caption = f"{CONFIDENCE}, of differences on the same deals"
    return table


def _title(result: Simulation, who: str) -> str:
    return f"{who}, {result.players} players, {result.variant}"


def _figures(result: Simulation) -> dict[str, str]:
    """Return the figures of a result as text, by name."""
    (low, high), mean = result.perfect_ci95, mean_text(result.mean, result.mean_ci95)
    deals = f"seed {result.seed}" + (f", each deal {result.repeat} times" if result.repeat > 1 else "")
    return {
        "games": f"{result.games:,} ({deals})",
        **({"rules": result.rules} if result.rules else {}),
        "mean score": f"{mean}   (sd {result.sd:.2f}, {result.min} to {result.max})",
        "perfect games": f"{result.perfect:.2%}   ({low:.2%} to {high:.2%})",
        "struck out": f"{result.strikeouts / result.games:.2%}",
        "turns a game": f"{result.turns:.1f}",
        "time": f"{result.seconds:.2f} s ({result.cpu_seconds:.2f} s CPU), "
        f"{result.games_per_second:,.0f} games a second",
    }


def histogram_table(result: Simulation) -> Table:
    """Return how often each score came, as bars."""
    most, scores = max(result.histogram), range(result.min, result.max + 1)
    rows = ((str(score), _bar(result.histogram[score] / most), f"{result.histogram[score]:,}") for score in scores)
    return listing((">", "", ">"), rows, box=None, show_header=False, padding=(0, 1))


def _bar(share: float) -> str:
    """Return a bar of blocks, in eighths of a character."""
    eighths = round(share * BAR_WIDTH * 8)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]
