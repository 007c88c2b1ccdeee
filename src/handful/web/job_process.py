"""The process of one job: `python -m handful.web.job_process`. It is told what to do, and tells how far it is."""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import traceback
from importlib import import_module
from typing import IO, Any

from handful.errors import HandfulError

SECONDS_BETWEEN_REPORTS = 0.1
NICENESS = 5  # games go on beside a computation: they come first


class Report:
    """Tells how far a computation is, but not more often than anybody looks."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._last, self._lock = out, 0.0, threading.Lock()

    def __call__(self, done: float, total: float = 0, text: str = "") -> None:
        """Tell that `done` of `total` steps are done (total 0: nobody knows), and what is being done."""
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN_REPORTS or (total and done >= total):
            self._last = now
            self.send("progress", done, total, text)

    def partial(self, value: Any) -> None:
        """Tell a part of the result, which can be shown at once."""
        self.send("partial", value)

    def send(self, *message: Any) -> None:
        """Send a message to the server."""
        with self._lock:
            self._out.write(pickle.dumps(message))
            self._out.flush()


def main() -> None:
    """Do the job that standard input describes."""
    # What computations print must not get between the messages.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    function, args = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_leave_with_the_server, daemon=True).start()
    report = Report(out)
    try:
        module, _, name = function.partition(":")
        result = getattr(import_module(module), name)(args, report)
        report.send("done", {"result": result})
    except HandfulError as error:
        report.send("failed", {"error": str(error)})
    except Exception:
        # The outermost frame of the process: a mistake of ours, whatever it is. The server's window has the traceback,
        # the page a sentence.
        traceback.print_exc()
        report.send("failed", {"error": "something went wrong on our side; it was noted in the server's window"})


def _leave_with_the_server() -> None:
    """End this process when the server has gone: then its end of the pipe is closed."""
    while os.read(0, 1024):  # not through `sys.stdin`, whose lock this thread would hold at the end
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
