"""The server of the lab: `handful serve` calls `serve`, by name."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from handful.errors import HandfulError
from handful.web.app import create_app
from handful.web.connections import ACCEPTED_AT_ONCE, PatientProtocol
from handful.web.live_tables import BOT_PAUSE, KEEP_DAYS

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SECONDS_TO_FINISH = 3  # what answers may still take when the server is told to stop
SECONDS_TO_END = 8  # after which it ends, whatever is not finished
SECONDS_BETWEEN_COMPLAINTS = 60.0
WAITING_TO_BE_ACCEPTED = 256

log = logging.getLogger("handful.web")


class LabServer(uvicorn.Server):
    """A server that says when it is ready, and lets the streams of events end when it is told to stop."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._on_ready = app, on_ready
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            for each in sockets or ():
                each.listen(WAITING_TO_BE_ACCEPTED)  # the loop accepts a few at once, but more may stand in line
            self._loop = asyncio.get_running_loop()
            self._loop.set_exception_handler(Complaints())
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop because of a signal: that is the usual way to close the lab, and not an error.

        Whatever is not finished then is left after some seconds, or at the second signal: no computation, slow disk or
        patient client keeps the server. What was acknowledged is on disk by then.
        """
        if self.should_exit:
            self._leave()
        end = threading.Timer(SECONDS_TO_END, self._leave)
        end.daemon = True
        end.start()
        self.stop()

    def _leave(self) -> None:
        """End now, with all processes that were started."""
        self._app.state.jobs.kill()
        self._app.state.bots.kill()
        self._app.state.preparing.kill()
        os._exit(0)

    def stop(self) -> None:
        """Stop, from any thread: first the streams, which would never end by themselves."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._app.state.closing.set)


class Complaints:
    """What the event loop has to say goes to the log; but that descriptors are short, once a minute.

    After that asyncio means to listen again in a second, also if the server has closed its socket by then: that a
    descriptor of −1 cannot be listened to goes without saying.
    """

    def __init__(self) -> None:
        self._last = -SECONDS_BETWEEN_COMPLAINTS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take a complaint: asyncio repeats that one a thousand times a second."""
        if str(context.get("exception", "")) == "Invalid file descriptor: -1":
            return
        if not str(context.get("message", "")).startswith("socket.accept() out of system resource"):
            loop.default_exception_handler(context)
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_COMPLAINTS:
            self._last = time.monotonic()
            log.error("there are too few file descriptors for more connections (`ulimit -n` says how many there are)")


def config_of(app: FastAPI) -> uvicorn.Config:
    """Return how the lab is served."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        backlog=ACCEPTED_AT_ONCE,
        # The address of a seat is its secret: no log of requests. Nor of those that are none: anybody can send many.
        access_log=False,
        log_level=logging.ERROR,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )


def serve(
    folder: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    allow_network: bool = False,
    bot_pause: float = BOT_PAUSE,
    keep_days: int = KEEP_DAYS,
    on_ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the lab until somebody stops it. `on_ready` is told the address as soon as pages can be asked for.

    `bot_pause` is how many seconds pass before a bot moves, so that people can follow. Tables at which nobody has acted
    for `keep_days` days are removed; 0 keeps them all.
    """
    is_loopback = host in LOOPBACK
    if not is_loopback and not allow_network:
        raise HandfulError(
            f"--host {host} opens the lab to the network, without passwords: add --allow-network if that is meant"
        )
    listener = listen(host, port)
    app = create_app(folder, is_open=not is_loopback, bot_pause=bot_pause, keep_days=keep_days)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}"
    app.state.preparing.start()
    try:
        LabServer(config_of(app), app, lambda: on_ready(address)).run(sockets=[listener])
    finally:
        app.state.preparing.stop()
        listener.close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 stands for any that is free."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as on_failure:
            listener = on_failure.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            on_failure.pop_all()
            return listener
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HandfulError(
            f"cannot listen on {host}, port {port}: {reason}. Try another --port, or 0 for any"
        ) from None
