from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Handful


def test_json_has_the_exact_numbers(handful: Handful) -> None:
    told = json.loads(handful("count", *["4"] * 13, "--json").stdout)
    assert told["unplayable"] == 91973270026324484565579418350194489655582912237019
    assert told["total"] == told["playable"] + told["unplayable"] == 92024242230271040357108320801872044844750000000000
    assert f"{told['probability']:.11f}" == "0.00055389974"
    numerator, denominator = map(int, told["probability_exact"].split("/"))
    assert numerator * told["total"] == denominator * told["playable"]


def test_a_table_for_people(handful: Handful) -> None:
    result = handful("count", "3", "2", "2", "2", "1")
    assert result.exit_code == 0
    for word in ("copies 3 2 2 2 1", "75,600", "5,934", "69,666", "0.0784920634921"):
        assert word in result.stdout


def test_long_numbers_are_not_cut(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = handful("count", *["4"] * 13).stdout
    assert "…" not in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument"),
        (("3", "x"), "'x' is not a whole number"),
        (("--", "3", "-2"), "-2 copies of value 2: expected 0 or more"),
        (("300", "300"), "600 cards: expected at most 500"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("count", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr
