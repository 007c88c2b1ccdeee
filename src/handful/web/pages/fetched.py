"""A game of a site by its number or a link, fetched for the page that analyses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from handful.hanabi.live.addresses import game_address, host_of
from handful.hanabi.live.site import Site, game_given
from handful.web.pages.addresses import token_of


@dataclass(frozen=True)
class Fetched:
    """A game that was fetched, as a part of an address (`token`); `turns` are those made where its link opens it."""

    token: str
    number: int
    turns: int | None
    names: tuple[str, ...]


def fetched(text: str, report: Callable[..., None]) -> Fetched:
    """Return the game that a number or a link means, from the cache or from the site; `report` is told of waits."""
    address = game_address(text)
    with Site(on_wait=lambda why, seconds: report(0, 0, f"{why}; trying again in {seconds:.0f} s")) as site:
        report(0, 0, f"Looking for game {address.number} of {host_of(site.address)} …")
        record = game_given(address, site)
    # A link that ends in #T opens the game before turn T.
    turns = None if address.turn is None else max(0, address.turn - 1)
    return Fetched(token_of(record), address.number, turns, record.names)
