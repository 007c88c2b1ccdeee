"""Games of bots, written down turn by turn: what the one to move saw and could do, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import float32, float64, int8, int16, int64, types, uint8

from handful._bits import wide
from handful._jit import kernel_of_type
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import ILLEGAL, SEATED, TABLE, Seats, ask, tell
from handful.envs.encoder_kernel import encode
from handful.envs.fields import observation_size
from handful.envs.reward_kernel import act_for_reward
from handful.errors import IllegalActionError
from handful.hanabi.kernels.game import legal_mask, score, seat_chance, shuffle_deck, start
from handful.hanabi.kernels.layout import MAX_DECK, ONGOING
from handful.hanabi.rules import Rules

GAMES_AT_ONCE = 16  # a call of the kernel costs more than a game; a buffer for all games of a shard would be large


class Rows(NamedTuple):
    """Turns of games, a row each: see `dataset`, where the columns are explained."""

    observations: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.uint8]
    returns: npt.NDArray[np.float32]
    games: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int16]
    seats: npt.NDArray[np.int8]
    scores: npt.NDArray[np.int8]


_ROWS = types.Tuple(
    (uint8[:, ::1], uint8[:, ::1], uint8[::1], float32[::1], int64[::1], int16[::1], int8[::1], int8[::1])
)


# seated, (games, rulebooks, deck, memory, parameters, chance), weights, rows, row
@kernel_of_type(int64(SEATED, TABLE, float64[::1], _ROWS, int64))
def _record_game(seated, table, weights, rows, row):  # type: ignore[no-untyped-def]
    """Play the game that was started, and write its turns from a row on; return the row after them, or ILLEGAL."""
    games, rulebooks, deck, memory, parameters, chance = table
    observations, legal, actions, returns, _games, turns, seats, _scores = rows
    game, rulebook = games[0], rulebooks[0]
    first, has_regained = row, False
    while game["ending"] == ONGOING:
        seat, mask = wide(game["current"]), legal_mask(game, rulebook)
        encode(games, 0, rulebooks, seat, has_regained, observations[row])
        for action in range(legal.shape[1]):
            legal[row, action] = mask >> action & 1
        chosen = ask(seated, games, 0, rulebooks, deck, memory, parameters, chance)
        if chosen == ILLEGAL:
            return ILLEGAL
        hints = game["hints"]
        turns[row], seats[row], actions[row] = game["turn"], seat, chosen
        returns[row] = act_for_reward(game, rulebook, deck, chosen, weights)
        has_regained = game["hints"] > hints
        tell(seated, games, 0, rulebooks, deck, memory, parameters)
        row += 1
    for earlier in range(row - 2, first - 1, -1):
        returns[earlier] += returns[earlier + 1]  # the return of a turn is the sum of the rewards from it on
    return row


# seated, table, weights, rows, seed, first, count, notes
@kernel_of_type(int64(SEATED, TABLE, float64[::1], _ROWS, int64, int64, int64, int64))
def _record_games(seated, table, weights, rows, seed, first, count, notes):  # type: ignore[no-untyped-def]
    """Play deals first, …, first + count − 1 of a seed; return how many rows they are, or ILLEGAL."""
    games, rulebooks, deck, memory, _parameters, chance = table
    row = 0
    for number in range(first, first + count):
        shuffle_deck(deck, rulebooks[0], seed, number, chance)
        seat_chance(chance, seed, number, 0)
        memory[:, :notes] = 0
        start(games[0], rulebooks[0], deck, 0)
        after = _record_game(seated, table, weights, rows, row)
        if after == ILLEGAL:
            return ILLEGAL
        rows[4][row:after] = number
        rows[7][row:after] = score(games[0], rulebooks[0])
        row = after
    return row


class Recorder:
    """A table of bots whose games are written down."""

    def __init__(self, rules: Rules, bots: Sequence[CompiledBot], weights: Sequence[float]) -> None:
        assert rules.max_hints is not None, "observations have a place for each hint token"
        self._weights, self._seats = np.array(weights), Seats(dict(enumerate(bots)))
        self._table = self._seats.table(rules, np.zeros(MAX_DECK, np.int8))
        # Every play or discard uses a card; every hint a token, and discards and completed suits bring some back.
        longest = 2 * rules.variant.num_cards + rules.max_hints + rules.variant.num_suits
        most = GAMES_AT_ONCE * longest
        self._rows = (
            np.zeros((most, observation_size(rules)), np.uint8),
            np.zeros((most, rules.num_actions), np.uint8),
            *(np.zeros(most, dtype) for dtype in (np.uint8, np.float32, np.int64, np.int16, np.int8, np.int8)),
        )

    def play(self, seed: int, first: int, count: int) -> Rows:
        """Return the turns of deals first, …, first + count − 1 of a seed: the games that the lab plays there."""
        parts = []
        for start_at in range(first, first + count, GAMES_AT_ONCE):
            some = min(GAMES_AT_ONCE, first + count - start_at)
            rows = _record_games(
                *(self._seats.seated, self._table, self._weights, self._rows),
                *(seed, start_at, some, self._seats.notes_words),
            )
            if rows == ILLEGAL:
                raise IllegalActionError(f"a bot chose an illegal action in games {start_at} … of seed {seed}")
            parts.append([array[:rows].copy() for array in self._rows])
        return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
