"""The network of the bot `learned`: inputs, two layers of rectifiers, and the log odds of a perfect game.

Most inputs are 0, and what comes of one action differs little from what comes of another. So the sums of the first
layer are kept, and only for inputs that have changed they are brought up to date.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel
from handful._records import Floats
from handful.bots.learned.features_kernel import INPUTS, Inputs

Layer: TypeAlias = npt.NDArray[np.float32]  # inputs by outputs; the last row has the constants
ZERO = np.float32(0.0)


class Network(NamedTuple):
    """The layers, one behind the other: inputs by hidden, hidden by deep, deep by one."""

    first: Layer
    second: Layer
    third: Layer


@kernel
def network_in(words: Floats) -> Network:
    """Return the network in a row of words: the widths of the two layers, then float32 numbers, two a word."""
    hidden, deep = wide(words[0]), wide(words[1])
    numbers = words[2:].view(np.float32)
    second = (INPUTS + 1) * hidden
    third = second + (hidden + 1) * deep
    return Network(
        numbers[:second].reshape(INPUTS + 1, hidden),
        numbers[second:third].reshape(hidden + 1, deep),
        numbers[third : third + deep + 1].reshape(deep + 1, 1),
    )


@kernel
def add_changes(network: Network, inputs: Inputs, before: Inputs, sums: Inputs) -> None:
    """Bring the sums of the first layer up to date; `before` has the inputs that they stand for."""
    layer = network.first
    width = layer.shape[1]
    for i in range(INPUTS):
        change = inputs[i] - before[i]
        if change != ZERO:
            before[i] = inputs[i]
            for j in range(width):
                sums[j] += change * layer[i, j]


@kernel
def log_odds(network: Network, sums: Inputs, deeper: Inputs) -> float:
    """Return the log odds, from the sums of the first layer; `deeper` is scratch paper."""
    layer, last = network.second, network.third
    hidden, deep = layer.shape[0] - 1, layer.shape[1]
    for j in range(deep):
        deeper[j] = layer[hidden, j]
    for i in range(hidden):
        value = sums[i]
        if value > ZERO:
            for j in range(deep):
                deeper[j] += value * layer[i, j]
    total = last[deep, 0]
    for j in range(deep):
        if deeper[j] > ZERO:
            total += deeper[j] * last[j, 0]
    return float(total)
