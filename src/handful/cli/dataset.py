"""`handful dataset`: the games of bots, turn by turn, for learning from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from handful.cli.shared.options import (
    GamesOption,
    JsonOption,
    PlayersOption,
    RulesOption,
    VariantOption,
    WorkersOption,
    option,
    parse_many,
    positive_number,
    rules_from,
    seated,
)
from handful.cli.shared.output import console, figures, print_json
from handful.cli.shared.progress import goes_on_from, prepare_kernels, progress_bar

if TYPE_CHECKING:
    from handful.envs.dataset import DatasetSummary


def dataset(
    out: Annotated[Path, option("--out -o DIR", "The folder to write to.")],
    bot: Annotated[list[str], option("--bot -b NAME", "A name that `handful bots` lists; repeat it, one a seat.")],
    players: PlayersOption = None,
    games: GamesOption = 10_000,
    variant: VariantOption = None,
    rules: RulesOption = "hanab-live",
    seed: Annotated[str, option("--seed -s S", "A number: which deals.")] = "0",
    reward: Annotated[str, option("--reward NAME", "What the return adds up: score, perfect or shaped.")] = "score",
    format: Annotated[str, option("--format NAME", "npz (NumPy) or parquet.")] = "npz",  # noqa: A002
    shard_games: Annotated[int, option("--shard-games N", "Games in each file.", positive_number)] = 1000,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the games of bots as a dataset: observation, legal actions, action and return of every turn.

    The folder gets a file for every thousand games and dataset.json, which says what is in them. The same command goes
    on where it was interrupted, and with more --games it adds to what is there. docs/environments.md has the columns.

    Example: handful dataset --bot hat --players 5 --games 100000 --out hat-games

    Example: handful dataset --bot rules --bot random --games 2000 --format parquet --out mixed
    """
    from handful.envs.dataset import write_dataset

    number = parse_many(seed)
    if players is None and len(bot) > 1:
        players = len(bot)
    chosen = rules_from(players, variant, rules)
    at_table = seated(bot, chosen.players)
    prepare_kernels()
    title = f"{', '.join(dict.fromkeys(each.name for each in at_table))} → {out}"
    with goes_on_from(out), progress_bar(title, games) as advance:
        summary = write_dataset(
            out,
            at_table[:1] if len(bot) == 1 else at_table,
            games=games,
            rules=chosen,
            seed=number,
            reward=reward,
            format=format,
            shard_games=shard_games,
            workers=workers,
            on_progress=advance,
        )
    print_json(summary.to_dict()) if as_json else _print_summary(summary)


def _print_summary(summary: DatasetSummary) -> None:
    found = f", {summary.shards_found:,} of them were there" if summary.shards_found else ""
    rows = [
        ("bots", f"{', '.join(summary.bots)}, {summary.players} players, {summary.variant}"),
        *([("rules", summary.rules)] if summary.rules else []),
        ("games", f"{summary.games:,} (seed {summary.seed}), mean score {summary.mean_score:.3f}"),
        ("files", f"{summary.shards:,} ({summary.format}, {summary.megabytes:,.1f} MB){found}"),
        ("rows", f"{summary.rows:,}, a row for each turn"),
        ("observation", f"{summary.observation_size} numbers"),
        ("actions", f"{summary.num_actions}"),
        ("return", f"reward {summary.reward}, from the turn to the end of the game"),
        ("time", f"{summary.seconds:.2f} s ({summary.cpu_seconds:.2f} s CPU)"),
    ]
    console().print(figures(summary.out, rows))
