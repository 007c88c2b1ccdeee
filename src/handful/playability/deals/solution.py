"""The answer to "can this be won?", with what proves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from handful.display import Listing, Shown, named_rows
from handful.errors import HandfulError
from handful.hanabi.actions import Action
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.state import State


@dataclass(frozen=True)
class Solution(Shown):
    """Whether the maximum score can be reached from a position, with all cards known.

    `winnable` is None if the time was not enough. `score` is the best that was found, and `line` the legal actions
    that reach it from the position, replayed by the plain rules; `upper_bound` is a score that is proved never to be
    exceeded. `reason` says in words why, `method` which stage decided it.
    """

    winnable: bool | None
    score: int
    upper_bound: int
    line: tuple[Action, ...] = field(repr=False)
    reason: str
    method: str
    nodes: int
    seconds: float = field(compare=False)
    finished: State = field(repr=False, compare=False)

    def link(self) -> str:
        """Return the hanab.live link that replays the game with the line; empty where a link cannot express it."""
        try:
            return link_from_record(Record.from_state(self.finished).bare())
        except HandfulError:
            return ""

    def shown(self) -> Listing:
        """Return what a notebook shows: all but the line itself, which the link has."""
        values = {**self.to_dict(), "turns": len(self.line)}
        return Listing("", (), named_rows(values, leave_out=["line"]))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it: the line as hanab.live's actions."""
        try:
            before = len(self.finished.history) - len(self.line)
            line = Record.from_state(self.finished).to_json()["actions"][before:]
        except HandfulError:
            line = []
        return {
            "winnable": self.winnable,
            "score": self.score,
            "upper_bound": self.upper_bound,
            "line": line,
            "link": self.link(),
            "reason": self.reason,
            "method": self.method,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }
