"""The clock inside kernels, for budgets in milliseconds: what depends on it is not repeatable."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from handful.errors import HandfulError

_CLOCK = getattr(time, "CLOCK_MONOTONIC", None)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _system_clock(_context: Any) -> Any:
    """The system's own call: clock_gettime(CLOCK_MONOTONIC, {seconds, nanoseconds})."""

    def generate(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        word = ir.IntType(64)
        if _CLOCK is None:
            return ir.Constant(word, 0)
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), ir.ArrayType(word, 2).as_pointer()])
        name = "clock_gettime"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        place = builder.alloca(ir.ArrayType(word, 2))
        builder.call(function, [ir.Constant(ir.IntType(32), _CLOCK), place])
        seconds = builder.extract_value(builder.load(place), 0)
        rest = builder.extract_value(builder.load(place), 1)
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(), generate


def nanoseconds() -> int:
    """Return the time of a clock that never goes back, in nanoseconds."""
    return time.monotonic_ns()


@overload(nanoseconds, strict=False)  # type: ignore[untyped-decorator]
def _nanoseconds() -> Any:
    """Use `nanoseconds` inside kernels."""
    return lambda: _system_clock()  # numba takes no intrinsic for an implementation


def check_clock(milliseconds: float) -> None:
    """Refuse a budget of time where kernels cannot read the clock."""
    if milliseconds and _CLOCK is None:
        raise HandfulError(
            f"milliseconds={milliseconds:g}: kernels cannot read this system's clock; give a number of play-outs"
        )
