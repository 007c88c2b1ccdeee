"""The one source of chance: SplitMix64, in plain Python.

Every deal and every random choice is a function of a seed. The generator is Steele, Lea and Flood's SplitMix64
(*Fast splittable pseudorandom number generators*, 2014): a counter that steps by the golden ratio, and a mixer. It is
a dozen lines in any language, so that a deal of ours can be made again anywhere, for ever:

- ``mix(z)``: z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31 (mod 2^64)
- ``next``:   counter += GOLDEN; return mix(counter)
- ``stream(seed, k1, k2, …)``: counter = mix(seed + GOLDEN), then for each key counter = mix(counter + (k + 1) · GOLDEN)
- ``below(n)``: r = next >> 32; m = r · n; again while the low half of m is under 2^32 mod n; return m >> 32
  (Lemire, *Fast random integer generation in an interval*, 2019: uniform, without a division on the way)

`splitmix_jit` is the same inside kernels; a test compares them.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

GOLDEN = 0x9E3779B97F4A7C15
MASK64 = (1 << 64) - 1
MASK32 = (1 << 32) - 1

# The first key of a stream says what its numbers are for, so that no two purposes share numbers.
DEAL_STREAM = 0
BOT_STREAM = 1

Item = TypeVar("Item")


def mix(z: int) -> int:
    """Return z stirred so that every bit of it moves half of the bits of the result."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def stream_start(seed: int, *keys: int) -> int:
    """Return the counter at which the stream of this seed and these keys starts.

    >>> stream_start(0, 1) == stream_start(0, 2)
    False
    """
    counter = mix((seed + GOLDEN) & MASK64)
    for key in keys:
        counter = mix((counter + (key + 1) * GOLDEN) & MASK64)
    return counter


class SplitMix64:
    """A stream of random numbers.

    >>> chance = SplitMix64(7)
    >>> [chance.below(6) + 1 for _ in range(8)]
    [5, 4, 4, 4, 3, 2, 6, 6]
    """

    def __init__(self, seed: int, *keys: int) -> None:
        self.counter = stream_start(seed, *keys)

    def next(self) -> int:
        """Return the next 64 bits."""
        self.counter = (self.counter + GOLDEN) & MASK64
        return mix(self.counter)

    def below(self, n: int) -> int:
        """Return a uniform number of 0, …, n − 1 (n at most 2^32)."""
        threshold = (1 << 32) % n
        product = (self.next() >> 32) * n
        while (product & MASK32) < threshold:
            product = (self.next() >> 32) * n
        return product >> 32

    def unit(self) -> float:
        """Return a uniform number in [0, 1), one of 2^53."""
        return (self.next() >> 11) * 2.0**-53

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put the items in a uniformly random order, from the front: place i is drawn from what is left."""
        for i in range(len(items) - 1):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
