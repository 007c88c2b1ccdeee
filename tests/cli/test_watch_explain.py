"""`handful watch --explain`: what each turn told whom."""

from __future__ import annotations

import json

from tests.cli.conftest import Handful

WORDS = ("watch", "--bot", "recommendation", "--players", "5", "--seed", "7")


def test_every_turn_is_explained_below_its_line(handful: Handful) -> None:
    shown = handful(*WORDS, "--explain").stdout.splitlines()
    told = json.loads(handful(*WORDS, "--explain", "--json").stdout)
    assert len(told["explained"]) == len(told["turns"])
    for turn, said in zip(told["turns"], told["explained"], strict=True):
        assert said
        place = next(i for i, line in enumerate(shown) if line.startswith(f"{turn['number']:3}  {turn['text']} "))
        assert shown[place + 1 : place + 1 + len(said)] == [f"     {sentence}" for sentence in said]


def test_tables_are_explained_too(handful: Handful) -> None:
    shown = handful(*WORDS, "--explain", "--tables").stdout
    assert "\n     For the others: Bob 5, discard b; Cathy 6" in shown
    assert "subtracts" in shown


def test_nothing_is_explained_that_nobody_asked_for(handful: Handful) -> None:
    plain = handful(*WORDS).stdout
    explained = handful(*WORDS, "--explain").stdout.splitlines()
    assert "subtracts" not in plain
    assert set(plain.splitlines()) <= set(explained)
    assert "explained" not in json.loads(handful(*WORDS, "--json").stdout)


def test_bots_without_an_explainer_tell_what_they_say(handful: Handful) -> None:
    words = ("watch", "--bot", "blind(helpful=yes)", "--players", "3")
    assert handful(*words, "--explain").stdout == handful(*words).stdout
    told = json.loads(handful(*words, "--explain", "--json").stdout)
    assert told["explained"] == [[] for _ in told["turns"]]


def test_at_a_mixed_table_each_bot_speaks_for_itself(handful: Handful) -> None:
    bots = ("recommendation", "blind(helpful=yes)", "recommendation", "recommendation")
    words = [word for bot in bots for word in ("--bot", bot)]
    told = json.loads(handful("watch", *words, "--explain", "--json").stdout)
    for turn, said in zip(told["turns"], told["explained"], strict=True):
        assert bool(said) == (turn["player"] != 2)
