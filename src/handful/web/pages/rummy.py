"""The Rummy adviser: click the cards of a hand; expected turns, what to throw for every draw, what the others cost.

Answers are made in processes of their own. What they say of a hand is looked up here, in moments: the first time
only after such a process has compiled all that is needed, so that the server itself never does.
"""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from handful.errors import DealError, HandfulError
from handful.rummy.answers import Answers, answers_folder
from handful.rummy.cards import format_cards, sizes_text
from handful.rummy.distribution import Turns, turns_of
from handful.rummy.game import EXACT_TURNS_SIZES, GONE_SIZES, HAND_SIZES, Game
from handful.rummy.solver.solve import Estimate, estimate, ready_answers
from handful.web.jobs import Kind, register
from handful.web.pages.plots import turns_plot
from handful.web.pages.rummy_hand import (
    ACE_TEXTS,
    ALL_CARDS,
    MOST_MADE_HERE,
    Question,
    answer,
    deck_rows,
    face_of,
)
from handful.web.rendering import environment, render

AT_ONCE_SECONDS = 10.0  # answers that take longer are made when somebody asks for it

register(Kind("rummy-table", "handful.web.pages.work:rummy_table", "rummy/table_made.html", limit=3600))
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


@router.get("/rummy")
def page(
    request: Request, hand: Text = "", card: Cards = None, aces: Aces = "low", draw: Text = "", gone: Text = ""
) -> Response:
    """Return the page; with cards, also what is to say of them."""
    values, status = _advice(request, hand, card, aces, draw, gone)
    return render(request, "rummy/page.html", status=status, page="rummy", rows=deck_rows(), **values)


@router.get("/rummy/advice")
def advice(
    request: Request, hand: Text = "", card: Cards = None, aces: Aces = "low", draw: Text = "", gone: Text = ""
) -> Response:
    """Return what is to say of a hand: a piece of the page."""
    values, status = _advice(request, hand, card, aces, draw, gone)
    question: Question | None = values["question"]
    headers = {} if question is None else {"HX-Replace-Url": f"/rummy?{query(question)}"}
    return render(request, "rummy/advice.html", status=status, headers=headers, **values)


@router.get("/rummy/turns")
def turns(request: Request, hand: Text, aces: Aces = "low") -> Response:
    """Return how the turns of a hand are spread: a piece of the page."""
    question = Question.of(hand, aces)
    if not question.is_whole or _needs(question.game) is not None:
        raise DealError(f"hand {hand!r}: expected {sizes_text(HAND_SIZES)} cards of a game that is solved")
    if len(question.hand) not in EXACT_TURNS_SIZES:
        args = {"hand": format_cards(question.hand), "aces": question.aces}
        job_id = request.app.state.jobs.start("rummy-turns", args, key=f"rummy-turns {sorted(args.items())}")
        return render(request, "job_place.html", job_id=job_id)
    found = _turns(format_cards(question.hand), question.aces)
    return render(request, "rummy/turns.html", turns=found, plot=turns_plot(found))


@router.get("/rummy/deal")
def deal(cards: Annotated[int, Query(ge=HAND_SIZES[0], le=MOST_MADE_HERE)] = 3, aces: Aces = "low") -> Response:
    """Lead to a hand dealt at random."""
    hand = secrets.SystemRandom().sample(ALL_CARDS, cards)
    question = Question.of(format_cards(sorted(hand)), aces)
    return RedirectResponse(f"/rummy?{query(question)}", status_code=303)


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
    cards: Annotated[int, Form(ge=HAND_SIZES[0], le=MOST_MADE_HERE)],
    aces: Annotated[Literal["low", "high", "wrap"], Form()],
    hand: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Begin to make the answers of a game."""
    job_id = _begin(request, Game(cards, aces))
    _asked_for(request).add(Game(cards, aces))
    if request.headers.get("hx-request") == "true":
        return render(request, "job_place.html", job_id=job_id)
    return RedirectResponse(f"/rummy?{urlencode({'hand': hand, 'aces': aces})}", status_code=303)


# What is known of a hand


def _advice(
    request: Request, hand: str, card: list[str] | None, aces: str, draw: str, gone: str
) -> tuple[dict[str, Any], int]:
    """Return what the templates show, and the status: what cannot be understood is said in its place."""
    values: dict[str, Any] = {
        "question": None,
        "answer": None,
        "needed": None,
        "job_id": "",
        "error": "",
        "aces": aces if aces in ACE_TEXTS else "low",
        "given": hand,
        "gone": gone,
        "sizes": range(HAND_SIZES[0], MOST_MADE_HERE + 1),
        "most_made_here": MOST_MADE_HERE,
    }
    try:
        question = Question.of(" ".join([hand, *(card or ())]), aces, draw, gone)
        values["question"] = question
        if question.is_whole:
            values.update(_known(request, question))
    except HandfulError as error:
        values["error"] = str(error)
        return values, 400
    return values, 200


def _known(request: Request, question: Question) -> dict[str, Any]:
    """Return the answer, or what has to be done before there is one."""
    jobs = request.app.state.jobs
    if question.gone:
        if len(question.hand) not in GONE_SIZES:
            sizes = sizes_text(GONE_SIZES)
            raise DealError(f"{len(question.hand)} cards with others gone: expected a hand of {sizes}")
        args = question.query()
        return {"job_id": jobs.start("rummy-gone", args, key=f"rummy-gone {sorted(args.items())}")}
    needed = _needs(question.game)
    if needed is not None and needed.seconds > AT_ONCE_SECONDS and question.game not in _asked_for(request):
        return {"needed": needed}
    if needed is not None or question.game not in _PREPARED:
        job = jobs.get(_begin(request, question.game))
        if job.status != "done":
            return {"job_id": job.id}
        _PREPARED.add(question.game)
    return {"answer": answer(question, _answers(question.game))}


_PREPARED: set[Game] = set()  # games whose kernels a process has compiled since this server was started


def _asked_for(request: Request) -> set[Game]:
    """Return the games whose answers this server was asked to make."""
    state = request.app.state
    if not hasattr(state, "rummy_asked_for"):
        state.rummy_asked_for = set()
    games: set[Game] = state.rummy_asked_for
    return games


def _begin(request: Request, game: Game) -> str:
    args, key = {"cards": game.cards, "aces": game.aces}, f"rummy-table {game.cards} {game.aces}"
    job_id: str = request.app.state.jobs.start("rummy-table", args, key=key)
    return job_id


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
