"""The judgement of two open hands: a small network, fitted to rounds of the quick judgement, and shipped.

Plain gradient descent (Adam) on the cross entropy of the bins, so that its chances are calibrated on such rounds. A
third of the rounds is played by Oklahoma's knock limits. `kernels.open_hands` says what goes in and what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.rummy.gin.rules import EAAI, gin_rules

if TYPE_CHECKING:
    from handful.rummy.gin.kernels.open_hands import Network

FILE = Path(__file__).with_name("open_judgement.csv")
ROUNDS = 180_000
EPOCHS = 12
BATCH = 2048
RATE = 2e-3
EXPLORED = 0.03
SEED = 400


@lru_cache(maxsize=1)
def shipped_network() -> Network:
    """Return the network that comes with the package."""
    import numpy as np

    return np.ascontiguousarray(np.loadtxt(FILE, delimiter=",", comments="#").ravel())


def samples(seed: int, rounds: int) -> tuple[Any, Any]:
    """Return the inputs and the bins of positions from so many rounds."""
    import numpy as np

    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.open_fitting import collect_draws
    from handful.rummy.gin.kernels.open_hands import BINS, INPUTS
    from handful.rummy.gin.thought import shipped_quick

    weights, _ = shipped_quick()
    found = []
    for first, last, rules in (
        (0, 2 * rounds // 3, EAAI),
        (2 * rounds // 3, rounds, gin_rules("eaai, oklahoma=yes")),
    ):
        inputs = np.zeros((16 * (last - first), INPUTS), np.float32)
        results = np.zeros(len(inputs), np.int64)
        rows = collect_draws(rulebook(rules), weights, (seed, first, last), EXPLORED, inputs, results)
        found.append((inputs[:rows], np.searchsorted(BINS, results[:rows], side="right")))
    return np.concatenate([inputs for inputs, _ in found]), np.concatenate([bins for _, bins in found])


def fit_network(on_epoch: Callable[[float], None] | None = None, rounds: int = ROUNDS, epochs: int = EPOCHS) -> Network:
    """Return the network, made anew; `on_epoch` is told the mean cross entropy."""
    import numpy as np

    from handful.rummy.gin.kernels.open_hands import DEEP, HIDDEN, INPUTS, NUM_BINS

    inputs, bins = samples(SEED, rounds)
    chance = np.random.default_rng(SEED)
    layers = [
        chance.normal(0, (2 / size) ** 0.5, (size + 1, width)).astype(np.float32)
        for size, width in ((INPUTS, HIDDEN), (HIDDEN, DEEP), (DEEP, NUM_BINS))
    ]
    for layer in layers:
        layer[-1] = 0
    moments = [(np.zeros_like(layer), np.zeros_like(layer)) for layer in layers]
    steps, total_steps = 0, epochs * (len(bins) // BATCH)
    for _ in range(epochs):
        order, loss = chance.permutation(len(bins)), 0.0
        for first in range(0, len(bins) - BATCH + 1, BATCH):
            chosen = order[first : first + BATCH]
            gradients, cost = _gradients(layers, inputs[chosen], bins[chosen])
            loss += cost
            steps += 1
            rate = RATE * (1 - steps / (total_steps + 1))
            for layer, gradient, (mean, square) in zip(layers, gradients, moments, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient**2 - square)
                layer -= rate * (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-8)
        if on_epoch is not None:
            on_epoch(loss / (len(bins) // BATCH))
    return np.concatenate([layer.ravel() for layer in layers]).astype(np.float64)


def _gradients(layers: list[Any], inputs: Any, bins: Any) -> tuple[list[Any], float]:
    """Return the gradients of the layers, and the mean cross entropy."""
    import numpy as np

    values = [inputs]
    for place, layer in enumerate(layers):
        sums = values[-1] @ layer[:-1] + layer[-1]
        values.append(np.maximum(sums, 0) if place + 1 < len(layers) else sums)
    force = np.exp(values[-1] - values[-1].max(axis=1, keepdims=True))
    chances = force / force.sum(axis=1, keepdims=True)
    rows = np.arange(len(bins))
    cost = -float(np.log(chances[rows, bins] + 1e-12).mean())
    error = chances
    error[rows, bins] -= 1
    error /= len(bins)
    gradients = []
    for place in range(len(layers) - 1, -1, -1):
        gradients.append(np.vstack([values[place].T @ error, error.sum(axis=0)]))
        error = (error @ layers[place][:-1].T) * (values[place] > 0)
    return gradients[::-1], cost
