"""The bot `uct`, compiled: the tree, and how the present move is chosen. `uct` says what it does.

A node is a position at which the searching seat is to move again, as far as that seat can tell: what everybody did and
showed since the present one. The others act by the play-out policy, from what they see themselves, so that nobody acts
on cards that are hidden from him; in a node all worlds are averaged that look the same, so neither does the searcher.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Floats, Ints, words_of
from handful._records_jit import record_in
from handful.bots.kernel_types import CHOOSE
from handful.bots.register import REGISTER
from handful.bots.settings import Settings, settings_type
from handful.bots.shared.clock_kernel import nanoseconds
from handful.bots.shared.worlds_kernel import World
from handful.bots.simple.rules_kernel import RULES
from handful.bots.thinking.playout_kernel import NO_LIMIT, Stage, enter_world, policy_action, set_stage
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, ONGOING, Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.worth import playable_mask
from handful.splitmix_jit import Chance, add_key, next_bits

UCT = settings_type(REGISTER["uct"].parameters)
RULES_AT = words_of(UCT)  # the settings of the bot `rules` follow those of this one

ROOT = 0
MOST_NODES = 256
MOST_DEPTH = 8
# No search for these two was recorded; ``python -m benchmarks.thinking_players`` measures what comes of them.
WIDEN = 32  # visits of a node before anything but the policy's action is tried there
EXPLORE = 8  # then every so manieth visit explores


class Tree(NamedTuple):
    """Nodes, and what was tried there. Node 0 is the present position.

    `keys` are hashes of what happened since then, in public; `seen` is how often a node was met; `visits` and `totals`,
    nodes × actions, how often an action was tried there, and the sum of the scores. `path` has the rows (node, action)
    of one descent, `size[0]` is the number of nodes. `settings[0]` are those of the bot.
    """

    keys: npt.NDArray[np.uint64]
    seen: Ints
    visits: Ints
    totals: Floats
    path: Ints
    size: Ints
    settings: npt.NDArray[Any]


class Search(NamedTuple):
    """What a search works with: the stage of its play-outs, and its tree."""

    stage: Stage
    tree: Tree


@kernel
def new_tree(settings: Settings) -> Tree:
    """Return a tree of the present position alone."""
    nodes = MOST_NODES if settings["depth"] > 1.0 else 1
    tree = Tree(
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros((nodes, MAX_ACTIONS), np.int64),
        np.zeros((nodes, MAX_ACTIONS), np.float64),
        np.zeros((MOST_DEPTH, 2), np.int64),
        np.ones(1, np.int64),
        np.zeros(1, UCT),
    )
    tree.settings[0] = settings
    return tree


@kernel
def find_node(tree: Tree, key: np.uint64) -> int:
    """Return the node of a key, a new one if there is none and room is left; −1 if there is no room."""
    for node in range(1, tree.size[0]):
        if tree.keys[node] == key:
            return node
    if tree.size[0] == len(tree.keys):
        return -1
    tree.keys[tree.size[0]] = key
    tree.size[0] += 1
    return wide(tree.size[0] - 1)


@kernel
def least_tried(tree: Tree, node: int, legal: int) -> int:
    """Return the action with the highest upper confidence bound (UCB1); one that was never tried comes first."""
    visits, totals = tree.visits[node], tree.totals[node]
    spread = tree.settings[0]["exploration"] * np.sqrt(np.log(tree.seen[node] + 1.0))
    best, chosen = -1.0, wide(0)
    while legal:
        action = lowest_bit(legal)
        legal &= legal - 1
        if visits[action] == 0:
            return action
        bound = totals[action] / visits[action] + spread / np.sqrt(visits[action])
        if bound > best:
            best, chosen = bound, action
    return chosen


@kernel
def surely_best(tree: Tree, node: int, legal: int, usual: int) -> int:
    """Return the action with the best average, if it is better than the policy's by more than luck; else the policy's.

    Averages of n and m trials differ by luck alone by about √(1/n + 1/m) times the spread of a game, two points: the
    caution is how often √(1/n + 1/m) points they must differ.
    """
    visits, totals = tree.visits[node], tree.totals[node]
    if visits[usual] == 0:
        return usual
    level, best, chosen = totals[usual] / visits[usual], -1.0, usual
    while legal:
        action = lowest_bit(legal)
        legal &= legal - 1
        if visits[action] > 0:
            mean = totals[action] / visits[action]
            margin = tree.settings[0]["caution"] * np.sqrt(1.0 / visits[action] + 1.0 / visits[usual])
            if mean > best and mean > level + margin:
                best, chosen = mean, action
    return chosen


@kernel
def step(stage: Stage, action: int, key: np.uint64) -> np.uint64:
    """Carry out an action in the game of the stage; return the key with what everybody saw of it."""
    game = stage.games[0]
    act(game, stage.rulebooks[0], stage.deck, action)
    key = add_key(key, action)
    if game["last_order"] >= 0:
        key = add_key(key, wide(game["cards"][game["last_order"]]))
    return key


@kernel
def descend(stage: Stage, tree: Tree, seat: int, action: int) -> tuple[int, int]:
    """Play the game of the stage to its end, the searching seat by the tree as deep as that goes.

    The first action is given. Returns how many rows the path has, and from which on they are to be learned from: a move
    that explores says nothing of the moves before it, after which nobody would have made it.
    """
    game, rulebook = stage.games[0], stage.rulebooks[0]
    key, node, length, first = np.uint64(0), wide(ROOT), wide(0), wide(0)
    while True:
        tree.path[length, 0], tree.path[length, 1] = node, action
        length += 1
        key = step(stage, action, key)
        while game["ending"] == ONGOING and game["current"] != seat:
            key = step(stage, policy_action(stage), key)
        if length >= tree.settings[0]["depth"] or game["ending"] != ONGOING:
            break
        node = find_node(tree, key)
        if node < 0:
            break
        action = policy_action(stage)
        tree.seen[node] += 1
        if tree.seen[node] > WIDEN:
            legal = legal_mask(game, rulebook)
            if tree.seen[node] % EXPLORE == 0:
                action, first = least_tried(tree, node, legal), length
            else:
                action = surely_best(tree, node, legal, action)
    while game["ending"] == ONGOING:
        act(game, rulebook, stage.deck, policy_action(stage))
    return length, first


@kernel
def try_action(search: Search, games: Games, g: int, world: np.uint64, action: int) -> None:
    """Try an action in a world, and note the score along the path."""
    stage, tree = search.stage, search.tree
    enter_world(stage, games, g, world, MAX_DECK)
    length, first = descend(stage, tree, wide(games[g]["current"]), action)
    value = score(stage.games[0], stage.rulebooks[0])
    for i in range(first, length):
        tree.visits[tree.path[i, 0], tree.path[i, 1]] += 1
        tree.totals[tree.path[i, 0], tree.path[i, 1]] += value


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
    games: Games, g: int, rulebooks: Rulebooks, seat: int, _memory: object, parameters: Floats, chance: Chance
) -> int:
    """Return the action that is surely better than the policy's, or the policy's own."""
    settings = record_in(parameters[seat], 0, UCT)
    stage = set_stage(games, g, rulebooks, seat, settings["policy"], record_in(parameters[seat], RULES_AT, RULES))
    key = next_bits(chance, seat)
    stage.chance[seat] = next_bits(chance, seat)
    usual = policy_action(stage)
    legal = legal_mask(games[g], rulebooks[0])
    alive = sensible_mask(games[g], rulebooks[0], stage.worlds[0], seat, legal) | wide(1) << usual
    if popcount(alive) == 1:
        return usual
    tree = new_tree(settings)
    budget, limit = wide(settings["playouts"]), wide(settings["milliseconds"] * 1e6)
    alive = halve(Search(stage, tree), games, g, key, alive, usual, budget, limit)
    return surely_best(tree, ROOT, alive, usual)
