"""Can this deal, or the rest of this game, be won? Decided with all cards known, cheap stages first.

1. The merged relaxation (one player with all the cards, free hints): if even that is lost, so is the game. 2. Beams
of growing width, from one (a greedy player) to thousands, whose main guide is the same relaxation. What they find is
a line,
   replayed by the plain rules before it is returned.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from handful.errors import RulesError
from handful.hanabi import legality
from handful.hanabi.actions import Action, Discard, HintValue, Play
from handful.hanabi.cards import card_at, card_index, card_text
from handful.hanabi.deal import Deal
from handful.hanabi.state import State
from handful.hanabi.worth import copies_left
from handful.playability.solution import Solution

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MAX_TYPES = 31
MAX_TURNS = 400
UNLIMITED = 1 << 10

# Width of the beam; worth of a token, of slack, of a player who can play soon; and how hard the relaxation tries at a
# node.
STAGES = (
    (1, (2, 4, 1, 20)),
    (20, (2, 4, 1, 50)),
    (200, (2, 4, 1, 200)),
    (2_000, (2, 4, 1, 500)),
    (20_000, (2, 4, 1, 2_000)),
)
PROOF_EFFORT = 200_000  # choices that the relaxation may try at the start, where it is a proof


def solve(start: Deal | State, time_limit: float | None = 60.0) -> Solution:
    """Return whether the maximum score can be reached from a deal or a position, with what proves it.

    >>> from handful.hanabi import Rules
    >>> solve(Deal.from_seed(Rules(players=3), seed=1)).winnable
    True
    """
    started = time.perf_counter()
    state = State(start) if isinstance(start, Deal) else start.copy()
    known = _decided_already(state, started)
    if known is not None:
        return known
    problem = _Problem(state)
    hopeless = problem.why_hopeless()
    if hopeless is not None:
        return _solution(state, (), False, hopeless, "merged relaxation", 0, started)
    nodes = 0
    best: tuple[Action, ...] = ()
    for width, weights in STAGES:
        if time_limit is not None and time.perf_counter() - started > time_limit:
            break
        found = problem.search(width, weights, is_relaxed=False)
        nodes += found.positions
        line = _actions(state, found.moves)
        if found.is_win:
            method = "greedy" if width == 1 else f"beam of {width}"
            return _solution(state, line, True, f"a line of {len(line)} turns wins", method, nodes, started)
        best = max(best, line, key=lambda tried: _score_after(state, tried))
        if found.is_complete:
            # Nothing is left but misplays. A misplay is a discard that gains no token. Let discards be allowed with all
            # tokens there, too: then misplays are not needed, for more tokens are never worse than fewer.
            relaxed = problem.search(width, weights, is_relaxed=True)
            nodes += relaxed.positions
            if relaxed.is_complete and not relaxed.is_win:
                reason = f"exhausted: all {relaxed.positions:,} positions that the bounds leave open were tried"
                return _solution(state, best, False, reason, "exhaustive search", nodes, started)
            break
    return _by_sat(state, best, nodes, started, time_limit)


def _by_sat(state: State, best: tuple[Action, ...], nodes: int, started: float, time_limit: float | None) -> Solution:
    """Return what a SAT solver says of a position that the search could not decide, in the time that is left."""
    from handful.playability.sat_deals import decide

    left = None if time_limit is None else time_limit - (time.perf_counter() - started)
    if left is not None and left <= 0:
        return _solution(state, best, None, "not decided in the time given", "none", nodes, started)
    verdict = decide(state, left)
    size = f"{verdict.variables:,} variables, {verdict.clauses:,} clauses, {verdict.conflicts:,} conflicts"
    if verdict.winnable:
        reason = f"a line of {len(verdict.moves)} turns wins ({size})"
        return _solution(state, verdict.moves, True, reason, "SAT", nodes, started)
    if verdict.winnable is False:
        return _solution(state, best, False, f"refuted: {size}", "SAT", nodes, started)
    return _solution(state, best, None, f"not decided in the time given ({size})", "none", nodes, started)


def _decided_already(state: State, started: float) -> Solution | None:
    """Return the answer where no search is needed: the game is over, or a card is lost."""
    if state.is_over:
        is_won = state.score == state.rules.max_score
        reason = "the game was won" if is_won else f"over: the game has ended with {state.score} points"
        return _solution(state, (), is_won, reason, "end of the game", 0, started)
    variant = state.rules.variant
    left = copies_left(variant, state.stacks, state.discards)
    for index, count in enumerate(left):
        card = card_at(variant, index)
        if count == 0 and card.value > state.stacks[card.suit]:
            reason = f"lost card: no {card_text(variant, card)} is left"
            return _solution(state, (), False, reason, "lost card", 0, started)
    return None


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
    variant = state.rules.variant
    left = copies_left(variant, state.stacks, state.discards)
    total = 0
    for suit, height in enumerate(state.stacks):
        while height < variant.num_values and left[suit * variant.num_values + height]:
            height += 1
        total += height
    return min(total, state.rules.max_score - 1)


def _score_after(state: State, line: tuple[Action, ...]) -> int:
    after = state.copy()
    for action in line:
        after.act(action)
    return after.score


@dataclass
class _Scratch:
    """Arrays that a thread uses again and again."""

    cache: npt.NDArray[np.int64]
    beam: npt.NDArray[Any]
    found: npt.NDArray[Any]
    parents: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int32]


_THREAD = threading.local()


def _scratch(width: int) -> _Scratch:
    """Return this thread's arrays, large enough for a beam of this width."""
    import numpy as np

    from handful.playability.search_kernel import NODE

    kept: _Scratch | None = getattr(_THREAD, "scratch", None)
    if kept is None or len(kept.beam) < width:
        kept = _Scratch(
            np.zeros((1 << 14, 3), np.int64),
            np.zeros(width, NODE),
            np.zeros(width * 14 + 64, NODE),
            np.zeros((MAX_TURNS, width), np.int32),
            np.zeros((MAX_TURNS, width), np.int32),
        )
        _THREAD.scratch = kept
    return kept


@dataclass(frozen=True)
class _Found:
    """What a search found: its best line, whether that wins, whether nothing was left out, the positions it saw."""

    moves: list[int]
    is_win: bool
    is_complete: bool
    positions: int


class _Problem:
    """A position as the kernels see it."""

    def __init__(self, state: State) -> None:
        import numpy as np

        rules, variant = state.rules, state.rules.variant
        if variant.num_types > MAX_TYPES or rules.end_of_deck == "never":
            raise RulesError(
                f"deals of {variant.name} with end_of_deck={rules.end_of_deck} cannot be solved: expected at most "
                f"{MAX_TYPES} different cards, and a last round"
            )
        self.state = state
        values = variant.num_values
        first = sum(1 << suit * values for suit in range(variant.num_suits))
        bonus = first << values - 1 if rules.bonus_hint else 0
        most = UNLIMITED if rules.max_hints is None else rules.max_hints
        self.may_discard_at_max = rules.discard_at_max or rules.players == 1 or rules.max_hints is None
        self.setup = np.array(
            [variant.num_cards, rules.players, rules.hand_size, first, variant.all_mask, bonus, most, 0]
        )
        self.deck = np.array([card_index(variant, card) for card in state.deal.deck], np.int64)
        self.rest = np.zeros(len(self.deck) + 1, np.int64)
        for place in range(len(self.deck) - 1, -1, -1):
            self.rest[place] = self.rest[place + 1] | 1 << int(self.deck[place])
        self.played = sum(((1 << height) - 1) << suit * values for suit, height in enumerate(state.stacks))
        self.hands = [
            sum({1 << card_index(variant, card) for card in state.hand(player)}) & ~self.played
            for player in range(rules.players)
        ]
        self.drawn = len(self.deck) - state.deck_size
        _scratch(1).cache[:] = -1

    def why_hopeless(self) -> str | None:
        """Return why even the merged relaxation cannot win, or None if it can."""
        import numpy as np

        from handful.playability.search_kernel import IMPOSSIBLE, NOT_YET, least_discards, slack_of

        union = 0
        for hand in self.hands:
            union |= hand
        turns_left = NOT_YET if self.state.turns_left is None else self.state.turns_left
        slack = int(slack_of(self.setup, self.drawn, self.played, turns_left))
        effort = np.array([PROOF_EFFORT])
        cache = _scratch(1).cache
        needed = int(least_discards(self.setup, self.deck, self.rest, cache, effort, self.drawn, self.played, union))
        if needed >= IMPOSSIBLE:
            capacity = self.state.rules.players * self.state.rules.hand_size
            return f"capacity: even {capacity} cards held together are too few to keep what must not be thrown away"
        if needed > slack:
            return f"pace: at least {needed} discards come before the last card, and {max(slack, 0)} are affordable"
        return None

    def search(self, width: int, weights: tuple[int, ...], is_relaxed: bool) -> _Found:
        """Return what a beam of this width finds; if relaxed, discards are allowed with all tokens there, too."""
        import numpy as np

        from handful.playability.search_kernel import DISCARD_AT_MAX, NOT_YET, search

        scratch = _scratch(width)
        self.setup[DISCARD_AT_MAX] = self.may_discard_at_max or is_relaxed
        root = scratch.beam[0]
        root["hands"] = 0
        root["hands"][: len(self.hands)] = self.hands
        root["played"], root["drawn"] = self.played, self.drawn
        root["hints"] = UNLIMITED if self.state.hints is None else self.state.hints
        root["current"] = self.state.current
        root["turns_left"] = NOT_YET if self.state.turns_left is None else self.state.turns_left
        seen = np.zeros(1 << (width * 14 + 64).bit_length(), np.int32)
        outcome = np.zeros(6, np.int64)
        search(
            *(self.setup, self.deck, self.rest, scratch.cache, np.array(weights), scratch.beam, scratch.found, seen),
            *(width, scratch.parents, scratch.moves, outcome),
        )
        turns, place, left_out, looked_at, best_turns, best_place = map(int, outcome)
        if not turns:
            turns, place = best_turns, best_place
        moves = []
        for turn in range(turns - 1, -1, -1):
            moves.append(int(scratch.moves[turn, place]))
            place = int(scratch.parents[turn, place])
        return _Found(moves[::-1], bool(outcome[0]), not left_out, looked_at)


def _actions(state: State, moves: list[int]) -> tuple[Action, ...]:
    """Return the plain actions of a line of moves, each legal in its place; cut short where there is none.

    A discard that is not allowed, because all tokens are there, is made by a misplay, while that does not end the game.
    """
    after = state.copy()
    line: list[Action] = []
    for move in moves:
        action = _action(after, move)
        if action is None or after.is_over:
            break
        line.append(action)
        after.act(action)
    return tuple(line)


def _action(state: State, move: int) -> Action | None:
    """Return the plain action of a move, or None if there is none."""
    from handful.playability.search_kernel import HINT, PLAY, TRASH

    kind, index = move & ~63, move & 63
    if kind == HINT:
        return _any_hint(state)
    hand = [card_index(state.rules.variant, each) for each in state.hand(state.current)]
    if kind == PLAY:
        return Play(hand.index(index))
    slots = _trash_slots(state) if kind == TRASH else [hand.index(index)]
    if legality.can_discard(state.rules, state.hints):
        return Discard(slots[0]) if slots else None
    most = state.rules.max_strikes
    failing = [slot for slot in slots if _is_misplay(state, slot)]
    return Play(failing[0]) if failing and (most is None or state.strikes + 1 < most) else None


def _is_misplay(state: State, slot: int) -> bool:
    card = state.hand(state.current)[slot]
    return card.value != state.stacks[card.suit] + 1


def _any_hint(state: State) -> Action:
    """Return a legal hint: of the value of the next player's oldest card, unless that is not touched by it."""
    player = (state.current + 1) % state.rules.players
    for card in state.hand(player)[:1]:
        hint = HintValue(player, card.value)
        if state.is_legal(hint):
            return hint
    return next(action for action in state.legal_actions() if not isinstance(action, Play | Discard))


def _trash_slots(state: State) -> list[int]:
    """Return the slots that the player to move does not need: played already, a second copy; in the last round any."""
    hand = state.hand(state.current)
    slots = [slot for slot, card in enumerate(hand) if card.value <= state.stacks[card.suit] or card in hand[:slot]]
    return slots if state.turns_left is None else [*slots, *range(len(hand))]
