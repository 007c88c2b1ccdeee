"""The playability explorer: how many decks can be played, one deck played, and Solitaire Hanabi watched."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from handful.errors import HandfulError, NotationError
from handful.web.errors import status_of
from handful.web.jobs import Job, Kind, ask, find, register
from handful.web.pages.addresses import MAX_TOKEN, pack, unpack
from handful.web.pages.explored import (
    MAX_COPIES,
    MAX_HAND,
    MAX_LINE_HAND,
    MAX_TEXT,
    MAX_VALUES,
    MIN_VALUES,
    Solved,
    checked,
    decks_of,
    difference_text,
    fitted,
    line_of,
    number_text,
    read_given,
    read_values,
    scene_of,
)
from handful.web.rendering import environment, is_htmx, render

CLASSIC = (3, 2, 2, 2, 1)
FIRST_DECK = "1 3 4 2 1 4 3 2 1 5"  # shown to who has not asked for anything; it takes a hand of two
# Ready to watch: what it is, and the text.
EXAMPLES = (
    ("Two suits, a hand of two", "hand=2\nr2 b3 r1 b1 r3 b2 r5 b5 r4 b4"),
    ("One suit, twice, a hand of one", "hand=1\n3 1 2 4 3 2 1 5 4 5"),
    ("A formula of Baffier et al.", "c (x1 or not x2 or x3) and (x1 or x2 or not x3)\np cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"),
    ("A formula that cannot be satisfied", "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"),
)

register(Kind("count-hands", "handful.web.pages.work:count_hands", "explorer/hands_counted.html", limit=600))
register(Kind("solitaire", "handful.web.pages.work:watch_solitaire", "explorer/solved.html", limit=300))
environment().globals |= {"number_text": number_text, "solitaire_scene": scene_of, "pack_text": pack}

router = APIRouter()

Copies: TypeAlias = Annotated[list[int] | None, Query(max_length=MAX_VALUES)]
Token: TypeAlias = Annotated[str, Query(max_length=MAX_TOKEN)]
Hand: TypeAlias = Annotated[int | None, Query(ge=0, le=MAX_HAND)]
Step: TypeAlias = Annotated[int, Query(ge=0, le=1_000_000)]
LineHand: TypeAlias = Annotated[int, Query(ge=1, le=MAX_LINE_HAND)]
LineText: TypeAlias = Annotated[str, Query(max_length=400)]


# Counting


@router.get("/explorer")
def page(
    request: Request,
    x: Copies = None,
    sequence: LineText = "",
    hand: LineHand = 2,
    values: Annotated[Literal["", "more", "fewer"], Query()] = "",
    shuffle: bool = False,
) -> Response:
    """Return the page of the counts; with `values` or `shuffle`, lead to that of another deck."""
    copies, error = tuple(x or CLASSIC), ""
    try:
        copies = checked((*copies, 1) if values == "more" else copies[:-1] if values == "fewer" else copies)
    except HandfulError as problem:
        copies, error = CLASSIC, str(problem)
    if (values or shuffle) and not error:
        return RedirectResponse(_address(copies, "" if shuffle else _deck(sequence, copies), hand), status_code=303)
    line = _line(sequence or (_deck("", copies) if x else FIRST_DECK), hand, copies)
    return render(
        request,
        "explorer/page.html",
        status=400 if error else 200,
        page="explorer",
        error=error,
        **_counts(copies),
        **line,
    )


@router.get("/explorer/counts")
def counts(request: Request, x: Copies = None, sequence: LineText = "", hand: LineHand = 2) -> Response:
    """Return the counts for these copies, and one deck of them: a piece of the page."""
    copies = checked(tuple(x or CLASSIC))
    deck = _deck(sequence, copies)
    headers = {"HX-Replace-Url": _address(copies, deck, hand)}
    values = {**_counts(copies), **_line(deck, hand, copies)}
    return render(request, "explorer/counts.html", headers=headers, is_piece=True, **values)


@router.post("/explorer/hands")
def count_more(request: Request, x: Annotated[list[int], Form(max_length=MAX_VALUES)]) -> Response:
    """Begin to count for the hand sizes that are too much for a moment."""
    copies = checked(tuple(x))
    hands = [each.hand for each in decks_of(copies).hands if each.counted is None]
    job = ask(request, "count-hands", {"copies": list(copies), "hands": hands})
    if is_htmx(request):
        return render(request, "job_place.html", job_id=job.id)
    return RedirectResponse(_address(copies), status_code=303)


@router.get("/explorer/line")
def line(
    request: Request, x: Copies = None, sequence: LineText = "", hand: LineHand = 2, shuffle: bool = False
) -> Response:
    """Return how one deck is played; with `shuffle`, another deck of these copies."""
    copies = checked(tuple(x or CLASSIC))
    sent = {}
    if shuffle:
        sequence, sent = _deck("", copies), {"is_sent": True}
    headers = {"HX-Replace-Url": _address(copies, sequence, hand)}
    return render(request, "explorer/line.html", headers=headers, **sent, **_line(sequence, hand, copies))


def _counts(copies: tuple[int, ...]) -> dict[str, Any]:
    return {
        "decks": decks_of(copies),
        "copies": copies,
        "most_copies": MAX_COPIES,
        "least_values": MIN_VALUES,
        "most_values": MAX_VALUES,
    }


def _address(copies: tuple[int, ...], sequence: str = "", hand: int = 2) -> str:
    fields: list[tuple[str, Any]] = [("x", number) for number in copies]
    if sequence:
        fields += [("sequence", sequence), ("hand", hand)]
    return f"/explorer?{urlencode(fields)}"


def _deck(sequence: str, copies: tuple[int, ...]) -> str:
    """Return a deck of these copies that is as much as possible like a sequence; without one, any."""
    try:
        found = read_values(sequence)
    except HandfulError:
        found = ()
    return " ".join(map(str, fitted(found, copies, secrets.SystemRandom().randrange)))


def _line(sequence: str, hand: int, copies: tuple[int, ...]) -> dict[str, Any]:
    """Return what the template of one deck shows; what cannot be read is said in its place."""
    values = {"sequence": sequence, "hand": hand, "most_hand": MAX_LINE_HAND, "line": None, "line_error": ""}
    try:
        found = read_values(sequence)
        line = line_of(found, min(hand, len(found)))
        return {**values, "line": line, "difference": difference_text(found, copies)}
    except HandfulError as error:
        return {**values, "line_error": str(error), "difference": ""}


# Solitaire


@router.get("/explorer/solitaire")
def solitaire(request: Request, game: Token = "", hand: Hand = None, step: Step = 0) -> Response:
    """Return the page of the solitaire: the form alone, or with a game."""
    if not game:
        return _solitaire_page(request, hand=hand)
    try:
        text = unpack(game, 4 * MAX_TEXT)
    except HandfulError as error:
        return _solitaire_page(request, hand=hand, error=error)
    # It is not even read here: whoever wants it solved asks by the form, which has the text in it.
    return _solitaire_page(request, text=text, hand=hand, job=_job_of(request, text, hand), step=step)


@router.post("/explorer/solitaire")
def give_solitaire(
    request: Request,
    text: Annotated[str, Form(max_length=4 * MAX_TEXT)] = "",
    hand: Annotated[str, Form(max_length=9)] = "",
) -> Response:
    """Take a game, begin to solve it, and lead to its page."""
    size: int | None = None
    try:
        size = _hand_size(hand)
        read_given(text, size)
        token = pack(text)
        if len(token) > MAX_TOKEN:
            raise NotationError(f"the text is too long for a page: {len(text):,} characters")
        ask(request, "solitaire", {"text": text, "hand": size})
    except HandfulError as error:
        return _solitaire_page(request, text=text, hand=size, error=error)
    fields = {"game": token} | ({} if size is None else {"hand": str(size)})
    return RedirectResponse(f"/explorer/solitaire?{urlencode(fields)}", status_code=303)


@router.get("/explorer/solitaire/step")
def solitaire_step(request: Request, game: Token, hand: Hand = None, step: Step = 0, play: bool = False) -> Response:
    """Return where the game stands after so many cards; with `play`, it goes on by itself."""
    job = _job_of(request, unpack(game, 4 * MAX_TEXT), hand)
    found: Solved | None = job.result if job is not None and job.status == "done" else None
    if job is None or found is None or not found.answer.moves:
        raise NotationError("there are no moves to step through: the game is not solved, or cannot be won")
    scene = scene_of(found, step)
    return render(
        request,
        "explorer/scene.html",
        headers={"HX-Replace-Url": f"/explorer/solitaire?{_fields(job, scene.step)}"},
        result=found,
        scene=scene,
        address=lambda number: _fields(job, number),
        is_playing=play and scene.step < scene.last_step,
        has_slider=request.headers.get("hx-trigger") == "slider",
    )


def _hand_size(text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.strip().isascii() and text.strip().isdigit()) or int(text) > MAX_HAND:
        raise NotationError(f"a hand of {text.strip()!r}: expected a whole number, at most {MAX_HAND}")
    return int(text)


def _job_of(request: Request, text: str, hand: int | None) -> Job | None:
    """Return the solitaire of a text, if somebody has asked for it."""
    return find(request, "solitaire", {"text": text, "hand": hand})


def _fields(job: Job, step: int) -> str:
    hand: dict[str, Any] = {} if job.args["hand"] is None else {"hand": job.args["hand"]}
    return urlencode({"game": pack(job.args["text"]), **hand, "step": step})


def _solitaire_page(
    request: Request,
    text: str = "",
    hand: int | None = None,
    error: HandfulError | None = None,
    job: Job | None = None,
    step: int = 0,
) -> Response:
    return render(
        request,
        "explorer/solitaire.html",
        status=200 if error is None else status_of(error),
        page="explorer",
        text=text,
        hand="" if hand is None else hand,
        most_hand=MAX_HAND,
        error=str(error or ""),
        examples=EXAMPLES,
        job=job,
        result=job.result if job is not None and job.status == "done" else None,
        args={} if job is None else job.args,
        step=step,
    )
