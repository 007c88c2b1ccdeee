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
from handful.rummy.cards import parse_card
from handful.rummy.gin.advice import check_score
from handful.rummy.gin.position import view_of
from handful.rummy.gin.rules import LARGEST_TARGET, PRESETS, gin_rules
from handful.rummy.gin.view import GinView
from handful.web.errors import status_of
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

    @property
    def cards(self) -> str:
        """The hand, as text."""
        return " ".join([self.hand, *self.card]).strip()

    def view(self) -> GinView:
        """Return the place that it describes."""
        return view_of(
            self.cards,
            parse_card(self.upcard) if self.upcard.strip() else None,
            discards=self.discards,
            opponent_took=self.took,
            rules=gin_rules(self.rules),
            score=(self.own, self.other),
        )

    def fields(self) -> dict[str, str]:
        """Return the place as the fields of an address."""
        found = {name: str(value).strip() for name, value in self.model_dump().items() if name != "card"}
        return {name: value for name, value in (found | {"hand": self.cards}).items() if value and value != "0"}


@router.get("/gin/adviser")
def page(request: Request, asked: Annotated[AskedGin, Query()]) -> Response:
    """Return the page; with a place, also what is known of it."""
    values, status = _known(request, asked)
    return render(request, "gin/adviser.html", status=status, **values)


@router.post("/gin/adviser")
def advise(request: Request, asked: Annotated[AskedGin, Form()]) -> Response:
    """Begin to think about a place, and return how far that is, or lead to the page."""
    values, status = _known(request, asked, may_begin=True)
    question: AskedGin | None = values["question"]
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
        "chosen": asked.cards.upper().split(),
    }
    if not asked.model_fields_set:
        return values, 200
    try:
        check_score(asked.view().rules, (asked.own, asked.other))
        job = (ask if may_begin else find)(request, "gin-advice", asked.fields())
    except HandfulError as error:
        return values | {"error": str(error)}, status_of(error)
    return values | {"question": asked, "job": None if job is None or job.is_fruitless else job}, 200
