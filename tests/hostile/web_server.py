"""The lab as its users start it, in a process of its own that a test may kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx

UNPREPARED = "tests.hostile.web_unprepared"
SECONDS = 120  # after which a test that waits has failed


class Server:
    """`handful serve` in a process."""

    def __init__(self, folder: Path, prepare: Callable[[], None] | None = None, module: str = UNPREPARED) -> None:
        self.folder, self.log = folder, folder.parent / f"{folder.name}.log"
        command = [sys.executable, "-m", module, "serve", "--json", "--no-browser", "--bot-pause", "0"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", "0", "--folder", str(folder)],
                stdout=subprocess.PIPE,
                stderr=log,
                preexec_fn=prepare,  # no threads are started between here and there
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        try:
            self.address: str = json.loads(self._said())["address"]
        except BaseException:
            self.process.kill()
            raise
        self.port = int(self.address.rpartition(":")[2])
        self.client = httpx.Client(base_url=self.address, trust_env=False, timeout=SECONDS)

    def _said(self) -> bytes:
        """Return the JSON object with which it says that it is there."""
        assert self.process.stdout is not None
        said = b""
        while not said.endswith(b"}\n"):
            line = self.process.stdout.readline()
            assert line, self.log.read_text()
            said += line
        return said

    def interrupt(self) -> int:
        """Send what Ctrl-C sends, and return how the server ended."""
        self.client.close()
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it now, whatever it is at."""
        self.client.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
