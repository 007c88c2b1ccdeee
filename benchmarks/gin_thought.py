"""Fit what Gin's `montecarlo` knows beforehand, and write the files that are shipped: python -m benchmarks.gin_thought

The quick judgement and the habits first; then the network of open hands, whose rounds the quick judgement plays.
"""

from __future__ import annotations

import time

import numpy as np

from handful.rummy.gin import open_judgement, thought
from handful.rummy.gin.kernels.open_hands import NUM_WEIGHTS
from handful.rummy.gin.kernels.quick import FEATURES, OCCASIONS
from handful.rummy.gin.quick_judgement import fit_habits, fit_quick


def main() -> None:
    started = time.process_time()
    weights = fit_quick()
    habits = fit_habits(weights)
    rows = np.vstack([weights.reshape(-1, len(FEATURES)), np.pad(habits, (0, len(FEATURES) - len(habits)))])
    head = (
        f"Written by benchmarks.gin_thought. A row for each turn of: {'; '.join(OCCASIONS)}; the last one: habits.\n"
        f"{', '.join(FEATURES)}"
    )
    np.savetxt(thought.FILE, rows, fmt="%.5f", delimiter=",", header=head)
    thought.shipped_quick.cache_clear()
    network = open_judgement.fit_network(lambda loss: print(f"cross entropy {loss:.4f}", flush=True))
    per_row = max(size for size in range(1, 17) if NUM_WEIGHTS % size == 0)
    head = "Written by benchmarks.gin_thought: three layers, see handful.rummy.gin.kernels.open_hands."
    np.savetxt(open_judgement.FILE, network.reshape(-1, per_row), fmt="%.5f", delimiter=",", header=head)
    print(f"{weights.size + len(habits)} and {network.size} numbers in {time.process_time() - started:.0f} s of CPU")


if __name__ == "__main__":
    main()
