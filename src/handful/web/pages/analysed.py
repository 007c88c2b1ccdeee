"""What the page says of a game that was analysed: where it was lost, and the line that would have won it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from handful.errors import HandfulError
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.notation import turn_text
from handful.hanabi.state import State
from handful.playability.deals.analysis import Analysis, analyse
from handful.playability.deals.solve import Solution, solve
from handful.web.pages.games import token_of

SECONDS_A_POSITION = 20.0

Tone = Literal["won", "lost", "open", "undecided"]


@dataclass(frozen=True)
class Analysed:
    """An analysed game. `answers` says for every turn whether the maximum was possible after it (None: undecided).

    `line` is the winning line in words, from turn `line_begins` on, and `line_game` the whole game with it, as
    `games.record_of` reads it; both are empty if there is none.
    """

    tone: Tone
    headline: str
    reason: str
    winnable: bool | None
    lost_at: int | None
    answers: tuple[bool | None, ...]
    line: tuple[str, ...]
    line_begins: int
    line_game: str
    line_link: str
    solved: int
    seconds: float

    @property
    def first_look(self) -> int:
        """The position to show first: just before the turn that lost the game; otherwise where the line begins."""
        if self.lost_at:
            return self.lost_at - 1
        return self.line_begins - 1 if self.line else len(self.answers) if self.tone == "won" else 0


def analysed(record: Record, seconds_a_position: float = SECONDS_A_POSITION) -> Analysed:
    """Return where a game was lost, for the page; one that stops before its end gets a line that goes on from there."""
    found = analyse(record, seconds_a_position)
    solution = found.missed_line
    if solution is None and not found.is_won:
        solution = _line_from_the_end(record.replay(), seconds_a_position)
    line, game = _line(record, solution)
    return Analysed(
        tone=tone_of(found),
        headline=headline_of(found),
        reason=_sentence(found.reason),
        winnable=found.winnable,
        lost_at=found.lost_at_turn,
        answers=tuple(turn.winnable_after for turn in found.turns),
        line=line,
        line_begins=0 if game is None else len(game.actions) - len(line) + 1,
        line_game="" if game is None else token_of(game),
        line_link="" if game is None else link_of(game),
        solved=found.solved,
        seconds=found.seconds,
    )


def tone_of(found: Analysis) -> Tone:
    """Return how the game went, in a word."""
    if found.is_won:
        return "won"
    if found.lost_at_turn is not None:
        return "lost"
    return "open" if found.lost_between is None else "undecided"


def headline_of(found: Analysis) -> str:
    """Return the one sentence that everybody wants to read."""
    most = found.rules.max_score
    if found.is_won:
        return f"A perfect game: {most} of {most}."
    if found.lost_at_turn == 0:
        return f"Nobody could have won this deal: {most} was out of reach before the first turn."
    if found.lost_at_turn is not None:
        return f"Turn {found.lost_at_turn} lost the game: {found.turns[found.lost_at_turn - 1].text}."
    if found.lost_between is None:
        return f"Not lost: {most} is possible where the record stops."
    return _sentence(found.verdict)


def link_of(record: Record) -> str:
    """Return hanab.live's link of a game; empty where a link cannot say what the game is."""
    try:
        return link_from_record(record.bare())
    except HandfulError:
        return ""


def _line_from_the_end(state: State, seconds: float) -> Solution | None:
    if state.is_over:
        return None
    solution = solve(state, seconds)
    return solution if solution.winnable else None


def _line(record: Record, solution: Solution | None) -> tuple[tuple[str, ...], Record | None]:
    """Return a winning line in words, and the whole game with it, under the players' names."""
    if solution is None or not solution.line:
        return (), None
    game = Record.from_state(solution.finished, record.names)
    turns = solution.finished.history[-len(solution.line) :]
    return tuple(turn_text(record.rules, turn, record.names) for turn in turns), game


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
