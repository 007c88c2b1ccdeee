"""Numbers inside kernels: 64 bits wide, and as bit sets (`*_mask`) of at most 63 members."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from handful._jit import inlined_kernel

# Small integers overflow silently, and differently with the compiler off: kernels widen what they load from a record.
wide = cast(Callable[[Any], int], np.int64)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _population_count(_context: Any, mask: Any) -> Any:
    """The processor's own instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(mask), generate


def popcount(mask: int) -> int:
    """Return how many bits are set.

    >>> popcount(0b1011)
    3
    """
    return int(mask).bit_count()


@overload(popcount, strict=False)  # type: ignore[untyped-decorator]
def _popcount(mask: Any) -> Any:
    """Use `popcount` inside kernels."""
    return lambda mask: _population_count(types.int64(mask))


@inlined_kernel
def nth_bit(mask: int, n: int) -> int:
    """Return the position of the set bit that has n set bits below it: a uniform n gives a uniform member.

    >>> nth_bit(0b101100, 2)
    5
    """
    for _ in range(n):
        mask &= mask - 1  # drops the lowest member
    return lowest_bit(mask)


@inlined_kernel
def lowest_bit(mask: int) -> int:
    """Return the position of the lowest set bit of a mask that is not empty.

    >>> lowest_bit(0b101100)
    2
    """
    return popcount((mask & -mask) - 1)
