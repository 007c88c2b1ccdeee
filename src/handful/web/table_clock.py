"""The clocks of the people at a table: each has some time at first, and a little more after each of their turns.

Bots have none. Nothing runs before the first turn was taken, so that everybody has time to come; and while the server
is down no time passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from handful.web.table_options import TableOptions


class TableClock:
    """What is left to each seat, in seconds; None for a bot. Times are those of any clock that only goes on.

    >>> clock = TableClock(TableOptions(base_seconds=60, increment_seconds=10), [60.0, None])
    >>> clock.turn_to(0, now=100.0, adds=True)
    >>> clock.left_of(0, now=130.0), clock.deadline
    (30.0, 160.0)
    >>> clock.turn_to(1, now=130.0, adds=True)
    >>> clock.left_of(0, now=999.0), clock.deadline
    (40.0, None)
    """

    def __init__(self, options: TableOptions, left: Sequence[float | None]) -> None:
        self.left = list(left)
        self.running: int | None = None  # the seat whose time passes
        self._increment, self._since = options.increment_seconds, 0.0

    @property
    def deadline(self) -> float | None:
        """When the time of whoever is to move will be up; None if no time passes."""
        left = None if self.running is None else self.left[self.running]
        return None if left is None else self._since + left

    def left_of(self, seat: int, now: float) -> float | None:
        """Return how many seconds a seat has left; None for a bot."""
        left = self.left[seat]
        return left if left is None or seat != self.running else max(0.0, left - (now - self._since))

    def is_out(self, now: float) -> bool:
        """Whether the time of whoever is to move is up."""
        return self.deadline is not None and now >= self.deadline

    def turn_to(self, seat: int | None, now: float, adds: bool) -> None:
        """Let the time of the next seat pass, or of none; `adds` if a turn was taken, which adds to its player's."""
        if self.running is not None:
            left = self.left_of(self.running, now)
            assert left is not None
            self.left[self.running] = left + (self._increment if adds else 0)
        self._since = now
        self.running = None if seat is None or self.left[seat] is None else seat
