"""Games as pages are given them: a link, JSON or a seed of hanab.live; games and other texts as a part of an address.

The address of an analysis holds the whole game, so that it can be kept, sent and reloaded, also after the server was
started anew: as hanab.live's own link has it where that says everything, otherwise as packed JSON.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from functools import lru_cache

from handful.errors import HandfulError, NotationError, RecordError
from handful.hanabi.live.links import ADDRESS, is_link, link_from_record, record_from_link
from handful.hanabi.live.records import MAX_RECORD_BYTES, Record, read_record
from handful.hanabi.live.seeds import deal_from_live_seed, is_live_seed
from handful.hanabi.notation import NAMES

MAX_TOKEN = 12_000
EXPECTED = "expected a link of hanab.live (…/replay-json/…), a game's JSON, or a seed such as p4v0s415"


def record_in(text: str) -> Record:
    """Return the game that somebody pasted: a link, JSON, or a seed of hanab.live (a deal that nobody has played).

    >>> len(record_in("p4v0s415").actions)
    0
    """
    given = text.strip()
    if not given:
        raise RecordError(f"nothing was given: {EXPECTED}")
    if given[0] in "{[":
        return read_record(given)
    if is_live_seed(given):
        deal = deal_from_live_seed(given)
        return Record(NAMES[: deal.rules.players], deal)
    if is_link(given):
        return record_from_link(given)
    shown = given if len(given) <= 40 else given[:40] + "…"
    raise RecordError(f"{shown!r} is no game: {EXPECTED}")


def token_of(record: Record) -> str:
    """Return the game as a part of an address. Notes are left out where they would make it too long."""
    try:
        link = link_from_record(record)
        if record_from_link(link) == record:
            return link.removeprefix(ADDRESS)
    except HandfulError:
        pass  # a link cannot say everything
    for written in (record, record.bare()):
        token = pack(json.dumps(written.to_json(), ensure_ascii=False, separators=(",", ":")))
        if len(token) <= MAX_TOKEN:
            return token
    raise RecordError(f"the game is too long for a page: {len(token):,} characters, expected at most {MAX_TOKEN:,}")


@lru_cache(maxsize=64)
def record_of(token: str) -> Record:
    """Return the game of an address; whatever `record_in` reads is read, too."""
    return read_record(unpack(token, MAX_RECORD_BYTES)) if is_packed(token) else record_in(token)


# Any text, packed; and unpacked with care, for anybody can write an address

_PACKED = re.compile(r"~([A-Za-z0-9_-]+)")


def pack(text: str) -> str:
    """Return a text as a part of an address, which begins with ~.

    >>> unpack(pack("r1 r2 r3"), 100)
    'r1 r2 r3'
    """
    return "~" + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def is_packed(token: str) -> bool:
    """Whether a part of an address looks like a packed text."""
    return _PACKED.fullmatch(token) is not None


def unpack(token: str, most_bytes: int) -> str:
    """Return the text of a part of an address, up to so many bytes; refuse what is not whole."""
    packed = _PACKED.fullmatch(token)
    if packed is None:
        raise NotationError("this address is damaged: give what it was about again")
    try:
        data = base64.urlsafe_b64decode(packed[1] + "=" * (-len(packed[1]) % 4))
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(data, most_bytes)
        if unpacker.eof:
            return text.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        pass
    raise NotationError("this address is damaged or not whole: give what it was about again")
