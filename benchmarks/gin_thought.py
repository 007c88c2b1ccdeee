"""Fit what Gin's `montecarlo` knows beforehand, and write the files that are shipped: python -m benchmarks.gin_thought

The quick judgement and the habits of each kind of player first; then the network of open hands, whose rounds the quick
judgement plays. ``--habits`` fits the habits alone, given the rest as it is.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import numpy.typing as npt

from handful.rummy.gin import open_judgement, thought
from handful.rummy.gin.kernels.open_hands import NUM_WEIGHTS
from handful.rummy.gin.kernels.quick import FEATURES, NUM_TURNS, OCCASIONS
from handful.rummy.gin.kernels.worlds import HABITS, KINDS
from handful.rummy.gin.quick_judgement import fit_habits, fit_quick

DIGITS = 5


def shipped_weights() -> npt.NDArray[np.float64]:
    """Return the rows of the weights as they are."""
    rows = np.loadtxt(thought.FILE, delimiter=",", comments="#")
    return rows[: len(OCCASIONS) * NUM_TURNS].reshape(len(OCCASIONS), NUM_TURNS, len(FEATURES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--habits", action="store_true", help="fit the habits of players alone")
    options = parser.parse_args()
    started = time.process_time()
    weights = shipped_weights() if options.habits else fit_quick().round(DIGITS)
    habits = fit_habits(weights)
    rows = np.vstack([weights.reshape(-1, len(FEATURES)), np.pad(habits, ((0, 0), (0, len(FEATURES) - HABITS)))])
    head = (
        f"Written by benchmarks.gin_thought. A row for each turn of: {'; '.join(OCCASIONS)}; the last ones: habits of "
        f"{', '.join(KINDS)}.\n{', '.join(FEATURES)}"
    )
    np.savetxt(thought.FILE, rows, fmt=f"%.{DIGITS}f", delimiter=",", header=head)
    thought.shipped_quick.cache_clear()
    if options.habits:
        print(f"{habits.round(2)}\n{habits.size} numbers in {time.process_time() - started:.0f} s of CPU")
        return
    network = open_judgement.fit_network(lambda loss: print(f"cross entropy {loss:.4f}", flush=True))
    per_row = max(size for size in range(1, 17) if NUM_WEIGHTS % size == 0)
    head = "Written by benchmarks.gin_thought: three layers, see handful.rummy.gin.kernels.open_hands."
    np.savetxt(open_judgement.FILE, network.reshape(-1, per_row), fmt=f"%.{DIGITS}f", delimiter=",", header=head)
    print(f"{weights.size + habits.size} and {network.size} numbers in {time.process_time() - started:.0f} s of CPU")


if __name__ == "__main__":
    main()
