"""What surrounds every request: which are let in, how large they may be, and the headers of every answer."""

from __future__ import annotations

import ipaddress
import json
import logging
import socket
from collections.abc import Container, Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from handful.web.errors import own_error

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("handful.web")

MAX_BODY_BYTES = 3_000_000  # a record of hanab.live may have 2 MB
MAX_TARGET_BYTES = 20_000  # address and query: a link of hanab.live is much shorter

# Nothing from elsewhere, nothing inline, nobody may frame us. The address of a seat is a secret: no referrer.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Guards:
    """The application behind its guards. `is_open` says that other machines may ask, by names of their network."""

    def __init__(self, app: ASGIApp, is_open: bool = False) -> None:
        self.app, self.is_open = app, is_open
        # Asked for once, before the first request: the answer may take a network's time.
        self._own_names = {socket.gethostname().lower(), socket.getfqdn().lower()} if is_open else set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, if it may be asked."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message = {**message, "headers": _with_headers(scope["path"], message["headers"])}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(send_guarded, *refusal)
            return
        try:
            await self.app(scope, _limited(receive), send_guarded)
        except Exception:
            # The outermost frame of a request. What is foreseen was answered further in: this is a mistake of ours,
            # whatever it is. It is noted here, and told without details, with the same headers as everything.
            log.exception("%s %s", scope["method"], scope["path"].rpartition("/")[2])
            if not has_begun:
                await own_error(Request(scope))(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Return why a request is not let in, with the status of that; None if it is."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        name = (host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host).lower()
        if name not in LOOPBACK and not (self.is_open and _is_local_name(name, self._own_names)):
            return 403, "this host name is not served: open the lab by the address that `handful serve` printed"
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_TARGET_BYTES:
            return 414, f"the address is too long: expected at most {MAX_TARGET_BYTES:,} characters"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return TOO_LARGE
        if scope["method"] not in SAFE_METHODS and not _is_own_page(headers, host):
            return 403, "this request came from a page of another site: only the lab's own pages may ask for it"
        if _is_drawn_in(headers):
            return 403, "a page of another site may lead to the lab, but not draw on it"
        if scope["method"] == "POST" and not _is_expected_type(scope["path"], headers):
            return (
                415,
                f"content type {headers.get('content-type', '(none)')[:80]!r}: expected a form, or JSON for /api/",
            )
        return None


TOO_LARGE = (413, f"that is too large: expected at most {MAX_BODY_BYTES:,} bytes")


def _is_local_name(name: str, own_names: Container[str]) -> bool:
    """Whether a host is an address, a name of this machine, or one that nobody on the internet can own.

    A page of the internet could let its own name lead to the lab, and would then be a page of the same site to it.
    """
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return bool(name) and ("." not in name or name.endswith((".local", ".home.arpa")) or name in own_names)
    return True


def _is_own_page(headers: dict[str, str], host: str) -> bool:
    """Whether a request that changes something came from a page of ours, or from no page at all (a script)."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        # Browsers say it themselves, and no page can. The origin of a plain form is "null" here: we send no referrer.
        return site in ("none", "same-origin")
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False


def _is_drawn_in(headers: dict[str, str]) -> bool:
    """Whether another site's page asks for a picture, a script, a frame …: anything but to lead to a page of ours."""
    site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode")
    is_left = mode == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return site in ("cross-site", "same-site") and not is_left


FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


def _is_expected_type(path: str, headers: dict[str, str]) -> bool:
    """Whether what is sent says that it is what is read here. Whoever sends nothing need not say what it is."""
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return True
    given, _, more = headers.get("content-type", "").lower().partition(";")
    if path.startswith("/api/"):
        return given.strip() == "application/json"
    return given.strip() in FORM_TYPES and (given.strip() == FORM_TYPES[0] or "boundary=" in more)


def _limited(receive: Receive) -> Receive:
    """Return a receiver that reads no more than a body may have, whatever its header says."""
    total = 0

    async def receive_limited() -> Message:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > MAX_BODY_BYTES:
                raise HTTPException(*TOO_LARGE)
        return message

    return receive_limited


def _with_headers(path: str, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = list(headers)
    names = {name.lower() for name, _value in kept}
    extra = dict(HEADERS)
    # Files of ours change with a release only, and then their address does (see `rendering.asset`).
    extra["cache-control"] = "max-age=86400" if path.startswith("/static/") else "no-store"
    return kept + [(name.encode(), value.encode()) for name, value in extra.items() if name.encode() not in names]


async def _refuse(send: Send, status: int, message: str) -> None:
    body = json.dumps({"error": message}, ensure_ascii=False).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
