"""A game at a table: the plain rules, and what only tables know: time that runs out, and turns that are taken back.

Whatever happens at a table is a number in its file, one after the other. Actions have theirs (`action_index`); a clock
that ran out is `TIME_OUT` + seat, and `TAKE_BACK` + n says that n turns are left after some were taken back. So a table
that is read again is what it was, and nothing in the file is ever changed.
"""

from __future__ import annotations

from typing import Self

from handful.errors import IllegalActionError
from handful.hanabi.actions import action_at
from handful.hanabi.live.translation import EndAction
from handful.hanabi.state import Ending, State

TIME_OUT, TAKE_BACK = 1_000, 2_000
LIVE_TIMEOUT = 3  # hanab.live's code for a game that the clock ended


class TableGame(State):
    """A game in progress, which a clock may end (its score is then 0); `taken_back` counts turns that did not stay."""

    timed_out: int | None = None
    taken_back: int = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.timed_out is not None or super().is_over

    @property
    def ending(self) -> Ending | None:
        """How the game ended, or None while it goes on; "time" is known to tables only."""
        return super().ending if self.timed_out is None else "time"  # type: ignore[return-value]

    @property
    def score(self) -> int:
        """The score if the game ended now; 0 if the time was up."""
        return super().score if self.timed_out is None else 0

    @property
    def ends(self) -> tuple[EndAction, ...]:
        """What ended the game other than its last turn, as records say it."""
        return () if self.timed_out is None else (EndAction(LIVE_TIMEOUT, self.timed_out),)

    def copy(self) -> Self:
        """Return a copy that goes its own way."""
        other = type(self).__new__(type(self))
        other.__dict__ |= super().copy().__dict__
        other.timed_out, other.taken_back = self.timed_out, self.taken_back
        return other

    def do_number(self, number: int) -> None:
        """Let happen what a number of the file says; refuse one that makes no sense here."""
        if self.is_over:
            raise IllegalActionError(f"{number} comes after the end of the game")
        if number >= TAKE_BACK:
            self._take_back(number - TAKE_BACK)
        elif number >= TIME_OUT:
            if number - TIME_OUT != self.current:
                raise IllegalActionError("the time of a player is up who was not to move")
            self.timed_out = self.current
        else:
            self.act(action_at(self.rules, self.current, number))

    def _take_back(self, turns: int) -> None:
        if not 0 <= turns < len(self.history):
            raise IllegalActionError(f"back to {turns} turns: expected less than {len(self.history)}")
        while len(self.history) > turns:
            self.undo()
            self.taken_back += 1

    def last_turn_of(self, seat: int) -> int | None:
        """Return how many turns lie before a player's last one; None if there was none."""
        return next((turn.number - 1 for turn in reversed(self.history) if turn.actor == seat), None)
