"""A small client for a server on this machine: one that measures a server must use little of the cores itself.

It speaks just enough of HTTP/1.1 for the lab: a connection that is kept and asks one thing after the other, and
streams of events.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode, urlsplit


@dataclass(frozen=True)
class Answer:
    """What came: `body` as it came over the wire."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def text(self) -> str:
        """The text, unpacked."""
        is_packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


class Connection:
    """A connection that is kept, and opened anew where the server has closed it meanwhile, as browsers do it."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        assert parts.hostname is not None
        assert parts.port is not None
        self._host, self._port = parts.hostname, parts.port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turns = asyncio.Lock()

    async def get(self, path: str) -> Answer:
        """Ask for a page, as htmx does."""
        return await self._ask(self._head("GET", path))

    async def post(self, path: str, form: Mapping[str, str | int], is_htmx: bool = True) -> Answer:
        """Send a form."""
        body = urlencode(form).encode()
        return await self._ask(self._head("POST", path, len(body), is_htmx) + body)

    async def events(self, path: str, kind: str) -> AsyncGenerator[str, None]:
        """Yield the data of the events of a kind, on a connection of their own, which is closed at the end."""
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(self._head("GET", path))
            name = ""
            while line := (await reader.readline()).decode():  # between the events stand the lengths of their pieces
                field, _, value = line.partition(":")
                if field == "event":
                    name = value.strip()
                elif field == "data" and name == kind:
                    yield value.strip()
        finally:
            writer.close()

    def close(self) -> None:
        """Close it."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    def _head(self, method: str, path: str, length: int = 0, is_htmx: bool = True) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"host: {self._host}:{self._port}", "accept-encoding: gzip"]
        if is_htmx:
            lines.append("hx-request: true")
        if length:
            lines += ["content-type: application/x-www-form-urlencoded", f"content-length: {length}"]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _ask(self, request: bytes) -> Answer:
        async with self._turns:
            if self._streams is not None:
                try:
                    return await self._exchange(request)
                except (asyncio.IncompleteReadError, ConnectionError):
                    self.close()  # it was idle for too long
            self._streams = await asyncio.open_connection(self._host, self._port)
            return await self._exchange(request)

    async def _exchange(self, request: bytes) -> Answer:
        assert self._streams is not None
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.partition(":") for line in head[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(int(head[0].split()[1]), headers, body)
