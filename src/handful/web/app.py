"""The application: the pages put together, with the same care around each.

For whoever adds a page `NAME`:

* `pages/NAME.py` has ``router = APIRouter()``; add it to `PAGES`. Templates are in `templates/NAME/`, each full page
  extends `base.html` (blocks `title`, `head`, `content`; set ``page`` to highlight its place in the navigation),
  and is returned by ``render(request, "NAME/page.html", key=value)`` of `handful.web.rendering`.
* Bad input: raise a `HandfulError` with one sentence. It becomes an error page, `{"error": …}` for a request that
  accepts JSON, or for htmx a line in the region ``#message`` of the page; always with status 400.
* Long work: ``job = ask(request, kind, args)`` in a POST (a GET only looks: ``find(request, kind, args)``), and put
  ``<div hx-get="/jobs/ID" hx-trigger="load, again" hx-swap="outerHTML"></div>`` into the page; see `handful.web.jobs`.
* Files of ours (the store, the tables) may keep a reader waiting: routes that use them are plain functions, which
  FastAPI runs in threads, never ``async def``.
* The policy for content allows no inline script, no ``style=""`` attribute and nothing from elsewhere. Use classes and
  SVG's own attributes (`width`, `fill`, …); small behaviours go into `static/handful.js`, found by ``data-…``.
* ``request.app.state.folder`` is where the lab keeps its files.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles

from handful import __version__
from handful._files import user_folder
from handful.web import errors, jobs, preparing
from handful.web.bots import Bots
from handful.web.compression import Compression
from handful.web.connections import max_connections
from handful.web.gin_tables import GinTables
from handful.web.guards import Guards
from handful.web.live_tables import BOT_PAUSE, KEEP_DAYS
from handful.web.pages import (
    analyse,
    explorer,
    gin,
    gin_adviser,
    history,
    home,
    mine,
    play,
    results,
    rummy,
    talk,
    watch,
)
from handful.web.result_store import open_results
from handful.web.suit_pictures import stylesheet
from handful.web.tables import Tables

PAGES = (home, play, talk, watch, mine, gin, gin_adviser, analyse, history, rummy, explorer, results)

REVIEW_WORLDS = 384  # in which the loss of a turn is measured, as by `handful review`

STATIC = Path(__file__).parent / "static"


def default_folder() -> Path:
    """Return where the lab keeps its files if nobody says otherwise."""
    return user_folder("data") / "lab"


def create_app(
    folder: Path | None = None, is_open: bool = False, bot_pause: float = BOT_PAUSE, keep_days: int = KEEP_DAYS
) -> FastAPI:
    """Return the application, which keeps its games in `folder`.

    They are kept for `keep_days` days after the last action (0: for ever). `is_open` lets other machines ask; otherwise
    only this one may. Bots move after `bot_pause` seconds.
    """
    folder = default_folder() if folder is None else folder
    folder.mkdir(parents=True, exist_ok=True)
    app = FastAPI(
        title="Handful",
        version=__version__,
        lifespan=_lifespan,
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.folder = folder
    app.state.jobs = jobs.Jobs(results=open_results(folder / "results.sqlite"))
    app.state.review_worlds = REVIEW_WORLDS
    app.state.preparing = preparing.Preparing()
    app.state.bots = Bots()
    app.state.tables = Tables(folder / "tables.sqlite", bot_pause, keep_days, app.state.bots)
    app.state.gin_tables = GinTables(folder / "gin.sqlite", bot_pause, keep_days, app.state.bots)
    # Pages that follow a table hold a connection each: some are left for everything else.
    app.state.num_streams, app.state.max_streams = 0, max_connections() * 3 // 4
    app.add_api_route("/static/suits.css", _suits, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for page in PAGES:
        app.include_router(page.router)
    app.include_router(jobs.router)
    app.include_router(preparing.router)
    app.add_api_route("/favicon.ico", _icon, include_in_schema=False)
    errors.handle_errors(app)
    app.add_middleware(Compression)
    app.add_middleware(Guards, is_open=is_open)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.closing = asyncio.Event()  # ends the streams of events, which would never end by themselves
    for tables in (app.state.tables, app.state.gin_tables):
        tables.open()
    yield
    app.state.closing.set()
    for tables in (app.state.tables, app.state.gin_tables):
        await tables.leave()
    await app.state.bots.close()
    await asyncio.to_thread(app.state.jobs.close)


def _icon() -> Response:
    return RedirectResponse("/static/icon.svg", status_code=308)


def _suits() -> Response:
    return Response(stylesheet(), media_type="text/css")
