"""The types of the kernels that a compiled bot consists of."""

from __future__ import annotations

from numba import float64, from_dtype, int64, types, uint64, void

from handful.hanabi.kernels.layout import GAME, RULES

GAMES_TYPE = types.Array(from_dtype(GAME), 1, "C")
RULES_TYPE = types.Array(from_dtype(RULES), 1, "C")

# choose(games, g, rules, seat, memory, parameters, chance) -> action number
CHOOSE = int64(GAMES_TYPE, int64, RULES_TYPE, int64, int64[:, ::1], float64[:, ::1], uint64[::1])
# observe(games, g, rules, seat, memory, parameters)
OBSERVE = void(GAMES_TYPE, int64, RULES_TYPE, int64, int64[:, ::1], float64[:, ::1])
