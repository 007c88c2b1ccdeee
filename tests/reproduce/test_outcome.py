from __future__ import annotations

import pytest

from handful.reproduce.outcome import (
    Line,
    Outcome,
    Source,
    combined,
    counted_same,
    digits_line,
    exact_line,
    further_line,
    standard_error,
    threshold,
)


def outcome_of(*lines: Line) -> Outcome:
    return Outcome("a-table", "A table", Source("Somebody 2000", "Table 1"), "1", "2", lines)


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("12.25", 12.25, "same"),
        ("12.25", 12.259, "same"),  # cut off
        ("12.25", 12.2449, "same"),  # rounded
        ("12.25", 12.27, "differs"),
        ("2.35e-4", 2.352e-4, "same"),
        ("2.35e-4", 2.125e-4, "differs"),
        ("61", 61.0, "same"),
        ("61", 63.0, "differs"),
    ],
)
def test_numbers_are_compared_to_the_digits_that_are_printed(printed: str, ours: float, verdict: str) -> None:
    assert digits_line("a number", printed, ours, "a slip").verdict == verdict


def test_a_reason_is_given_only_where_something_differs() -> None:
    assert exact_line("a count", "688", "688", "a slip").reason == ""
    assert exact_line("a count", "688", "735", "a slip").reason == "a slip"
    assert digits_line("a number", "1.0", 1.0, "a slip").reason == ""


def test_one_difference_makes_the_whole_differ() -> None:
    same, slip, more = exact_line("a", "1", "1"), exact_line("b", "1", "2", "a slip"), further_line("c", "3")
    assert outcome_of(same, more).verdict == "same"
    assert outcome_of(more).verdict == "goes further"
    found = outcome_of(same, slip, slip, more)
    assert found.verdict == "differs"
    assert found.reason == "a slip"
    assert found.is_explained
    assert found.to_dict()["further"] == ["c: 3"]
    assert counted_same(found.lines) == "1 of 3 the same"
    assert combined([]) == "goes further"


def test_a_difference_without_a_reason_is_noticed() -> None:
    assert not outcome_of(exact_line("a", "1", "2")).is_explained
    assert not outcome_of(exact_line("a", "1", "2", "a slip"), exact_line("b", "1", "2")).is_explained


def test_the_threshold_grows_with_the_number_of_comparisons() -> None:
    assert threshold(1) == pytest.approx(2.5758, abs=1e-4)
    assert threshold(1) < threshold(16) < threshold(446) < 5
    assert standard_error((1.0, 1.0 + 2 * 1.959963984540054)) == pytest.approx(1.0)
