"""Solitaire Hanabi: can a sequence of cards be played out with a hand of h? (Baffier 2016)

The game is NP-complete for two copies and a hand of two (`playability.sat` has the reduction), so that there are
methods for what is easy, and two for the rest:

| method | for games with | source | time |
|---|---|---|---|
| greedy | every card once | Lemma 1 | O(N) |
| lazy | one suit | Theorem 4 | O(N + n log h) |
| table | few states | Lemma 5, Theorem 6 | up to O(N h c^h n^(h+c−1)) |
| sat | anything | | a SAT solver's |
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from handful.display import Shown
from handful.errors import UnknownNameError
from handful.playability.formulas import why_no_solver
from handful.playability.solitaire.easy import solve_greedy, solve_lazy
from handful.playability.solitaire.files import load_solitaire, read_solitaire
from handful.playability.solitaire.formula import solve_formula
from handful.playability.solitaire.game import Move, Solitaire, is_won_by, replay
from handful.playability.solitaire.positions import TooManyStatesError, solve_states

__all__ = [
    "METHODS",
    "Solitaire",
    "SolitaireAnswer",
    "is_won_by",
    "load_solitaire",
    "read_solitaire",
    "replay",
    "solve",
]

METHODS = ("auto", "greedy", "lazy", "table", "sat")
# So many states in all take less than a second; a SAT solver then takes over.
AUTO_STATES = 300_000


@dataclass(frozen=True)
class SolitaireAnswer(Shown):
    """Whether a game can be won; None if that is undecided, and then `reason` says why.

    `moves` has one word for each card of the sequence, play, store or discard; a stored card is played as soon as it
    fits. It is empty if the game cannot be won. `method` is the one that decided, `states` how many it looked at.
    """

    winnable: bool | None
    moves: tuple[Move, ...] = field(repr=False)
    method: str
    states: int
    seconds: float = field(compare=False)
    reason: str = field(default="", repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "winnable": self.winnable,
            "moves": list(self.moves),
            "method": self.method,
            "states": self.states,
            "seconds": self.seconds,
        } | ({"reason": self.reason} if self.reason else {})


def solve(
    game: Solitaire,
    method: str = "auto",
    *,
    time_limit: float | None = None,
    on_progress: Callable[[int], object] = lambda _done: None,
) -> SolitaireAnswer:
    """Return whether a game can be won, and how.

    A method refuses games that it is not for. `auto` takes greedy where every card appears once, lazy for one suit,
    otherwise up to AUTO_STATES states are looked at, and SAT is asked where that is not enough; without a SAT solver,
    as many as fit. The time limit is that of SAT.

    >>> solve(Solitaire.of(1, [(2, 1), (1, 1)])).moves
    ('store', 'play')
    >>> solve(Solitaire.of(0, [(2, 1), (1, 1)])).winnable
    False
    """
    if method not in METHODS:
        raise UnknownNameError("method", method, METHODS)
    start = time.perf_counter()
    winnable, moves, used, states, reason = _decide(game, method, time_limit, on_progress)
    return SolitaireAnswer(winnable, moves, used, states, time.perf_counter() - start, reason)


def _decide(
    game: Solitaire, method: str, time_limit: float | None, on_progress: Callable[[int], object]
) -> tuple[bool | None, tuple[Move, ...], str, int, str]:
    if method == "greedy" or (method == "auto" and game.copies == 1):
        moves = solve_greedy(game)
        return moves is not None, moves or (), "greedy", 0, ""
    if method == "lazy" or (method == "auto" and game.suits == 1):
        moves = solve_lazy(game)
        return moves is not None, moves or (), "lazy", 0, ""
    if method != "sat":
        max_total = AUTO_STATES if method == "auto" and not why_no_solver() else None
        try:
            moves, size = solve_states(game, max_total=max_total, on_progress=on_progress)
            return moves is not None, moves or (), "table", size.total, ""
        except TooManyStatesError:
            if method == "table":
                raise
    winnable, moves, undecided = solve_formula(game, time_limit)
    return winnable, moves, "sat", 0, undecided
