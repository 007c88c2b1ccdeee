"""My games: the games of this device, with date, score and result.

The links of the seats are kept in the browser, which sends them here as a list; the server keeps no account, and sets
no cookie. What it answers is what each seat may know: of a game that goes on, no more than whose turn it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from handful.errors import HandfulError
from handful.rummy.gin.game import final_scores
from handful.web.hanabi_table import Table
from handful.web.rendering import render

MOST_GAMES = 100
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,64}")

router = APIRouter()


@dataclass(frozen=True)
class Mine:
    """A game of this device: `result` in words, `score` only if it is over."""

    link: str
    names: tuple[str, ...]
    game: str
    day: str
    is_over: bool
    is_my_turn: bool
    score: str
    result: str


class Seats(BaseModel):
    """The secrets of seats, apart from one another by spaces, and how their games are to be shown."""

    seats: Annotated[str, Field(max_length=70 * MOST_GAMES)] = ""
    gin_seats: Annotated[str, Field(max_length=70 * MOST_GAMES)] = ""
    shown: Literal["table", "list"] = "table"


@router.get("/play/mine")
def page(request: Request) -> Response:
    """Return the page that asks for the games of this device."""
    return render(request, "play/mine.html", page="play")


@router.post("/play/mine")
def games(request: Request, form: Annotated[Seats, Form()]) -> Response:
    """Return a piece of a page: the games of these seats, the latest first; what is not known is left out."""
    state = request.app.state
    found = [
        *_games(state.tables, form.seats, "/play/seats/", _hanabi),
        *_games(state.gin_tables, form.gin_seats, "/gin/seats/", _gin),
    ]
    found.sort(key=lambda each: each.day, reverse=True)
    return render(request, f"play/mine_{form.shown}.html", games=found)


def _games(tables: Any, text: str, base: str, about: Any) -> Iterator[Mine]:
    for token in dict.fromkeys(TOKEN.findall(text)[:MOST_GAMES]):
        try:
            table, seat = tables.glance(token)
            day = tables.store.day_of(table.number)
            yield Mine(base + token, table.setup.names, day=day, **about(table, seat))
        except HandfulError:  # removed, damaged, or of another folder
            continue


ENDINGS = {
    "perfect": "perfect",
    "strikes": "out of strikes",
    "deck": "the deck was empty",
    "stuck": "nobody could move",
    "lost": "a card was lost",
    "time": "the time was up",
}


def _hanabi(table: Table, seat: int) -> dict[str, Any]:
    state, rules = table.state(), table.setup.deal.rules
    is_mine = not state.is_over and state.current == seat
    goes_on = "your turn" if is_mine else f"turn {state.turn_number}"
    return {
        "game": f"Hanabi, {rules.variant.name}",
        "is_over": state.is_over,
        "is_my_turn": is_mine,
        "score": f"{state.score} of {rules.max_score}" if state.is_over else "",
        "result": ENDINGS.get(state.ending or "", "") if state.is_over else goes_on,
    }


def _gin(table: Any, seat: int) -> dict[str, Any]:
    state = table.state()
    game = state.game
    is_mine = state.may_act(seat)
    scores = final_scores(game) if state.is_over else (0, 0)
    return {
        "game": f"Gin to {game.rules.target}",
        "is_over": state.is_over,
        "is_my_turn": is_mine,
        "score": f"{scores[seat]} to {scores[1 - seat]}" if state.is_over else "",
        "result": ("won" if game.winner == seat else "lost")
        if state.is_over
        else ("your turn" if is_mine else f"hand {len(game.played) + 1}"),
    }
