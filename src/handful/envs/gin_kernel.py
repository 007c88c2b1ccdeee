"""Many rounds of Gin at once, compiled: what `gin_batched` is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful.envs.gin_observation import MOST_LIMIT, MOST_STOCK
from handful.rummy.cards import NUM_CARDS
from handful.rummy.gin.kernels.deadwood import NO_CARD
from handful.rummy.gin.kernels.layout import Rounds, Rulebook, Views
from handful.rummy.gin.kernels.play import Minds, choose
from handful.rummy.gin.kernels.round import act, deal_deck, legal_actions, show, start_round
from handful.rummy.gin.round import OVER, PHASES
from handful.splitmix_jit import Chance, below

Row = npt.NDArray[np.int8]
ALL_LEGAL = -1


class Outputs(NamedTuple):
    """The arrays of a batch, a row for each round."""

    observations: npt.NDArray[np.int8]
    legal: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]  # of player 0; player 1 has as much less
    terminated: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int64]


@inlined_kernel
def _write_set(row: Row, place: int, mask: int) -> int:
    for card in range(NUM_CARDS):
        row[place + card] = mask >> card & 1
    return place + NUM_CARDS


@inlined_kernel
def _write_level(row: Row, place: int, level: int, size: int) -> int:
    for step in range(size):
        row[place + step] = step < level
    return place + size


@kernel
def encode(views: Views, v: int, row: Row) -> None:
    """Write the observation of a view; see `gin_observation`."""
    w = views[v]
    place = _write_set(row, 0, w["hand"])
    place = _write_set(row, place, 0 if w["upcard"] == NO_CARD else 1 << wide(w["upcard"]))
    place = _write_set(row, place, w["pile"])
    place = _write_set(row, place, w["known"])
    place = _write_set(row, place, w["own_known"])
    place = _write_set(row, place, w["refused"])
    place = _write_set(row, place, 0 if w["taken"] == NO_CARD else 1 << wide(w["taken"]))
    for phase in range(len(PHASES)):
        row[place + phase] = w["phase"] == phase
    place = _write_level(row, place + len(PHASES), w["passes"], 2)
    place = _write_level(row, place, w["stock"], MOST_STOCK)
    _write_level(row, place, w["knock_limit"], MOST_LIMIT)


@kernel
def show_all(rounds: Rounds, views: Views, rules: Rulebook, out: Outputs) -> None:
    """Write the observations of all who are to move, and what they may do."""
    for i in range(len(rounds)):
        player = rounds[i]["current"]
        show(rounds, i, views, 0, player)
        encode(views, 0, out.observations[i])
        legal_actions(rounds, i, rules, out.legal[i])
        out.seats[i] = player


@kernel
def deal_marked(
    rounds: Rounds, rules: Rulebook, seed: int, numbers: npt.NDArray[np.int64], marked: npt.NDArray[np.bool_]
) -> None:
    """Deal the rounds that are marked: the next of each place, who starts changing from one to the next."""
    chance = np.zeros(1, np.uint64)
    for i in range(len(rounds)):
        if marked[i]:
            deal_deck(rounds, i, chance, seed, numbers[i], 0)
            start_round(rounds, i, rules, numbers[i] & 1)
            numbers[i] += len(rounds)


@kernel
def find_illegal(rounds: Rounds, rules: Rulebook, actions: npt.NDArray[np.int64], out: Outputs) -> int:
    """Return the first round whose action is illegal, or ALL_LEGAL. (What is legal was written by `show_all`.)"""
    for i in range(len(rounds)):
        if actions[i] < 0 or actions[i] >= out.legal.shape[1] or not out.legal[i, actions[i]]:
            return i
    return ALL_LEGAL


@kernel
def act_all(rounds: Rounds, rules: Rulebook, actions: npt.NDArray[np.int64], out: Outputs) -> None:
    """Carry out an action in every round, and write who has ended and what it brought player 0."""
    for i in range(len(rounds)):
        act(rounds, i, rules, actions[i])
        note_end(rounds, i, out)


@inlined_kernel
def note_end(rounds: Rounds, i: int, out: Outputs) -> None:
    """Write whether a round has ended, and the points of player 0."""
    r = rounds[i]
    out.terminated[i] = r["phase"] == OVER
    out.rewards[i] = 0.0
    if r["phase"] == OVER and r["winner"] >= 0:
        out.rewards[i] = r["points"] if r["winner"] == 0 else -r["points"]


@kernel
def let_opponent_play(
    rounds: Rounds, views: Views, rules: Rulebook, kind: int, minds: Minds, chance: Chance, out: Outputs
) -> None:
    """Let a player of ours take all turns of player 1, until player 0 is to move or the round is over."""
    for i in range(len(rounds)):
        while rounds[i]["phase"] != OVER and rounds[i]["current"] == 1:
            show(rounds, i, views, 0, 1)
            act(rounds, i, rules, choose(views, 0, rules, kind, minds, chance, 0))
            note_end(rounds, i, out)


@kernel
def choose_any(legal: npt.NDArray[np.bool_], chance: Chance, actions: npt.NDArray[np.int64]) -> None:
    """Write a random legal action for each round."""
    for i in range(len(legal)):
        number = 0
        for action in range(legal.shape[1]):
            number += legal[i, action]
        number = below(chance, 0, number)
        for action in range(legal.shape[1]):
            if legal[i, action]:
                if number == 0:
                    actions[i] = action
                    break
                number -= 1
