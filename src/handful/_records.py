"""Record types with named fields: what kernels work on, said once, for NumPy and for the type checker.

A `TypedDict` names the fields; each is annotated with its NumPy type, and its length if it is an array:

>>> class Pile(TypedDict):
...     cards: Annotated[Bytes, np.int8, 52]  # by place from the bottom
...     size: Annotated[int, np.int32]
>>> record_type(Pile)
dtype([('cards', 'i1', (52,)), ('size', '<i4')], align=True)

In a kernel ``pile["size"]`` is then a field of the record; ``pile["sice"]`` passes neither the type checker nor the
compiler. Where kernels must share one type of memory, records lie in rows of int64 words: `words_of` says how many a
record takes, and ``row.view(PILE)[0]``, compiled or not, is the record in such a row.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, TypedDict, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.int8]
Ints: TypeAlias = npt.NDArray[np.int64]
SmallInts: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]

WORD = np.dtype(np.int64).itemsize

__all__ = ["Annotated", "Bytes", "Floats", "Ints", "SmallInts", "TypedDict", "record_type", "words_of"]


def record_type(fields: type) -> np.dtype[Any]:
    """Return the NumPy record type of a `TypedDict` whose fields are annotated with their NumPy types and lengths."""
    places = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        _, kind, *length = get_args(hint)
        places.append((name, kind, *length))
    return np.dtype(places, align=True)


def words_of(*records: np.dtype[Any]) -> int:
    """Return how many 64-bit words some records take, one behind the other, each from a word of its own.

    >>> words_of(np.dtype([("size", np.int32)]), np.dtype([("cards", np.int8, 52)]))
    8
    """
    return sum(-(-record.itemsize // WORD) for record in records)
