"""A lab to test: the real server, in a thread of its own, on any free port of this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
from fastapi import FastAPI

from handful.hanabi import State
from handful.web.app import create_app
from handful.web.server import LabServer, config_of, listen
from handful.web.tables import Table, Tables

SECONDS = 60  # after which a test that waits has failed


class Lab:
    """A running lab, with a client that speaks to it."""

    def __init__(self, folder: Path, bot_pause: float = 0.0, port: int = 0) -> None:
        self.app: FastAPI = create_app(folder, bot_pause=bot_pause)
        listener = listen("127.0.0.1", port)
        self.port = listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        ready = threading.Event()
        self._server = LabServer(config_of(self.app), self.app, ready.set)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]})
        self._thread.start()
        assert ready.wait(SECONDS)
        self.client = httpx.Client(base_url=self.address, trust_env=False, timeout=SECONDS)

    def __enter__(self) -> Lab:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server, as Ctrl-C does."""
        self.client.close()
        self._server.stop()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()

    @property
    def tables(self) -> Tables:
        tables: Tables = self.app.state.tables
        return tables

    def set_table(self, **fields: str | int) -> Table:
        """Set a table through the form, and return it."""
        answer = self.client.post("/play/tables", data={name: str(value) for name, value in fields.items()})
        assert answer.status_code == 303, answer.text
        place = answer.headers["location"]
        secret = place.rsplit("/", 1)[1]
        return self.tables.of_host(secret) if "/tables/" in place else self.tables.at_seat(secret)[0]

    def act(self, token: str, turn: int, action: int) -> httpx.Response:
        """Take an action through the JSON interface."""
        return self.client.post(f"/api/seats/{token}/actions", json={"turn": turn, "action": action})

    def see(self, token: str) -> dict[str, Any]:
        """Return what a seat sees, from the JSON interface."""
        answer = self.client.get(f"/api/seats/{token}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = json.loads(answer.text)
        return found


def wait_for(table: Table, is_so: Callable[[State], bool]) -> State:
    """Return the game of a table as soon as something is so: woken by the table itself."""
    changed = threading.Event()
    follower = table.follow(0, changed.set)
    try:
        while True:
            changed.clear()
            state = table.state()
            if is_so(state):
                return state
            assert changed.wait(SECONDS), f"nothing has happened: {state}"
    finally:
        table.leave(0, follower)
