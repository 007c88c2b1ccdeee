"""What people say at a table, and note on cards: how long it may be, how much of it, and how quickly."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from handful.errors import NotationError
from handful.web.errors import BusyError

LONGEST_SAID, LONGEST_NOTE = 300, 500  # characters
MAX_SAID = 200  # of a table: older ones are forgotten
PACE_NUMBER, PACE_SECONDS = 8, 10.0  # how many a seat may send in so many seconds


@dataclass(frozen=True)
class Said:
    """What a seat said: the number counts on over all that was said at the table; `at` is a time as ISO 8601 has it."""

    number: int
    seat: int
    text: str
    at: str


class Pace:
    """Lets each seat send a few texts in a few seconds, and no more.

    >>> moment = 0.0
    >>> pace = Pace(lambda: moment)
    >>> for _ in range(PACE_NUMBER): pace.take(0)
    >>> pace.take(0)
    Traceback (most recent call last):
    handful.web.errors.BusyError: more than 8 in 10 seconds: wait a moment
    >>> moment = 11.0
    >>> pace.take(0)
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._taken: dict[int, deque[float]] = {}

    def take(self, seat: int) -> None:
        """Note that a seat sends something; refuse it where that is too much."""
        now, taken = self._now(), self._taken.setdefault(seat, deque(maxlen=PACE_NUMBER))
        if len(taken) == PACE_NUMBER and now - taken[0] < PACE_SECONDS:
            raise BusyError(f"more than {PACE_NUMBER} in {PACE_SECONDS:.0f} seconds: wait a moment")
        taken.append(now)


def one_line(text: str, longest: int, what: str) -> str:
    """Return a text as it is kept: printable characters on one line, spaces once; refuse one that is too long.

    What would turn the direction of the text around, or hide in it, is not printable.

    >>> one_line(f"  red  {chr(0x202E)} five {chr(9)}", 20, "a note")
    'red five'
    """
    kept = " ".join("".join(each if each.isprintable() or each.isspace() else " " for each in text).split())
    if len(kept) > longest:
        raise NotationError(f"{what} of {len(kept)} characters: expected at most {longest}")
    return kept
