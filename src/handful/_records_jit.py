"""Records inside rows of words: how kernels that share one type of memory read and write fields by their names."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core import types
from numba.extending import intrinsic

from handful._records import words_of


def _plain_record_in(row: npt.NDArray[Any], first: int, kind: np.dtype[Any]) -> Any:
    return row[first : first + words_of(kind)].view(kind)[0]


def _typed_record_in(_typing: Any, row: Any, first: Any, kind: Any) -> tuple[Any, Any]:
    """Return the type of the record and the code that takes its address: a slice and a view cost 14 ns."""
    record = kind.dtype

    def address(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words = context.make_array(signature.args[0])(context, builder, values[0])
        place = context.cast(builder, values[1], signature.args[1], types.intp)
        start = builder.bitcast(builder.gep(words.data, [place]), context.get_data_type(record).as_pointer())
        return context.unpack_value(builder, record, start)

    return record(row, first, kind), address


# record_in(row, first, kind): the record of a kind that begins at a word of a row (int64 or float64, contiguous). It
# lies in the row: what is written to it is written there. Nobody checks that the row is long enough, or that it
# outlives the record: a table makes the rows, as long as the bot's `memory_words`, and keeps them.
record_in: Any = _plain_record_in if numba.config.DISABLE_JIT else intrinsic(_typed_record_in)
