"""One request at a time, with a pause between two, and patience with a site that is busy. The extra `live` has httpx.

What the site has not answered in time or not whole, and what it says is its own fault, is asked for again, each time
after a longer wait; as long as the site itself wants, where it says so. What comes back is JSON, or an error of one
sentence.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from handful import __version__
from handful.errors import HandfulError, shown
from handful.hanabi.live.addresses import host_of, is_loopback

if TYPE_CHECKING:
    import httpx

USER_AGENT = f"Handful/{__version__}"
MOST_BYTES = 8_000_000  # of an answer: a page of a hundred games has some 60,000
MOST_REDIRECTS = 3
GONE = (404, 410)
TOO_MANY = 429


class SiteError(HandfulError):
    """What a site did not answer, or not as it should."""


class UnreachableError(SiteError):
    """There is no answer at all: no network, no such host, or nobody who listens."""


class NotThereError(SiteError):
    """The site says that there is no such thing."""


class Politeness(NamedTuple):
    """How a site is asked: seconds of pause between requests; how often, and how long one waits for what."""

    pause: float = 0.5
    tries: int = 5
    first_wait: float = 1.0  # before asking again; twice as long each time
    longest_wait: float = 300.0  # that a site may ask for
    timeout: float = 20.0  # for a connection, and for the next piece of an answer
    deadline: float = 60.0  # for a whole answer


# A server of one's own is not in need of pauses.
AT_HOME = Politeness(pause=0.0, first_wait=0.02, longest_wait=5.0, timeout=5.0, deadline=15.0)


class _TroubleError(Exception):
    """Why an answer is no answer, in words, and whether it is worth asking again; `wait` is what the site asks for."""

    def __init__(self, words: str, wait: float | None = None, is_unreachable: bool = False) -> None:
        super().__init__(words)
        self.words, self.wait, self.is_unreachable = words, wait, is_unreachable


class Transport:
    """Asks one site, one request after the other. Use it as a context manager, or `close` it."""

    def __init__(
        self,
        site: str,
        politeness: Politeness | None = None,
        on_wait: Callable[[str, float], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.site = site
        self.politeness = politeness or (AT_HOME if is_loopback(site) else Politeness())
        self.requests = 0
        self._on_wait, self._sleep = on_wait, sleep
        self._client: httpx.Client | None = None
        self._last_at: float | None = None
        self._has_answered = False

    def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def get(self, path: str, **query: int) -> Any:
        """Return the JSON at a path of the site."""
        polite, host = self.politeness, host_of(self.site)
        for attempt in range(1, polite.tries + 1):
            try:
                return self._ask_once(path, query)
            except _TroubleError as trouble:
                kind = UnreachableError if trouble.is_unreachable else SiteError
                if trouble.is_unreachable and not self._has_answered:
                    raise kind(f"{host} cannot be reached: {trouble.words}") from None
                if attempt == polite.tries:
                    raise kind(f"{host}{path}: {trouble.words}, {polite.tries} times") from None
                wait = polite.first_wait * 2 ** (attempt - 1) if trouble.wait is None else trouble.wait
                if wait > polite.longest_wait:
                    raise SiteError(
                        f"{host} asks for a pause of {wait:,.0f} seconds ({trouble.words}): try again after it; "
                        "what was fetched is kept"
                    ) from None
                if self._on_wait is not None:
                    self._on_wait(f"{host}: {trouble.words}", wait)
                self._sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _ask_once(self, path: str, query: dict[str, int]) -> Any:
        status, headers, body = self._answer(path, query)
        self._has_answered = True
        host = host_of(self.site)
        if status in GONE:
            raise NotThereError(f"{host} has nothing at {shown(path)} (status {status})")
        if status == TOO_MANY or status >= 500:
            words = "too many requests" if status == TOO_MANY else "the site is in trouble"
            raise _TroubleError(f"{words} (status {status})", retry_after(headers.get("retry-after"), time.time()))
        if status != 200:
            raise SiteError(f"{host}{path}: status {status}, expected 200")
        try:
            return json.loads(body)
        except (ValueError, RecursionError):  # the first also for what is no UTF-8
            raise _TroubleError(f"an answer that is not JSON ({len(body):,} bytes)") from None

    def _answer(self, path: str, query: dict[str, int]) -> tuple[int, httpx.Headers, bytes]:
        """Return the status, the headers and the body of one answer, after the pause that is due."""
        import httpx

        if self._last_at is not None and (left := self._last_at + self.politeness.pause - time.monotonic()) > 0:
            self._sleep(left)
        deadline, body = time.monotonic() + self.politeness.deadline, bytearray()
        self.requests += 1
        try:
            with self._open().stream("GET", self.site + path, params=query) as response:
                for piece in response.iter_bytes():
                    body += piece
                    if len(body) > MOST_BYTES:
                        raise SiteError(f"{host_of(self.site)}{path}: more than {MOST_BYTES:,} bytes")
                    if time.monotonic() > deadline:
                        raise _TroubleError(f"no whole answer in {self.politeness.deadline:g} seconds")
                return response.status_code, response.headers, bytes(body)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise _TroubleError(_words(error), is_unreachable=True) from None
        except httpx.TimeoutException:
            raise _TroubleError(f"no answer in {self.politeness.timeout:g} seconds") from None
        except httpx.TooManyRedirects:
            raise SiteError(f"{host_of(self.site)}{path}: it leads from one address to the next") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _TroubleError(f"the connection was cut ({_words(error)})") from None
        finally:
            self._last_at = time.monotonic()

    def _open(self) -> httpx.Client:
        if self._client is None:
            import httpx

            self._client = httpx.Client(
                headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
                timeout=self.politeness.timeout,
                follow_redirects=True,
                max_redirects=MOST_REDIRECTS,
                trust_env=not is_loopback(self.site),  # no proxy for one's own machine
            )
        return self._client


def check_httpx() -> None:
    """Refuse to fetch where the extra is missing."""
    try:
        import httpx  # noqa: F401
    except ImportError:
        raise HandfulError("to fetch games takes httpx: pip install 'handful[live]'") from None


def retry_after(value: str | None, now: float) -> float | None:
    """Return how many seconds a header Retry-After asks for: a number, or a date.

    >>> retry_after("7", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20.0), retry_after("soon", 0.0)
    (7.0, 40.0, None)
    """
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _words(error: Exception) -> str:
    """Return what a library says of an error, in brief: on one line, without its number."""
    said = " ".join(str(error).split()) or type(error).__name__
    return said.partition("] ")[2] or said if said.startswith("[Errno") else said
