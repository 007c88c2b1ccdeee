"""The lab with an answer that never comes: `python -m tests.hostile.web_stuck serve …`."""

from __future__ import annotations

import threading
from typing import Any

from handful.cli.main import run
from handful.web import server


def stuck() -> None:
    while not threading.Event().wait(1000):
        pass


def create_app(*given: Any, **settings: Any) -> Any:
    app = make(*given, **settings)
    app.add_api_route("/stuck", stuck)
    return app


if __name__ == "__main__":
    make = server.create_app
    server.create_app = create_app
    server.SECONDS_TO_FINISH, server.SECONDS_TO_END = 1, 2
    run()
