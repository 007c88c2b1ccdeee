"""The bot `uct`, compiled. `uct` says what it does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handful._jit import kernel, kernel_of_type
from handful.bits import lowest_bit, popcount, wide
from handful.bots.clock_kernel import nanoseconds
from handful.bots.kernel_types import CHOOSE
from handful.bots.playout_kernel import RULES_WORDS, Stage, policy_action, policy_settings
from handful.bots.redeal_kernel import Hidden, hidden_from, redeal
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, ONGOING, Game, Games, RulesRecord
from handful.hanabi.kernels.worth import playable_mask
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key, next_bits

PLAYOUTS, EXPLORATION, DEPTH, POLICY, MILLISECONDS, FIRST_RULES_SETTING = range(6)
NO_LIMIT = 1 << 40
MOST_NODES = 256
MOST_DEPTH = 8
WIDEN = 12  # visits of a node before anything but the policy's action is tried there
ROOT = 0


class Tree(NamedTuple):
    """Positions at which the searching seat is to move, as that seat sees them. Node 0 is the present one.

    `keys` are hashes of what happened since then, in public; `visits` and `totals` are nodes × actions: how often an
    action was chosen there, and the sum of the scores; `path` has rows (node, action) of one descent. `size[0]` is the
    number of nodes.
    """

    keys: npt.NDArray[np.uint64]
    visits: npt.NDArray[np.int64]
    totals: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]


@kernel
def upper_bound(tree: Tree, node: int, legal: int, exploration: float) -> int:
    """Return the action with the highest upper confidence bound (UCB1); one that was never tried comes first."""
    visits, totals = tree.visits[node], tree.totals[node]
    count, left = wide(0), legal
    while left:
        action = lowest_bit(left)
        left &= left - 1
        if visits[action] == 0:
            return action
        count += visits[action]
    spread = exploration * np.sqrt(np.log(count))
    best, chosen, left = -1.0, wide(0), legal
    while left:
        action = lowest_bit(left)
        left &= left - 1
        bound = totals[action] / visits[action] + spread / np.sqrt(visits[action])
        if bound > best:
            best, chosen = bound, action
    return chosen


@kernel
def sensible_mask(game: Game, table: RulesRecord, hidden: Hidden, seat: int, legal: int) -> int:
    """Return the legal actions but for plays of own cards that surely cannot be played, if anything else is left."""
    size = wide(table["hand_size"])
    playable, mask = playable_mask(game, table), legal
    for slot in range(game["lengths"][seat]):
        may = False
        for k in range(hidden.num_fits[slot]):
            may = may or playable >> hidden.cards[hidden.fits[slot, k]] & 1
        if not may:
            mask &= ~(wide(1) << (size + slot))
    return mask if mask else legal


@kernel
def find_node(tree: Tree, key: np.uint64) -> int:
    """Return the node of a key, a new one if there is none and room is left; −1 if there is no room."""
    for node in range(1, tree.size[0]):
        if tree.keys[node] == key:
            return node
    if tree.size[0] == MOST_NODES:
        return -1
    tree.keys[tree.size[0]] = key
    tree.size[0] += 1
    return tree.size[0] - 1


@kernel
def step(stage: Stage, action: int, key: np.uint64) -> np.uint64:
    """Carry out an action in the game of the stage; return the key with what everybody saw of it."""
    game = stage.games[0]
    act(game, stage.rules[0], stage.deck, action)
    key = add_key(key, action)
    if game["last_order"] >= 0:
        key = add_key(key, game["cards"][game["last_order"]])
    return key


@kernel
def descend(stage: Stage, tree: Tree, seat: int, action: int, depth: int, exploration: float) -> int:
    """Play the game of the stage to its end: by the tree where it is the searching seat's turn, as deep as it goes.

    The first action is given. Returns how many rows of the path there are.
    """
    game, table = stage.games[0], stage.rules[0]
    key, node, length = np.uint64(0), wide(ROOT), wide(0)
    while True:
        tree.path[length, 0], tree.path[length, 1] = node, action
        length += 1
        is_new = tree.visits[node, action] == 0
        key = step(stage, action, key)
        while game["ending"] == ONGOING and game["current"] != seat:
            key = step(stage, policy_action(stage), key)
        if length == depth or is_new or game["ending"] != ONGOING:
            break
        node = find_node(tree, key)
        if node < 0:
            break
        action = policy_action(stage)
        if tree.visits[node].sum() >= WIDEN:
            action = upper_bound(tree, node, legal_mask(game, table), exploration)
    while game["ending"] == ONGOING:
        act(game, table, stage.deck, policy_action(stage))
    return length


@kernel
def simulate(
    stage: Stage, tree: Tree, games: Games, g: int, hidden: Hidden, world: np.uint64, action: int, depth: int, exploration: float
) -> None:
    """Try an action in a world, and note the score along the path."""
    stage.games[0] = games[g]
    game, table, seat = stage.games[0], stage.rules[0], wide(games[g]["current"])
    stage.memory[:] = 0
    for other in range(MAX_PLAYERS):
        stage.chance[other] = add_key(world, other)
    redeal(game, table, stage.deck, seat, hidden, stage.chance, seat, MAX_DECK)
    length = descend(stage, tree, seat, action, depth, exploration)
    value = score(game, table)
    for i in range(length):
        tree.visits[tree.path[i, 0], tree.path[i, 1]] += 1
        tree.totals[tree.path[i, 0], tree.path[i, 1]] += value


@kernel_of_type(CHOOSE)
def choose(
    games: Games,
    g: int,
    rules: RulesRecord,
    seat: int,
    memory: npt.NDArray[np.int64],
    parameters: npt.NDArray[np.float64],
    chance: Chance,
) -> int:
    """Return the action that was tried most; of equal ones, the one with the best average."""
    depth, exploration = wide(parameters[seat, DEPTH]), parameters[seat, EXPLORATION]
    limit = wide(0)
    started = nanoseconds() if limit else wide(0)
    playouts = NO_LIMIT if limit else wide(parameters[seat, PLAYOUTS])
    stage = Stage(
        games[g : g + 1].copy(),
        rules.copy(),
        np.zeros(MAX_DECK, np.int8),
        np.full(1, wide(parameters[seat, POLICY]), np.int64),
        np.zeros((MAX_PLAYERS, RULES_WORDS), np.int64),
        policy_settings(parameters, seat, FIRST_RULES_SETTING),
        np.zeros(MAX_PLAYERS, np.uint64),
    )
    hidden = hidden_from(games[g], rules[0], seat)
    legal = sensible_mask(games[g], rules[0], hidden, seat, legal_mask(games[g], rules[0]))
    if popcount(legal) == 1:
        return lowest_bit(legal)
    nodes = MOST_NODES if depth > 1 else 1
    tree = Tree(
        np.zeros(nodes, np.uint64),
        np.zeros((nodes, MAX_ACTIONS), np.int64),
        np.zeros((nodes, MAX_ACTIONS), np.float64),
        np.zeros((MOST_DEPTH, 2), np.int64),
        np.ones(1, np.int64),
    )
    key = next_bits(chance, seat)
    stage.games[0] = games[g]
    stage.chance[seat] = next_bits(chance, seat)
    usual = policy_action(stage)
    legal |= wide(1) << usual
    alive = legal
    rounds = 1
    while wide(1) << rounds < popcount(legal):
        rounds += 1
    visits, totals = tree.visits[ROOT], tree.totals[ROOT]
    for r in range(rounds):
        times = max(1, playouts // (rounds * popcount(alive)))
        for _ in range(times):
            left = alive
            while left:
                action = lowest_bit(left)
                left &= left - 1
                simulate(stage, tree, games, g, hidden, add_key(key, visits[action]), action, depth, exploration)
        # the worse half goes
        for _ in range(popcount(alive) // 2):
            worst, low, left = wide(-1), 1e9, alive
            while left:
                action = lowest_bit(left)
                left &= left - 1
                mean = totals[action] / visits[action]
                if action != usual and mean < low:
                    worst, low = action, mean
            if worst >= 0 and popcount(alive) > 2:
                alive &= ~(wide(1) << worst)
    best, left = usual, alive & ~(wide(1) << usual)
    while left:
        action = lowest_bit(left)
        left &= left - 1
        margin = parameters[seat, MILLISECONDS] / np.sqrt(visits[action]) if best == usual else 0.0
        if totals[action] / visits[action] > totals[best] / visits[best] + margin:
            best = action
    return best
