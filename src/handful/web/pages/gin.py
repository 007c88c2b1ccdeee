"""Play Gin Rummy: a table for two, against a bot or a friend with a link, saved and followed as tables of Hanabi are.

Every answer about a round that goes on is drawn from the view of the seat that asked (`gin_picture`), so that it cannot
hold the opponent's cards, nor the stock. A round that is over lies open, with what every decision cost.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Form, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from handful.errors import HandfulError, NotationError
from handful.rummy.gin.deal import number_of
from handful.rummy.gin.game import PlayedRound
from handful.rummy.gin.players import PLAYERS
from handful.rummy.gin.rules import EAAI, PRESETS
from handful.web.errors import ConflictError, DamagedTableError, NotFoundError
from handful.web.gin_picture import gin_picture, result_of, seen
from handful.web.gin_seats import READY
from handful.web.gin_tables import GinTable, GinTables
from handful.web.jobs import Kind, ask, find, panel_values, register
from handful.web.live_tables import MAX_NAME
from handful.web.pages.new_gin import TARGETS, USUAL_BOT, NewGinTable, plan_anew
from handful.web.pages.new_table import PERSON
from handful.web.rendering import is_htmx, is_only_here, lead_to, render
from handful.web.streams import Secret, followed

register(Kind("gin-review", "handful.web.pages.work:gin_review", "gin/review.html", limit=600))

router = APIRouter()

Hand: TypeAlias = Annotated[int, Path(ge=1, le=10_000)]


def _tables(request: Request) -> GinTables:
    tables: GinTables = request.app.state.gin_tables
    return tables


# A new table


@router.get("/gin")
def page(request: Request) -> Response:
    """Return the page on which a table is set."""
    return render(
        request,
        "gin/new.html",
        page="gin",
        players=list(reversed(PLAYERS.values())),
        usual_bot=USUAL_BOT,
        presets=PRESETS,
        targets=TARGETS,
        usual_target=EAAI.target,
        max_name=MAX_NAME,
        person=PERSON,
    )


@router.get("/gin/rules")
def rules_page(request: Request) -> Response:
    """Return the rules, with the points in which the houses differ."""
    return render(request, "gin/rules.html", page="gin", presets=PRESETS)


@router.post("/gin/tables")
def create(request: Request, form: Annotated[NewGinTable, Form()]) -> Response:
    """Set a table, and lead to its first seat, or to the links of both if two persons play."""
    if not form.model_fields_set:
        raise NotationError("nothing was asked for: expected the fields of the form, such as opponent=table")
    tables = _tables(request)
    table = tables.create(form.plan(), form.places(), form.deal != "drawn", has_hints=form.hints == "yes")
    people = [seat for seat in table.setup.seats if seat.is_person]
    address = f"/gin/seats/{people[0].token}" if len(people) == 1 else f"/gin/tables/{table.setup.host}"
    return lead_to(request, address)


@router.get("/gin/tables/{host}")
def invite(request: Request, host: Secret) -> Response:
    """Return the page with the links of both seats, for whoever has set the table."""
    table = _tables(request).of_host(host)
    rules = table.setup.deal.rules
    about = f"Gin Rummy by the rules of {rules.name}, to {rules.target}"
    state = table.state()
    goes_on = f"hand {len(state.game.played) + 1}" if state.history else ""
    values: dict[str, Any] = {"table": table, "base": "/gin/seats", "about": about, "goes_on": goes_on}
    values["only_here"] = is_only_here(request)
    return render(request, "play/invite.html", page="gin", **values)


# A seat


@router.get("/gin/seats/{seat}")
def seat_page(request: Request, seat: Secret) -> Response:
    """Return the table as this seat sees it."""
    return render(request, "gin/seat.html", page="gin", **_shown(request, seat))


@router.get("/gin/seats/{seat}/table")
def seat_table(request: Request, seat: Secret) -> Response:
    """Return the piece of the page that changes."""
    return render(request, "gin/table.html", **_shown(request, seat))


@router.post("/gin/seats/{seat}/act")
def act(
    request: Request,
    seat: Secret,
    turn: Annotated[int, Form(ge=1, le=10_000)],
    action: Annotated[int, Form(ge=0, le=10_000)],
) -> Response:
    """Take an action, by its number, and return the table after it."""
    _act(request, seat, turn, action)
    return _back(request, seat)


@router.post("/gin/seats/{seat}/next")
def next_round(request: Request, seat: Secret, hand: Annotated[int, Form(ge=1, le=10_000)]) -> Response:
    """Say that this player has seen how a hand ended, and is ready for the next one."""
    tables = _tables(request)
    table, number = tables.at_seat(seat)
    table.be_ready(number, hand)
    tables.wake_bots(table)
    return _back(request, seat)


@router.post("/gin/seats/{seat}/hint")
async def hint(request: Request, seat: Secret) -> Response:
    """Return the table with what the adviser says of this turn, by what this seat may know."""
    tables = _tables(request)
    table, number = await run_in_threadpool(tables.at_seat, seat)
    await tables.ask_for_hint(table, number)
    return await run_in_threadpool(_back, request, seat)


def _back(request: Request, seat: str) -> Response:
    return seat_table(request, seat) if is_htmx(request) else RedirectResponse(f"/gin/seats/{seat}", status_code=303)


def _act(request: Request, token: str, turn: int, number: int) -> tuple[GinTable, int]:
    tables = _tables(request)
    table, seat = tables.at_seat(token)
    if number >= READY and number != READY + seat:
        raise ConflictError("everybody says for themselves that they are ready")
    table.act(seat, turn, number)
    tables.wake_bots(table)
    return table, seat


def _shown(request: Request, token: str) -> dict[str, Any]:
    table, seat = _tables(request).at_seat(token)
    state = table.state()
    return {
        "table": table,
        "token": token,
        "turn": state.turn_number,
        "table_version": table.version,
        "shown": gin_picture(state, table.setup.names, seat),
        "hint": table.hint(seat),
        "review": _review(request, token, state.game.played[-1]) if state.game.round_is_over else None,
        "names": table.setup.names,
        "next_seat": _seat_of_next(request, table, seat) if state.is_over and table.next_host else "",
    }


def _seat_of_next(request: Request, table: GinTable, seat: int) -> str:
    """Return the link of a player's seat at the next table; empty if that is damaged, or was removed."""
    try:
        return _tables(request).of_host(table.next_host).setup.seats[seat].token
    except (NotFoundError, DamagedTableError):
        return ""


@router.get("/gin/seats/{seat}/version")
def version(request: Request, seat: Secret) -> JSONResponse:
    """Return which version of the table is the newest: for pages in the background, which follow no stream."""
    table, _number = _tables(request).at_seat(seat)
    return JSONResponse({"version": table.version})


@router.get("/gin/seats/{seat}/events", response_class=StreamingResponse)
async def events(request: Request, seat: Secret) -> Response:
    """Return a stream that says when something has changed; not what."""
    return await followed(request, _tables(request), seat)


# After a hand, and after the game


@router.get("/gin/seats/{seat}/hands/{hand}")
def hand_page(request: Request, seat: Secret, hand: Hand) -> Response:
    """Return how a hand of this game went; only after its end."""
    table, number, played = _played(request, seat, hand)
    names = table.setup.names
    values: dict[str, Any] = {"token": seat, "me": number, "names": names, "result": result_of(played, names)}
    values |= {"num_played": len(table.state().game.played), "review": _review(request, seat, played)}
    return render(request, "gin/hand.html", page="gin", **values)


@router.get("/gin/seats/{seat}/hands/{hand}/review")
def review(request: Request, seat: Secret, hand: Hand) -> Response:
    """Return what each decision of a hand cost, if that is known, or how far it is."""
    return _review_piece(request, seat, hand)


@router.post("/gin/seats/{seat}/hands/{hand}/review")
def begin_review(request: Request, seat: Secret, hand: Hand) -> Response:
    """Begin to look at each decision of a hand, and return how far that is, or lead back to the hand."""
    piece = _review_piece(request, seat, hand, may_begin=True)
    return piece if is_htmx(request) else RedirectResponse(f"/gin/seats/{seat}/hands/{hand}", status_code=303)


def _played(request: Request, token: str, hand: int) -> tuple[GinTable, int, PlayedRound]:
    table, seat = _tables(request).at_seat(token)
    played = table.state().game.played
    if hand > len(played):
        raise ConflictError(f"hand {hand} is not over: only then does it lie open")
    return table, seat, played[hand - 1]


def _review_piece(request: Request, token: str, hand: int, may_begin: bool = False) -> Response:
    table, _seat, played = _played(request, token, hand)
    found = _review(request, token, played, may_begin)
    return render(request, "gin/review_place.html", review=found, names=table.setup.names)


def _review(request: Request, token: str, played: PlayedRound, may_begin: bool = False) -> dict[str, Any]:
    """Return the review of a hand that is over, for which the page asks by a button."""
    address = f"/gin/seats/{token}/hands/{played.number + 1}/review"
    args = {
        "deck": tuple(map(number_of, played.deal.deck)),
        "rules": played.end.rules.name,
        "starter": played.starter,
        "scores": played.scores,
        "actions": played.actions,
    }
    try:
        job = (ask if may_begin else find)(request, "gin-review", args)
    except HandfulError as error:  # too many computations are waiting
        return {"error": str(error)}
    if job is None or (job.is_fruitless and not may_begin):
        return {"begin": address}
    return {**panel_values(request, job), "poll": address}


@router.post("/gin/seats/{seat}/again")
def again(request: Request, seat: Secret) -> Response:
    """Set a table for the same players with other deals, unless one of them has; lead to the seat there."""
    tables = _tables(request)
    table, number = tables.at_seat(seat)
    if not table.state().is_over:
        raise ConflictError("the game is not over: only after the end is there a next one")
    if not table.next_host:
        setup = table.setup
        places = [(place.name, place.bot) for place in setup.seats]
        following = tables.create(plan_anew(setup.deal), places, is_open=False, has_hints=setup.has_hints)
        table.go_on_with(following.setup.host)
    return lead_to(request, f"/gin/seats/{_seat_of_next(request, table, number)}")


# For programs: the same as JSON


class GinMove(BaseModel):
    """An action by its number, for the turn that the player had before the eyes."""

    turn: int = Field(ge=1, le=10_000)
    action: int = Field(ge=0, le=10_000)


@router.get("/api/gin/seats/{seat}")
def seat_json(request: Request, seat: Secret) -> JSONResponse:
    """Return what this seat sees, and what it may do."""
    table, number = _tables(request).at_seat(seat)
    return JSONResponse(_seat_json(table, number))


@router.post("/api/gin/seats/{seat}/actions")
def act_json(request: Request, seat: Secret, move: GinMove) -> JSONResponse:
    """Take an action, and return what this seat sees after it."""
    table, number = _act(request, seat, move.turn, move.action)
    return JSONResponse(_seat_json(table, number))


def _seat_json(table: GinTable, seat: int) -> dict[str, Any]:
    state = table.state()
    return seen(state, table.setup.names, seat) | {"seed": str(table.setup.deal.seed) if state.is_over else None}
