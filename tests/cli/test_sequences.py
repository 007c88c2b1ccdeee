from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Handful

CLASSIC = ("3", "2", "2", "2", "1")


def test_json_has_the_exact_numbers(handful: Handful) -> None:
    told = json.loads(handful("sequences", "--hand", "5", *CLASSIC, "--json").stdout)
    assert (told["total"], told["playable"], told["unplayable"]) == (75600, 66360, 9240)
    assert (told["hand"], told["suits"], told["end_of_deck"]) == (5, 1, "last-round")
    assert told["fraction"] == 66360 / 75600
    assert told["fraction_exact"] == "79/90"


def test_suits_and_an_endless_game(handful: Handful) -> None:
    words = ("sequences", "--hand", "3", "--suits", "2", "2", "2", "2")
    last_turn, endless = (json.loads(handful(*words, *more, "--json").stdout) for more in ((), ("--endless",)))
    assert last_turn["playable"] == 7037532
    assert endless["playable"] > 7037532
    assert endless["end_of_deck"] == "never"


def test_a_table_for_people(handful: Handful) -> None:
    shown = handful("sequences", "--hand", "2", *CLASSIC).stdout
    for word in ("copies 3 2 2 2 1, hand of 2", "one last turn", "75,600", "36,275", "0.4798280423"):
        assert word in shown


def test_a_sample(handful: Handful) -> None:
    words = ("sequences", "--hand", "5", "--suits", "5", *CLASSIC, "--sample", "300", "--seed", "2")
    told = json.loads(handful(*words, "--json").stdout)
    assert (told["total"], told["seed"], told["undecided"]) == (300, 2, 0)
    assert told["fraction"] == told["playable"] / 300
    assert told["ci95"][0] < told["fraction"] < told["ci95"][1]
    shown = handful(*words).stdout
    assert "300 (seed 2)" in shown
    assert "95 % confidence" in shown


def test_the_published_table(handful: Handful) -> None:
    told = json.loads(handful("sequences", "--table", "--hand", "2", "--json").stdout)
    assert len(told["rows"]) == 126
    assert {"total", "playable", "fraction"} <= set(told["rows"][0]) & set(told)
    assert sum(abs(row["fraction"] - row["published"]) > 0.00005 for row in told["rows"]) == 1
    shown = handful("sequences", "--table", "--hand", "1").stdout
    assert "0.0559 (printed 0.0560)" in shown
    assert "misprints: 1" in shown


def test_one_sequence_is_played(handful: Handful) -> None:
    result = handful("sequences", "--hand", "2", "--sequence", "4 2 3 1 3 2 1 4")
    assert result.exit_code == 0
    assert "4 points with a hand of 2: playable" in result.stdout
    assert "throw" in result.stdout
    result = handful("sequences", "--hand", "2", "--sequence", "4 2 3 1 3 2 1 1")
    assert (result.exit_code, result.stdout) == (1, "4 points with a hand of 2: not playable\n")
    told = json.loads(handful("sequences", "--hand", "2", "--sequence", "r2,r1,y3 y1 r3 y2 r1", "--json").stdout)
    assert (told["playable"], told["points"], told["sequence"][2]) == (True, 6, [3, 2])
    assert "y3" in handful("sequences", "--hand", "2", "--sequence", "r2,r1,y3 y1 r3 y2 r1").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected either copies"),
        (("3", "2"), "--hand is missing"),
        (("3", "2", "--table"), "expected either copies"),
        (("--table", "--endless"), "--table takes --hand and --json alone"),
        (("--table", "--hand", "11"), "expected 1 to 10"),
        (("--hand", "0", "3"), "at least 1"),
        (("--hand", "7", "3", "2"), "a hand of 7 cards: expected 1 to 5"),
        (("--hand", "2", "--sequence", " "), "--sequence is empty"),
        (("--hand", "2", "--sequence", "r1 q1"), "'q1' is not a card"),
        (("--hand", "2", "3", "2", "--sample", "10", "--seed", "p2v0s1"), "is a single deal"),
        (("--hand", "2", *["1"] * 40, "--sample", "10"), "at most 31 different cards"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("sequences", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


def test_too_large_a_deck_is_sent_to_a_sample(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    from handful.playability.sequences import counting as sequences

    monkeypatch.setattr(sequences.count_sequences, "__defaults__", (1, "last-round", 500))
    result = handful("sequences", "--hand", "4", "--suits", "5", *CLASSIC)
    assert result.exit_code == 2
    assert "more than 500 positions: expected a smaller deck, or --sample N" in result.stderr
