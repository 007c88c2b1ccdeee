"""Fit the judgement of Gin's player `table`, and write the file that is shipped: python -m benchmarks.gin_judgement"""

from __future__ import annotations

import time

import numpy as np

from handful.rummy.gin.judgement import FILE, make_weights
from handful.rummy.gin.kernels.judgement import FEATURES, OCCASIONS


def main() -> None:
    started = time.process_time()
    weights = make_weights()
    head = (
        f"Written by benchmarks.gin_judgement. A row for each turn of: {'; '.join(OCCASIONS)}.\n{', '.join(FEATURES)}"
    )
    np.savetxt(FILE, weights.reshape(-1, len(FEATURES)), fmt="%.5f", delimiter=",", header=head)
    print(f"{weights.size} weights in {time.process_time() - started:.1f} s of CPU")


if __name__ == "__main__":
    main()
