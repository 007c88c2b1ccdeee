"""The first page: what this is, and what one can do here."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from handful.hanabi.variants import NO_VARIANT
from handful.rummy.cards import parse_cards
from handful.web.playing_cards import face_of
from handful.web.rendering import render

router = APIRouter()


@router.get("/", include_in_schema=False)
def page(request: Request) -> Response:
    """Return the first page."""
    run = tuple(map(face_of, parse_cards("7D 8D 9D QS")))
    return render(request, "home/page.html", suits=NO_VARIANT.suits, run=run)
