"""What a player's games say: fetched from the site when somebody asks for them by name, analysed here, and plotted."""

from __future__ import annotations

import time
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from handful.errors import HandfulError, NotationError
from handful.hanabi.live.addresses import host_of, site_address
from handful.hanabi.live.site.games import MAX_NAME, MOST_NAMES
from handful.hanabi.live.site.rows import parse_since
from handful.hanabi.live.site.transport import check_httpx
from handful.hanabi.variants import variant_named
from handful.web.errors import status_of
from handful.web.jobs import Job, Kind, ask, register
from handful.web.rendering import render

MOST_GAMES = 20_000
USUAL_GAMES = 200
# Who asks again within these seconds is given the answer that is there.
FRESH_SECONDS = 120

register(Kind("history", "handful.web.pages.work:player_history", "history/found.html", limit=6 * 3600))

router = APIRouter()

JobId: TypeAlias = Annotated[str, Query(max_length=40)]


class Asked(BaseModel):
    """What the form says."""

    player: Annotated[str, Field(max_length=MAX_NAME)] = ""
    others: Annotated[str, Field(max_length=MAX_NAME * MOST_NAMES)] = ""
    since: Annotated[str, Field(max_length=40)] = ""
    variant: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=MOST_GAMES)] = USUAL_GAMES

    def args(self) -> dict[str, Any]:
        """Return what the job is told; what cannot be meant is refused."""
        player = self.player.strip()
        others = [name.strip() for name in self.others.split(",") if name.strip()]
        if not player:
            raise NotationError("no player: expected a name")
        if len(others) >= MOST_NAMES:
            raise NotationError(f"{len(others)} other players: expected at most {MOST_NAMES - 1}")
        since = parse_since(self.since).isoformat() if self.since.strip() else ""
        variant = variant_named(self.variant).name if self.variant.strip() else ""
        return {"player": player, "others": others, "since": since, "variant": variant, "limit": self.limit}


@router.get("/history")
def page(request: Request, job: JobId = "") -> Response:
    """Return the form, and what has become of what was asked for."""
    found: Job | None = request.app.state.jobs.get(job) if job else None
    if found is not None and found.kind.name != "history":
        found = None
    return _page(request, {} if found is None else _fields(found.args), found)


@router.post("/history")
def order(request: Request, form: Annotated[Asked, Form()]) -> Response:
    """Begin to fetch and analyse the games of a player."""
    try:
        args = form.args()
        check_httpx()
        job = ask(request, "history", {**args, "asked": int(time.time()) // FRESH_SECONDS})
    except HandfulError as error:
        return _page(request, form.model_dump(), None, error)
    return RedirectResponse(f"/history?{urlencode({'job': job.id})}", status_code=303)


def _fields(args: dict[str, Any]) -> dict[str, Any]:
    return {**args, "others": ", ".join(args["others"])}


def _page(request: Request, fields: dict[str, Any], job: Job | None, error: HandfulError | None = None) -> Response:
    usual: dict[str, Any] = {"player": "", "others": "", "since": "", "variant": "", "limit": USUAL_GAMES}
    return render(
        request,
        "history/page.html",
        status=200 if error is None else status_of(error),
        page="history",
        given=usual | fields,
        job=job,
        result=None if job is None or job.status != "done" else job.result,
        host=host_of(site_address()),
        most_games=MOST_GAMES,
        error=str(error or ""),
    )
