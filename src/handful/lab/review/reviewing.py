"""What did each decision of a game cost, by what its player could know? One game, or many.

Every turn is judged for itself (see `judge`), on all cores; the maximum's being out of reach is proved by the solver.
A review is a function of the game, the seed and the number of worlds, whatever the number of cores. A time instead of
worlds is spent as well as this machine can: the review says how many worlds it came to, with which it can be repeated.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from handful.errors import HandfulError, RulesError
from handful.hanabi.live.links import record_given
from handful.hanabi.live.records import Record
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.lab.games import Chunk
from handful.lab.review.judge import Effort, Judge
from handful.lab.review.manner import Manner, Manners
from handful.lab.review.reviewed import Proof, Review, ReviewedTurn, reviewed_turn
from handful.lab.running import work_through
from handful.playability import Analysis, analyse

WORLDS = Effort().measured
GLANCE = 48  # worlds of the first pass, which says how long a world takes
MOST_WORLDS = 200_000
LEAST_WORLDS = 8

OnTurn = Callable[[ReviewedTurn], None]


@dataclass(frozen=True, eq=False)
class Reviewing:
    """The positions of a game that are to be judged, and with how much effort."""

    record: Record
    states: Sequence[State]
    manners: Manners
    team: str | None
    seed: int
    worlds: int

    is_compiled = True

    def judge(self) -> Judge:
        """Return this thread's judge for games of these rules."""
        return _judge_for(self.record.rules, self.team, self.seed)

    def turn(self, number: int) -> ReviewedTurn:
        """Return a turn with its judgement."""
        before = self.states[number - 1]
        played = self.record.actions[number - 1]
        judgement = self.judge().judge(before, played, effort_of(self.worlds), self.manners.of(number))
        return reviewed_turn(before, self.states[number], self.record.names, judgement)


def effort_of(worlds: int) -> Effort:
    """Return the effort whose losses are measured in so many worlds: half as many are in the race."""
    usual = Effort()
    most = max(4, worlds * usual.most // usual.measured)
    return Effort(min(usual.first, most), most, max(4, worlds))


def check_worlds(worlds: int) -> int:
    """Return a number of worlds, or refuse it."""
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise HandfulError(f"worlds={worlds}: expected {LEAST_WORLDS} to {MOST_WORLDS:,}")
    return worlds


def begin(record: Record, team: str | None = None, seed: int = 0, worlds: int = WORLDS) -> Reviewing:
    """Return a game ready to be judged; refuse one that no team of ours can play on."""
    check_worlds(worlds)
    _check_reviewable(record.rules)
    states = list(record.states())
    job = Reviewing(record, states, Manners(states), team, seed, worlds)
    job.judge()  # what is wrong with the team or the rules is said here, and compiled code is loaded
    return job


def judged_turns(
    job: Reviewing, numbers: Sequence[int] | None = None, workers: int | None = None, on_turn: OnTurn | None = None
) -> list[ReviewedTurn]:
    """Return turns of a game with their judgements, in their order; `on_turn` is told each as soon as it is there."""
    wanted = range(1, len(job.record.actions) + 1) if numbers is None else numbers
    found = {}
    for _chunk, turn in work_through(_judge_chunk, job, [Chunk(number, 1) for number in wanted], workers):
        found[turn.number] = turn
        if on_turn is not None:
            on_turn(turn)
    return [found[number] for number in wanted]


def review(
    record: Record | str,
    *,
    seconds: float | None = None,
    worlds: int = WORLDS,
    seed: int = 0,
    team: str | None = None,
    workers: int | None = None,
    time_limit: float | None = 20.0,
    on_turn: OnTurn | None = None,
) -> Review:
    """Return what each decision of a game cost, by what its player could know.

    A game that is given as a text is a link, or the name of a file. `worlds` is how many each loss is measured in, or
    `seconds` how long it may take all in all. `team` is the bot that plays on in the worlds: by default the strongest
    fast one. `time_limit` is in seconds, for each position that the solver searches.
    """
    started = time.perf_counter()
    if isinstance(record, str):
        record = record_given(record)
    job = begin(record, team, seed, worlds)
    clock = time.perf_counter()
    proof = proof_of(record, time_limit if seconds is None else min(seconds / 4, time_limit or seconds))
    if seconds is None:
        turns = judged_turns(job, workers=workers, on_turn=on_turn)
    else:
        job, turns = _within(job, seconds - (time.perf_counter() - clock), workers, on_turn)
    return finished(job, turns, proof, time.perf_counter() - started)


def finished(job: Reviewing, turns: Sequence[ReviewedTurn], proof: Analysis | None, seconds: float) -> Review:
    """Return the review of a game whose turns are judged, with what the solver proved."""
    return Review(
        names=job.record.names,
        rules=job.record.rules,
        team=job.judge().player.name,
        seed=job.seed,
        worlds=job.worlds,
        score=job.record.score,
        is_over=job.record.ending is not None,
        turns=tuple(turns) if proof is None else tuple(proved(turn, proof) for turn in turns),
        proof=None if proof is None else Proof.of(proof),
        seconds=seconds,
    )


def proved(turn: ReviewedTurn, proof: Analysis) -> ReviewedTurn:
    """Return a turn with what the solver says: whether the maximum was possible after it."""
    known = proof.turns[turn.number - 1]
    return replace(turn, is_possible=known.winnable_after, is_fatal=proof.lost_at_turn == turn.number)


def proof_of(record: Record, time_limit: float | None) -> Analysis | None:
    """Return where a game was lost with all cards known; None for rules under which the solver says nothing."""
    try:
        return analyse(record, time_limit)
    except RulesError:
        return None


def judge_position(job: Reviewing, number: int, factor: float = 10.0) -> ReviewedTurn:
    """Return one turn judged in depth, with `factor` times the worlds."""
    if not 1 <= number <= len(job.record.actions):
        turns = len(job.record.actions)
        raise HandfulError(f"turn {number}: expected 1 to {turns}" if turns else f"turn {number}: nothing was played")
    deep = effort_of(min(MOST_WORLDS, round(job.worlds * factor)))
    before = job.states[number - 1]
    judgement = job.judge().judge(before, job.record.actions[number - 1], deep, job.manners.of(number))
    return reviewed_turn(before, job.states[number], job.record.names, judgement)


def judge_tried(job: Reviewing, record: Record) -> ReviewedTurn:
    """Return the last action of a record judged, which nobody has played, as one of the game that was.

    If the game was the same up to there, it is judged in the worlds of the turn that was played. Further on nobody has
    played anything: then the worlds hang on no action but those before.
    """
    number, actions = len(record.actions), job.record.actions
    states = list(record.states())
    if number <= len(actions) and actions[: number - 1] == record.actions[:-1]:
        played, manner = actions[number - 1], job.manners.of(number)
    else:
        played, manner = None, Manner(doubt=Manners(states).doubt.of(number))
    effort = effort_of(job.worlds)
    judgement = job.judge().judge(states[-2], played, effort, manner, tried=record.actions[-1])
    return reviewed_turn(states[-2], states[-1], record.names, judgement)


def _within(
    job: Reviewing, seconds: float, workers: int | None, on_turn: OnTurn | None
) -> tuple[Reviewing, list[ReviewedTurn]]:
    """Return the turns judged in as many worlds as the time allows: a first pass says how long one takes."""
    glance = replace(job, worlds=GLANCE)
    begun = time.perf_counter()
    turns = judged_turns(glance, workers=workers, on_turn=on_turn)
    used = max(1e-3, time.perf_counter() - begun)
    worlds = int(min(MOST_WORLDS, GLANCE * (seconds - used) / used))
    if worlds <= GLANCE:
        return glance, turns
    job = replace(job, worlds=worlds)
    return job, judged_turns(job, workers=workers, on_turn=on_turn)


def _judge_chunk(job: Reviewing, chunk: Chunk) -> ReviewedTurn:
    return job.turn(chunk.first)


def _check_reviewable(rules: Rules) -> None:
    if rules.end_of_deck == "never":
        raise RulesError("a game with end_of_deck=never cannot be reviewed: expected one that has an end")


_THREAD = threading.local()


def _judge_for(rules: Rules, team: str | None, seed: int) -> Judge:
    """Return a judge that is this thread's own: the last one, if it is the same."""
    key = (rules, team, seed)
    if getattr(_THREAD, "key", None) != key:
        _THREAD.judge, _THREAD.key = Judge(rules, team, seed), key
    found: Judge = _THREAD.judge
    return found
