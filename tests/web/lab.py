"""A lab to test: the real server, in a thread of its own, on any free port of this machine."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
from fastapi import FastAPI

from handful.hanabi import State
from handful.web.app import create_app
from handful.web.live_tables import LiveTable
from handful.web.server import LabServer, config_of, listen
from handful.web.tables import Table, Tables

SECONDS = 180  # after which a test that waits has failed


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


class Listener:
    """Reads the events of a stream, all of them."""

    def __init__(self, lab: Lab, address: str) -> None:
        self._lines: list[str] = []
        self._connected, self._closed = threading.Event(), threading.Event()
        self._lab, self._address = lab, address
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        assert self._connected.wait(30)

    def _listen(self) -> None:
        with (
            httpx.Client(base_url=self._lab.address, trust_env=False, timeout=30) as client,
            client.stream("GET", self._address) as answer,
        ):
            for line in answer.iter_lines():
                self._lines.append(line)
                self._connected.set()
                if self._closed.is_set():
                    return

    def close(self, table: LiveTable[Any, Any, Any]) -> int:
        """Check all that was said, and return how many events there were."""
        self._closed.set()
        with table._lock:
            table._changed()  # one more event, after which it hangs up
        self._thread.join(30)
        assert not self._thread.is_alive()
        for line in self._lines:
            assert re.fullmatch(r"|retry: 1000|event: (table|talk)|: still here|data: \d{1,3}(\.\d{10,12})?", line), (
                line
            )
        return sum(line.startswith("data") for line in self._lines)


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
