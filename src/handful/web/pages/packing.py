"""Texts as a part of an address: packed, and unpacked with care, for anybody can write an address."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from handful.errors import NotationError

MAX_TOKEN = 12_000
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
