"""The server of the lab: `handful serve` calls `serve`, by name."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from handful.errors import HandfulError
from handful.web.app import create_app
from handful.web.tables import BOT_PAUSE

LOOPBACK = ("127.0.0.1", "localhost", "::1")
SECONDS_TO_FINISH = 5  # what answers may still take when the server is told to stop


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
            self._loop = asyncio.get_running_loop()
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop because of a signal: that is the usual way to close the lab, and not an error. A second one hurries."""
        self.force_exit = self.should_exit
        self.stop()

    def stop(self) -> None:
        """Stop, from any thread: first the streams, which would never end by themselves."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._app.state.closing.set)


def serve(
    folder: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    allow_network: bool = False,
    bot_pause: float = BOT_PAUSE,
    on_ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the lab until somebody stops it. `on_ready` is told the address as soon as pages can be asked for.

    `bot_pause` is how many seconds pass before a bot moves, so that people can follow.
    """
    is_loopback = host in LOOPBACK
    if not is_loopback and not allow_network:
        raise HandfulError(
            f"--host {host} opens the lab to the network, without passwords: add --allow-network if that is meant"
        )
    listener = listen(host, port)
    app = create_app(folder, is_open=not is_loopback, bot_pause=bot_pause)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}"
    # The address of a seat is its secret: no log of requests.
    config = uvicorn.Config(
        app, log_level=logging.WARNING, access_log=False, timeout_graceful_shutdown=SECONDS_TO_FINISH
    )
    app.state.preparing.start()
    try:
        LabServer(config, app, lambda: on_ready(address)).run(sockets=[listener])
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
