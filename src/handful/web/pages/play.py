"""Play Hanabi: tables with people and bots, a secret link for every person's seat, live updates.

Every answer about a game that goes on is drawn from the view of the seat that asked (`table_picture`), so that it
cannot hold that player's own cards, nor the deck. Events say only that something has changed.

Routes that look a table up are plain functions, which FastAPI runs in threads: the file of tables may keep them
waiting, and the event loop, on which all streams live, must not wait with them.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

from handful.bots.players import all_bots
from handful.errors import HandfulError, NotationError
from handful.hanabi.actions import action_at
from handful.hanabi.live.records import Record
from handful.hanabi.notation import NAMES, turn_text
from handful.hanabi.rules import PRESETS
from handful.hanabi.state import State
from handful.hanabi.variants import VARIANTS
from handful.web.beside import beside, shown_said
from handful.web.bot_process import is_readable
from handful.web.errors import ConflictError, DamagedTableError, NotFoundError
from handful.web.jobs import ask, find, panel_values
from handful.web.live_tables import MAX_NAME
from handful.web.pages.addresses import token_of
from handful.web.pages.analysed import link_of
from handful.web.pages.new_table import BOT_FOR_ALL, PERSON, USUAL_BOT, NewTable, deal_anew, variants_found
from handful.web.rendering import download, is_htmx, is_only_here, lead_to, render, render_text
from handful.web.streams import Secret, followed
from handful.web.table_options import MAX_INCREMENT, MAX_MINUTES
from handful.web.table_picture import Picture, legal_actions, picture
from handful.web.tables import MAX_PLAYERS, MIN_PLAYERS, Table, Tables

# The bots that take a hint for what it says; the others are of a kind with a code of its own.
PLAIN_BOTS = (
    (USUAL_BOT, "partner, plays as people do"),
    (BOT_FOR_ALL, "rules of thumb"),
    ("conventions", "conventions (2 players)"),
    ("random", "random"),
)
PLAIN_NAMES = ("partner", "rules", "conventions", "random")

router = APIRouter()

TurnQuery: TypeAlias = Annotated[int | None, Query(ge=0, le=10_000)]


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


# A new table


@router.get("/play")
def page(request: Request) -> Response:
    """Return the page on which a table is set."""
    return render(
        request,
        "play/new.html",
        page="play",
        variants=list(VARIANTS.values()),
        **variants_found("No Variant"),
        plain_bots=PLAIN_BOTS,
        bots=[bot for bot in all_bots() if bot.name not in PLAIN_NAMES and bot.sees == "view"],
        presets=list(PRESETS),
        names=NAMES[:MAX_PLAYERS],
        players=range(MIN_PLAYERS, MAX_PLAYERS + 1),
        max_name=MAX_NAME,
        max_minutes=MAX_MINUTES,
        max_increment=MAX_INCREMENT,
        person=PERSON,
    )


@router.get("/play/variants")
def variants(request: Request, variant: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Return a piece of the form: what is special about the variant that is named, or those that could be meant."""
    return render(request, "play/variants.html", **variants_found(variant))


@router.post("/play/tables")
def create(request: Request, form: Annotated[NewTable, Form()]) -> Response:
    """Set a table, and lead to its first seat, or to the links of all seats if more than one person plays."""
    if not form.model_fields_set:
        raise NotationError("nothing was asked for: expected the fields of the form, such as players=3")
    dealt = form.dealt()
    places, options = form.places(dealt.rules), form.options()
    table = _tables(request).create(dealt, places, form.deal != "drawn", options)
    return lead_to(request, _first_page(table))


def _first_page(table: Table) -> str:
    people = [seat for seat in table.setup.seats if seat.is_person]
    if table.setup.options.open_hands:  # only the table's own page has the spectators' link then
        return f"/play/tables/{table.setup.host}"
    return f"/play/seats/{people[0].token}" if len(people) == 1 else f"/play/tables/{table.setup.host}"


@router.get("/play/tables/{host}")
def invite(request: Request, host: Secret) -> Response:
    """Return the page with the links of all seats, for whoever has set the table."""
    table = _tables(request).of_host(host)
    state, variant = table.state(), table.setup.deal.rules.variant
    about = f"{variant.name}, {len(table.setup.seats)} players"
    goes_on = f"turn {state.turn_number}" if state.history else ""
    special = table.setup.deal.rules.in_words
    values: dict[str, Any] = {"table": table, "base": "/play/seats", "about": about, "special": special}
    values |= {"goes_on": goes_on, "watch": table.setup.watch, "only_here": is_only_here(request)}
    return render(request, "play/invite.html", page="play", **values)


# A seat


@router.get("/play/seats/{seat}")
def seat_page(request: Request, seat: Secret, turn: TurnQuery = None) -> Response:
    """Return the table as this seat sees it."""
    shown = _shown(request, seat, turn)
    table, number = shown["table"], shown["shown"].me
    talk = {"said": shown_said(table, number), "notes": table.notes(None if shown["finished"] else number)}
    return render(request, "play/seat.html", page="play", **shown, **talk)


@router.get("/play/seats/{seat}/table")
def seat_table(request: Request, seat: Secret, turn: TurnQuery = None) -> Response:
    """Return the piece of the page that changes."""
    table, number = _tables(request).at_seat(seat)

    def draw() -> str:
        return render_text("play/table.html", request=request, **_shown(request, seat, turn))

    # What clocks show, and how far an analysis is, changes without a change of the table.
    is_steady = turn is None and not table.setup.options.has_clock and not table.state().is_over
    return HTMLResponse(table.drawn(number, draw) if is_steady else draw())


@router.post("/play/seats/{seat}/act")
def act(
    request: Request,
    seat: Secret,
    turn: Annotated[int, Form(ge=1, le=10_000)],
    action: Annotated[int, Form(ge=0, le=10_000)],
) -> Response:
    """Take an action, by its number, and return the table after it."""
    _act(request, seat, turn, action)
    if is_htmx(request):
        return seat_table(request, seat)
    return RedirectResponse(f"/play/seats/{seat}", status_code=303)


def _act(request: Request, token: str, turn: int, number: int) -> tuple[Table, int]:
    tables = _tables(request)
    table, seat = tables.at_seat(token)
    table.act(seat, turn, action_at(table.setup.deal.rules, seat, number))
    tables.wake_bots(table)
    return table, seat


def _shown(request: Request, token: str, turn: int | None) -> dict[str, Any]:
    table, seat = _tables(request).at_seat(token)
    version = table.version  # before the state: what is shown may be newer than it says, but never older
    state = table.state()
    shown: Picture = picture(state, table.setup.names, seat, turn)
    record = table.record() if state.is_over else None
    return {
        "table": table,
        "has_meanings": any(is_readable(bot) for bot in table.setup.bots),
        "token": token,
        "shown": shown,
        "table_version": version,
        "beside": beside(table, seat),
        "finished": _finished(request, table, record, seat) if record is not None else None,
        "analysis": _analysis(request, record, state, token) if record is not None and shown.is_now else None,
    }


def _finished(request: Request, table: Table, record: Record, seat: int) -> dict[str, Any]:
    """Return what is said of a game that is over: only then is there a seed, a record, a link."""
    try:
        address = f"/analyse?{urlencode({'game': token_of(record.bare())})}"
    except HandfulError:
        address = ""
    next_seat = _seat_of_next(request, table, seat) if table.next_host else ""
    return {"seed": table.setup.deal.seed, "link": link_of(record), "analysis": address, "next_seat": next_seat}


def _seat_of_next(request: Request, table: Table, seat: int) -> str:
    """Return the link of a player's seat at the next table; empty if that is damaged, or was removed."""
    try:
        return _tables(request).of_host(table.next_host).setup.seats[seat].token
    except (NotFoundError, DamagedTableError, IndexError):
        return ""


async def _meanings(request: Request, token: str) -> tuple[Table, int, dict[str, Any]]:
    """Return what the turns at a table mean to a seat, by the conventions of `partner`, who sits there."""
    tables = _tables(request)
    table, number = await run_in_threadpool(tables.at_seat, token)
    if not any(is_readable(bot) for bot in table.setup.bots):
        raise ConflictError("no bot at this table keeps to conventions that can be read: partner does")
    _current, _turn, history = table.to_move()
    found = await tables.bots.advise(table.number, table.setup, history, number)
    names = table.setup.names
    turns = [[sentence.format(*names) for sentence in said] for said in found["turns"]]
    hints = {action: [sentence.format(*names) for sentence in said] for action, said in found["hints"].items()}
    return table, number, {"turns": turns, "hints": hints}


@router.get("/play/seats/{seat}/meanings")
async def meanings(request: Request, seat: Secret) -> Response:
    """Return a piece of the page: what each turn meant, and what the hints would mean that this seat may give."""
    table, number, found = await _meanings(request, seat)
    state, names = table.state(), table.setup.names
    history = [turn_text(state.rules, turn, names) for turn in state.history]
    actions = {each["action"]: each["text"] for each in legal_actions(state, names, number)}
    return render(
        request,
        "play/meanings.html",
        turns=list(enumerate(zip(history, found["turns"], strict=False), 1)),
        hints=[(actions[action], said) for action, said in found["hints"].items() if action in actions],
    )


@router.get("/api/seats/{seat}/meanings")
async def meanings_json(request: Request, seat: Secret) -> JSONResponse:
    """Return what each turn meant, and what hints would mean by the numbers of their actions."""
    _table, _number, found = await _meanings(request, seat)
    return JSONResponse(found | {"hints": {str(action): said for action, said in found["hints"].items()}})


@router.get("/play/seats/{seat}/version")
def version(request: Request, seat: Secret) -> JSONResponse:
    """Return which version of the table is the newest: for pages in the background, and those that show an old turn."""
    table, number = _tables(request).at_seat(seat)
    state = table.state()
    is_mine = not state.is_over and state.current == number
    told = {"version": table.version, "turns": len(state.history), "waits_for_you": is_mine, "said": table.num_said}
    return JSONResponse(told)


@router.get("/play/seats/{seat}/events", response_class=StreamingResponse)
async def events(request: Request, seat: Secret) -> Response:
    """Return a stream that says when something has changed; not what."""
    return await followed(request, _tables(request), seat)


# After the end


@router.get("/play/seats/{seat}/analysis")
def analysis(request: Request, seat: Secret) -> Response:
    """Return where the game was lost and what would have won it, if that is known; only after the end."""
    return _analysis_piece(request, seat)


@router.post("/play/seats/{seat}/analysis")
def analyse(request: Request, seat: Secret) -> Response:
    """Begin the analysis of a game that is over, and return how far it is, or lead back to the seat."""
    piece = _analysis_piece(request, seat, may_begin=True)
    return piece if is_htmx(request) else RedirectResponse(f"/play/seats/{seat}", status_code=303)


def _analysis_piece(request: Request, seat: str, may_begin: bool = False) -> Response:
    table, _number = _tables(request).at_seat(seat)
    state = table.state()
    found = _analysis(request, table.record(), state, seat, may_begin)
    return render(request, "play/analysis.html", analysis=found)


def _analysis(
    request: Request, record: Record, state: State, seat: str, may_begin: bool = False
) -> dict[str, Any] | None:
    """Return the analysis of a game that is over, for which the page itself asks; None for a perfect game."""
    if state.ending == "perfect":
        return None
    address = f"/play/seats/{seat}/analysis"
    try:
        job = (ask if may_begin else find)(request, "analyse", {"game": token_of(record.bare())})
    except HandfulError as error:  # the game is too large for it, or too many computations are waiting
        return {"error": str(error)}
    return {"begin": address} if job is None else {**panel_values(request, job), "poll": address}


@router.get("/play/seats/{seat}/record")
def record(request: Request, seat: Secret) -> Response:
    """Return the game as a file that hanab.live reads; only after the end."""
    table, _number = _tables(request).at_seat(seat)
    return download(table.record().to_text(), "game.json")


@router.post("/play/seats/{seat}/again")
def again(request: Request, seat: Secret) -> Response:
    """Set a table for the same players with another deal, unless one of them has; lead to the seat there."""
    tables = _tables(request)
    table, number = tables.at_seat(seat)
    _check_over(table.state())
    if not table.next_host:
        places = [(place.name, place.bot) for place in table.setup.seats]
        following = tables.create(deal_anew(table.setup.deal), places, is_open=False, options=table.setup.options)
        table.go_on_with(following.setup.host)
    return lead_to(request, f"/play/seats/{_seat_of_next(request, table, number)}")


def _check_over(state: State) -> None:
    if not state.is_over:
        raise ConflictError("the game is not over: only after the end is there a record, an analysis, a next game")


# For programs: the same as JSON


class Move(BaseModel):
    """An action by its number, for the turn that the player had before the eyes."""

    turn: int = Field(ge=1, le=10_000)
    action: int = Field(ge=0, le=10_000)


@router.get("/api/seats/{seat}")
def seat_json(request: Request, seat: Secret) -> JSONResponse:
    """Return what this seat sees, and what it may do."""
    table, number = _tables(request).at_seat(seat)
    return JSONResponse(_seat_json(table, number))


@router.post("/api/seats/{seat}/actions")
def act_json(request: Request, seat: Secret, move: Move) -> JSONResponse:
    """Take an action, and return what this seat sees after it."""
    table, number = _act(request, seat, move.turn, move.action)
    return JSONResponse(_seat_json(table, number))


def _seat_json(table: Table, seat: int) -> dict[str, Any]:
    state, names = table.state(), table.setup.names
    shown = picture(state, names, seat).to_dict()
    return shown | {
        "actions": legal_actions(state, names, seat),
        "clocks": table.clocks() or None,
        "wants_back": None if table.take_back is None else names[table.take_back.asker],
        "seed": table.setup.deal.seed if state.is_over else None,
    }
