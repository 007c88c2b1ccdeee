"""The lab with an answer that never comes: `python -m tests.hostile.web_stuck serve …`."""

from __future__ import annotations

import threading
from typing import Any

from fastapi import FastAPI

from handful.cli.main import run
from handful.web import server
from handful.web.app import create_app
from handful.web.preparing import Preparing
from tests.hostile.web_unprepared import do_nothing


def stuck() -> None:
    while not threading.Event().wait(1000):
        pass


def stuck_app(*given: Any, **settings: Any) -> FastAPI:
    app = create_app(*given, **settings)
    app.add_api_route("/stuck", stuck)
    return app


if __name__ == "__main__":
    Preparing.start = do_nothing  # type: ignore[method-assign, assignment]
    vars(server)["create_app"] = stuck_app
    server.SECONDS_TO_FINISH, server.SECONDS_TO_END = 1, 2
    run()
