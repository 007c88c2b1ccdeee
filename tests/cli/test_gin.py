from __future__ import annotations

import json

import numpy as np
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
    "eleven cards and an upcard": (("advise", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC", "-u", "KS"), "eleven cards"),
    "advice on nine cards": (("advise", "AC 2C 3C 4C 5C 6C 7C 8C 9C", "-u", "KS"), "9 cards"),
    "an upcard in the hand": (("advise", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C", "-u", "AC"), "AC is in the hand"),
    "a card twice in the hand": (("advise", "AC AC 3C 4C 5C 6C 7C 8C 9C 10C", "-u", "KS"), "AC"),
    "a score in words": (("advise", "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C", "-u", "KS", "--score", "two"), "40-62"),
    "an unknown opponent": (("play", "tabel"), "table"),
    "nobody to watch": (("watch", "nobody"), "nobody"),
    "an unknown player alone": (("simulate", "tabel"), "table"),
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


def test_advice(handful: Handful) -> None:
    hand = "2S 3C 3S 6H 7H 9H 9S QH QS KH"
    told = json.loads(handful("gin", "advise", hand, "-u", "9D", "--worlds", "64", "--json").stdout)
    assert told["best"] == "take"
    assert {choice["action"] for choice in told["choices"]} == {"take", "pass"}
    low, high = told["choices"][0]["win_chance_ci95"]
    assert low <= told["win_chance"] <= high
    assert {"points", "points_ci95", "round_win_chance", "undercut_risk", "expected_turns"} <= set(told["choices"][0])
    eleven = handful("gin", "advise", hand, "9D", "--discards", "KD 4C", "--score", "40-62", "--worlds", "32").stdout
    assert "throw KH" in eleven


def test_a_game_in_the_terminal(handful: Handful) -> None:
    told = handful("gin", "play", "simple", "--seed", "7", "--json", typed="help\ntake\nKH\nknock 2S\nquit\n")
    assert told.exit_code == 0
    assert json.loads(told.stdout)["finished"] is False
    assert "simple:" in told.stderr
    assert "not legal" in told.stderr


def test_watching(handful: Handful) -> None:
    told = json.loads(handful("gin", "watch", "simple", "table", "--seed", "3", "--explain", "--json").stdout)
    assert told["settlement"]["ending"] in {"knock", "gin", "undercut", "void"}
    assert all(0 <= each["cost"] <= 1 for each in told["actions"] if "cost" in each)
    assert "upcard" in handful("gin", "watch", "simple", "simple").stdout


def test_rounds_of_a_player_with_itself(handful: Handful) -> None:
    told = json.loads(handful("gin", "simulate", "simple", "--rounds", "500", "--json").stdout)
    assert sum(told["endings"].values()) == pytest.approx(1)
    assert "who starts wins" in handful("gin", "simulate", "table", "--rounds", "20").stdout


def test_who_thinks_plays_the_same_games() -> None:
    """Games in which one is asked from outside are dealt and counted as compiled ones are."""
    from handful.lab.gin_play import Pairing, play_thinking
    from handful.rummy.gin import EAAI
    from handful.rummy.gin.kernels.bridge import rulebook
    from handful.rummy.gin.kernels.play import GAME_RESULT, play_games
    from handful.rummy.gin.players import shared_minds

    for mirrored in (False, True):
        compiled, asked = np.zeros(6, GAME_RESULT), np.zeros(6, GAME_RESULT)
        play_games(rulebook(EAAI), (1, 3), shared_minds(), 4, 2, mirrored, compiled)
        play_thinking(Pairing((1, 3), EAAI, 4), 2, mirrored, asked)
        assert (compiled == asked).all()
