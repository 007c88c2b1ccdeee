"""What users write for a game that lies elsewhere, its number or a link to it, and where the site is."""

from __future__ import annotations

import os
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from handful.errors import HandfulError, RecordError, shown

HANAB_LIVE = "https://hanab.live"
ITS_NAMES = ("hanab.live", "www.hanab.live", "hanabi.live", "www.hanabi.live")
SETTING = "HANDFUL_SITE"
LARGEST_GAME = 2**31 - 1
LOOPBACK = ("127.0.0.1", "localhost", "::1")

_NUMBER = re.compile(r"#?([0-9]{1,20})", re.ASCII)
_LINK = re.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>[^/\s?#]+)/(?:shared-)?replay/(?P<id>[0-9]{1,20})/?(?:\?[^#\s]*)?"
    r"(?:#(?P<turn>[0-9]{0,9}))?",
    re.IGNORECASE | re.ASCII,
)


class GameAddress(NamedTuple):
    """A game by its number, and the turn at which its link opens it (None: none said). `site` is empty for any."""

    number: int
    turn: int | None = None
    site: str = ""


def is_game_address(text: str) -> bool:
    """Whether a text is a number of a game, or a link with one, as far as it looks.

    >>> [is_game_address(text) for text in ("1874799", "hanab.live/replay/12#3", "game.json", "p2v0s40")]
    [True, True, False, False]
    """
    text = text.strip()
    return bool(_NUMBER.fullmatch(text) or _LINK.fullmatch(text))


def game_address(text: str) -> GameAddress:
    """Return the game that a number or a link means.

    >>> game_address("https://hanab.live/shared-replay/1874799#17")
    GameAddress(number=1874799, turn=17, site='https://hanab.live')
    """
    text = text.strip()
    if number := _NUMBER.fullmatch(text):
        return GameAddress(_checked(int(number[1])))
    link = _LINK.fullmatch(text)
    if link is None:
        raise RecordError(f"{shown(text)} is no game: expected its number, or a link such as {HANAB_LIVE}/replay/1234")
    host = link["host"].lower()
    site = HANAB_LIVE if host in ITS_NAMES else f"{(link['scheme'] or 'https').lower()}://{host}"
    return GameAddress(_checked(int(link["id"])), int(link["turn"]) if link["turn"] else None, site)


def _checked(number: int) -> int:
    if not 1 <= number <= LARGEST_GAME:
        raise RecordError(f"game {number}: expected a number of 1 to {LARGEST_GAME:,}")
    return number


def site_address(given: str | None = None) -> str:
    """Return where games are asked for: what is given, or what HANDFUL_SITE says, or hanab.live.

    >>> site_address("localhost:8000/"), site_address("HTTPS://Example.org/hanabi")
    ('http://localhost:8000', 'https://example.org/hanabi')
    """
    text = (given or os.environ.get(SETTING) or HANAB_LIVE).strip()
    what = "--site" if given else SETTING
    try:
        host = urlsplit(text if "://" in text else f"//{text}").hostname
        scheme = "http" if host in LOOPBACK else "https"
        parts = urlsplit(text if "://" in text else f"{scheme}://{text}")
        port = parts.port  # which reads it
    except ValueError:
        parts = None
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or not text.isprintable():
        raise HandfulError(f"{what} {shown(text)}: expected an address such as {HANAB_LIVE} or http://localhost:8000")
    if parts.query or parts.fragment or parts.username or " " in text:
        raise HandfulError(f"{what} {shown(text)}: expected an address without a user, a query or a fragment")
    shown_host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{shown_host}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"


def is_loopback(site: str) -> bool:
    """Whether a site is on this machine.

    >>> is_loopback("http://127.0.0.1:8000"), is_loopback(HANAB_LIVE)
    (True, False)
    """
    return urlsplit(site).hostname in LOOPBACK


def host_of(site: str) -> str:
    """Return the name of a site, as messages have it.

    >>> host_of("https://hanab.live"), host_of("http://127.0.0.1:8000/x")
    ('hanab.live', '127.0.0.1:8000')
    """
    return urlsplit(site).netloc
