"""Streams of events for pages that follow a table: they say that something has changed, and not what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, TypeAlias

from fastapi import Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from handful.web.errors import BusyError
from handful.web.live_tables import LiveTable, LiveTables

HEARTBEAT = 15.0  # seconds after which a silent stream says that it is still there

Secret: TypeAlias = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class EventStream(StreamingResponse):
    """A stream of events of a table, told to a page that has its place there already."""

    def __init__(self, events: AsyncIterator[str], leave: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and give the place back, however it ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


async def followed(request: Request, tables: LiveTables[Any, Any], seat: str) -> Response:
    """Return a stream that says when something has changed at the table of a seat; not what."""
    return follow(request, *await run_in_threadpool(tables.at_seat, seat))


def follow(request: Request, table: LiveTable[Any, Any, Any], number: int) -> Response:
    """Return a stream for a page of a seat, or of a spectator, by the number of the seat. Called on the event loop."""
    loop, changed, state = asyncio.get_running_loop(), asyncio.Event(), request.app.state
    if state.num_streams >= state.max_streams:
        raise BusyError(f"{state.num_streams} pages follow tables already: this one is told when it asks")
    # The place is taken here, where a refusal can still be told, and before anything else can happen.
    follower = table.follow(number, lambda: loop.call_soon_threadsafe(changed.set))
    state.num_streams += 1

    def leave() -> None:
        state.num_streams -= 1
        table.leave(number, follower)

    return EventStream(_stream(request, table, changed), leave)


async def _stream(request: Request, table: LiveTable[Any, Any, Any], changed: asyncio.Event) -> AsyncIterator[str]:
    closing: asyncio.Event = request.app.state.closing
    yield "retry: 1000\n\n"
    told, told_said = "", 0
    while not closing.is_set():
        changed.clear()
        version, num_said = table.version, table.num_said
        if version != told or num_said == told_said:
            yield f"event: table\ndata: {version}\n\n"
        if num_said != told_said:
            yield f"event: talk\ndata: {num_said}\n\n"
        told, told_said = version, num_said
        waiting = {asyncio.ensure_future(changed.wait()), asyncio.ensure_future(closing.wait())}
        try:
            done: set[asyncio.Future[Any]] = set()
            while not done:
                done, _ = await asyncio.wait(waiting, timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if not done:
                    yield ": still here\n\n"
        finally:
            for future in waiting:
                future.cancel()
