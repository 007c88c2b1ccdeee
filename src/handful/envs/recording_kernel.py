"""A game of bots, written down turn by turn: what the one to move saw and could do, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import boolean, float32, float64, int8, int64, types, uint8, uint64

from handful._jit import kernel_of_type
from handful.bits import wide
from handful.bots.base import CompiledBot
from handful.bots.kernel_types import GAMES_TYPE, RULES_TYPE
from handful.bots.table_kernel import hide_hand, show_hand
from handful.envs.batched_kernel import seat_chance
from handful.envs.encoder_kernel import encode
from handful.envs.fields import observation_size
from handful.envs.partners_kernel import CHOOSERS, OBSERVERS, Seats, tell
from handful.envs.reward_kernel import act_for_reward
from handful.errors import IllegalActionError
from handful.hanabi.kernels.game import legal_mask, score, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, MAX_DECK, ONGOING, rules_record
from handful.hanabi.rules import MAX_PLAYERS, Rules

ILLEGAL = -1

_BOTS = (CHOOSERS, OBSERVERS, boolean[::1])
_TABLE = (GAMES_TYPE, RULES_TYPE, int8[::1], int64[:, ::1], float64[:, ::1], uint64[::1])
_ROWS = (uint8[:, ::1], uint8[:, ::1], uint8[::1], float32[::1], int8[::1])


# (choosers, observers, takes_notes), (games, rules, deck, memory, parameters, chance), seed, number, weights,
# (observations, legal, actions, returns, seats)
@kernel_of_type(types.int64(types.Tuple(_BOTS), types.Tuple(_TABLE), int64, int64, float64[::1], types.Tuple(_ROWS)))
def _record_game(bots, table, seed, number, weights, rows):  # type: ignore[no-untyped-def]
    """Play deal `number` of a seed, and write a row for every turn; return how many, or ILLEGAL."""
    choosers, observers, takes_notes = bots
    games, rules, deck, memory, parameters, chance = table
    observations, legal, actions, returns, seats = rows
    game, rule = games[0], rules[0]
    shuffle_deck(deck, rule, seed, number, chance)
    seat_chance(chance, seed, number)
    memory[:] = 0
    start(game, rule, deck, 0)
    row, has_regained = 0, False
    while game["ending"] == ONGOING:
        seat = wide(game["current"])
        mask = legal_mask(game, rule)
        encode(games, 0, rules, seat, has_regained, observations[row])
        for action in range(legal.shape[1]):
            legal[row, action] = mask >> action & 1
        hide_hand(game, rule, seat)
        chosen = choosers[seat](games, 0, rules, seat, memory, parameters, chance)
        show_hand(game, rule, seat, deck)
        if chosen < 0 or chosen >= rule["num_actions"] or not mask >> chosen & 1:
            return ILLEGAL
        hints = game["hints"]
        seats[row], actions[row] = seat, chosen
        returns[row] = act_for_reward(game, rule, deck, chosen, weights)
        has_regained = game["hints"] > hints
        tell(observers, takes_notes, games, 0, rules, deck, memory, parameters)
        row += 1
    for earlier in range(row - 2, -1, -1):
        returns[earlier] += returns[earlier + 1]
    return row


@dataclass(frozen=True, eq=False)
class GameRows:
    """The turns of a game, a row each: see `dataset`. `score` is that of the whole game."""

    observations: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.uint8]
    returns: npt.NDArray[np.float32]
    seats: npt.NDArray[np.int8]
    score: int


class Recorder:
    """A table of bots whose games are written down."""

    def __init__(self, rules: Rules, bots: Sequence[CompiledBot], weights: Sequence[float]) -> None:
        # Every play or discard uses a card of the deck; every hint a token, of which discards and suits bring some back.
        assert rules.max_hints is not None
        variant = rules.variant
        most = 2 * variant.num_cards + rules.max_hints + variant.num_suits
        self._rules, self._weights = rules_record(rules), np.array(weights)
        seated = Seats(self._rules, dict(enumerate(bots)), 1)
        self._bots = (seated.choosers, seated.observers, seated.takes_notes)
        self._table = (
            np.zeros(1, GAME),
            self._rules,
            np.zeros(MAX_DECK, np.int8),
            seated.memory[0],
            seated.parameters,
            np.zeros(MAX_PLAYERS, np.uint64),
        )
        self._rows = (
            np.zeros((most, observation_size(rules)), np.uint8),
            np.zeros((most, rules.num_actions), np.uint8),
            np.zeros(most, np.uint8),
            np.zeros(most, np.float32),
            np.zeros(most, np.int8),
        )

    def play(self, seed: int, number: int) -> GameRows:
        """Return the turns of deal `number` of a seed: the game that the lab plays there."""
        count = _record_game(self._bots, self._table, seed, number, self._weights, self._rows)
        if count == ILLEGAL:
            raise IllegalActionError(f"game {number} of seed {seed}: a bot chose an illegal action")
        observations, legal, actions, returns, seats = (array[:count].copy() for array in self._rows)
        return GameRows(observations, legal, actions, returns, seats, int(score(self._table[0][0], self._rules[0])))
