"""How a round goes on if both hands are known: how likely it brings how many points, by a small network.

In a world, a play-out may stop where a player is about to draw from the stock, and be judged: the features of both
hands (with the stock as what may still come) go through two layers of rectifiers into chances of nine bins of points.
So the luck of all later draws, which play-outs would have to average, is averaged already.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.kernels.deadwood import best_sets, in_runs, open_cards, points, ranks_of_three
from handful.rummy.gin.kernels.judgement import describe
from handful.rummy.gin.kernels.layout import Rounds
from handful.rummy.gin.kernels.quick import outs, waiting

BINS = (-37, -25, -13, 0, 1, 14, 26, 38)  # points below the first, from the first to below the second, …
NUM_BINS = len(BINS) + 1
OF_HAND = 13
INPUTS = 2 * OF_HAND + 4
HIDDEN, DEEP = 32, 16
# Weights one behind the other: inputs by hidden, and a constant for each; hidden by deep; deep by bins.
FIRST_END = (INPUTS + 1) * HIDDEN
SECOND_END = FIRST_END + (HIDDEN + 1) * DEEP
NUM_WEIGHTS = SECOND_END + (DEEP + 1) * NUM_BINS

Network: TypeAlias = npt.NDArray[np.float64]  # NUM_WEIGHTS of them
Paper: TypeAlias = npt.NDArray[np.float64]  # PAPER_SIZE numbers to write on
PAPER_SIZE = 14 + INPUTS + HIDDEN + DEEP + NUM_BINS
INPUTS_AT, HIDDEN_AT = 14, 14 + INPUTS
DEEP_AT, BINS_AT = HIDDEN_AT + HIDDEN, HIDDEN_AT + HIDDEN + DEEP


@inlined_kernel
def bin_of(result: int) -> int:
    """Return the bin of the points of a round."""
    place = 0
    for edge in BINS:
        place += result >= edge
    return place


@kernel
def describe_open(hand: int, stock: int, limit: int, place: int, paper: Paper) -> None:
    """Write the features of a hand, all about one, given what is in the stock."""
    describe(hand, stock, limit, paper)
    sets = best_sets(hand) if ranks_of_three(hand) else 0
    rest = hand & ~sets
    runs = in_runs(rest)
    loose = rest & ~runs
    live = outs(loose) & stock
    cards = max(1, popcount(stock))
    partners = points(waiting(loose, live))
    paper[place] = paper[1] / 30.0
    paper[place + 1] = paper[2] / 30.0
    paper[place + 2] = paper[3] / 30.0
    paper[place + 3] = paper[4] / 20.0
    paper[place + 4] = paper[5] / cards * 5.0
    paper[place + 5] = paper[6]
    paper[place + 6] = paper[7] / cards
    paper[place + 7] = paper[8]
    paper[place + 8] = paper[9] / 5.0
    paper[place + 9] = popcount(live) / cards * 3.0
    paper[place + 10] = partners / 30.0
    paper[place + 11] = popcount(open_cards(sets, runs) & stock) / cards * 5.0
    paper[place + 12] = (paper[1] - partners) / 30.0


@kernel
def describe_both(drawing: int, other: int, stock: int, limit: int, draws: int, paper: Paper) -> None:
    """Write the inputs of the network: a player is about to draw, `draws` draws are left before the wall."""
    describe_open(drawing, stock, limit, INPUTS_AT, paper)
    describe_open(other, stock, limit, INPUTS_AT + OF_HAND, paper)
    last = INPUTS_AT + 2 * OF_HAND
    paper[last] = draws / 15.0
    paper[last + 1] = 1.0 / max(1, draws)
    paper[last + 2] = limit / 10.0
    paper[last + 3] = draws & 1


@inlined_kernel
def _layer(network: Network, start: int, paper: Paper, first: int, size: int, out: int, width: int) -> None:
    """Write a layer: sums of inputs times weights, and a constant."""
    for j in range(width):
        paper[out + j] = network[start + size * width + j]
    for i in range(size):
        value = paper[first + i]
        if value != 0.0:
            for j in range(width):
                paper[out + j] += value * network[start + i * width + j]


@kernel
def run_network(network: Network, paper: Paper) -> None:
    """Write the chances of the bins, from the inputs."""
    _layer(network, 0, paper, INPUTS_AT, INPUTS, HIDDEN_AT, HIDDEN)
    for j in range(HIDDEN_AT, HIDDEN_AT + HIDDEN):
        paper[j] = max(paper[j], 0.0)
    _layer(network, FIRST_END, paper, HIDDEN_AT, HIDDEN, DEEP_AT, DEEP)
    for j in range(DEEP_AT, DEEP_AT + DEEP):
        paper[j] = max(paper[j], 0.0)
    _layer(network, SECOND_END, paper, DEEP_AT, DEEP, BINS_AT, NUM_BINS)
    most = paper[BINS_AT]
    for j in range(BINS_AT, BINS_AT + NUM_BINS):
        most = max(most, paper[j])
    total = 0.0
    for j in range(BINS_AT, BINS_AT + NUM_BINS):
        paper[j] = math.exp(paper[j] - most)
        total += paper[j]
    for j in range(BINS_AT, BINS_AT + NUM_BINS):
        paper[j] /= total


@inlined_kernel
def stock_of(rounds: Rounds, i: int) -> int:
    """Return the cards of the stock as a mask."""
    r, stock = rounds[i], 0
    for place in range(r["next_card"], 52):
        stock |= 1 << wide(r["deck"][place])
    return stock
