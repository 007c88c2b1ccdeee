"""The actions of hanab.live, and ours.

There an action has a type, a target and a value. A card is named by its place in the deck's order, not by its slot, so
both ways lead through a replay of the game by the plain rules.

====  =============  ================  ===========================================
type  what           target            value
====  =============  ================  ===========================================
0     play           order of a card   0 or missing
1     discard        order of a card   0 or missing
2     suit hint      player            number of the suit hint
3     value hint     player            value
4     end of game    player            why: a code of `END_REASONS`
5     end by vote    −1                a code, or 0
====  =============  ================  ===========================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handful.errors import RecordError
from handful.hanabi import legality
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play
from handful.hanabi.cards import card_text
from handful.hanabi.deal import Deal
from handful.hanabi.state import State

PLAY, DISCARD, HINT_SUIT, HINT_VALUE, END_GAME, END_BY_VOTE = range(6)
NOBODY = -1
MAX_END_CODE = 60

END_REASONS = {
    1: "normal end",
    2: "strikes",
    3: "out of time",
    4: "ended by a player",
    5: "speedrun failed",
    6: "idle for too long",
    7: "stuck by a character",
    8: "all or nothing failed",
    9: "stuck in all or nothing",
    10: "ended by vote",
}


class LiveAction(NamedTuple):
    """An action as hanab.live writes it. `value` is None where it is missing."""

    kind: int
    target: int
    value: int | None


@dataclass(frozen=True, slots=True)
class EndAction:
    """The end of a game other than by its last turn. `player` is None where it is nobody's doing; `code` says why.

    >>> EndAction(code=4, player=1).reason
    'ended by a player'
    """

    code: int
    player: int | None = None
    by_vote: bool = False

    @property
    def reason(self) -> str:
        """Why the game ended, in words."""
        return "ended by vote" if self.by_vote else END_REASONS.get(self.code, f"hanab.live's code {self.code}")


def actions_of(state: State) -> tuple[Action, ...]:
    """Return the actions of a game so far."""
    return tuple(turn.action for turn in state.history)


def game_from_live(deal: Deal, names: Sequence[str], live: Iterable[LiveAction]) -> tuple[State, tuple[EndAction, ...]]:
    """Return a game after these actions, and what ended it; refuse the first one that the rules forbid."""
    state = State(deal)
    ends: list[EndAction] = []
    for index, each in enumerate(live):
        where = f"actions[{index}] (turn {state.turn_number}, {names[state.current]})"
        if each.kind in (END_GAME, END_BY_VOTE):
            ends.append(_end_from_live(deal, index, each))
            continue
        if ends:
            raise RecordError(f"{where} comes after the end of the game: {ends[-1].reason}")
        if state.is_over:
            raise RecordError(f"{where} comes after the end of the game: {state.ending}, {state.points} points")
        action = _action_from_live(state, where, each)
        reason = legality.why_illegal(state, action)
        if reason is not None:
            raise RecordError(f"{where}: {_words(state, each)} is illegal: {reason}")
        state.act(action)
    return state, tuple(ends)


def live_from_actions(state: State, ends: Iterable[EndAction]) -> list[LiveAction]:
    """Return hanab.live's actions for all that happened in a game, and for what ended it."""
    live: list[LiveAction] = []
    for turn in state.history:
        match turn.action:
            case HintSuit(player, suit):
                live.append(LiveAction(HINT_SUIT, player, suit))
            case HintValue(player, value):
                live.append(LiveAction(HINT_VALUE, player, value))
            case Play() | Discard():
                assert turn.order is not None
                live.append(LiveAction(PLAY if isinstance(turn.action, Play) else DISCARD, turn.order, 0))
    for end in ends:
        player = NOBODY if end.player is None else end.player
        live.append(LiveAction(END_BY_VOTE if end.by_vote else END_GAME, player, end.code))
    return live


def _action_from_live(state: State, where: str, live: LiveAction) -> Action:
    if live.kind in (HINT_SUIT, HINT_VALUE):
        if live.value is None:
            raise RecordError(f"{where}: the value of a hint is missing")
        return (HintSuit if live.kind == HINT_SUIT else HintValue)(live.target, live.value)
    if live.kind not in (PLAY, DISCARD):
        raise RecordError(f"{where}: type is {live.kind}, expected {PLAY} to {END_BY_VOTE}")
    if live.value:
        raise RecordError(f"{where}: value is {live.value}, expected 0 or none for a play or discard")
    orders = [held.order for held in state.hands[state.current]]
    if live.target not in orders:
        raise RecordError(f"{where}: target is card {live.target}, expected one in the hand: {_series(orders)}")
    return (Play if live.kind == PLAY else Discard)(orders.index(live.target))


def _end_from_live(deal: Deal, index: int, live: LiveAction) -> EndAction:
    last = deal.rules.players - 1
    if not NOBODY <= live.target <= last:
        raise RecordError(f"actions[{index}].target is {live.target}: expected a player, {NOBODY} (nobody) to {last}")
    code = live.value or 0
    if not 0 <= code <= MAX_END_CODE:
        raise RecordError(f"actions[{index}].value is {code}: expected a code of an end, 0 to {MAX_END_CODE}")
    return EndAction(code, None if live.target == NOBODY else live.target, live.kind == END_BY_VOTE)


def _words(state: State, live: LiveAction) -> str:
    """Return what was tried, for a message."""
    if live.kind in (PLAY, DISCARD):
        card = card_text(state.rules.variant, state.deal.deck[live.target])
        return f"{'playing' if live.kind == PLAY else 'discarding'} card {live.target} ({card})"
    kind = "suit" if live.kind == HINT_SUIT else "value"
    return f"the {kind} hint {live.value} to player {live.target}"


def _series(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "it is empty"
