"""SplitMix64 inside kernels: the same numbers as `splitmix`, where the formulas are.

Streams are a uint64 array of counters, one each: `below(chance, stream, n)` takes the next number of one of them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel

Chance: TypeAlias = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32, _11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)
_ONE = np.uint64(1)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_TWO_TO_32 = np.uint64(1 << 32)


@inlined_kernel
def mix(z: np.uint64) -> np.uint64:
    """Return z stirred."""
    z = (z ^ (z >> _30)) * _FACTOR_1
    z = (z ^ (z >> _27)) * _FACTOR_2
    return z ^ (z >> _31)


@inlined_kernel
def seed_key(seed: int) -> np.uint64:
    """Return the counter of a stream before its keys: start here, then `add_key` for each."""
    return mix(np.uint64(seed) + GOLDEN)


@inlined_kernel
def add_key(counter: np.uint64, key: int) -> np.uint64:
    """Return the counter after one more key."""
    return mix(counter + (np.uint64(key) + _ONE) * GOLDEN)


@inlined_kernel
def next_bits(chance: Chance, stream: int) -> np.uint64:
    """Return the next 64 bits of a stream."""
    chance[stream] += GOLDEN
    return mix(chance[stream])


@inlined_kernel
def below(chance: Chance, stream: int, n: int) -> int:
    """Return a uniform number of 0, …, n − 1."""
    size = np.uint64(n)
    product = (next_bits(chance, stream) >> _32) * size
    if product & _LOW_HALF < size:
        # Rarely: only now is the exact threshold needed, which costs a division.
        threshold = _TWO_TO_32 % size
        while product & _LOW_HALF < threshold:
            product = (next_bits(chance, stream) >> _32) * size
    return wide(product >> _32)


@inlined_kernel
def unit(chance: Chance, stream: int) -> float:
    """Return a uniform number in [0, 1)."""
    return np.float64(next_bits(chance, stream) >> _11) * 2.0**-53
