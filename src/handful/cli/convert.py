"""`handful convert`: records, JSON lines, links and datasets, from one into the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handful.cli.shared.fetching import OfflineOption, SiteOption, opened_site
from handful.cli.shared.options import JsonOption, option
from handful.cli.shared.output import complain, console, counted, print_json
from handful.cli.shared.progress import growing_bar
from handful.errors import HandfulError, NotationError

if TYPE_CHECKING:
    from handful.hanabi.live.archives import StoredGame
    from handful.hanabi.live.site import Site

MOST_COMPLAINTS = 5


def convert(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|LINK|ID|DIR",
            help="Records, JSON lines, links, numbers of games, datasets, archives and folders of them.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        option(
            "--out -o FILE", "Where to: .json, .jsonl, .txt (links), .parquet, each but the last also .gz; or a folder."
        ),
    ] = None,
    licence: Annotated[str, option("--licence TEXT", "The licence, which is kept beside a dataset.")] = "",
    source: Annotated[str, option("--source TEXT", "Where the games are from, which is kept beside a dataset.")] = "",
    bare: Annotated[bool, option("--bare", "Leave out notes, characters, numbers of games and clocks.")] = False,
    site: SiteOption = None,
    offline: OfflineOption = False,
    as_json: JsonOption = False,
) -> None:
    """Turn games into another form: JSON, JSON lines, links, or a compact dataset (Parquet).

    What a form cannot say is refused by name, and the other games go on; the exit code is 2 only if nothing is left. A
    dataset has a row for each game, and FILE.json beside it, with its licence and source. From Python, load_games of
    handful.hanabi.live reads it, and every other form.

    Example: handful convert records/ --out games.jsonl.gz

    Example: handful convert games.jsonl.gz --out games.parquet --licence CC0 --source "our own games"

    Example: handful convert game.json --out links.txt
    """
    from handful.hanabi.live.conversion import convert as convert_games

    if not inputs:
        raise NotationError("there is nothing to convert: expected files, links, numbers of games or folders")
    if out is None:
        raise NotationError("expected --out FILE: a name that ends in .json, .jsonl, .txt or .parquet, or a folder")
    if not out.resolve().parent.is_dir():
        raise NotationError(f"--out {out}: there is no directory {out.parent}")
    with growing_bar(f"→ {out}") as show:
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            show(done, done)

        found = convert_games(
            _all_games(inputs, site, offline),
            out,
            licence=licence,
            source=source,
            is_bare=bare,
            on_progress=advance,
        )
    for error in found.errors[:MOST_COMPLAINTS]:
        complain(error)
    if len(found.errors) > MOST_COMPLAINTS:
        complain(f"and {len(found.errors) - MOST_COMPLAINTS} more that cannot be converted")
    if not found.games:
        raise HandfulError(f"no game was converted, and {out} was not written")
    if as_json:
        print_json(found.to_dict())
    else:
        console().print(f"{counted(found.games, 'game')} → {found.out} ({found.form})", soft_wrap=True)


def _all_games(inputs: Sequence[str], address: str | None, offline: bool) -> Iterator[StoredGame]:
    """Yield all games that are given; those that are given by their numbers come first."""
    from handful.hanabi.live.addresses import is_game_address
    from handful.hanabi.live.conversion import games_named
    from handful.hanabi.live.links import is_file

    numbers = [given for given in inputs if is_game_address(given) and not is_file(given)]
    if numbers:
        with opened_site(address, offline) as site:
            yield from (_fetched(given, site) for given in numbers)
    for given in inputs:
        if given not in numbers:
            yield from games_named(given)


def _fetched(given: str, site: Site) -> StoredGame:
    from handful.errors import RecordError
    from handful.hanabi.live.archives import StoredGame
    from handful.hanabi.live.site import NotThereError, game_given

    try:
        return StoredGame(given, made=game_given(given, site))
    except (NotThereError, RecordError) as error:
        return StoredGame(given, error=str(error))
