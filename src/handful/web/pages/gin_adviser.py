"""The adviser for Gin: click the cards of a hand, name what lies there, and see what every choice is worth.

It thinks in a process of its own, which begins when the page's own form asks (a POST); who opens an address that
somebody sent is shown a button, or what is known already.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from handful.errors import HandfulError
from handful.rummy.gin.rules import LARGEST_TARGET, PRESETS
from handful.web.errors import status_of
from handful.web.gin_question import GinQuestion
from handful.web.jobs import Kind, ask, find, register
from handful.web.pages.rummy_hand import deck_rows
from handful.web.rendering import is_htmx, render

register(Kind("gin-advice", "handful.web.pages.work:gin_advice", "gin/advice_found.html", limit=120))

router = APIRouter()

Text: TypeAlias = Annotated[str, Field(max_length=400)]
Score: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_TARGET)]


class AskedGin(BaseModel):
    """What the form says."""

    hand: Text = ""
    card: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=52)] = []
    upcard: Annotated[str, Field(max_length=10)] = ""
    discards: Text = ""
    took: Text = ""
    own: Score = 0
    other: Score = 0
    rules: Text = "eaai"
    first: bool = False

    def question(self) -> GinQuestion:
        """Return the place that it describes."""
        hand = " ".join([self.hand, *self.card])
        return GinQuestion.of(
            hand, self.upcard, self.discards, self.took, (self.own, self.other), self.rules, self.first
        )


@router.get("/gin/adviser")
def page(request: Request, asked: Annotated[AskedGin, Query()]) -> Response:
    """Return the page; with a place, also what is known of it."""
    values, status = _known(request, asked)
    return render(request, "gin/adviser.html", status=status, **values)


@router.post("/gin/adviser")
def advise(request: Request, asked: Annotated[AskedGin, Form()]) -> Response:
    """Begin to think about a place, and return how far that is, or lead to the page."""
    values, status = _known(request, asked, may_begin=True)
    question: GinQuestion | None = values["question"]
    if is_htmx(request):
        headers = {} if question is None else {"HX-Replace-Url": f"/gin/adviser?{urlencode(question.fields())}"}
        return render(request, "gin/advice.html", status=status, headers=headers, **values)
    if question is None:
        return render(request, "gin/adviser.html", status=status, **values)
    return RedirectResponse(f"/gin/adviser?{urlencode(question.fields())}", status_code=303)


def _known(request: Request, asked: AskedGin, may_begin: bool = False) -> tuple[dict[str, Any], int]:
    """Return what the templates show, and the status: what cannot be understood is said in its place."""
    values: dict[str, Any] = {
        "page": "gin",
        "asked": asked,
        "question": None,
        "job": None,
        "error": "",
        "rows": deck_rows(),
        "presets": PRESETS,
        "chosen": [*asked.hand.upper().split(), *asked.card],
    }
    if not asked.model_fields_set:
        return values, 200
    try:
        question = asked.question()
        job = (ask if may_begin else find)(request, "gin-advice", question.fields())
    except HandfulError as error:
        return values | {"error": str(error)}, status_of(error)
    return values | {"question": question, "job": None if job is None or job.is_fruitless else job}, 200
