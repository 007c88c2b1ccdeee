"""Bots and results: the leaderboard, a simulation, two bots on the same deals, and what the store holds."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup, escape
from pydantic import BaseModel, Field

from handful.bots.players import REGISTER, all_bots
from handful.errors import HandfulError
from handful.hanabi.variants import VARIANTS
from handful.lab.store import StoredResult, code_version, default_path, open_store, write_csv
from handful.web.errors import status_of
from handful.web.jobs import Job, Kind, ask, find, register
from handful.web.pages.standing_rows import MAX_GAMES, MAX_PLAYERS, MIN_PLAYERS, Order, leaderboard
from handful.web.rendering import download, environment, lead_to, render

MOST_ROWS = 300

register(Kind("simulate", "handful.web.pages.work:simulate_bot", "results/simulated.html", limit=1800))
register(Kind("compare", "handful.web.pages.work:compare_bots", "results/compared.html", limit=1800))
register(Kind("one-game", "handful.web.pages.work:play_one", "results/game_played.html", limit=300))


def bot_name(name: str) -> Markup:
    """Return the name of a bot, which may be broken between its settings, never within a word.

    >>> print(bot_name("rules(reading=text,omega_p=0.7)"))
    rules<wbr>(reading=text,<wbr>omega_p=0.7)
    """
    return Markup(str(escape(name)).replace("(", "<wbr>(").replace(",", ",<wbr>"))


environment().globals["bot_name"] = bot_name

router = APIRouter()

Name: TypeAlias = Annotated[str, Query(max_length=200)]
Players: TypeAlias = Annotated[int, Query(ge=0, le=MAX_PLAYERS)]
JobId: TypeAlias = Annotated[str, Query(max_length=40)]


@router.get("/results")
def page(request: Request, variant: Name = "", players: Players = 0) -> Response:
    """Return the leaderboard."""
    return _render(request, "results/page.html", board=leaderboard(variant, players), bots=all_bots())


class Asked(BaseModel):
    """What the form of a simulation says, or that of a comparison."""

    bot: Annotated[str, Field(max_length=200)] = ""
    players: Annotated[int, Field(ge=MIN_PLAYERS, le=MAX_PLAYERS)] = 3
    variant: Annotated[str, Field(max_length=200)] = "No Variant"
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 2000
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    against: Annotated[str, Field(max_length=200)] = ""


@router.get("/results/simulate")
@router.get("/results/compare")
def order_page(request: Request, bot: Name = "", players: Players = 0, variant: Name = "", job: JobId = "") -> Response:
    """Return the form of a simulation or a comparison, with the one that was asked for."""
    return _order_page(request, job, {"bot": bot, "players": players, "variant": variant})


@router.post("/results/simulate")
@router.post("/results/compare")
def order(request: Request, form: Annotated[Asked, Form()]) -> Response:
    """Begin a simulation, or a comparison of two bots on the same deals."""
    kind, fields = _kind(request), form.model_dump()
    if kind == "simulate":
        fields["against"] = ""
    try:
        if kind == "compare" and not fields["against"].strip():
            raise HandfulError("no second bot: expected the name of one to compare with, such as rules")
        job = ask(request, kind, asdict(Order.of(**fields)))
    except HandfulError as error:
        return _order_page(request, "", fields, error)
    return RedirectResponse(f"/results/{kind}?{urlencode({'job': job.id})}", status_code=303)


def _kind(request: Request) -> str:
    """Return what a page is about: simulate, or compare."""
    return request.url.path.rpartition("/")[2]


class OneGame(BaseModel):
    """A single game of a simulation: the one of number `game`."""

    bot: Annotated[str, Field(max_length=200)]
    players: Annotated[int, Field(ge=0, le=MAX_PLAYERS)]
    variant: Annotated[str, Field(max_length=200)] = "No Variant"
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0
    game: Annotated[int, Field(ge=0, lt=1 << 31)] = 0

    def args(self) -> dict[str, Any]:
        """Return what the job is told."""
        return {**asdict(Order.of(self.bot, self.players, self.variant, 1, self.seed)), "game": self.game}


@router.get("/results/game")
def one_game(request: Request, given: Annotated[OneGame, Query()]) -> Response:
    """Return a single game of a simulation: a button, how far it is, or, when it is played, its analysis."""
    args = given.args()
    job = find(request, "one-game", args)
    if job is None or job.status != "done":
        return _render(request, "results/game.html", job=job, args=args, given=given.model_dump())
    return lead_to(request, f"/analyse?{urlencode({'game': job.result[0]})}")


@router.post("/results/game")
def play_game(request: Request, given: Annotated[OneGame, Form()]) -> Response:
    """Play a single game of a simulation once more; if that is done, begin its analysis."""
    job = ask(request, "one-game", given.args())
    if job.status == "done":
        ask(request, "analyse", {"game": job.result[0]})
    return lead_to(request, f"/results/game?{urlencode(given.model_dump())}")


@router.get("/results/stored")
def stored(request: Request, bot: Name = "", players: Players = 0) -> Response:
    """Return what the store holds."""
    found, problem = _stored(bot, players)
    rows = [(each, is_current(each)) for each in found[:MOST_ROWS]]
    filters: dict[str, Any] = {"bot": bot, "players": players}
    query = urlencode({name: value for name, value in filters.items() if value})
    return _render(
        request,
        "results/stored.html",
        rows=rows,
        more=max(0, len(found) - MOST_ROWS),
        problem=problem,
        path=str(default_path()),
        query=query,
        **filters,
    )


@router.get("/results/stored.csv")
def stored_csv(bot: Name = "", players: Players = 0) -> Response:
    """Return what the store holds as a file."""
    text = io.StringIO()
    write_csv(_stored(bot, players)[0], text)
    return download(text.getvalue(), "results.csv", "text/csv")


@router.get("/results/under-way")
def under_way(request: Request) -> Response:
    """Return what is being computed, each with a button that cancels it."""
    jobs: list[Job] = request.app.state.jobs.under_way()
    return _render(request, "results/under_way.html", jobs=[(job, job_title(job)) for job in jobs])


TITLES = {
    "analyse": "The analysis of a game",
    "history": "The games of a player",
    "rummy-table": "A table for Rummy",
    "rummy-turns": "How the turns of a Rummy hand are spread",
    "rummy-gone": "A Rummy hand with cards gone",
    "gin-advice": "Advice on a hand of Gin",
    "gin-review": "What the decisions of a hand of Gin cost",
    "count-hands": "Decks counted for larger hands",
    "solitaire": "A solitaire",
    "one-game": "A single game",
}


def job_title(job: Job) -> str:
    """Return what a job is about, in a few words."""
    if job.kind.name in ("simulate", "compare"):
        against = f" against {job.args['against']}" if job.args["against"] else ""
        return f"{job.args['bot']}{against}: {job.args['players']} players, {job.args['games']:,} games"
    return TITLES.get(job.kind.name, "A computation")


def is_current(result: StoredResult) -> bool:
    """Whether the code that played a result is the code that would play it now."""
    entry = REGISTER.get(result.bot.partition("(")[0])
    return entry is not None and code_version(entry) == result.code


def _stored(bot: str, players: int) -> tuple[list[StoredResult], str]:
    """Return results, the newest first; or none, and what is wrong with the store."""
    if not default_path().exists():
        return [], ""
    try:
        with open_store() as store:
            found = store.results(bot.strip() or None, players or None)
    except HandfulError as error:
        return [], str(error)
    return sorted(found, key=lambda each: each.finished_at, reverse=True), ""


def _order_page(request: Request, job_id: str, fields: dict[str, Any], error: HandfulError | None = None) -> Response:
    """Return a form, filled in as it was; with a job, also what has become of it."""
    kind = _kind(request)
    job: Job | None = request.app.state.jobs.get(job_id) if job_id else None
    if job is not None and job.kind.name != kind:
        job = None
    usual = {"bot": "best", "against": "rules", "players": 3, "variant": "No Variant", "games": 2000, "seed": 0}
    given = fields if job is None else job.args
    return _render(
        request,
        "results/order.html",
        status=200 if error is None else status_of(error),
        kind=kind,
        order=usual
        | {name: value for name, value in given.items() if value not in ("", None) and value != 0}
        | {"seed": given.get("seed", 0)},
        job=job,
        result=None if job is None or job.status != "done" else job.result,
        error=str(error or ""),
        bots=all_bots(),
        variants=list(VARIANTS),
        numbers=range(MIN_PLAYERS, MAX_PLAYERS + 1),
        most_games=MAX_GAMES,
    )


def _render(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    return render(request, template, status=status, page="results", **values)
