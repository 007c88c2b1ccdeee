"""`handful sweep` and `handful tune`: a bot under every combination of some settings, and a search for the best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.options import (
    DaskOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    StoreOption,
    VariantOption,
    WorkersOption,
    option,
    positive_number,
    rules_from,
    whole_number,
)
from handful.cli.shared.output import console, counted, listing, mean_text, print_json, share_text
from handful.cli.shared.progress import live_view, prepare_kernels, resumable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from handful.lab.tuning.sweep import Row, Sweep
    from handful.lab.tuning.tune import Attempt, Tuning

LIVE_ROWS, LIVE_TRIALS = 12, 10  # shown while it goes on


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What to sweep.")],
    store: StoreOption = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    plot: Annotated[
        Path | None, option("--plot FILE", "Draw the results, to a file that ends in .png or .svg.")
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
    first = swept.points[0]
    rules = first.rules.options_text()
    table = listing(
        [*(f">{axis.name}" for axis in swept.axes), ">mean score", ">perfect games", ">struck out"],
        title=swept.name or f"{first.player.name.partition('(')[0]}, {first.rules.variant.name}",
        caption=f"{swept.games:,} games each, seed {swept.seed}{'; rules: ' if rules else ''}{rules}; 95 % confidence",
    )
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


def tune(
    bot: Annotated[
        str, option("--bot -b NAME", "A bot with settings; those that are given with it stay as they are.")
    ] = "rules",
    players: PlayersOption = None,
    objective: Annotated[
        str, option("--objective WHAT", "What to make large: mean (score) or perfect (games).")
    ] = "mean",
    trials: Annotated[int, option("--trials T", "How many settings to try.", positive_number)] = 200,
    games: Annotated[int, option("--games -n G", "How many games for each trial.", positive_number)] = 2_000,
    final_games: Annotated[
        int, option("--final-games G", "How many for the best ones, on fresh deals.", positive_number)
    ] = 20_000,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    seed: Annotated[int, option("--seed -s S", "A number.", whole_number)] = 0,
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
    best = sorted(attempts, key=lambda attempt: -attempt.value)[:LIVE_TRIALS]
    rows = ((str(attempt.number), attempt.bot, f"{attempt.value:.4f}") for attempt in best)
    return listing((">trial", "bot", ">value"), rows, title=f"best of {len(attempts)} trials")


def print_tuning(result: Tuning) -> None:
    """Print a result as a person reads it."""
    best = result.best
    table = listing(
        ("", "bot", ">mean score", ">perfect games"),
        title=f"{result.bot}, {best.players} players, {best.variant}: {result.objective} of {result.trials} trials",
        caption=f"{best.games:,} games each on fresh deals; 95 % confidence",
    )
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
