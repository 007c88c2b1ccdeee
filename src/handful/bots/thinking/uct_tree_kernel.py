"""The tree of the bot `uct`: what may come of an action in a world, and what was learned on the way.

A node is a position at which the searching seat is to move again, as far as that seat can tell: what everybody did and
showed since the present one. The others act by the play-out policy, from what they see themselves, so that nobody acts
on cards that are hidden from him; in a node all worlds are averaged that look the same, so neither does the searcher.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import kernel
from handful.bots.thinking.playout_kernel import Stage, enter_world, policy_action
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import MAX_ACTIONS, MAX_DECK, ONGOING, Games
from handful.splitmix_jit import add_key

ROOT = 0
MOST_NODES = 256
MOST_DEPTH = 8
WIDEN = 32  # visits of a node before anything but the policy's action is tried there
EXPLORE = 8  # then every so manieth visit explores


class Tree(NamedTuple):
    """Nodes, and what was tried there. Node 0 is the present position.

    `keys` are hashes of what happened since then, in public; `seen` is how often a node was met; `visits` and `totals`,
    nodes × actions, how often an action was tried there, and the sum of the scores. `path` has the rows (node, action)
    of one descent, `size[0]` is the number of nodes. `limits` are depth, exploration and caution.
    """

    keys: npt.NDArray[np.uint64]
    seen: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int64]
    totals: npt.NDArray[np.float64]
    path: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    limits: npt.NDArray[np.float64]


class Search(NamedTuple):
    """What a search works with: the stage of its play-outs, and its tree."""

    stage: Stage
    tree: Tree


@kernel
def new_tree(depth: float, exploration: float, caution: float) -> Tree:
    """Return a tree of the present position alone."""
    nodes = MOST_NODES if depth > 1.0 else 1
    return Tree(
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros((nodes, MAX_ACTIONS), np.int64),
        np.zeros((nodes, MAX_ACTIONS), np.float64),
        np.zeros((MOST_DEPTH, 2), np.int64),
        np.ones(1, np.int64),
        np.array([depth, exploration, caution]),
    )


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
    spread = tree.limits[1] * np.sqrt(np.log(tree.seen[node] + 1.0))
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
            margin = tree.limits[2] * np.sqrt(1.0 / visits[action] + 1.0 / visits[usual])
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
        if length >= tree.limits[0] or game["ending"] != ONGOING:
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
