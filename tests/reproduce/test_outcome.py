"""Verdicts: each can come out, from the numbers alone, and both ways."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.reproduce.outcome import (
    BETTER_PLAY,
    FASTER,
    Aim,
    Estimate,
    Line,
    Outcome,
    Source,
    Tolerance,
    Verdict,
    combined,
    counted_same,
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
    assert Line.digits("a number", printed, ours, "a slip").verdict == verdict


def test_a_reason_is_given_only_where_something_differs() -> None:
    assert Line.exact("a count", 688, 688, "a slip").reason == ""
    assert Line.exact("a count", 688, 735, "a slip").reason == "a slip"
    assert Line.digits("a number", "1.0", 1.0, "a slip").reason == ""


def test_one_difference_makes_the_whole_differ() -> None:
    same, slip, more = Line.exact("a", 1, 1), Line.exact("b", 1, 2, "a slip"), Line.further("c", 3)
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
    assert not outcome_of(Line.exact("a", 1, 2)).is_explained
    assert not outcome_of(Line.exact("a", 1, 2, "a slip"), Line.exact("b", 1, 2)).is_explained


def test_the_threshold_grows_with_the_number_of_comparisons() -> None:
    assert threshold(1) == pytest.approx(2.5758, abs=1e-4)
    assert threshold(1) < threshold(16) < threshold(446) < 5
    assert Estimate(2.0, 1.0, 1.0 + 2 * 1.959963984540054).error == pytest.approx(1.0)


def sampled(aim: Aim | None) -> Callable[[float], Line]:
    def line(off: float) -> Line:
        tolerance = Tolerance(1, error=0.1, rounding=0.05)
        return Line.sampled("a mean", 14.0, Estimate(14.0 + off, 13.9 + off, 14.1 + off), tolerance, aim=aim)

    return line


JUDGES: dict[str, tuple[Callable[[float], Line], Verdict, Verdict]] = {
    "exact": (lambda off: Line.exact("a count", 14, 14 + round(100 * off)), "differs", "differs"),
    "digits": (lambda off: Line.digits("a number", "14.0", 14.0 + off), "differs", "differs"),
    "between": (lambda off: Line.between("a number", "around 14", 14.0 + off, (13.9, 14.1)), "differs", "differs"),
    "sampled": (sampled(None), "differs", "differs"),
    "sampled, more is better": (sampled(BETTER_PLAY), "differs", "goes further"),
    "sampled, less is better": (sampled(FASTER), "goes further", "differs"),
}


@pytest.mark.parametrize("name", JUDGES)
@given(off=st.floats(0.4, 10.0))
def test_what_is_off_is_judged_both_ways(name: str, off: float) -> None:
    judge, below, above = JUDGES[name]
    assert judge(0.0).verdict == "same"
    assert judge(-off).verdict == below
    assert judge(off).verdict == above
    for line in (judge(-off), judge(off)):
        assert line.verdict != "goes further" or line.reason.startswith("Meant to be")


@given(off=st.floats(-10.0, 10.0), error=st.floats(0.01, 2.0), comparisons=st.integers(1, 500))
def test_a_sampled_number_is_the_same_within_its_standard_errors(off: float, error: float, comparisons: int) -> None:
    ours = Estimate(off, off - 1, off + 1)
    line = Line.sampled("a mean", 0.0, ours, Tolerance(comparisons, error))
    assert (line.verdict == "same") == (abs(off) <= threshold(comparisons) * error)
    assert line.value == ours


def test_times_go_further_only_if_they_are_shorter() -> None:
    assert [Line.faster("seconds", 2.0, ours).verdict for ours in (1.9, 2.0, 2.1)] == [
        "goes further",
        "differs",
        "differs",
    ]


def test_a_proof_is_worth_what_its_checks_are() -> None:
    cases = [(21, 21), (20, 21), (0, 0)]
    verdicts = [Line.proved("all", held, tried).verdict for held, tried in cases]
    assert verdicts == ["goes further", "differs", "differs"]


def test_what_is_no_number_is_not_the_same() -> None:
    nan = float("nan")
    assert sampled(BETTER_PLAY)(nan).verdict == "differs"
    assert Line.between("a number", "around 14", nan, (13.0, 15.0)).verdict == "differs"


def test_a_published_number_cannot_be_passed_over() -> None:
    with pytest.raises(AssertionError, match="can be compared"):
        Line.further("a mean", 15.0, published="14.0")


def test_an_exponent_has_its_standard_error() -> None:
    exact, bent = Estimate.power_law([(1, 3), (10, 30), (100, 300)]), Estimate.power_law([(1, 3), (10, 60), (100, 300)])
    assert exact.value == pytest.approx(1.0)
    assert exact.error == pytest.approx(0.0, abs=1e-9)
    # Residuals −a, 2a, −a with a = log(2) / 3, one degree of freedom, and 2 log(10)² as the spread of the places.
    assert bent.error == pytest.approx(6**0.5 * 0.693147 / 3 / (2**0.5 * 2.302585), rel=1e-5)
