"""Answers packed with gzip for whoever takes that: a table is drawn anew with every turn, and most of it is repetition.

Streams of events stay as they are: each event must leave at once. Pictures and answers that are short do, too.

A packed answer that holds a secret beside words of an attacker tells by its length whether they are alike, to somebody
who can also make the browser ask again and again and see how long the answers are on the wire (BREACH). Here pages of
other sites can make no browser ask for a page of ours in the background (`guards`), what players write comes in a piece
of its own without any secret in it (`play/said.html`), hidden cards are in no answer at all, and whoever sees the wire
of a lab without a tunnel reads the secrets as they are. So nothing is lost by packing.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LEAST_BYTES = 600  # of an answer: shorter ones fit a packet anyway
LEVEL = 6  # of 9, for what is made for one request: a third of a millisecond for a table
PACKED_TYPES = (
    *("text/html", "text/css", "text/javascript", "text/plain", "text/csv"),
    *("application/javascript", "application/json", "image/svg+xml"),
)


class Compression:
    """The application, with its answers packed for whoever takes gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] == "HEAD" or not takes_gzip(Headers(scope=scope)):
            await self.app(scope, receive, send)
        else:
            is_kept = scope["path"].startswith("/static/")
            await self.app(scope, receive, _Packer(send, is_kept))


def takes_gzip(headers: Headers) -> bool:
    """Whether whoever asks can read what is packed with gzip.

    >>> takes_gzip(Headers({"accept-encoding": "br, gzip;q=0.5"})), takes_gzip(Headers({"accept-encoding": "gzip;q=0"}))
    (True, False)
    """
    for each in headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = each.strip().partition(";")
        if name.strip() in ("gzip", "x-gzip"):
            return quality.replace(" ", "").rstrip(".0") not in ("q=", "q")
    return False


class _Packer:
    """Sends an answer on: packed, if that is worth it."""

    def __init__(self, send: Send, is_kept: bool) -> None:
        self._send, self._is_kept = send, is_kept
        self._start: Message | None = None  # held back until the body is known
        self._body: list[bytes] = []

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _can_be_packed(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._send_all(self._start, b"".join(self._body))

    async def _send_all(self, start: Message, body: bytes) -> None:
        headers = MutableHeaders(raw=list(start["headers"]))
        headers.add_vary_header("Accept-Encoding")
        if len(body) >= LEAST_BYTES:
            body = _packed_file(body) if self._is_kept else gzip.compress(body, LEVEL, mtime=0)
            headers["content-encoding"] = "gzip"
            headers["content-length"] = str(len(body))
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})


def _can_be_packed(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0].strip()
    return start["status"] not in (204, 206, 304) and kind in PACKED_TYPES and "content-encoding" not in headers


@lru_cache(maxsize=64)
def _packed_file(body: bytes) -> bytes:
    """Return a file of ours packed as well as it goes: it is the same for everybody, so that is done once."""
    return gzip.compress(body, 9, mtime=0)
