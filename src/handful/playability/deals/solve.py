"""Can this deal, or the rest of this game, be won? Decided with all cards known, cheap stages first.

1. The merged relaxation (one player with all the cards, free hints): if even that is lost, so is the game. 2. Beams
of growing width, from one (a greedy player) to thousands, whose main guide is the same relaxation. 3. For two players,
the free game (free hints, but it is known who holds what), if it can be searched completely. 4. A SAT encoding of the
whole game, for what is left. Whatever line is found is replayed by the plain rules before it is returned.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from handful.display import Listing, Shown, named_rows
from handful.errors import HandfulError, RulesError
from handful.hanabi.actions import Action, action_at
from handful.hanabi.cards import Card
from handful.hanabi.deal import Deal
from handful.hanabi.knowledge import Turn
from handful.hanabi.live.links import deal_given, link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Variant
from handful.hanabi.worth import best_heights, copies_left
from handful.playability.deals.choices import lost_card
from handful.playability.deals.reasons import refutation_text, what_binds, why_merged, why_refuted
from handful.playability.formulas import NO_TIME

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_TYPES = 31
MOST_BLANKS = 30  # cards in all hands, where the end of the deck does not end the game
MERGED = "merged relaxation"

# The fields of a `Guide`: width of the beam; worth of a token, of slack, of players who can play soon; how hard the
# relaxation tries at a node; whether points count instead of the maximum. The weights are the best of a grid over 6,000
# deals of seed 9 for each number of players; those of the last beam win the most of the five-player deals of seed 0
# that others leave: ``python -m benchmarks.tune_stages`` prints such grids. No search over widths and efforts, or for
# the two beams below, was recorded.
STAGES = (
    (1, 0, 4, 0, 20, 0),
    (1, 3, 8, 1, 20, 0),
    (20, 6, 16, 1, 50, 0),
    (200, 2, 8, 0, 200, 0),
    (2_000, 3, 4, 0, 500, 0),
)
FOR_POINTS = (200, 2, 1, 1, 0, 1)
WIDEST = max(stage[0] for stage in STAGES)
FREE_GAME = (300_000, 0, 4, 0, 500, 0)  # hardly ever are there more than 50,000; the arrays are touched as needed
FREE_GAME_PLAYERS = 2  # for more it is too wide, and a SAT solver is quick


def stage_name(stage: int) -> str:
    """Return what a stage of `STAGES` is called.

    >>> [stage_name(stage) for stage in range(5)]
    ['greedy', 'greedy for tokens', 'beam of 20', 'beam of 200', 'beam of 2000']
    """
    return ("greedy", "greedy for tokens")[stage] if STAGES[stage][0] == 1 else f"beam of {STAGES[stage][0]}"


@dataclass(frozen=True)
class Solution(Shown):
    """Whether the maximum score can be reached from a position, with all cards known.

    `winnable` is None if the time was not enough, or a SAT solver is missing. `score` is the best that was found, and
    `line` the legal actions that reach it from the position, replayed by the plain rules; `upper_bound` is a score that
    is proved never to be exceeded. `reason` says in words why, `method` which stage decided it.
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

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What happens on each turn of the line: the replay that proves it. `finished` is the game after them."""
        history = self.finished.history
        return history[len(history) - len(self.line) :]

    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the record of the whole game with the line, from its first turn."""
        return Record.from_state(self.finished, names)

    def link(self) -> str:
        """Return the hanab.live link that replays the game with the line; empty where a link cannot express it."""
        try:
            return link_from_record(self.record())
        except HandfulError:
            return ""

    def shown(self) -> Listing:
        """Return what a notebook shows: all but the line itself, which the link has."""
        values = {**self.to_dict(), "turns": len(self.line)}
        return Listing("", (), named_rows(values, leave_out=["line"]))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it: the line as hanab.live's actions."""
        try:
            line = self.record().to_json()["actions"]
        except HandfulError:
            line = []
        return {
            "winnable": self.winnable,
            "score": self.score,
            "upper_bound": self.upper_bound,
            "line": line[len(line) - len(self.line) :],
            "link": self.link(),
            "reason": self.reason,
            "method": self.method,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


def solve(start: Deal | State | str, time_limit: float | None = 60.0) -> Solution:
    """Return whether the maximum score can be reached from a deal or a position, with what proves it.

    A text is a seed of hanab.live, a link or the name of a file: then it is the deal of that game.

    >>> from handful.hanabi import Rules
    >>> solve(Deal.from_seed(Rules(players=3), seed=1)).winnable, solve("p2v0s40").winnable
    (True, False)
    """
    if isinstance(start, str):
        start = deal_given(start)
    state = State(start) if isinstance(start, Deal) else start.copy()
    check_solvable(state.rules)
    known = _decided_already(state, time.perf_counter())
    if known is not None:
        return known
    _load_solver(state.rules.is_played_as_usual)
    started = time.perf_counter()
    if time_limit is not None and time_limit <= 0:
        return _solution(state, (), None, NO_TIME, "none", 0, started)
    return _by_search(state, started, time_limit)


@cache
def _load_solver(is_played_as_usual: bool) -> None:
    """Load the compiled part, or compile it: the time that this takes, once, is not that of an answer.

    A game of two cards, which cannot be won by who must play the second first, goes through all of it.
    """
    rules = Rules(Variant.custom(1, copies=(1, 1)), 2, 1, max_hints=0, deck_plays=not is_played_as_usual)
    state = State(Deal.from_cards(rules, [Card(0, 2), Card(0, 1)]))
    desk = desk_for(rules)
    desk.decide(state)
    desk.best_line(state)
    _lost_free_game(state)


def quick_methods(rules: Rules, seed: int, first: int, count: int) -> list[str | None]:
    """Return for deals first, first + 1, … of a seed which stage decides them; None where a slower one must.

    If it is MERGED, the deal is lost; otherwise it is won.

    All of it, from the shuffling to the replay of the lines, is done in kernels: a deal takes less than a tenth of a
    millisecond in the middle.
    """
    import numpy as np

    from handful.playability.deals.kernels.stages import BEAM, CAPACITY, PACE

    check_solvable(rules)
    desk, methods = desk_for(rules), np.zeros(count, np.int8)
    desk.decide_deals(seed, first, methods)
    names = {PACE: MERGED, CAPACITY: MERGED} | {BEAM + stage: stage_name(stage) for stage in range(len(STAGES))}
    return [names.get(int(method)) for method in methods]


def check_solvable(rules: Rules) -> None:
    """Refuse rules of which deals cannot be solved."""
    if rules.max_score > MAX_TYPES or (rules.end_of_deck == "never" and not rules.all_or_nothing):
        raise RulesError(
            f"deals of {rules.variant.name} with end_of_deck={rules.end_of_deck} cannot be solved: expected at most "
            f"{MAX_TYPES} different cards, and a last round"
        )
    if not rules.has_last_round and rules.players * rules.hand_size > MOST_BLANKS:
        raise RulesError(
            f"{rules.players} hands of {rules.hand_size} cards in all or nothing cannot be solved: "
            f"expected at most {MOST_BLANKS} cards in all hands"
        )


def _by_search(state: State, started: float, time_limit: float | None) -> Solution:
    """Return what the kernels say of a position, and what a SAT solver does where they say nothing."""
    from handful.playability.deals.kernels.stages import BEAM, CAPACITY, EXHAUSTED, PACE

    desk = desk_for(state.rules)
    with desk.stopped_after(_time_left(started, time_limit)):
        method = desk.decide(state)
    nodes, closed = int(desk.positions[0]), desk.closed_choices()
    if method >= BEAM:
        line = desk.line(state)
        reason = f"a line of {len(line)} turns wins"
        return _solution(state, line, True, reason, stage_name(method - BEAM), nodes, started)
    best = desk.best_line(state)
    if method in (PACE, CAPACITY):
        why = why_merged(state)
        assert why is not None, "the relaxation is the same in plain words"
        return _solution(state, best, False, why, MERGED, nodes, started)
    if method == EXHAUSTED:
        why = why_refuted(state, _time_left(started, time_limit), closed=closed)
        reason = f"{why}; all {nodes:,} positions that the bounds leave open were tried"
        return _solution(state, best, False, reason, "exhaustive search", nodes, started)
    if state.rules.players <= FREE_GAME_PLAYERS and (
        positions := _lost_free_game(state, _time_left(started, time_limit))
    ):
        reason = (
            "who holds what: even with free hints no order of plays fits the hands and the last round; "
            f"all {positions:,} positions that the bounds leave open were tried"
        )
        return _solution(state, best, False, reason, "free game", nodes + positions, started)
    return _by_sat(state, best, nodes, (started, time_limit), closed)


def _lost_free_game(state: State, time_limit: float | None = None) -> int:
    """Return how many positions prove that the free game cannot be won; 0 if that is not known, or not in time."""
    from handful.playability.deals.kernels.stages import EXHAUSTED

    if any(len(orders) > 1 for orders in state.rules.variant.orders):
        return 0  # it would have to be lost for every choice of orders
    desk = desk_for(state.rules, FREE_GAME[0])
    with desk.stopped_after(time_limit):
        method = desk.refute_free_game(state)
    return int(desk.positions[0]) if method == EXHAUSTED else 0


def _by_sat(
    state: State,
    best: tuple[Action, ...],
    nodes: int,
    times: tuple[float, float | None],
    closed: Sequence[Sequence[int]],
) -> Solution:
    """Return what a SAT solver says of a position that the search could not decide, in the time that is left.

    With free hints first: most of these positions that cannot be won cannot be won then, either.
    """
    from handful.playability.deals.sat import decide

    started, time_limit = times
    left = _time_left(started, time_limit)
    free = decide(state, None if left is None else left / 2, free_hints=True, closed=closed)
    if free.winnable is False:
        reason = refutation_text(free, what_binds=what_binds(state))
        return _solution(state, best, False, reason, "SAT", nodes, started)
    verdict = decide(state, _time_left(started, time_limit), closed=closed)
    size = f"{verdict.variables:,} variables, {verdict.clauses:,} clauses, {verdict.conflicts:,} conflicts"
    if verdict.winnable:
        reason = f"a line of {len(verdict.moves)} turns wins ({size})"
        return _solution(state, verdict.moves, True, reason, "SAT", nodes, started)
    if verdict.winnable is False:
        return _solution(state, best, False, refutation_text(free, verdict), "SAT", nodes, started)
    if not verdict.variables:
        return _solution(state, best, None, NO_TIME, "none", nodes, started)
    why = f"{NO_TIME} ({size})" if verdict.undecided == NO_TIME else f"what the search leaves open {verdict.undecided}"
    return _solution(state, best, None, why, "none", nodes, started)


def _time_left(started: float, time_limit: float | None) -> float | None:
    return None if time_limit is None else max(0.0, time_limit - (time.perf_counter() - started))


def _decided_already(state: State, started: float) -> Solution | None:
    """Return the answer where no search is needed: the game is over, or a card is lost."""
    if state.is_over:
        is_won = state.score == state.rules.max_score
        reason = "the game was won" if is_won else f"over: the game has ended with {state.score} points"
        return _solution(state, (), is_won, reason, "end of the game", 0, started)
    lost = lost_card(state)
    return None if lost is None else _solution(state, (), False, lost, "lost card", 0, started)


def _solution(
    state: State, line: tuple[Action, ...], winnable: bool | None, reason: str, method: str, nodes: int, started: float
) -> Solution:
    finished = state.copy()
    for action in line:
        finished.act(action)
    most = state.rules.max_score
    assert not winnable or finished.score == most, "a winning line must win by the plain rules"
    bound = _reachable(state) if winnable is False else most
    return Solution(
        winnable, finished.score, bound, line, reason, method, nodes, time.perf_counter() - started, finished
    )


def _reachable(state: State) -> int:
    """Return a bound on the score of a game that cannot be won: no stack goes past a card that is lost."""
    if state.is_over:
        return state.score
    variant, open_orders = state.rules.variant, state.open_orders
    left = copies_left(variant, state.stacks, state.discards, open_orders)
    total = sum(best_heights(variant, state.stacks, left, open_orders))
    return min(total, state.rules.max_score - 1)


@dataclass(frozen=True)
class Desk:
    """The arrays in which a thread decides games of the same rules."""

    work: Any
    rulebooks: Any
    stages: Any
    positions: npt.NDArray[np.int64]
    choices: Any  # of the orders of suits; None where the game is played as usual

    @contextmanager
    def stopped_after(self, seconds: float | None) -> Iterator[None]:
        """Let a search end undecided after some time: a kernel has no clock, but another thread has."""
        stop = self.work.beams.stop
        stop[0] = seconds is not None and seconds <= 0
        timer = None if seconds is None else threading.Timer(seconds, stop.fill, [1])
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()
                timer.join()  # it shall not stop the next search
            stop[0] = 0

    def lay(self, state: State) -> None:
        """Write a position as the game that is asked about."""
        from handful.hanabi.kernels.bridge import deck_from_cards, game_from_state

        self.work.games[:] = game_from_state(state)
        self.work.deck[:] = deck_from_cards(state.rules, state.deal.deck)

    def decide(self, state: State) -> int:
        """Return what decides a position, as the kernels number it; `positions` has how many were looked at."""
        from handful.playability.deals.kernels import stages

        self.lay(state)
        self.positions[0] = 0
        if self.choices is None:
            return int(stages.decide_game(self.work, self.rulebooks, self.stages, self.positions))
        from handful.playability.deals.kernels import special

        return int(special.decide_in_order(self.work, self.choices, self.rulebooks, self.stages, self.positions))

    def closed_choices(self) -> list[list[int]]:
        """Return the choices of orders that the relaxation has refuted in the position that was decided last."""
        if self.choices is None or len(self.choices.orders) == 1:
            return []
        from handful.playability.deals.kernels.special import CLOSED

        return [list(map(int, orders)) for orders in self.choices.orders[self.choices.slacks == CLOSED]]

    def decide_deals(self, seed: int, first: int, methods: npt.NDArray[np.int8]) -> None:
        """Write what decides deals first, first + 1, … of a seed."""
        import numpy as np

        from handful.playability.deals.kernels import stages

        if self.choices is None:
            stages.decide_deals(self.work, self.rulebooks, self.stages, seed, first, methods, self.positions)
            return
        from handful.playability.deals.kernels import special

        deals = np.array([seed, first], np.int64)
        special.decide_deals_in_order(
            self.work, self.choices, self.rulebooks, self.stages, deals, methods, self.positions
        )

    def refute_free_game(self, state: State) -> int:
        """Return whether the free game from a position is EXHAUSTED; `positions` has how many were looked at."""
        from handful.playability.deals.kernels import stages

        self.lay(state)
        self.positions[0] = 0
        guide = guides(FREE_GAME)
        if self.choices is None:
            return int(stages.refute_free_game(self.work, self.rulebooks, guide, self.positions))
        from handful.playability.deals.kernels import special

        return int(special.refute_free_game_in_order(self.work, self.choices, self.rulebooks, guide, self.positions))

    def line(self, state: State) -> tuple[Action, ...]:
        """Return the line that was replayed last, from this position on."""
        line, players = [], state.rules.players
        for ahead, number in enumerate(self.work.line[: int(self.work.turns[0])]):
            line.append(action_at(state.rules, (state.current + ahead) % players, int(number)))
        return tuple(line)

    def best_line(self, state: State) -> tuple[Action, ...]:
        """Return a line with many points."""
        from handful.playability.deals.kernels import stages

        self.lay(state)
        if self.choices is None:
            stages.best_line(self.work, self.rulebooks, guides(FOR_POINTS))
        else:
            from handful.playability.deals.kernels import special

            special.best_line_in_order(self.work, self.choices, self.rulebooks, guides(FOR_POINTS))
        return self.line(state)


def guides(*stages: tuple[int, ...]) -> Any:
    """Return stages as the kernels take them."""
    import numpy as np

    from handful.playability.deals.kernels.beam import GUIDE

    return np.array(list(stages), GUIDE)


def _choices(rules: Rules) -> Any:
    from handful.playability.deals.kernels.special import choices_of

    return choices_of(rules)


_THREAD = threading.local()


def desk_for(rules: Rules, width: int = WIDEST) -> Desk:
    """Return this thread's arrays for games of these rules, and for beams of this width: the last of each width."""
    import numpy as np

    from handful.hanabi.kernels.layout import rulebook_of
    from handful.playability.deals.kernels.beam import MAX_TURNS
    from handful.playability.deals.kernels.stages import workspace

    if not hasattr(_THREAD, "desks"):
        _THREAD.desks = {}
    kept: tuple[Rules, Desk] | None = _THREAD.desks.get(width)
    if kept is None or kept[0] != rules:
        # A turn of the free game uses a card.
        turns = MAX_TURNS if width <= WIDEST else rules.variant.num_cards + rules.players
        choices = None if rules.is_played_as_usual else _choices(rules)
        work = workspace(rules, width, turns)
        desk = Desk(work, rulebook_of(rules), guides(*STAGES), np.zeros(1, np.int64), choices)
        kept = _THREAD.desks[width] = (rules, desk)
    return kept[1]
