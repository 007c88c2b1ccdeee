"""Templates: one environment for all pages, everything escaped."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from handful import __version__
from handful.web import suit_pictures

HERE = Path(__file__).parent


@cache
def environment() -> Environment:
    """Return the templates of the lab."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "asset": asset,
        "version": __version__,
        "suit_class": suit_pictures.class_of,
        "suit_gradients": suit_pictures.gradients,
        "suit_symbols": suit_pictures.symbols,
        "suit_stylesheet": suit_pictures.stylesheet_address,
    }
    return made


@cache
def asset(name: str) -> str:
    """Return the address of a file of ours, which changes with its content: so browsers may keep it."""
    digest = hashlib.sha256((HERE / "static" / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def render_text(template: str, **values: Any) -> str:
    """Return a template filled in."""
    return environment().get_template(template).render(**values)


def render(
    request: Request, template: str, *, status: int = 200, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return the answer that a template gives; `request` and all values are known in it."""
    return HTMLResponse(render_text(template, request=request, **values), status, headers)


def is_htmx(request: Request) -> bool:
    """Whether a page asks for a piece of itself."""
    return request.headers.get("hx-request") == "true"


def is_only_here(request: Request) -> bool:
    """Whether a page was asked for by an address that leads every machine to itself, so that no link can be sent."""
    name = request.url.hostname or ""
    return name in ("localhost", "::1", "[::1]") or name.startswith("127.")


def lead_to(request: Request, address: str) -> Response:
    """Return the answer that leads to another page."""
    if is_htmx(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, status_code=303)


def download(text: str, name: str, media_type: str = "application/json") -> Response:
    """Return a text as a file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media_type, headers=headers)
