"""Watch a game of Hanabi: a link of its own for spectators, who see what everybody at the table knows.

They see all hands only where the maker of the table allowed it; they read what is said, and change nothing.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from handful.web.beside import shown_clocks, shown_said
from handful.web.errors import DamagedTableError, NotFoundError
from handful.web.hanabi_table import Table
from handful.web.live_tables import WATCHING
from handful.web.rendering import render, render_text
from handful.web.streams import Secret, follow
from handful.web.tables import Tables
from handful.web.watch_picture import watched

router = APIRouter()


def _table(request: Request, watch: str) -> Table:
    tables: Tables = request.app.state.tables
    return tables.watched(watch)


def _shown(request: Request, watch: str) -> dict[str, Any]:
    table = _table(request, watch)
    version = table.version  # before the state: what is shown may be newer than it says, but never older
    state, setup = table.state(), table.setup
    return {
        "table": table,
        "watch": watch,
        "table_version": version,
        "num_said": table.num_said,
        "shown": watched(state, setup.names, setup.options.open_hands),
        "seed": setup.deal.seed if state.is_over else "",
        "clocks": shown_clocks(table),
        "next_watch": _next(request, table) if table.next_host else "",
    }


def _next(request: Request, table: Table) -> str:
    """Return the spectators' link of the game that these players went on with; empty if it is damaged, or removed."""
    tables: Tables = request.app.state.tables
    try:
        return tables.of_host(table.next_host).setup.watch
    except (NotFoundError, DamagedTableError):
        return ""


@router.get("/play/watch/{watch}")
def page(request: Request, watch: Secret) -> Response:
    """Return the table as spectators see it."""
    shown = _shown(request, watch)
    return render(request, "play/watch.html", page="play", said=shown_said(shown["table"], None), **shown)


@router.get("/play/watch/{watch}/table")
def piece(request: Request, watch: Secret) -> Response:
    """Return the piece of the page that changes."""
    table = _table(request, watch)

    def draw() -> str:
        return render_text("play/watch_table.html", request=request, **_shown(request, watch))

    is_steady = not table.setup.options.has_clock  # what clocks show changes without a change of the table
    return HTMLResponse(table.drawn(WATCHING, draw) if is_steady else draw())


@router.get("/play/watch/{watch}/said")
def said(request: Request, watch: Secret) -> Response:
    """Return a piece of the page: what was said at the table."""
    return render(request, "play/said.html", said=shown_said(_table(request, watch), None))


@router.get("/play/watch/{watch}/events", response_class=StreamingResponse)
async def events(request: Request, watch: Secret) -> Response:
    """Return a stream that says when something has changed; not what."""
    return follow(request, await run_in_threadpool(_table, request, watch), WATCHING)


@router.get("/api/watch/{watch}")
def watch_json(request: Request, watch: Secret) -> JSONResponse:
    """Return what spectators see."""
    return JSONResponse(_shown(request, watch)["shown"].to_dict())
