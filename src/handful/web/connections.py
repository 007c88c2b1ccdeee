"""Connections: how many there may be, and how long each may keep the server waiting.

uvicorn itself waits without end for a request that does not come, and takes as many connections as the system gives it;
its own `limit_concurrency` refuses requests, but closes no connection that never sends one. So each connection of ours
has a deadline for the head of a request, one for its body, and one for reading the answer; and if there are too many,
the one that has waited longest without a request makes room.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar, Literal, TypeAlias

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

HEAD_SECONDS = 10.0  # for the first line and the headers of a request
BODY_SECONDS = 60.0  # for its body, which has 3 MB at most
READ_SECONDS = 60.0  # for taking an answer that fills all buffers
MAX_CONNECTIONS = 500
MIN_CONNECTIONS = 8
ACCEPTED_AT_ONCE = 16  # they are counted only when all of these are there

Phase: TypeAlias = Literal["head", "body", ""]

_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def max_connections() -> int:
    """Return how many connections there may be: files, pipes and databases need descriptors, too."""
    if resource is None:
        return MAX_CONNECTIONS
    descriptors, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(MIN_CONNECTIONS, min(MAX_CONNECTIONS, descriptors // 2))


class PatientProtocol(H11Protocol):
    """A connection whose patience has an end."""

    limit: ClassVar[int | None] = None  # found out when the first one comes
    seconds: ClassVar[dict[Phase, float]] = {"head": HEAD_SECONDS, "body": BODY_SECONDS}

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._phase: Phase = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._reading_deadline: asyncio.TimerHandle | None = None
        self._since = time.monotonic()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Go on with a request; the deadline stays, however the bytes drip in."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of the body of this one."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._set_phase("")
        self.resume_writing()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End because the server does: a request that is not there yet is not waited for."""
        if self._phase:
            self._close_with(b"")
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Wait for whoever reads the answer."""
        super().pause_writing()
        if self._reading_deadline is None:
            self._reading_deadline = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing: the answer is read."""
        if self._reading_deadline is not None:
            self._reading_deadline.cancel()
            self._reading_deadline = None
        if self.flow is not None:
            super().resume_writing()

    @property
    def _is_waiting(self) -> bool:
        """Whether no request is being answered, nor has one come as far as its body."""
        return self._phase == "head" or self.timeout_keep_alive_task is not None

    def _watch(self) -> None:
        state = self.conn.their_state
        if self.transport.is_closing() or self.timeout_keep_alive_task is not None:
            self._set_phase("")  # between two requests uvicorn has a deadline of its own
        elif state is h11.SEND_BODY:
            self._set_phase("body")
        else:
            self._set_phase("head" if state is h11.IDLE else "")

    def _set_phase(self, phase: Phase) -> None:
        if phase == self._phase:
            return
        if self._deadline is not None:
            self._deadline.cancel()
        self._phase, self._since = phase, time.monotonic()
        self._deadline = self.loop.call_later(self.seconds[phase], self._give_up) if phase else None

    def _give_up(self) -> None:
        """Close a connection whose request did not come in time."""
        has_begun_answer = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        self._close_with(b"" if has_begun_answer else _TOO_SLOW)

    def _close_with(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()

    def _make_room(self) -> None:
        """If there are too many connections, close the one that has waited longest for a request; or else this one."""
        if PatientProtocol.limit is None:
            PatientProtocol.limit = max_connections()
        others = [each for each in self.connections if isinstance(each, PatientProtocol) and each is not self]
        others = [each for each in others if not each.transport.is_closing()]
        if len(others) >= PatientProtocol.limit:
            waiting = [each for each in others if each._is_waiting]
            refused = min(waiting, key=lambda each: each._since) if waiting else self
            refused._close_with(_TOO_MANY if refused is self else b"")
