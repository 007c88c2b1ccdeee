from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Handful


def test_json_has_the_counts(handful: Handful) -> None:
    result = handful("winnable", "--players", "2", "--deals", "60", "--seed", "3", "--json")
    told = json.loads(result.stdout)
    assert (told["deals"], told["seed"], told["players"], told["variant"]) == (60, 3, 2, "No Variant")
    assert told["winnable"] + told["unwinnable"] + told["undecided"] == 60
    assert told["fraction"] == told["winnable"] / 60
    assert told["ci95"][0] <= told["fraction"] <= told["ci95"][1]
    assert sum(told["causes"].values()) == told["unwinnable"] == len(told["unwinnable_deals"])
    assert {"seconds", "cpu_seconds"} <= set(told)


def test_an_unwinnable_deal_is_one_that_solve_finds(handful: Handful) -> None:
    small = ("--variant", "Custom (2 suits, copies 2 1 1)", "--players", "2", "--rules", "hand_size=2")
    told = json.loads(handful("winnable", *small, "--deals", "40", "--json").stdout)
    assert told["unwinnable"]
    for game in told["unwinnable_deals"][:3]:
        assert handful("solve", "--seed", "0", "--game", str(game), *small).exit_code == 1


def test_a_table_for_people(handful: Handful) -> None:
    result = handful("winnable", "--deals", "30", "--rules", "max_hints=7")
    assert result.exit_code == 0
    for word in ("30 (seed 0)", "max_hints=7", "can be won", "undecided", "decided by", "95 % confidence"):
        assert word in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seed", "p2v0s40"), "is a single deal"),
        (("--seed", "3/7"), "is a single deal"),
        (("--deals", "0"), "at least 1"),
        (("--players", "9"), "9 players"),
        (("--variant", "Sevens"), "there is no variant"),
        (("--time-limit", "nan"), "is not a time"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("winnable", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr
