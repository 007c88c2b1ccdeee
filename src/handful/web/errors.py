"""What goes wrong, as one clear sentence: a page, a line of the page that asked, or JSON; never a traceback."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from handful.errors import HandfulError
from handful.web.rendering import is_htmx, render

TITLES = {
    400: "That does not fit",
    403: "Not allowed",
    404: "Nothing is here",
    405: "Not like this",
    408: "Too slow",
    409: "Not now",
    410: "Damaged",
    413: "Too large",
    415: "Not like this",
    422: "That does not fit",
    429: "Too much at once",
    500: "Our mistake",
    503: "Not now",
}
MESSAGES = {
    404: "There is no such page, table or seat. A link may be incomplete.",
    405: "This address cannot be asked for in this way.",
    500: "Something went wrong on our side. It was noted in the server's window; nothing of your games is lost.",
}
LONGEST = 500  # of a message: whatever was given may be quoted in it


class NotFoundError(HandfulError):
    """What was asked for does not exist: status 404."""


class ConflictError(HandfulError):
    """What was asked for cannot be done now, though it could at another time: status 409."""


class BusyError(HandfulError):
    """More was asked for than is done at once: status 429."""


class DamagedTableError(HandfulError):
    """A table whose rows on disk make no sense: status 410. What is wrong is not told: it may be about hidden cards."""

    def __init__(self, number: int) -> None:
        super().__init__(f"table {number} is damaged on disk, and cannot go on; all other tables are as they were")


STATUS: dict[type[HandfulError], int] = {
    NotFoundError: 404,
    ConflictError: 409,
    DamagedTableError: 410,
    BusyError: 429,
}
RETRY_SECONDS = 10  # after which who asked for too much may try again


def status_of(error: HandfulError) -> int:
    """Return the status with which an error is answered."""
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)


def handle_errors(app: FastAPI) -> None:
    """Let every error of an application be answered with one sentence."""

    async def handful_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HandfulError)
        return error_response(request, status_of(error), str(error))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = MESSAGES.get(error.status_code) or str(error.detail)
        return error_response(request, error.status_code, detail, dict(error.headers or {}))

    async def validation_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return error_response(request, 422, _validation_text(error))

    app.add_exception_handler(HandfulError, handful_error)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, validation_error)


def own_error(request: Request) -> Response:
    """Return the answer to a request at which we have made a mistake."""
    return error_response(request, 500, MESSAGES[500])


def error_response(request: Request, status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """Return an error in the form that the request understands."""
    message = message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"
    title = TITLES.get(status, "That did not work")
    if status == 429:
        headers = {**(headers or {}), "Retry-After": str(RETRY_SECONDS)}
    if is_htmx(request):
        # Wherever the answer was to go, a message goes to the region for messages of the page.
        aim = {"HX-Retarget": "#message", "HX-Reswap": "innerHTML"}
        return render(request, "message.html", status=status, headers={**(headers or {}), **aim}, message=message)
    if _wants_json(request):
        return JSONResponse({"error": message}, status, headers=headers)
    return render(request, "error.html", status=status, headers=headers, title=title, message=message)


def _wants_json(request: Request) -> bool:
    accept = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accept and "text/html" not in accept)


def _validation_text(error: RequestValidationError) -> str:
    """Return the first thing that is wrong, by its name."""
    first = error.errors()[0]
    *_place, name = first.get("loc") or ("the request",)
    return f"{name}: {str(first.get('msg', 'not valid')).lower()}"
