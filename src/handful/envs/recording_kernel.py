"""Games of bots, written down turn by turn: what the one to move saw and could do, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import float32, float64, int8, int16, int64, types, uint8

from handful._bits import wide
from handful._jit import kernel_of_type
from handful._records import Bytes, Ints
from handful.bots.protocol import CompiledBot
from handful.bots.table_kernel import ILLEGAL, SEATED, TABLES, Seated, Seats, Tables, deal_game, take_turn
from handful.envs.encoder_kernel import observe
from handful.envs.observation import observation_size
from handful.envs.reward_kernel import Weights, reward_since, standing
from handful.errors import IllegalActionError
from handful.hanabi.kernels.game import score
from handful.hanabi.kernels.layout import ONGOING
from handful.hanabi.rules import Rules

GAMES_AT_ONCE = 16  # a call of the kernel costs more than a game; a buffer for all games of a shard would be large


class Rows(NamedTuple):
    """Turns of games, a row each: see `dataset`, where the columns are explained."""

    observations: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.uint8]
    returns: npt.NDArray[np.float32]
    games: Ints
    turns: npt.NDArray[np.int16]
    seats: Bytes
    scores: Bytes


_ROWS = types.NamedTuple(
    (uint8[:, ::1], uint8[:, ::1], uint8[::1], float32[::1], int64[::1], int16[::1], int8[::1], int8[::1]), Rows
)


@kernel_of_type(int64(SEATED, TABLES, float64[::1], _ROWS, int64), borrows=True)
def _record_game(seated: Seated, tables: Tables, weights: Weights, rows: Rows, row: int) -> int:
    """Play the game that was started, and write its turns from a row on; return the row after them, or ILLEGAL."""
    game, first = tables.games[0], row
    while game["ending"] == ONGOING:
        seat = wide(game["current"])
        observe(tables, 0, seat, rows.observations[row], rows.legal[row])
        rows.turns[row], rows.seats[row] = game["turn"], seat
        before = standing(tables, 0, weights)
        take_turn(seated, tables, 0)
        rows.actions[row] = game["last_action"]
        rows.returns[row] = reward_since(before, tables, 0, weights)
        row += 1
    for earlier in range(row - 2, first - 1, -1):
        rows.returns[earlier] += rows.returns[earlier + 1]  # the sum of the rewards from this turn on
    return ILLEGAL if game["ending"] == ILLEGAL else row


# seated, tables, weights, rows, seed, first, count
@kernel_of_type(int64(SEATED, TABLES, float64[::1], _ROWS, int64, int64, int64), borrows=True)
def _record_games(
    seated: Seated, tables: Tables, weights: Weights, rows: Rows, seed: int, first: int, count: int
) -> int:
    """Play deals first, …, first + count − 1 of a seed; return how many rows they are, or ILLEGAL."""
    row = 0
    for number in range(first, first + count):
        deal_game(tables, 0, seed, number, 0)
        after = _record_game(seated, tables, weights, rows, row)
        if after == ILLEGAL:
            return ILLEGAL
        rows.games[row:after] = number
        rows.scores[row:after] = score(tables.games[0], tables.rulebooks[0])
        row = after
    return row


class Recorder:
    """A table of bots whose games are written down."""

    def __init__(self, rules: Rules, bots: Sequence[CompiledBot], weights: Sequence[float]) -> None:
        assert rules.max_hints is not None, "observations have a place for each hint token"
        seats = Seats(dict(enumerate(bots)))
        # Every play or discard uses a card; every hint a token, and discards and completed suits bring some back.
        longest = 2 * rules.variant.num_cards + rules.max_hints + rules.variant.num_suits
        most = GAMES_AT_ONCE * longest
        dtypes = (np.uint8, np.float32, np.int64, np.int16, np.int8, np.int8)
        columns: list[Any] = [np.zeros(most, dtype) for dtype in dtypes]
        self._rows = Rows(
            np.zeros((most, observation_size(rules)), np.uint8),
            np.zeros((most, rules.num_actions), np.uint8),
            *columns,
        )
        self._arguments = (seats.seated, seats.tables(rules), np.array(weights), self._rows)

    def play(self, seed: int, first: int, count: int) -> Rows:
        """Return the turns of deals first, …, first + count − 1 of a seed: the games that the lab plays there."""
        parts = []
        for number in range(first, first + count, GAMES_AT_ONCE):
            rows = _record_games(*self._arguments, seed, number, min(GAMES_AT_ONCE, first + count - number))
            if rows == ILLEGAL:
                raise IllegalActionError(f"a bot chose an illegal action in games {number} … of seed {seed}")
            parts.append([array[:rows].copy() for array in self._rows])
        return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
