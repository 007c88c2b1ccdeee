"""The games of a site, each asked for once: by number, of players, on a seed; from the cache where it has them.

>>> site = Site(is_offline=True, cache_file=Path("nowhere") / "games.sqlite")
Traceback (most recent call last):
handful.errors.HandfulError: cache of games nowhere/games.sqlite: there is no directory nowhere
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from handful.errors import HandfulError, NotationError, RecordError, shown
from handful.hanabi.live.addresses import HANAB_LIVE, GameAddress, game_address, host_of, site_address
from handful.hanabi.live.records import Record, read_record
from handful.hanabi.live.seeds import parse_live_seed
from handful.hanabi.live.site.cache import open_cache
from handful.hanabi.live.site.rows import GameRow, Page, Wanted, is_known_variant, read_page
from handful.hanabi.live.site.transport import (
    NotThereError,
    Politeness,
    SiteError,
    Transport,
    UnreachableError,
    check_httpx,
)

PAGE_SIZE = 100
MOST_NAMES = 6
MAX_NAME = 100

OnRows = Callable[[int, int], None]


class Site:
    """A site with games, and the cache of what it has answered. Use it as a context manager, or `close` it.

    `address` is hanab.live, if neither it nor HANDFUL_SITE says otherwise. Offline, only the cache answers. `on_wait`
    is told when the site makes us wait: why, and for how many seconds.

    Everything is in the cache the moment it has come: who is interrupted, even killed, goes on from there.
    """

    def __init__(
        self,
        address: str | None = None,
        cache_file: Path | None = None,
        is_offline: bool = False,
        politeness: Politeness | None = None,
        on_wait: Callable[[str, float], None] | None = None,
    ) -> None:
        self.address = site_address(address)
        self.is_offline = is_offline
        self._transport = Transport(self.address, politeness, on_wait)
        self.cache = open_cache(cache_file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection and of the cache."""
        self._transport.close()
        self.cache.close()

    @property
    def requests(self) -> int:
        """How often the site was asked so far."""
        return self._transport.requests

    def link(self, number: int, turn: int | None = None) -> str:
        """Return the address at which the site shows a game, opened at a turn."""
        return f"{self.address}/replay/{number}" + ("" if turn is None else f"#{turn}")

    # A game

    def text(self, number: int) -> str:
        """Return a game as the site's JSON."""
        known = self.cache.game(self.address, number)
        if known is not None:
            return known
        host = host_of(self.address)
        if since := self.cache.missing_since(self.address, number):
            raise NotThereError(f"{host} has no game {number}, as it said on {since[:16].replace('T', ' at ')} (UTC)")
        self._check_online(f"game {number} is not in {self.cache.label}")
        try:
            answer = self._transport.get(f"/export/{number}")
        except NotThereError:
            self.cache.add_missing(self.address, number)
            raise NotThereError(f"{host} has no game {number}") from None
        _check_export(answer, number, host)
        self.cache.add_game(self.address, number, answer)
        kept = self.cache.game(self.address, number)
        assert kept is not None, "what was just written can be read"
        return kept

    def record(self, number: int) -> Record:
        """Return a game; what cannot be played by here is refused by name."""
        text = self.text(number)
        try:
            return read_record(text)
        except HandfulError as error:
            raise RecordError(f"game {number}: {error}") from error

    # Lists of games

    def games_of(
        self, names: Sequence[str], wanted: Wanted | None = None, on_rows: OnRows | None = None
    ) -> list[GameRow]:
        """Return the games that all these players were in, the newest first, as the site's lists have them.

        `on_rows` is told how many rows there are so far, of how many.
        """
        given = list(dict.fromkeys(name.strip() for name in names))
        if not 1 <= len(given) <= MOST_NAMES:
            raise NotationError(f"{len(given)} players: expected 1 to {MOST_NAMES}")
        for name in given:
            if not name or len(name) > MAX_NAME or not name.isprintable() or name in (".", ".."):
                raise NotationError(f"player {shown(name)}: expected a name")
        path = "/api/v1/history/" + "/".join(quote(name, safe="") for name in given)
        key = "history/" + "/".join(sorted(name.lower() for name in given))
        return self._list(key, path, wanted or Wanted(), on_rows)

    def games_on(self, seed: str, wanted: Wanted | None = None, on_rows: OnRows | None = None) -> list[GameRow]:
        """Return the games that were played on a seed, the newest first."""
        text = parse_live_seed(seed.strip()).text
        return self._list(f"seed/{text}", f"/api/v1/seed/{quote(text, safe='')}", wanted or Wanted(), on_rows)

    def _list(self, key: str, path: str, wanted: Wanted, on_rows: OnRows | None) -> list[GameRow]:
        """Return the wanted rows of a list, having asked for what is new in it, or still missing."""
        if not self.is_offline:
            try:
                self._complete(key, path, wanted, on_rows)
            except NotThereError:
                raise NotThereError(f"{host_of(self.address)} has no games at {shown(path)}") from None
            except UnreachableError as error:
                if not self.cache.listed_at(self.address, key):
                    raise
                warnings.warn(f"{error}. What was fetched before is used", stacklevel=3)
        rows = self.cache.rows_of(self.address, key)
        if not rows and not self.cache.listed_at(self.address, key):
            self._check_online(f"the list {shown(path)} is not in {self.cache.label}")
        return wanted.of(rows)

    def _complete(self, key: str, path: str, wanted: Wanted, on_rows: OnRows | None) -> None:
        """Fetch the pages of a list until nothing that is wanted is missing.

        The newest games come first, so that those that are known stand together, behind the new ones: as soon as a page
        has one of them, the next page is that in which they end.
        """
        rows = {row.id: row for row in self.cache.rows_of(self.address, key)}
        front: dict[int, GameRow] = {}  # the newest, with nothing missing between them
        skips, page_number = True, 0
        while True:
            page = self._page(path, page_number)
            is_known = any(row.id in rows for row in page.rows)
            self.cache.add_page(self.address, key, page)
            rows |= {row.id: row for row in page.rows}
            front = rows if is_known and skips else front | {row.id: row for row in page.rows}
            if on_rows is not None:
                on_rows(min(len(rows), page.total), page.total)
            if len(rows) >= page.total:
                return
            numbers = [row.id for row in page.rows]
            skips = skips and numbers == sorted(numbers, reverse=True)
            if skips and numbers and wanted.is_complete(front.values(), front[min(front)]):
                return
            page_number += 1
            if skips and is_known:
                page_number = max(page_number, len(rows) // PAGE_SIZE)
            if page_number * PAGE_SIZE >= page.total or not page.rows:
                if not skips:
                    return  # a game was removed meanwhile: there are no more than these
                skips, page_number, front = False, 0, {}  # something came between: once more, page by page

    def _page(self, path: str, number: int) -> Page:
        answer = self._transport.get(path, size=PAGE_SIZE, page=number)
        try:
            return read_page(answer)
        except RecordError as error:
            raise SiteError(f"{host_of(self.address)}{path}: {error}") from None

    # Many games

    def missing(self, rows: Sequence[GameRow]) -> list[int]:
        """Return the numbers of the games that are not in the cache and can be read here, if they are fetched."""
        known = self.cache.known(self.address)
        return [row.id for row in rows if row.id not in known and is_known_variant(row.variant)]

    def fetch(self, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Fetch games into the cache, one after the other; yield each number, and what is wrong with it, if anything.

        A game that is not there does not stop the others; a site that does not answer does.
        """
        for number in numbers:
            try:
                self.text(number)
            except NotThereError as error:
                yield number, str(error)
            else:
                yield number, ""

    def _check_online(self, what_is_missing: str) -> None:
        if self.is_offline:
            raise SiteError(f"{what_is_missing}, and nothing is asked of {host_of(self.address)} offline")
        check_httpx()


def _check_export(answer: object, number: int, host: str) -> None:
    """Refuse an answer that is no game, so that it is not kept. Whether the game can be played by here is not asked."""
    if not isinstance(answer, dict) or not isinstance(answer.get("players"), list):
        raise SiteError(f"{host} answers {shown(answer)} for game {number}: expected a game, with players and actions")
    if not isinstance(answer.get("actions"), list):
        raise SiteError(f"{host} answers for game {number} without its actions: expected a game")
    if answer.get("id") not in (None, 0, number):
        raise SiteError(f"{host} answers for game {number} with game {shown(answer.get('id'))}")


def game_given(given: str | GameAddress, site: Site | None = None) -> Record:
    """Return the game that a number or a link means, from the cache or from the site; by default, the user's own.

    A link leads to the site that it names: hanab.live, or the one that was chosen. Others are refused, by their name.
    """
    address = game_address(given) if isinstance(given, str) else given
    if site is None:
        with Site() as opened:
            return game_given(address, opened)
    check_same_site(address, site)
    return site.record(address.number)


def check_same_site(address: GameAddress, site: Site) -> None:
    """Refuse a link to another site than the one that is asked."""
    is_default = address.site == HANAB_LIVE
    if address.site and not is_default and host_of(address.site) != host_of(site.address):
        raise RecordError(
            f"the link is of {host_of(address.site)}, and games are fetched from {host_of(site.address)}: "
            f"say --site {address.site} if that is meant"
        )
