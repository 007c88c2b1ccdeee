"""The theorems of Bergh 2015, section 3.4, and of Bergh et al. 2016, section 3: a hand of one card."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handful.errors import RulesError
from handful.playability import count, count_playable, count_total, count_unplayable
from handful.playability.sequences.counting import short_sequences
from handful.playability.sequences.theorems import (
    identity_3_26,
    playable_by_recurrence,
    playable_four_values,
    playable_three_values,
    playable_two_values,
    terms_of_formula,
    unplayable_by_formula,
    unplayable_by_recurrence,
)

small_copies = st.lists(st.integers(0, 4), min_size=2, max_size=5).map(tuple)


def contains_all(sequence: tuple[int, ...], num_values: int) -> bool:
    wanted = 1
    for value in sequence:
        wanted += value == wanted
    return wanted > num_values


def all_sequences(copies: tuple[int, ...]) -> set[tuple[int, ...]]:
    return set(permutations(value for value, number in enumerate(copies, start=1) for _ in range(number)))


def decks(most_cards: int, most_values: int, least: int = 1) -> list[tuple[int, ...]]:
    return [
        copies
        for values in range(1, most_values + 1)
        for copies in product(range(least, most_cards + 1), repeat=values)
        if 1 <= sum(copies) <= most_cards
    ]


def test_example_3_16() -> None:
    listed = ["11223", "12123", "12213", "21123", "21213", "11232", "12132", "12231", "21231", "12312", "12321"]
    found = {"".join(map(str, each)) for each in all_sequences((2, 2, 1)) if contains_all(each, 3)}
    assert found == set(listed)
    assert (count_total((2, 2, 1)), count_playable((2, 2, 1))) == (30, 11)


def test_example_3_19() -> None:
    assert count_playable((3, 3, 2)) == playable_three_values(3, 3, 2) == 387
    assert count_total((3, 3, 2)) == 560
    assert round(float(count((3, 3, 2)).probability), 2) == 0.69


def test_result_3_27() -> None:
    found = count((3, 2, 2, 2, 1))
    assert (found.playable, found.total, found.unplayable) == (5934, 75600, 69666)
    assert found.probability == Fraction(5934, 75600)


def test_thirteen_values_of_four_cards() -> None:
    """Bergh et al. 2016, section 3: a deck of playing cards, in a moment."""
    found = count((4,) * 13)
    assert found.unplayable == 91973270026324484565579418350194489655582912237019
    assert f"{float(found.probability):.11f}" == "0.00055389974"
    assert terms_of_formula((4,) * 13) > 10**9  # so not by adding them up


def test_all_formulas_agree_with_looking_at_every_sequence() -> None:
    for copies in decks(most_cards=7, most_values=5, least=0):
        playable = sum(contains_all(each, len(copies)) for each in all_sequences(copies))
        assert count_playable(copies) == playable_by_recurrence(copies) == playable, copies
        assert count_unplayable(copies) == unplayable_by_recurrence(copies) == count_total(copies) - playable, copies
        if len(copies) >= 2:
            assert unplayable_by_formula(copies) == count_total(copies) - playable, copies


@given(small_copies)
@settings(max_examples=100, deadline=None)
def test_theorem_3_25_and_the_recurrences(copies: tuple[int, ...]) -> None:
    assert unplayable_by_formula(copies) == unplayable_by_recurrence(copies) == count_unplayable(copies)
    assert playable_by_recurrence(copies) == count_playable(copies)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 6))
@settings(deadline=None)
def test_theorems_3_17_3_18_and_3_24(a: int, b: int, c: int, d: int) -> None:
    assert playable_two_values(a, b) == count_playable((a, b))
    assert playable_three_values(a, b, c) == count_playable((a, b, c))
    assert playable_four_values(a, b, c, d) == count_playable((a, b, c, d))


@given(st.permutations((1, 2, 2, 3, 5)))
def test_lemma_3_21_symmetry(copies: list[int]) -> None:
    assert count_playable(copies) == count_playable((5, 3, 2, 2, 1))


def test_corollary_3_20_limits() -> None:
    for size in (10, 100, 160):
        assert abs(count((1, 1, size)).probability - Fraction(1, 2)) <= Fraction(2, size)
        assert 1 - count((1, size, size)).probability <= Fraction(2, size)
        assert 1 - count((size, size, size)).probability <= Fraction(1, size**2)
    # In closed form, from Theorem 3.18.
    assert count((1, 1, 100)).unplayable == 2**102 - sum(comb(102, i) for i in range(100)) - 2


def test_identity_3_26() -> None:
    """The exponent is k, as Bergh et al. 2016 have it; k − ℓ, as Bergh 2015 prints, fails from k = 4 on."""
    for k in range(1, 30):
        assert identity_3_26(k) == factorial(k) - 1
        if 2 <= k < 9:
            assert identity_3_26(k) == unplayable_by_formula((1,) * k)
    assert [identity_3_26(k, as_printed=True) == factorial(k) - 1 for k in range(1, 8)] == [True] * 3 + [False] * 4
    assert identity_3_26(4, as_printed=True) == 55


def test_known_sequences() -> None:
    """OEIS A047909 (n copies of each of k values; Horton and Kurn 1981) and A268667 (j copies of j)."""
    rows = [[1, 1, 1, 1, 1], [1, 5, 47, 641, 11389], [1, 19, 1306, 195709, 50775091]]
    rows += [[1, 69, 31451, 46922017, 162588279629], [1, 251, 729811, 10258694241, 449363984934526]]
    for copies, row in enumerate(rows, start=1):
        assert [count_playable((copies,) * k) for k in range(1, 6)] == row
    triangle = [1, 2, 26, 3511, 6742796, 233249911607, 175703195017370516, 3377940832101159287907151]
    assert [count_playable(range(1, n + 1)) for n in range(1, 9)] == triangle


def test_short_sequences_are_counted() -> None:
    for copies in ((1,), (2, 3), (3, 1, 2), (2, 2, 2)):
        counts = short_sequences(copies)
        assert len(counts) == sum(copies) - len(copies) + 1
        for length, number in enumerate(counts):
            every = product(range(len(copies)), repeat=length)
            assert number == sum(all(seq.count(v) < x for v, x in enumerate(copies)) for seq in every)


def test_bad_copies_are_refused() -> None:
    for copies, message in (((), "no copies"), ((2, -1), "-1 copies of value 2"), ((600,), "at most 500")):
        with pytest.raises(RulesError, match=message):
            count(copies)


def test_a_count_shows_itself() -> None:
    found = count((2, 2, 1))
    assert found.to_dict()["probability_exact"] == "11/30"
    assert "11 of 30 playable" in repr(found)
    assert "<td>11/30</td>" in found._repr_html_()
