"""The settings of a bot: name, default and meaning in one place, and the record in which kernels find them by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from handful.errors import NotationError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Settings: TypeAlias = Mapping[str, float]  # as kernels see them: a record with a field for each


@dataclass(frozen=True)
class Parameter:
    """A setting of a bot: its name, what it is if not given, its meaning, and the values that make sense.

    A number has bounds `low` and `high`; a setting with `choices` is one of them.
    """

    name: str
    default: Any
    meaning: str
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()

    def check(self, value: Any) -> None:
        """Refuse a value that makes no sense."""
        if self.choices and value not in self.choices:
            raise NotationError(f"{self.name}={value}: expected one of {', '.join(map(str, self.choices))}")
        is_low, is_high = self.low is not None and value < self.low, self.high is not None and value > self.high
        if is_low or is_high or value != value:  # a value that is not itself is not a number
            raise NotationError(f"{self.name}={value}: expected {self.low:g} to {self.high:g}")

    def number(self, value: Any) -> float:
        """Return the value as kernels take it: a word is its place among the choices."""
        return float(self.choices.index(value)) if isinstance(value, str) else float(value)


def settings_type(parameters: Sequence[Parameter]) -> np.dtype[Any]:
    """Return the record type of some settings: a float64 for each, in their order."""
    import numpy as np

    return np.dtype([(parameter.name, np.float64) for parameter in parameters])


def settings_row(parameters: Sequence[Parameter], **given: Any) -> npt.NDArray[np.float64]:
    """Return settings as a row of words, in which `settings_type` is the record; what is not given is its default.

    >>> pace = Parameter("pace", 2.0, "turns to spare")
    >>> order = Parameter("order", "old", "which card first", choices=("new", "old"))
    >>> settings_row([pace, order], pace=3).tolist()
    [3.0, 1.0]
    """
    import numpy as np

    unknown = given.keys() - {parameter.name for parameter in parameters}
    assert not unknown, f"no such settings: {unknown}"
    return np.array([each.number(given.get(each.name, each.default)) for each in parameters], dtype=np.float64)
