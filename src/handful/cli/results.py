"""`handful results`: what the store holds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from handful.cli.shared.options import JsonOption, StoreOption, VariantOption, option, positive_number, whole_number
from handful.cli.shared.output import console, counted, listing, mean_text, print_json, share_text
from handful.errors import HandfulError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from handful.lab.store import StoredResult


def results(
    bot: Annotated[str | None, option("--bot -b TEXT", "Bots with this text in their name.")] = None,
    players: Annotated[int | None, option("--players -p P", "Games of so many players.", whole_number)] = None,
    variant: VariantOption = None,
    seed: Annotated[int | None, option("--seed -s S", "Games of this seed.", whole_number)] = None,
    games: Annotated[int, option("--games -n G", "Results of at least so many games.", positive_number)] = 1,
    store: StoreOption = None,
    csv: Annotated[Path | None, option("--csv FILE", "Write them as CSV; - is standard output.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the results that are stored by sweep, tune and simulate.

    Each line is an experiment, with all its games that are finished so far; no game counts twice.

    Example: handful results --bot rules --players 3 --csv rules.csv
    """
    from handful.hanabi.variants import variant_named
    from handful.lab.store import default_path, open_store

    name = None if variant is None else variant_named(variant).name
    path = default_path() if store is None else store
    if store is not None and not store.exists():
        raise HandfulError(f"--store {store}: there is no such file")
    found: list[StoredResult] = []
    if path.exists():
        with open_store(path) as kept:
            found = kept.results(bot, players, name, seed, games)
    if csv is not None:
        _write_csv(found, csv)
    if as_json:
        print_json([result.to_dict() for result in found])
    elif csv is None and found:
        print_results(found)
    elif csv is None:
        console().print(f"No such results in {path}.")
    elif str(csv) != "-":
        console().print(f"{counted(len(found), 'result')} in {csv}.")


def _write_csv(found: Sequence[StoredResult], target: Path) -> None:
    import io

    from handful._files import write_whole
    from handful.lab.store import write_csv

    if str(target) == "-":
        write_csv(found, sys.stdout)
        return
    text = io.StringIO()
    write_csv(found, text)
    write_whole(target, text.getvalue().encode())


def print_results(found: Sequence[StoredResult]) -> None:
    """Print the results as a person reads them: a table for each game that was played."""
    tables: dict[tuple[int, str, str], list[StoredResult]] = {}
    for result in found:
        tables.setdefault((result.players, result.variant, result.rules), []).append(result)
    for (players, variant, rules), rows in sorted(tables.items()):
        heading = f"{counted(players, 'player')}, {variant}{'; rules: ' if rules else ''}{rules}"
        console().print(heading, style="bold")
        console().print(results_table(rows))
    old = any(not _is_current(result) for result in found)
    note = ".   *: played by another version of the code, and not used any more" if old else ""
    console().print(f"± and ( to ): 95 % confidence{note}")


def results_table(rows: Sequence[StoredResult]) -> Table:
    """Return the results of one game, a row for each experiment."""
    table = listing(("bot", ">seed", ">games", ">mean score", ">perfect games", ">finished (UTC)"))
    table.columns[0].overflow = "fold"
    for column in table.columns[2:]:
        column.no_wrap = True
    for result in rows:
        repeats = f" ×{result.repeat}" if result.repeat > 1 else ""
        table.add_row(
            result.bot,
            (f"deal {result.deal}" if result.deal else str(result.seed)) + repeats,
            f"{result.games:,}{'' if _is_current(result) else '*'}",
            mean_text(result.mean, result.mean_ci95),
            share_text(result.perfect, result.perfect_ci95),
            result.finished_at[:16].replace("T", " "),
        )
    return table


def _is_current(result: StoredResult) -> bool:
    """Whether the code that played a result is the code that would play it now."""
    from handful.bots.players import REGISTER
    from handful.lab.store import code_version

    entry = REGISTER.get(result.bot.partition("(")[0])
    return entry is not None and code_version(entry) == result.code
