"""`handful dataset`: the games of bots, turn by turn, for learning from them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.options import (
    GamesOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    VariantOption,
    WorkersOption,
    parse_seed,
    positive_number,
    rules_from,
    seated,
)
from handful.cli.shared.output import complain, console, print_json
from handful.cli.shared.progress import prepare_kernels, progress_bar
from handful.errors import NotationError

if TYPE_CHECKING:
    from handful.envs.dataset import DatasetSummary


def dataset(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write to.")],
    bot: Annotated[
        list[str],
        typer.Option("--bot", "-b", metavar="NAME", help="A name that `handful bots` lists; repeat it, one a seat."),
    ],
    players: PlayersOption = None,
    games: GamesOption = 10_000,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    seed: Annotated[str, typer.Option("--seed", "-s", metavar="S", help="A number: which deals.")] = "0",
    reward: Annotated[
        str, typer.Option("--reward", metavar="NAME", help="What the return adds up: score, perfect or shaped.")
    ] = "score",
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="npz (NumPy) or parquet.")] = "npz",  # noqa: A002
    shard_games: Annotated[
        int, typer.Option("--shard-games", parser=positive_number, metavar="N", help="Games in each file.")
    ] = 1000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the games of bots as a dataset: observation, legal actions, action and return of every turn.

    The folder gets a file for every thousand games and dataset.json, which says what is in them. The same command goes
    on where it was interrupted, and with more --games it adds to what is there. docs/environments.md has the columns.

    Example: handful dataset --bot hat --players 5 --games 100000 --out hat-games

    Example: handful dataset --bot rules --bot random --games 2000 --format parquet --out mixed
    """
    from handful.cli.main import INTERRUPTED
    from handful.envs.dataset import write_dataset

    parsed = parse_seed(seed)
    if parsed.live is not None or parsed.game:
        raise NotationError(f"--seed {seed} is a single deal: expected a number")
    if players is None and len(bot) > 1:
        players = len(bot)
    chosen = rules_from(players, variant, rules)
    at_table = seated(bot, chosen.players)
    prepare_kernels()
    with progress_bar(f"{', '.join(dict.fromkeys(each.name for each in at_table))} → {out}", games) as advance:
        try:
            summary = write_dataset(
                out,
                at_table[:1] if len(bot) == 1 else at_table,
                games=games,
                rules=chosen,
                seed=parsed.number,
                reward=reward,
                format=format,
                shard_games=shard_games,
                workers=workers,
                on_progress=advance,
            )
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                print(file=sys.stderr)  # terminals leave ^C at the end of a line
            complain(f"interrupted. What is finished is kept in {out}: the same command goes on from there")
            raise typer.Exit(INTERRUPTED) from None
    print_json(summary.to_dict()) if as_json else _print_summary(summary)


def _print_summary(summary: DatasetSummary) -> None:
    from rich.table import Table

    table = Table(title=summary.out, title_style="bold", show_header=False)
    table.add_row("bots", f"{', '.join(summary.bots)}, {summary.players} players, {summary.variant}")
    if summary.rules:
        table.add_row("rules", summary.rules)
    table.add_row("games", f"{summary.games:,} (seed {summary.seed}), mean score {summary.mean_score:.3f}")
    found = f", {summary.shards_found:,} of them were there" if summary.shards_found else ""
    table.add_row("files", f"{summary.shards:,} ({summary.format}, {summary.megabytes:,.1f} MB){found}")
    table.add_row("rows", f"{summary.rows:,}, a row for each turn")
    table.add_row("observation", f"{summary.observation_size} numbers")
    table.add_row("actions", f"{summary.num_actions}")
    table.add_row("return", f"reward {summary.reward}, from the turn to the end of the game")
    table.add_row("time", f"{summary.seconds:.2f} s ({summary.cpu_seconds:.2f} s CPU)")
    console().print(table)
