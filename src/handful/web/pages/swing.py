"""The review of a game on its page: what is judged so far, the swing of the game, the actions that could be tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from handful.errors import IllegalActionError
from handful.hanabi.actions import action_at, action_index
from handful.hanabi.live.records import Record
from handful.hanabi.notation import action_text
from handful.hanabi.state import State
from handful.lab.review.graph import MARK_CLASSES, graph_of, graph_svg
from handful.lab.review.reviewed import COSTS, Review, ReviewedPlayer, ReviewedTurn, player_line
from handful.web.jobs import Job
from handful.web.pages.analysed import Analysed


@dataclass(frozen=True)
class Swing:
    """What is known of the decisions of a game: turns by number; `is_whole` if the review is finished."""

    turns: Mapping[int, ReviewedTurn]
    review: Review | None

    @property
    def is_whole(self) -> bool:
        """Whether all turns are judged in earnest."""
        return self.review is not None

    @property
    def mistakes(self) -> list[ReviewedTurn]:
        """The marked mistakes so far, in their order."""
        return [turn for _number, turn in sorted(self.turns.items()) if turn.mark in COSTS]

    def players(self, record: Record) -> list[ReviewedPlayer]:
        """Return a line for each player, of what is judged so far."""
        return [
            player_line(name, [turn for turn in self.turns.values() if turn.player == seat])
            for seat, name in enumerate(record.names)
        ]


def swing_of(job: Job | None) -> Swing:
    """Return what a job has judged so far; nothing, if there is none."""
    if job is None:
        return Swing({}, None)
    if job.status == "done":
        review: Review = job.result
        return Swing({turn.number: turn for turn in review.turns}, review)
    return Swing({turn.number: turn for turn in list(job.partial)}, None)


def picture_of(record: Record, swing: Swing, analysed: Analysed | None) -> str:
    """Return the graph of a game as markup."""
    answers = () if analysed is None else analysed.answers
    end = None if record.ending is None else float(record.score == record.rules.max_score)
    return graph_svg(graph_of(swing.turns, len(record.actions), end, answers))


def mark_class(turn: ReviewedTurn) -> str:
    """Return the class of a turn's mark; empty if it has none."""
    return MARK_CLASSES.get(turn.mark, "")


@dataclass(frozen=True)
class Choice:
    """An action that could be tried: its number and words, how often it wins (−1: not judged), and what it was."""

    number: int
    text: str
    chance: float
    is_best: bool
    is_played: bool


def choices_of(record: Record, state: State, turn: ReviewedTurn | None) -> list[Choice]:
    """Return the legal actions of a position; those that are judged first, the best of them first."""
    if state.is_over:
        return []
    seat, done = state.current, len(state.history)
    judged = {} if turn is None else {option.action: option.chance for option in turn.options}
    played = record.actions[done] if done < len(record.actions) else None
    found = []
    for action in state.view(seat).legal_actions():
        text = action_text(record.rules, action, record.names)
        number = action_index(record.rules, seat, action)
        is_best = turn is not None and text == turn.best.action
        found.append(Choice(number, text, judged.get(text, -1.0), is_best, action == played))
    return sorted(
        found, key=lambda each: (not each.is_best, -1.0 if each.chance is None else -each.chance, each.number)
    )


def with_action(record: Record, turn: int, number: int) -> Record:
    """Return a game as it was after so many turns, with another action then; refuse one that is not legal there."""
    state = record.replay(turn)
    action = action_at(record.rules, state.current, number)
    if state.is_over or action not in state.legal_actions():
        raise IllegalActionError(f"action {number} is not legal after turn {turn}: expected one that the page lists")
    return replace(record, actions=(*record.actions[:turn], action), ends=(), notes=())
