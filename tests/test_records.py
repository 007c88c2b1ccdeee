"""Records in rows of words: what a kernel reads and writes by name lies where NumPy's own view of the row has it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import numpy as np
import numpy.typing as npt
import pytest

from handful._jit import kernel
from handful._records import Bytes, Ints, record_type, words_of
from handful._records_jit import record_in
from handful.bots.settings import Parameter, settings_row, settings_type


class Notes(TypedDict):
    turn: Annotated[int, np.int64]
    seen: Annotated[Bytes, np.int8, 5]
    masks: Annotated[Ints, np.int64, 3]


NOTES = record_type(Notes)
FIRST = 2
SETTINGS = settings_type([Parameter("bold", 0.5, "how bold"), Parameter("calm", 3.0, "how calm")])


@kernel
def count_up(notes: Notes) -> None:
    notes["turn"] += 1
    for i in range(5):
        notes["seen"][i] = i
    notes["masks"][2] += 7


@kernel
def follow(row: npt.NDArray[np.int64], turns: int) -> int:
    for _ in range(turns):
        count_up(record_in(row, FIRST, NOTES))
    return int(record_in(row, FIRST, NOTES)["turn"])


@kernel
def calmness(row: npt.NDArray[np.float64], first: int) -> float:
    return float(record_in(row, first, SETTINGS)["calm"])


@pytest.mark.kernel
def test_a_record_lies_in_the_row() -> None:
    row = np.full(20, -1, np.int64)
    words: Any = row[FIRST : FIRST + words_of(NOTES)]
    words[:] = 0
    assert follow(row, 3) == 3
    notes = words.view(NOTES)[0]
    assert notes["turn"] == 3
    assert notes["seen"].tolist() == [0, 1, 2, 3, 4]
    assert notes["masks"].tolist() == [0, 0, 21]
    assert (row[:FIRST] == -1).all()
    assert (row[FIRST + words_of(NOTES) :] == -1).all()


@pytest.mark.kernel
def test_settings_are_found_by_name_wherever_they_begin() -> None:
    row = np.concatenate([[9.0], settings_row([Parameter("bold", 0.5, ""), Parameter("calm", 3.0, "")], calm=4)])
    assert calmness(row, 1) == 4.0
