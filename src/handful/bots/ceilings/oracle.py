"""The bot `oracle`: knows the whole deck, and plays the line that the deal solver finds: nobody can do better.

If the game can be won from here (`playability.solve` decides that), it plays a line that wins; otherwise the best line
that was found. If the others leave the line, it asks the solver anew. So a table of oracles has a perfect game on
exactly those deals that can be won; where the solver's time is not enough, the line may be one that does not win.
"""

from __future__ import annotations

from functools import lru_cache

from handful.bots.protocol import OpenBot, PlainMaker
from handful.hanabi.actions import Action, Discard, Play
from handful.hanabi.cards import card_index
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.worth import playable_mask
from handful.splitmix import SplitMix64

REMEMBERED = 64  # lines: all seats of a table follow the same one


class OracleBot(OpenBot):
    """Follows the solver's line from the position in which it was first asked, or in which the others left the line."""

    sees = "everything"

    def __init__(self, rules: Rules, seat: int, chance: SplitMix64, time_limit: float) -> None:
        super().__init__(rules, seat, chance)
        self._time_limit = time_limit
        self._start, self._line = 0, tuple[Action, ...]()

    def choose_open(self, state: State) -> Action:
        """Return the next action of the line; after its end, one that does no harm."""
        past = tuple(turn.action for turn in state.history)
        is_planned = self._line[: len(past) - self._start] == past[self._start :]
        if not self._line or not is_planned:
            self._start, self._line = len(past), _line(state.deal, past, self._time_limit)
        ahead = len(past) - self._start
        if ahead < len(self._line):
            return self._line[ahead]
        return (None if state.rules.is_played_as_usual else _fitting(state)) or _harmless(state)

    def __str__(self) -> str:
        return "the bot 'oracle'"


@lru_cache(REMEMBERED)
def _line(deal: Deal, past: tuple[Action, ...], time_limit: float) -> tuple[Action, ...]:
    """Return the line that the solver finds in the position after these actions."""
    from handful.playability.deals.solve import solve

    state = State(deal)
    for action in past:
        state.act(action)
    return solve(state, time_limit).line


def _fitting(state: State) -> Action | None:
    """Return the action that lays an own card on a stack, where the solver has no line; None if no card fits."""
    variant = state.rules.variant
    playable = playable_mask(variant, state.stacks, state.open_orders)
    for slot, card in enumerate(state.hand(state.current)):
        action = Discard(slot) if variant.suits[card.suit].is_played_by_discarding else Play(slot)
        if playable >> card_index(variant, card) & 1 and state.is_legal(action):
            return action
    return None


def _harmless(state: State) -> Action:
    """Return an action when no more points are to be made: a hint if there is one, then a discard."""
    actions = state.legal_actions()
    for kinds in ((Play, Discard), Play):
        for action in actions:
            if not isinstance(action, kinds):
                return action
    return actions[0]


def plain(time_limit: float = 60.0) -> PlainMaker:
    """Return the maker of oracles that think at most so many seconds about a position."""

    def sit_down(rules: Rules, seat: int, chance: SplitMix64) -> OracleBot:
        from handful.playability.deals.solve import check_solvable

        check_solvable(rules)
        return OracleBot(rules, seat, chance, time_limit)

    return sit_down
