from __future__ import annotations

import json

import pytest

from handful.lab.gin_play import match_gin
from tests.cli.conftest import Handful

BAD = {
    "twelve cards": (("melds", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC"), "12 cards, expected 3 to 11"),
    "a card twice": (("melds", "AC AC 3C"), "AC"),
    "no card": (("melds", "AC 2X 3C"), "2X"),
    "an unknown player": (("match", "tabel", "simple"), "table"),
    "an odd number of games": (("match", "simple", "random", "--games", "3"), "expected an even number"),
    "unknown rules": (("match", "--rules", "eai"), "eaai"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(handful: Handful, name: str) -> None:
    arguments, word = BAD[name]
    told = handful("gin", *arguments)
    assert told.exit_code == 2
    assert not told.stdout
    assert len(told.stderr.splitlines()) == 1
    assert word in told.stderr


def test_melds(handful: Handful) -> None:
    told = json.loads(handful("gin", "melds", "4C", "5C", "6C", "5D", "5H", "KS", "--json").stdout)
    assert told["deadwood"] == 20
    assert [way["melds"] for way in told["arrangements"]] in (
        [["4C 5C 6C"], ["5C 5D 5H"]],
        [["5C 5D 5H"], ["4C 5C 6C"]],
    )
    assert told["throws"] == []
    eleven = json.loads(handful("gin", "melds", "3S 6S AC 4C 5C 6C 3D 4D 5D 6D 5H", "--json").stdout)
    assert min(throw["deadwood"] for throw in eleven["throws"]) == eleven["throws"][0]["deadwood"] == 9
    assert "deadwood 20" in handful("gin", "melds", "4C 5C 6C 5D 5H KS").stdout


def test_players(handful: Handful) -> None:
    told = json.loads(handful("gin", "players", "--json").stdout)
    assert {"random", "simple", "marjj", "table"} <= {each["name"] for each in told}
    assert "marjj" in handful("gin", "players").stdout


def test_a_match(handful: Handful) -> None:
    told = json.loads(handful("gin", "match", "table", "simple", "--games", "40", "--seed", "5", "--json").stdout)
    assert told["first_wins"] + told["second_wins"] + told["unfinished"] == told["games"] == 40
    low, high = told["first_share_ci95"]
    assert low <= told["first_share"] <= high
    assert "simple won" in handful("gin", "match", "simple", "random", "--games", "2").stdout


def test_a_player_against_itself_wins_half() -> None:
    """Both games of a pair have the same cards: a player without chance of its own wins one of them."""
    result = match_gin("table", "table", games=200, seed=3)
    assert result.first_wins == result.second_wins == 100
    assert result.first_share_ci95 == (0.5, 0.5)


def test_the_same_for_any_number_of_workers() -> None:
    one, two = (match_gin("simple", "random", games=1200, seed=9, workers=workers) for workers in (1, 2))
    assert one == two
