"""The race: actions are tried in the same worlds until it is clear which is best, or all worlds have been tried.

With v the value of an action in a world of weight w, and h that of the blueprint's action, d = w (v − h) is summed over
the worlds: z = Σ d / √Σ d² says by how many standard errors the action is better. For perfect games this is
(gained − lost) / √(gained + lost): only worlds in which the two differ count.

Nothing is played out here: `plan_tries` says what is to be tried next, given what came of all that was tried so far.
"""

from __future__ import annotations

import numpy as np

from handful._bits import popcount, wide
from handful._jit import kernel
from handful.bots.search.scene_kernel import (
    ALIVE,
    CHOSEN,
    COUNT,
    FIRST_WORLDS,
    IS_EXACT,
    MOST,
    NUM_TRIES,
    NUM_WORLDS,
    TRIED,
    UNTRIED,
    Z_DROP,
    Scene,
    Z,
)

MIN_MISSED = 8  # worlds that the first action must have missed before others are judged by what they gain there
CHUNK = 8  # worlds that are tried at once with an action that may turn out not to be good
SURELY = 1.0  # standard errors more than needed, with which an action is taken before all worlds are tried


@kernel
def start_race(scene: Scene, count: int, worlds: int, most: int, is_exact: bool) -> None:
    """Begin a race of so many actions in so many worlds; `most` is the best value there is."""
    state = scene.state
    state[COUNT], state[NUM_WORLDS], state[MOST], state[IS_EXACT] = count, worlds, most, is_exact
    state[TRIED] = worlds if is_exact else min(worlds, wide(scene.settings[FIRST_WORLDS]))
    state[ALIVE] = (wide(1) << count) - 2
    state[CHOSEN] = 0


@kernel
def better_by(scene: Scene, one: int, other: int) -> float:
    """Return by how many standard errors an action is better than another, in the worlds in which both were tried."""
    total, squares = 0.0, 0.0
    for world in range(scene.state[TRIED]):
        mine, theirs = scene.values[one, world], scene.values[other, world]
        if mine != theirs and mine != UNTRIED and theirs != UNTRIED:
            d = scene.weights[world] * (wide(mine) - wide(theirs))
            total += d
            squares += d * d
    return total / np.sqrt(squares) if squares > 0 else 0.0


@kernel
def lost_value(scene: Scene, action: int) -> float:
    """Return by how much an action has missed the best value, over the worlds in which it was tried."""
    lost = 0.0
    for world in range(scene.state[TRIED]):
        if scene.values[action, world] != UNTRIED:
            lost += scene.weights[world] * (scene.state[MOST] - wide(scene.values[action, world]))
    return lost


@kernel
def count_missed(scene: Scene) -> int:
    """Return in how many worlds of the rounds so far the first action has missed the best value."""
    missed = wide(0)
    for world in range(scene.state[TRIED]):
        missed += scene.values[0, world] < scene.state[MOST]
    return missed


@kernel
def list_tries(scene: Scene, action: int, is_missed: bool, most: int) -> int:
    """Add worlds that an action is to be tried in; return how many.

    They are at most so many of those where the first action has missed the best value, or of those where it has not.
    """
    found = wide(0)
    for world in range(scene.state[TRIED]):
        if found == most:
            break
        first = scene.values[0, world]
        is_wanted = action == 0 or (first < scene.state[MOST]) == is_missed
        if is_wanted and scene.values[action, world] == UNTRIED:
            at = scene.state[NUM_TRIES]
            if at == len(scene.tries):
                break
            scene.tries[at, 0], scene.tries[at, 1] = action, world
            scene.state[NUM_TRIES] += 1
            found += 1
    return found


@kernel
def is_fully_tried(scene: Scene, action: int) -> bool:
    """Return whether an action has been tried in all worlds so far."""
    untried = 0
    for world in range(scene.state[TRIED]):
        untried += scene.values[action, world] == UNTRIED
    return untried == 0


@kernel
def plan_tries(scene: Scene) -> bool:
    """Write which actions to try in which worlds next; return False if there are none, and state[CHOSEN] is decided."""
    state = scene.state
    state[NUM_TRIES] = 0
    if list_tries(scene, 0, True, len(scene.tries)):
        return True
    if state[IS_EXACT]:
        return plan_exactly(scene)
    while True:
        num_missed = count_missed(scene)
        if num_missed * state[NUM_WORLDS] < scene.settings[Z] ** 2 * state[TRIED]:
            return False  # there will be too little to gain: the first action it is
        if num_missed >= MIN_MISSED or state[TRIED] == state[NUM_WORLDS]:
            if plan_round(scene):
                return True
            if end_round(scene):
                return False
        add_worlds(scene)
        if list_tries(scene, 0, True, len(scene.tries)):
            return True


@kernel
def plan_exactly(scene: Scene) -> bool:
    """Plan on until the expectation of every action is known, or surely not the best; of equal ones take the first."""
    least = lost_value(scene, 0)
    for action in range(1, scene.state[COUNT]):
        lost = lost_value(scene, action)
        if lost < least - 1e-9:
            if list_tries(scene, action, True, CHUNK) or list_tries(scene, action, False, CHUNK):
                return True
            scene.state[CHOSEN], least = action, lost
    return False


@kernel
def plan_round(scene: Scene) -> bool:
    """Write which actions to try next in the worlds of this round; return False if there are none.

    At first these are the worlds where the first action has missed the best value. An action that has not gained
    enough there to be clearly better, even if it lost nothing elsewhere, need not be tried elsewhere; nor ever again,
    if more worlds like these would not help.
    """
    state, z = scene.state, scene.settings[Z]
    for action in range(1, state[COUNT]):
        if state[ALIVE] >> action & 1:
            list_tries(scene, action, True, len(scene.tries))
    if state[NUM_TRIES]:
        return True
    for action in range(1, state[COUNT]):
        if state[ALIVE] >> action & 1:
            so_far = better_by(scene, action, 0)
            if so_far >= z:
                list_tries(scene, action, False, CHUNK)
            elif so_far * np.sqrt(state[NUM_WORLDS] / state[TRIED]) < z and so_far < scene.settings[Z_DROP]:
                state[ALIVE] ^= wide(1) << action
    return bool(state[NUM_TRIES] > 0)


@kernel
def end_round(scene: Scene) -> bool:
    """Give up what is clearly worse than the best so far; return whether it is decided."""
    state, z = scene.state, scene.settings[Z]
    leader, least = wide(0), lost_value(scene, 0)
    for action in range(1, state[COUNT]):
        if state[ALIVE] >> action & 1 and is_fully_tried(scene, action) and lost_value(scene, action) < least:
            leader, least = wide(action), lost_value(scene, action)
    for action in range(1, state[COUNT]):
        is_rival = leader > 0 and action != leader and state[ALIVE] >> action & 1
        if is_rival and better_by(scene, leader, action) > scene.settings[Z_DROP]:
            state[ALIVE] ^= wide(1) << action
    is_clear = leader > 0 and better_by(scene, leader, 0) >= z
    if state[ALIVE] == 0 or state[TRIED] == state[NUM_WORLDS]:
        state[CHOSEN] = leader if is_clear else 0
        return True
    if popcount(state[ALIVE]) == 1 and is_clear and better_by(scene, leader, 0) >= z + SURELY:
        state[CHOSEN] = leader
        return True
    return False


@kernel
def end_early(scene: Scene) -> None:
    """Choose when time is up: what is best of all in the first worlds in which it was tried, if that is clear there.

    All of them count, up to the first in which the action, or the first action, was not tried: which worlds are tried
    later depends on what came of the others.
    """
    state = scene.state
    state[CHOSEN], gained = 0, 0.0
    for action in range(1, state[COUNT]):
        total, squares = 0.0, 0.0
        for world in range(state[NUM_WORLDS]):
            mine, first = scene.values[action, world], scene.values[0, world]
            if mine == UNTRIED or first == UNTRIED:
                break
            d = scene.weights[world] * (wide(mine) - wide(first))
            total += d
            squares += d * d
        if total > gained and total >= scene.settings[Z] * np.sqrt(squares):
            state[CHOSEN], gained = action, total


@kernel
def add_worlds(scene: Scene) -> None:
    """Make the round larger, by half or by as many worlds as the first one had."""
    state = scene.state
    more = max(wide(scene.settings[FIRST_WORLDS]), state[TRIED] // 2)
    state[TRIED] = min(state[NUM_WORLDS], state[TRIED] + more)
