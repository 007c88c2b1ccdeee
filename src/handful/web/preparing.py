"""While the lab opens, everything is compiled in the background; pages say so, and what is slower meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from handful.preparation import all_steps, is_prepared
from handful.web.rendering import render

STOP_POLLING = 286  # htmx asks no more after this status

router = APIRouter()


class Preparing:
    """The command `handful prepare` beside the server: on one core, so that the others are free for people."""

    COMMAND = (sys.executable, "-m", "handful", "prepare", "--workers", "1", "--steps")

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.command = command
        self.done, self.total = 0, 0
        self._process: subprocess.Popen[str] | None = None
        self._follower = Thread(target=self._follow, daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether nothing is being compiled, or not any more."""
        return self._process is None or self._process.poll() is not None

    @property
    def step(self) -> str:
        """What is being compiled now: steps are done one after the other."""
        names = list(all_steps())
        return names[min(self.done, len(names) - 1)]

    def start(self) -> None:
        """Begin, unless everything is compiled."""
        if is_prepared():
            return
        self.total = len(all_steps())
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )
        self._follower.start()

    def stop(self) -> None:
        """End it; what is finished is kept."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)  # with the processes that it has started
            self._process.wait()
            self._follower.join()

    def kill(self) -> None:
        """End it now, and wait for nothing: the server itself is about to end."""
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _follow(self) -> None:
        """Count the steps that are done: a line each, and one at the end."""
        assert self._process is not None
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for _line in lines:
                self.done = min(self.done + 1, self.total)


@router.get("/preparing", include_in_schema=False)
async def preparing(request: Request) -> Response:
    """Return the line that says how far it is; an empty one, the last, when it is over."""
    state: Preparing = request.app.state.preparing
    if state.is_over:
        return HTMLResponse("", status_code=STOP_POLLING)
    return render(request, "preparing.html", done=state.done, total=state.total, step=state.step)
