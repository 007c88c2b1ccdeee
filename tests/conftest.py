"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The first example may have to compile a kernel; the machines are shared: so no deadlines. `make test` always draws
# the same examples; `make test-full` draws others each time, from a seed that it shows.
_HOUSE = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("house", _HOUSE, derandomize=True)
settings.register_profile("random", _HOUSE, derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HANDFUL_HYPOTHESIS", "house"))

# What commands print does not depend on the terminal that the tests were started in.
os.environ.pop("COLUMNS", None)


@pytest.fixture(autouse=True)
def wrapping_integers() -> Iterator[None]:
    """With the compiler off, NumPy warns where unsigned numbers wrap around, as SplitMix64 means them to."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        with np.errstate(over="ignore"):
            yield
    else:
        yield
