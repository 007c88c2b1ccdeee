"""The games of a history: those that a site has of players, or those of files; the oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from handful.errors import HandfulError, NotationError
from handful.hanabi.live.archives import StoredGame, stored_games
from handful.hanabi.live.links import is_file, is_link, record_from_link
from handful.hanabi.live.records import Record
from handful.hanabi.live.site import GameRow, Site
from handful.hanabi.live.site.cache import unpacked
from handful.hanabi.live.site.rows import is_known_variant
from handful.lab.history import Given


def games_of_rows(site: Site, rows: Sequence[GameRow]) -> list[Given]:
    """Return the games of a list that were fetched, and why the others were not. Nothing is asked of the site here."""
    packed = site.cache.packed_games(site.address, [row.id for row in rows])
    given = []
    for row in sorted(rows, key=lambda row: row.id):
        text = unpacked(packed[row.id]) if row.id in packed else None
        if text is not None:
            game = StoredGame(f"game {row.id}", text.encode())
        elif not is_known_variant(row.variant):
            game = StoredGame(f"game {row.id}", error=f"game {row.id}: the variant {row.variant!r} is not supported")
        else:
            game = StoredGame(f"game {row.id}", error=f"game {row.id}: it was not fetched")
        given.append(Given(game, row.date))
    return given


def games_of_files(names: Sequence[str | Record | StoredGame]) -> list[Given]:
    """Return the games of files, folders, archives and links, in their order; those that are games already stay."""
    given = [Given(game) for name in names for game in _games_named(name)]
    if not given:
        said = ", ".join(name for name in names if isinstance(name, str))
        raise NotationError(f"{said}: no games, expected records, archives or folders of them")
    return given


def _games_named(given: str | Record | StoredGame) -> Iterator[StoredGame]:
    if not isinstance(given, str):
        yield given if isinstance(given, StoredGame) else StoredGame("", made=given)
        return
    path, name = Path(given), given
    if is_link(name) and not is_file(name):
        try:
            yield StoredGame(name, made=record_from_link(name))
        except HandfulError as error:
            yield StoredGame(name, error=str(error))
        return
    try:
        yield from stored_games(path)
    except (OSError, ValueError) as error:  # a name that is too long, or has a zero byte
        yield StoredGame(name, error=f"{name!r} cannot be read: {getattr(error, 'strerror', None) or error}")
