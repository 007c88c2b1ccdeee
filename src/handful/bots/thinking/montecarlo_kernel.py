"""The bot `montecarlo`, compiled. `montecarlo` says what it does."""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Floats, words_of
from handful._records_jit import record_in
from handful.bots.kernel_types import CHOOSE
from handful.bots.register import REGISTER
from handful.bots.settings import settings_type
from handful.bots.shared.clock_kernel import nanoseconds
from handful.bots.simple.rules_kernel import RULES
from handful.bots.thinking.playout_kernel import NO_LIMIT, Stage, enter_world, policy_action, set_stage
from handful.hanabi.kernels.game import act, legal_mask
from handful.hanabi.kernels.layout import MAX_ACTIONS, ONGOING, UNLIMITED, Games, Rulebooks
from handful.splitmix_jit import Chance, add_key, next_bits

MONTECARLO = settings_type(REGISTER["montecarlo"].parameters)
RULES_AT = words_of(MONTECARLO)  # the settings of the bot `rules` follow those of this one


@kernel
def playout_value(stage: Stage, games: Games, g: int, world: np.uint64, action: int, depth: int) -> float:
    """Return what comes of an action in a world, looking `depth` turns ahead (the action is the first of them).

    The value is the sum over turns d of d · (points gained by then − (1 + 2 + … + k) for k strikes made by then). The
    game does not end on strikes.
    """
    enter_world(stage, games, g, world, depth)
    game, rulebook = stage.games[0], stage.rulebooks[0]
    points, strikes, value = wide(game["points"]), wide(game["strikes"]), 0.0
    for turn in range(1, depth + 1):
        if game["ending"] == ONGOING:
            act(game, rulebook, stage.deck, action if turn == 1 else policy_action(stage))
        made = wide(game["strikes"]) - strikes
        value += turn * (wide(game["points"]) - points - made * (made + 1) // 2)
    return value


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, _memory: object, parameters: Floats, chance: Chance
) -> int:
    """Return the action whose play-outs are the best on average; of equal ones, the first."""
    settings = record_in(parameters[seat], 0, MONTECARLO)
    playouts, depth, limit = wide(settings["playouts"]), wide(settings["depth"]), wide(settings["milliseconds"] * 1e6)
    started = nanoseconds() if limit else wide(0)
    stage = set_stage(games, g, rulebooks, seat, settings["policy"], record_in(parameters[seat], RULES_AT, RULES))
    stage.rulebooks[0]["max_strikes"] = UNLIMITED
    legal = legal_mask(games[g], rulebooks[0])
    key = next_bits(chance, seat)
    totals = np.zeros(MAX_ACTIONS)
    for playout in range(NO_LIMIT if limit else playouts):
        left = legal
        while left:
            action = lowest_bit(left)
            left &= left - 1
            world = add_key(add_key(key, playout), action)
            totals[action] += playout_value(stage, games, g, world, action, depth)
        if limit and nanoseconds() - started >= limit:
            break
    best = lowest_bit(legal)
    left = legal & (legal - 1)
    while left:
        action = lowest_bit(left)
        left &= left - 1
        if totals[action] > totals[best]:
            best = action
    return best
