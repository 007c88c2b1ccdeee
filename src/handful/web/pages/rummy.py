"""The Rummy adviser: click the cards of a hand; expected turns, what to throw for every draw, what the others cost.

Answers are made in processes of their own. What they say of a hand is looked up here, in moments: the first time
only after such a process has compiled all that is needed, so that the server itself never does. A process begins when
the page's own form asks (a POST); who opens an address that somebody sent is shown a button, or what is known already.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from handful.errors import DealError, HandfulError
from handful.rummy.answers import Answers, answers_folder
from handful.rummy.cards import format_cards, sizes_text
from handful.rummy.distribution import Turns, turns_of
from handful.rummy.game import EXACT_TURNS_SIZES, HAND_SIZES, Game
from handful.rummy.gone.reckoning import is_solved_anew
from handful.rummy.solver.solve import Estimate, estimate, ready_answers
from handful.web.errors import status_of
from handful.web.jobs import Kind, ask, find, register
from handful.web.pages.plots import turns_plot
from handful.web.pages.rummy_hand import (
    ACE_TEXTS,
    ALL_CARDS,
    MOST_MADE_HERE,
    Question,
    answer,
    deck_rows,
)
from handful.web.playing_cards import face_of
from handful.web.rendering import environment, is_htmx, render

AT_ONCE_SECONDS = 10.0  # answers that take longer are made when somebody asks for it

register(Kind("rummy-table", "handful.web.pages.work:rummy_table", "rummy/table_made.html", limit=3600, keeps=False))
register(Kind("rummy-turns", "handful.web.pages.work:rummy_turns", "rummy/turns_found.html", limit=300))
register(Kind("rummy-gone", "handful.web.pages.work:rummy_gone", "rummy/gone.html", limit=300))


def query(question: Question, **changed: str) -> str:
    """Return a question as a part of an address, with something changed."""
    return urlencode(question.query(**changed))


# What templates know, also that of a job that is done.
environment().globals |= {"ace_texts": ACE_TEXTS, "face_of": face_of, "rummy_query": query}

router = APIRouter()

Cards: TypeAlias = Annotated[list[str] | None, Query(max_length=52)]
Text: TypeAlias = Annotated[str, Query(max_length=400)]
Aces: TypeAlias = Annotated[str, Query(max_length=20)]


class Asked(BaseModel):
    """What the form says: a hand, as text and as single cards, and what goes with it."""

    hand: Annotated[str, Field(max_length=400)] = ""
    card: Annotated[list[Annotated[str, Field(max_length=400)]], Field(max_length=52)] = []
    aces: Annotated[str, Field(max_length=20)] = "low"
    draw: Annotated[str, Field(max_length=400)] = ""
    gone: Annotated[str, Field(max_length=400)] = ""


@router.get("/rummy")
def page(
    request: Request, hand: Text = "", card: Cards = None, aces: Aces = "low", draw: Text = "", gone: Text = ""
) -> Response:
    """Return the page; with cards, also what is to say of them."""
    values, status = _advice(request, Asked(hand=hand, card=card or [], aces=aces, draw=draw, gone=gone))
    return render(request, "rummy/page.html", status=status, page="rummy", rows=deck_rows(), **values)


@router.get("/rummy/advice")
def advice(
    request: Request, hand: Text = "", card: Cards = None, aces: Aces = "low", draw: Text = "", gone: Text = ""
) -> Response:
    """Return what is known of a hand: a piece of the page."""
    return _advice_piece(request, Asked(hand=hand, card=card or [], aces=aces, draw=draw, gone=gone))


@router.post("/rummy/advice")
def work_out(request: Request, asked: Annotated[Asked, Form()]) -> Response:
    """Return what is to say of a hand: a piece of the page, or a way to it. Begin what has to be worked out."""
    if is_htmx(request):
        return _advice_piece(request, asked, may_begin=True)
    _advice(request, asked, may_begin=True)  # the page says what was wrong with it, if anything
    return RedirectResponse(f"/rummy?{urlencode(asked.model_dump(), doseq=True)}", status_code=303)


@router.get("/rummy/turns")
@router.post("/rummy/turns")
def turns(request: Request, hand: Text, aces: Aces = "low") -> Response:
    """Return how the turns of a hand are spread: a piece of the page. For a large hand a POST works it out."""
    question = Question.of(hand, aces)
    if not question.is_whole or _needs(question.game) is not None:
        raise DealError(f"hand {hand!r}: expected {sizes_text(HAND_SIZES)} cards of a game that is solved")
    if len(question.hand) not in EXACT_TURNS_SIZES:
        args = {"hand": format_cards(question.hand), "aces": question.aces}
        job = (ask if request.method == "POST" else find)(request, "rummy-turns", args)
        if job is None or (job.is_fruitless and request.method != "POST"):
            return render(request, "rummy/turns_asked.html", question=question)
        return render(request, "job_place.html", job_id=job.id)
    found = _turns(format_cards(question.hand), question.aces)
    return render(request, "rummy/turns.html", turns=found, plot=turns_plot(found))


NumCards: TypeAlias = Annotated[int, Field(ge=HAND_SIZES[0], le=HAND_SIZES[-1])]
NumMadeHere: TypeAlias = Annotated[int, Field(ge=HAND_SIZES[0], le=MOST_MADE_HERE)]


@router.get("/rummy/deal")
def deal(cards: Annotated[NumCards, Query()] = 3, aces: Aces = "low") -> Response:
    """Lead to a hand dealt at random."""
    return RedirectResponse(f"/rummy?{query(_dealt(cards, aces))}", status_code=303)


@router.post("/rummy/deal")
def deal_and_work_out(
    request: Request,
    cards: Annotated[NumCards, Form()] = 3,
    aces: Annotated[str, Form(max_length=20)] = "low",
) -> Response:
    """Lead to a hand dealt at random, and begin what has to be worked out for it."""
    question = _dealt(cards, aces)
    _advice(request, Asked(hand=format_cards(question.hand), aces=aces), may_begin=True)
    return RedirectResponse(f"/rummy?{query(question)}", status_code=303)


@router.post("/rummy/clear")
def clear(aces: Annotated[str, Form(max_length=20)] = "low") -> Response:
    """Lead to the page without a hand; the ace rule stays."""
    return RedirectResponse(f"/rummy?{urlencode({'aces': aces})}", status_code=303)


def _dealt(cards: int, aces: str) -> Question:
    hand = secrets.SystemRandom().sample(ALL_CARDS, cards)
    return Question.of(format_cards(sorted(hand)), aces)


@router.get("/rummy/draw")
def draw_one(hand: Text, aces: Aces = "low", gone: Text = "") -> Response:
    """Lead to the same hand with a card drawn at random."""
    question = Question.of(hand, aces, gone=gone)
    left = [each for each in ALL_CARDS if each not in (*question.hand, *question.gone)]
    if not left:
        raise DealError("there is no card left to draw")
    drawn = str(secrets.choice(left))
    return RedirectResponse(f"/rummy?{query(question, draw=drawn)}#discards", status_code=303)


@router.post("/rummy/table")
def make_table(
    request: Request,
    cards: Annotated[NumMadeHere, Form()],
    aces: Annotated[Literal["low", "high", "wrap"], Form()],
    hand: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Begin to make the answers of a game."""
    job = ask(request, "rummy-table", _args(Game(cards, aces)))
    _asked_for(request).add(Game(cards, aces))
    if is_htmx(request):
        return render(request, "job_place.html", job_id=job.id)
    return RedirectResponse(f"/rummy?{urlencode({'hand': hand, 'aces': aces})}", status_code=303)


# What is known of a hand


def _advice_piece(request: Request, asked: Asked, may_begin: bool = False) -> Response:
    values, status = _advice(request, asked, may_begin)
    question: Question | None = values["question"]
    headers = {} if question is None else {"HX-Replace-Url": f"/rummy?{query(question)}"}
    return render(request, "rummy/advice.html", status=status, headers=headers, **values)


def _advice(request: Request, asked: Asked, may_begin: bool = False) -> tuple[dict[str, Any], int]:
    """Return what the templates show, and the status: what cannot be understood is said in its place."""
    values: dict[str, Any] = {
        "question": None,
        "answer": None,
        "needed": None,
        "job_id": "",
        "error": "",
        "is_asked": may_begin,
        "aces": asked.aces if asked.aces in ACE_TEXTS else "low",
        "given": asked.hand,
        "gone": asked.gone,
        "sizes": HAND_SIZES,
        "most_made_here": MOST_MADE_HERE,
    }
    try:
        question = Question.of(" ".join([asked.hand, *asked.card]), asked.aces, asked.draw, asked.gone)
        values["question"] = question
        if question.is_whole:
            values.update(_known(request, question, may_begin))
    except HandfulError as error:
        values["error"] = str(error)
        return values, status_of(error)
    return values, 200


def _known(request: Request, question: Question, may_begin: bool) -> dict[str, Any]:
    """Return the answer, or what has to be done before there is one."""
    if question.gone and is_solved_anew(len(question.hand), len(question.gone)):
        return _known_gone(request, question, may_begin)
    needed = _needs(question.game)
    if needed is not None and needed.seconds > AT_ONCE_SECONDS and question.game not in _asked_for(request):
        return {"needed": needed}
    if needed is not None or question.game not in _PREPARED:
        job = (ask if may_begin else find)(request, "rummy-table", _args(question.game))
        if job is None or (job.is_fruitless and not may_begin):
            return {}
        if job.status != "done":
            return {"job_id": job.id}
        _PREPARED.add(question.game)
    if question.gone:
        return _known_gone(request, question, may_begin)
    return {"answer": answer(question, _answers(question.game))}


def _known_gone(request: Request, question: Question, may_begin: bool) -> dict[str, Any]:
    """Return where the answer for a hand is worked out when cards are gone."""
    job = (ask if may_begin else find)(request, "rummy-gone", question.query())
    return {"job_id": "" if job is None or (job.is_fruitless and not may_begin) else job.id}


_PREPARED: set[Game] = set()  # games whose kernels a process has compiled since this server was started


def _asked_for(request: Request) -> set[Game]:
    """Return the games whose answers this server was asked to make."""
    state = request.app.state
    if not hasattr(state, "rummy_asked_for"):
        state.rummy_asked_for = set()
    games: set[Game] = state.rummy_asked_for
    return games


def _args(game: Game) -> dict[str, Any]:
    return {"cards": game.cards, "aces": game.aces}


def _needs(game: Game) -> Estimate | None:
    """Return what making the answers takes; None if they are there."""
    return None if (answers_folder() / game.file_name).exists() else estimate(game.cards, game.aces)


@lru_cache(maxsize=8)
def _answers(game: Game) -> Answers:
    return ready_answers(game.cards, game.aces)


@lru_cache(maxsize=256)
def _turns(hand: str, aces: str) -> Turns:
    question = Question.of(hand, aces)
    return turns_of(_answers(question.game), question.hand)
