"""Where was a played game lost? Every turn of a record, with whether the maximum score could still be reached.

What can no longer be won stays lost, and what can still be won could be won before. So the turn that lost a game is
found by halving, with few positions solved; and a line that wins proves all turns of the game that go along with it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from handful.display import Listing, Shown
from handful.hanabi.live.links import record_given
from handful.hanabi.live.records import Record
from handful.hanabi.measures import Risk, measures
from handful.hanabi.notation import action_text, cards_in_words, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.playability.deals.solve import Solution, solve
from handful.playability.formulas import NEEDS_SOLVER


@dataclass(frozen=True)
class AnalysedTurn:
    """A turn of a game: what was done, and whether the maximum was possible before and after it (None: undecided).

    `player` is the seat, from 0. All else is as it stands after the turn; `handful.hanabi.measures` says what
    `best_score`, `pace`, `risk`, `gotten`, `efficiency` and `future_efficiency` are.
    """

    number: int
    player: int
    action: str
    text: str
    winnable_before: bool | None
    winnable_after: bool | None
    points: int
    pace: int | None
    hints: int | None
    strikes: int
    deck_size: int
    best_score: int
    risk: Risk | None
    gotten: int
    efficiency: float | None
    future_efficiency: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; players have their seats from 1."""
        return {**self.__dict__, "player": self.player + 1}


@dataclass(frozen=True)
class Analysis(Shown):
    """A game that was played, with where it was lost.

    `winnable` is about the deal. `lost_at_turn` is the first turn after which the maximum was out of reach, and
    `reason` says why it was, with cards in words as in the turns: 0 if the deal itself cannot be won, None if the game
    was not lost, or if it is not known which turn it was; then `lost_between` has the first and the last turn that it
    can have been (0 is the deal). `missed_line` would have won from just before that turn; of a deal that cannot be
    won, `best_line` has the most points that were found. `score` and `ending` are those of the record: how
    the game ended, None if the record stops before that. `solved` is how many positions were searched.
    """

    names: tuple[str, ...]
    rules: Rules
    score: int
    ending: str | None
    winnable: bool | None
    lost_at_turn: int | None
    lost_between: tuple[int, int] | None
    reason: str
    turns: tuple[AnalysedTurn, ...]
    missed_line: Solution | None
    best_line: Solution | None
    solved: int = field(compare=False)
    seconds: float = field(compare=False)

    @property
    def is_won(self) -> bool:
        """Whether the game reached the maximum."""
        return self.score == self.rules.max_score

    @property
    def verdict(self) -> str:
        """Where the game was lost, in a few words."""
        if self.is_won:
            return "won"
        if self.lost_at_turn == 0:
            return "the deal cannot be won"
        if self.lost_at_turn is not None:
            return f"lost on turn {self.lost_at_turn}: {self.turns[self.lost_at_turn - 1].text}"
        if self.lost_between is None:
            return "not lost: the maximum is possible where the record stops" if self.turns else "the deal can be won"
        first, last = self.lost_between
        if not self.turns or self.turns[-1].winnable_after is None:
            return "undecided from the deal on" if first == 0 else f"undecided from turn {first} on"
        if first == 0:
            return f"lost by the deal or by turn {last}, undecided which"
        return f"lost on one of the turns {first} to {last}, undecided which"

    @property
    def link(self) -> str:
        """The hanab.live link of the missed line, opened at the turn where it begins; empty if there is none."""
        if self.missed_line is None:
            return ""
        address = self.missed_line.link()
        begins = len(self.missed_line.finished.history) - len(self.missed_line.line) + 1
        return f"{address}#{begins}" if address else ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "winnable": self.winnable,
            "lost_at_turn": self.lost_at_turn,
            "lost_between": None if self.lost_between is None else list(self.lost_between),
            "verdict": self.verdict,
            "reason": self.reason,
            "score": self.score,
            "max_score": self.rules.max_score,
            "ending": self.ending,
            "names": list(self.names),
            "players": self.rules.players,
            "variant": self.rules.variant.name,
            "rules": self.rules.options_text(),
            "missed_line": None if self.missed_line is None else self.missed_line.to_dict(),
            "best_line": None if self.best_line is None else self.best_line.to_dict(),
            "link": self.link,
            "solved": self.solved,
            "seconds": self.seconds,
            "turns": [turn.to_dict() for turn in self.turns],
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: the verdict, and the turns."""
        winnable = {True: "yes", False: "no", None: "unknown"}
        rows: list[tuple[object, ...]] = [
            (each.number, each.text, winnable[each.winnable_after], each.points, each.pace, each.hints, each.strikes)
            for each in self.turns
        ]
        return Listing(self.verdict, ("turn", "", "winnable", "points", "pace", "hints", "strikes"), rows)

    def __repr__(self) -> str:
        game = f"{self.rules.variant.name}, {self.rules.players} players, {len(self.turns)} turns"
        return f"<Analysis {game}: {self.score} of {self.rules.max_score}, {self.verdict}>"


def analyse(record: Record | str, time_limit: float | None = 60.0) -> Analysis:
    """Return where a game was lost, and what would have won it. `time_limit` is in seconds, for each position searched.

    A game that is given as a text is a link, or the name of a file.

    The actions of a game that was won prove that every position of it could be won: nothing is searched then.
    """
    started = time.perf_counter()
    if isinstance(record, str):
        record = record_given(record)
    game = _Positions(record, time_limit)
    last = len(game.states) - 1
    last_winnable, first_lost = _boundaries(game)
    is_clear = first_lost == last_winnable + 1
    reasons = (game.reason(first_lost) if first_lost <= last else "", game.needs_solver())
    return Analysis(
        names=record.names,
        rules=record.rules,
        score=record.score,
        ending=record.ending,
        winnable=_winnable(0, last_winnable, first_lost),
        lost_at_turn=first_lost if is_clear and first_lost <= last else None,
        lost_between=None if is_clear else (last_winnable + 1, min(first_lost, last)),
        reason=cards_in_words(record.rules.variant, "; ".join(filter(None, reasons))),
        turns=tuple(_analysed_turns(record, game.states, last_winnable, first_lost)),
        missed_line=game.solutions.get(last_winnable) if last_winnable < last else None,
        best_line=game.solutions.get(0) if first_lost == 0 else None,
        solved=game.num_solved,
        seconds=time.perf_counter() - started,
    )


class _Positions:
    """The positions of a game, before its first turn and after each, every one searched at most once."""

    def __init__(self, record: Record, time_limit: float | None) -> None:
        self.states = list(record.states())
        self.actions = record.actions
        self.time_limit = time_limit
        self.solutions: dict[int, Solution] = {}
        self.num_solved = 0

    def winnable(self, index: int) -> bool | None:
        """Return whether the maximum can be reached after so many turns; None if the time was not enough."""
        state = self.states[index]
        if state.is_over:
            return state.ending == "perfect"
        if index not in self.solutions:
            self.num_solved += 1
            self.solutions[index] = solve(state, self.time_limit)
        return self.solutions[index].winnable

    def proved_until(self, index: int) -> int:
        """Return the last position that the line from a winnable one proves: as long as the game went along with it."""
        solution = self.solutions.get(index)
        while solution and solution.line and index < len(self.actions) and solution.line[0] == self.actions[index]:
            index += 1
            solution = self.solutions[index] = replace(solution, line=solution.line[1:])
        return index

    def needs_solver(self) -> str:
        """Return why a position stayed undecided for want of a SAT solver; empty if none did."""
        undecided = (solution.reason for solution in self.solutions.values() if solution.winnable is None)
        return next((reason for reason in undecided if NEEDS_SOLVER in reason), "")

    def reason(self, index: int) -> str:
        """Return why a position cannot be won."""
        if index in self.solutions:
            return self.solutions[index].reason
        state = self.states[index]
        how = {
            "strikes": f"strike {state.strikes} ended the game",
            "deck": "the last round is over",
            "stuck": "the next player has no card and no hint to give",
            "lost": "a card that all or nothing needs is lost",
        }
        return f"over: {how[state.ending or '']}, with {state.points} of {state.rules.max_score} points"


def _boundaries(game: _Positions) -> tuple[int, int]:
    """Return the last position known to be winnable (−1: none) and the first known to be lost (one past all: none).

    Positions are halved between the two. Those that stay undecided are taken for one block, around which the halving
    goes on: first behind it, where games are shorter and easier.
    """
    low, high = -1, len(game.states)
    block: tuple[int, int] | None = None
    middle: int | None = high - 1
    while middle is not None:
        answer = game.winnable(middle)
        if answer is None:
            block = (middle, middle) if block is None else (min(block[0], middle), max(block[1], middle))
        elif answer:
            low = game.proved_until(middle)
            block = None if block and block[1] <= low else block
        else:
            high = middle
            block = None if block and block[0] >= high else block
        middle = _next_question(low, high, block)
    return low, high


def _next_question(low: int, high: int, block: tuple[int, int] | None) -> int | None:
    """Return the position to ask about next, between a winnable and a lost one; None if nothing is left to ask."""
    first, last = block or (high, low)
    if high - last > 1:
        return (last + high) // 2
    return (low + first) // 2 if first - low > 1 else None


def _winnable(index: int, last_winnable: int, first_lost: int) -> bool | None:
    return True if index <= last_winnable else False if index >= first_lost else None


def _analysed_turns(record: Record, states: list[State], last_winnable: int, first_lost: int) -> Iterator[AnalysedTurn]:
    for after, turn in enumerate(states[-1].history, start=1):
        now = measures(states[after])
        yield AnalysedTurn(
            number=turn.number,
            player=turn.actor,
            action=action_text(record.rules, turn.action, record.names),
            text=turn_text(record.rules, turn, record.names),
            winnable_before=_winnable(after - 1, last_winnable, first_lost),
            winnable_after=_winnable(after, last_winnable, first_lost),
            points=turn.points,
            pace=now.pace,
            hints=turn.hints,
            strikes=turn.strikes,
            deck_size=states[after].deck_size,
            best_score=now.best_score,
            risk=now.risk,
            gotten=now.gotten,
            efficiency=now.efficiency,
            future_efficiency=now.future_efficiency,
        )
