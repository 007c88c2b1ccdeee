"""The lab, without the compiler in the background: `python -m tests.hostile.web_unprepared serve …`."""

from __future__ import annotations

from handful.cli.main import run
from handful.web.preparing import Preparing


def do_nothing(_preparing: Preparing) -> None:
    """A test kills the server many times, and would leave many of them behind."""


if __name__ == "__main__":
    Preparing.start = do_nothing  # type: ignore[method-assign, assignment]
    run()
