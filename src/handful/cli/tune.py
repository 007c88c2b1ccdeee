"""`handful tune`: a search for the best settings of a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.long_run import DaskOption, StoreOption, live_view, mean_text, resumable, share_text
from handful.cli.shared.options import (
    JsonOption,
    PlayersOption,
    RulesOption,
    VariantOption,
    WorkersOption,
    positive_number,
    rules_from,
    whole_number,
)
from handful.cli.shared.output import console, print_json
from handful.cli.shared.progress import prepare_kernels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from handful.lab.tuning.tune import Attempt, Tuning

LIVE_ROWS = 10


def tune(
    bot: Annotated[
        str,
        typer.Option(
            "--bot", "-b", metavar="NAME", help="A bot with settings; those that are given with it stay as they are."
        ),
    ] = "rules",
    players: PlayersOption = None,
    objective: Annotated[
        str, typer.Option("--objective", metavar="WHAT", help="What to make large: mean (score) or perfect (games).")
    ] = "mean",
    trials: Annotated[
        int, typer.Option("--trials", parser=positive_number, metavar="T", help="How many settings to try.")
    ] = 200,
    games: Annotated[
        int, typer.Option("--games", "-n", parser=positive_number, metavar="G", help="How many games for each trial.")
    ] = 2_000,
    final_games: Annotated[
        int,
        typer.Option(
            "--final-games", parser=positive_number, metavar="G", help="How many for the best ones, on fresh deals."
        ),
    ] = 20_000,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    seed: Annotated[int, typer.Option("--seed", "-s", parser=whole_number, metavar="S", help="A number.")] = 0,
    store: StoreOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search for the best settings of a bot, in the ranges that `handful bots` lists.

    All trials play the same deals. The best of them play again on fresh deals (seed S + 1), and the best of those once
    more (seed S + 2): only that last figure is reported, for choosing the best of many flatters. Finished trials are
    kept: a search that is interrupted, even killed, goes on where it stopped.

    Example: handful tune --bot rules --players 3 --objective mean --trials 200 --games 2000 --rules thesis
    """
    from handful.bots.players import player_named
    from handful.lab.tuning.tune import searched_parameters, total_games
    from handful.lab.tuning.tune import tune as run_search

    player = player_named(bot)
    searched_parameters(player)
    chosen = rules_from(players, variant, rules)
    attempts: list[Attempt] = []
    with resumable(store) as kept:
        prepare_kernels()
        total = total_games(trials, games, final_games)
        with live_view(f"{player.name}: {objective}", total, lambda: attempts_table(attempts)) as advance:
            result = run_search(
                player,
                players=chosen.players,
                objective=objective,  # type: ignore[arg-type]  # checked there, by name
                trials=trials,
                games=games,
                final_games=final_games,
                rules=chosen,
                seed=seed,
                workers=workers,
                dask=dask,
                store=kept,
                on_trial=attempts.append,
                on_progress=advance,
            )
    if as_json:
        print_json({**result.to_dict(), "store": str(kept.path)})
    else:
        print_tuning(result)


def attempts_table(attempts: Sequence[Attempt]) -> Table:
    """Return the best attempts so far."""
    from rich.table import Table

    table = Table(title=f"best of {len(attempts)} trials", title_style="bold")
    table.add_column("trial", justify="right")
    table.add_column("bot")
    table.add_column("value", justify="right")
    for attempt in sorted(attempts, key=lambda attempt: -attempt.value)[:LIVE_ROWS]:
        table.add_row(str(attempt.number), attempt.bot, f"{attempt.value:.4f}")
    return table


def print_tuning(result: Tuning) -> None:
    """Print a result as a person reads it."""
    from rich.table import Table

    best = result.best
    table = Table(
        title=f"{result.bot}, {best.players} players, {best.variant}: {result.objective} of {result.trials} trials",
        title_style="bold",
        caption=f"{best.games:,} games each on fresh deals; 95 % confidence",
    )
    table.add_column("")
    table.add_column("bot")
    table.add_column("mean score", justify="right")
    table.add_column("perfect games", justify="right")
    rows = [("best", best), ("start", result.start), *(("finalist", each) for each in result.finalists)]
    for name, each in rows:
        table.add_row(
            name,
            each.bot,
            mean_text(each.mean, each.mean_ci95),
            share_text(each.perfect, each.perfect_ci95),
            style="bold" if name == "best" else None,
            end_section=name == "start",
        )
    console().print(table)
    if best.rules:
        console().print(f"Rules: {best.rules}.")
    console().print(
        f"Best and start: seed {best.seed}, deals that had no part in the choice. Finalists: seed {result.seed + 1}. "
        f"Search: seed {result.seed}, {result.games:,} games in each of {result.trials} trials, "
        f"{result.restored} of which were in the store."
    )
