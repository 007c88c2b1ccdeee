"""At a table of Hanabi, beside the cards: what people say, notes on cards, and turns that they want to take back.

Notes are private to a seat until the game is over; then they are in its record, for all. What is said is read by all at
the table, and by spectators. Nothing of it is ever put into a page other than as text.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, Field

from handful.web.beside import shown_said
from handful.web.hanabi_table import Table
from handful.web.pages.play import seat_table
from handful.web.rendering import is_htmx, render
from handful.web.streams import Secret
from handful.web.tables import Tables

MOST_SENT = 2_000  # characters of a text; how much of it is kept, the table says

router = APIRouter()


def _at_seat(request: Request, token: str) -> tuple[Table, int]:
    tables: Tables = request.app.state.tables
    return tables.at_seat(token)


def _back(seat: str) -> Response:
    return RedirectResponse(f"/play/seats/{seat}", status_code=303)


# What is said


@router.get("/play/seats/{seat}/said")
def said(request: Request, seat: Secret) -> Response:
    """Return a piece of the page: what was said at the table."""
    table, number = _at_seat(request, seat)
    return render(request, "play/said.html", said=shown_said(table, number))


@router.post("/play/seats/{seat}/said")
def say(request: Request, seat: Secret, text: Annotated[str, Form(max_length=MOST_SENT)]) -> Response:
    """Say something to all at the table, and return what was said there."""
    table, number = _at_seat(request, seat)
    table.say(number, text)
    return said(request, seat) if is_htmx(request) else _back(seat)


# Notes


@router.post("/play/seats/{seat}/notes")
def note(
    request: Request,
    seat: Secret,
    card: Annotated[int, Form(ge=0, le=1_000)],
    text: Annotated[str, Form(max_length=MOST_SENT)] = "",
) -> Response:
    """Keep a note on a card, by its order in the deck; an empty one removes it."""
    table, number = _at_seat(request, seat)
    table.note(number, card, text)
    return Response(status_code=204) if is_htmx(request) else _back(seat)


class Note(BaseModel):
    """A note on a card, by its order in the deck."""

    card: int = Field(ge=0, le=1_000)
    text: str = Field(max_length=MOST_SENT)


class Talk(BaseModel):
    """Something to say."""

    text: str = Field(max_length=MOST_SENT)


@router.get("/api/seats/{seat}/notes")
def notes_json(request: Request, seat: Secret) -> JSONResponse:
    """Return the notes of this seat, and of nobody else, by the order of the card."""
    table, number = _at_seat(request, seat)
    return JSONResponse({str(card): text for card, text in table.notes(number)[number].items()})


@router.post("/api/seats/{seat}/notes")
def note_json(request: Request, seat: Secret, given: Note) -> JSONResponse:
    """Keep a note on a card, and return all notes of this seat."""
    table, number = _at_seat(request, seat)
    table.note(number, given.card, given.text)
    return notes_json(request, seat)


@router.get("/api/seats/{seat}/said")
def said_json(request: Request, seat: Secret) -> JSONResponse:
    """Return what was said at the table."""
    table, number = _at_seat(request, seat)
    return JSONResponse([{"name": each.name, "text": each.text, "at": each.at} for each in shown_said(table, number)])


@router.post("/api/seats/{seat}/said")
def say_json(request: Request, seat: Secret, given: Talk) -> JSONResponse:
    """Say something to all at the table, and return what was said there."""
    table, number = _at_seat(request, seat)
    table.say(number, given.text)
    return said_json(request, seat)


# Turns that are taken back


@router.post("/play/seats/{seat}/undo")
def ask_back(request: Request, seat: Secret, turn: Annotated[int, Form(ge=1, le=10_000)]) -> Response:
    """Ask for the game as it was before this seat's last turn, and return the table."""
    table, number = _at_seat(request, seat)
    table.ask_back(number, turn)
    return seat_table(request, seat) if is_htmx(request) else _back(seat)


@router.post("/play/seats/{seat}/undo/answer")
def answer_back(
    request: Request,
    seat: Secret,
    events: Annotated[int, Form(ge=0, le=100_000)],
    answer: Annotated[Literal["yes", "no"], Form()],
) -> Response:
    """Agree to what somebody wants to take back, or not, and return the table."""
    table, number = _at_seat(request, seat)
    table.answer_back(number, events, agrees=answer == "yes")
    return seat_table(request, seat) if is_htmx(request) else _back(seat)
