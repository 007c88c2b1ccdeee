"""Games from a site: the options that say which, and what is seen while they are fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from handful.cli.shared.options import option
from handful.cli.shared.output import complain, counted
from handful.cli.shared.progress import goes_on_from, growing_bar, progress_bar

if TYPE_CHECKING:
    from handful.hanabi.live.site import GameRow, Site, Wanted

LONG_WAIT = 3.0  # seconds, of which a word is said

SiteOption: TypeAlias = Annotated[
    str | None,
    option("--site URL", "Where games are fetched from.  [default: HANDFUL_SITE, or https://hanab.live]"),
]
OfflineOption: TypeAlias = Annotated[
    bool, option("--offline", "Fetch nothing: use the games that were fetched before.")
]
CacheOption: TypeAlias = Annotated[
    Path | None, option("--cache FILE", "Keep what is fetched in this file.  [default: the user's own]")
]


@contextmanager
def opened_site(address: str | None, is_offline: bool, cache: Path | None = None) -> Iterator[Site]:
    """Give the site of these options. Who interrupts is told how it goes on."""
    from handful.hanabi.live.site import Site

    def say(why: str, seconds: float) -> None:
        if seconds >= LONG_WAIT:
            complain(f"{why}; trying again in {seconds:.0f} s")

    with Site(address, cache, is_offline, on_wait=say) as site, goes_on_from(site.cache.path):
        yield site


def listed_games(site: Site, names: Sequence[str], seed: str | None, wanted: Wanted) -> list[GameRow]:
    """Return the games of players, or on a seed, with a bar while their lists are fetched."""
    with growing_bar(f"listing the games {'on ' + seed if seed else 'of ' + ', '.join(names)}") as show:
        return site.games_on(seed, wanted, show) if seed is not None else site.games_of(names, wanted, show)


def fetch_games(site: Site, rows: Sequence[GameRow]) -> list[str]:
    """Fetch the games that are not there yet, with a bar; return what is wrong with those that are not to be had."""
    missing = [] if site.is_offline else site.missing(rows)
    if not missing:
        return []
    errors = []
    with progress_bar(f"fetching {counted(len(missing), 'game')}", len(missing)) as advance:
        for _number, error in site.fetch(missing):
            if error:
                errors.append(error)
            advance(1)
    return errors
