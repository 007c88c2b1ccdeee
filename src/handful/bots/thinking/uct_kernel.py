"""The bot `uct`, compiled: how the present move is chosen. `uct` says what it does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful.bots.kernel_types import CHOOSE
from handful.bots.shared.clock_kernel import nanoseconds
from handful.bots.shared.worlds_kernel import World
from handful.bots.thinking.playout_kernel import policy_action, set_stage
from handful.bots.thinking.uct_tree_kernel import ROOT, Search, Tree, new_tree, surely_best, try_action
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.worth import playable_mask
from handful.splitmix_jit import Chance, add_key, next_bits

PLAYOUTS, DEPTH, EXPLORATION, CAUTION, POLICY, MILLISECONDS, FIRST_RULES_SETTING = range(7)
NO_LIMIT = 1 << 40


@kernel
def sensible_mask(game: Game, rulebook: Rulebook, world: World, seat: int, legal: int) -> int:
    """Return the legal actions but for plays of own cards that surely cannot be played."""
    size = wide(rulebook["hand_size"])
    playable, mask = playable_mask(game, rulebook), legal
    for slot in range(game["lengths"][seat]):
        possible, fits = wide(0), world["fits"][slot]
        while fits:
            possible |= wide(1) << world["cards"][lowest_bit(fits)]
            fits &= fits - 1
        if not possible & playable:
            mask &= ~(wide(1) << (size + slot))
    return mask


@kernel
def worse_half(tree: Tree, alive: int, usual: int) -> int:
    """Return the worse half of some actions of the present move, as a mask; the policy's action is never in it."""
    visits, totals = tree.visits[ROOT], tree.totals[ROOT]
    gone = wide(0)
    for _ in range(popcount(alive) // 2):
        worst, least, left = wide(-1), np.inf, alive & ~gone & ~(wide(1) << usual)
        while left:
            action = lowest_bit(left)
            left &= left - 1
            mean = totals[action] / max(wide(1), visits[action])
            if mean < least:
                worst, least = action, mean
        if worst >= 0:
            gone |= wide(1) << worst
    return gone


@kernel
def halve(search: Search, games: Games, g: int, key: np.uint64, alive: int, usual: int, budget: int, limit: int) -> int:
    """Try actions in rounds, and keep the better half after each; return those that are left.

    All actions of a round are tried in the same worlds. Each round has the same share of the play-outs (`budget`), or
    of the time (`limit`, in nanoseconds; 0: none).
    """
    rounds = wide(1)
    while wide(1) << rounds < popcount(alive):
        rounds += 1
    started, world = nanoseconds() if limit else wide(0), wide(0)
    for number in range(rounds):
        trials = NO_LIMIT if limit else max(wide(1), budget // (rounds * popcount(alive)))
        for _ in range(trials):
            left = alive
            while left:
                action = lowest_bit(left)
                left &= left - 1
                try_action(search, games, g, add_key(key, world), action)
            world += 1
            if limit and nanoseconds() - started >= limit * (number + 1) // rounds:
                break
        if number + 1 < rounds:
            alive &= ~worse_half(search.tree, alive, usual)
    return alive


@kernel_of_type(CHOOSE)
def choose(
    games: Games,
    g: int,
    rulebooks: Rulebooks,
    seat: int,
    _memory: object,
    parameters: npt.NDArray[np.float64],
    chance: Chance,
) -> int:
    """Return the action that is surely better than the policy's, or the policy's own."""
    policy = wide(parameters[seat, POLICY])
    stage = set_stage(games, g, rulebooks, seat, policy, parameters, FIRST_RULES_SETTING)
    key = next_bits(chance, seat)
    stage.chance[seat] = next_bits(chance, seat)
    usual = policy_action(stage)
    legal = legal_mask(games[g], rulebooks[0])
    alive = sensible_mask(games[g], rulebooks[0], stage.worlds[0], seat, legal) | wide(1) << usual
    if popcount(alive) == 1:
        return usual
    tree = new_tree(parameters[seat, DEPTH], parameters[seat, EXPLORATION], parameters[seat, CAUTION])
    budget, limit = wide(parameters[seat, PLAYOUTS]), wide(parameters[seat, MILLISECONDS] * 1e6)
    alive = halve(Search(stage, tree), games, g, key, alive, usual, budget, limit)
    return surely_best(tree, ROOT, alive, usual)
