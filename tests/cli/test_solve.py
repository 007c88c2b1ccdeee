from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handful.cli.shared.output import console
from handful.cli.shared.table_text import print_line
from handful.hanabi import Deal, Record, Rules, State, link_from_record, record_from_link, save_record, variant_named
from handful.hanabi.notation import default_names
from handful.playability import Solution, solve
from tests.cli.conftest import Handful

REAL = Path(__file__).parent.parent / "hanabi" / "data" / "real_game.json"


def undecided(start: Deal | State, _time_limit: float | None) -> Solution:
    state = State(start) if isinstance(start, Deal) else start
    return Solution(None, 0, 25, (), "not decided in the time given", "none", 7, 0.5, state.copy())


def test_a_winnable_deal_comes_with_its_line(handful: Handful) -> None:
    result = handful("solve", "p4v0s415", "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (told["input"], told["players"], told["winnable"], told["score"]) == ("p4v0s415", 4, True, 25)
    assert {"line", "link", "reason", "method", "seconds", "nodes", "upper_bound"} <= set(told)
    record = record_from_link(told["link"])
    assert record.replay().score == 25
    assert len(record.actions) == len(told["line"])


def test_a_line_that_was_proved_is_not_played_again_to_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(Deal.from_seed(Rules(players=3), seed=7))
    assert solution.winnable
    turns = solution.finished.history
    page = console()
    with page.capture() as shown, monkeypatch.context() as forbidden:
        forbidden.setattr(State, "act", lambda *_: pytest.fail("it is played again"))
        print_line(page, solution, default_names(3), "the link")
    lines = shown.get().splitlines()
    assert [int(line.split()[0]) for line in lines[1:-2]] == [turn.number for turn in turns]
    assert lines[-1] == "the link"


def test_the_line_is_told_turn_by_turn(handful: Handful) -> None:
    result = handful("solve", "--seed", "7", "--game", "2", "--players", "3", "--variant", "6 suits")
    assert result.exit_code == 0
    assert result.stdout.startswith("7/2: 6 Suits, 3 players\nWinnable: yes, 30 of 30. ")
    assert "\n  1  Alice " in result.stdout
    link = result.stdout.split()[-1]
    assert record_from_link(link).replay().score == 30


def test_no_is_exit_code_1(handful: Handful) -> None:
    result = handful("solve", "p2v0s40")
    assert result.exit_code == 1
    assert "Winnable: no." in result.stdout
    told = json.loads(handful("solve", "p2v0s40", "--json").stdout)
    assert told["winnable"] is False
    assert told["score"] <= told["upper_bound"] < 25
    assert told["reason"]


def test_unknown_is_said_and_exit_code_0(handful: Handful, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handful.playability.solve", undecided)
    result = handful("solve", "p2v0s1", "--time-limit", "0.5")
    assert result.exit_code == 0
    assert "Winnable: unknown." in result.stdout
    assert "not decided in the time given" in result.stdout.lower()
    assert json.loads(handful("solve", "p2v0s1", "--json").stdout)["winnable"] is None


def test_several_are_a_list_in_their_order(handful: Handful) -> None:
    link = link_from_record(Record.from_state(State(Deal.from_seed(Rules(), seed=1))))
    words = ("solve", "p2v0s40", str(REAL), link)
    result = handful(*words, "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [each["input"] for each in told] == [*words[1:]]
    assert [each["winnable"] for each in told][:2] == [False, True]
    assert handful(*words).stdout.count("\n") >= 5
    assert handful(*words).stdout.endswith("cannot, 0 undecided.\n")


def test_a_game_from_one_of_its_turns(handful: Handful) -> None:
    told = json.loads(handful("solve", str(REAL), "--turn", "50", "--json").stdout)
    assert told["turn"] == 50
    assert told["winnable"] is True
    assert len(told["line"]) <= 5
    assert record_from_link(told["link"]).replay().score == 25
    assert "before turn 50" in handful("solve", str(REAL), "--turn", "50").stdout
    over = json.loads(handful("solve", str(REAL), "--turn", "54", "--json").stdout)
    assert (over["winnable"], over["line"]) == (True, [])


def test_other_rules_for_the_same_deal(handful: Handful) -> None:
    told = json.loads(handful("solve", str(REAL), "--rules", "max_hints=7", "--json").stdout)
    assert told["rules"] == "max_hints=7"
    assert told["link"] == ""  # a link has no place for it


def test_a_small_variant_that_hanab_live_does_not_have(handful: Handful, tmp_path: Path) -> None:
    rules = Rules(variant_named("Custom (2 suits, copies 3 2 1)"), 2)
    save_record(tmp_path / "small.json", Record.from_state(State(Deal.from_seed(rules, seed=1))))
    result = handful("solve", str(tmp_path / "small.json"))
    assert result.exit_code in (0, 1)
    assert "Winnable: " in result.stdout


# What is refused

Json = dict[str, Any]


def fewer_cards(record: Json) -> None:
    record["deck"].pop()


def another_copy(record: Json) -> None:
    record["deck"][0] = record["deck"][1]


def illegal_twelfth_action(record: Json) -> None:
    record["actions"][11] = {"type": 0, "target": 49, "value": 0}


def unknown_variant(record: Json) -> None:
    record["options"] = {"variant": "Sevens"}


@pytest.mark.parametrize("command", ["solve", "analyse"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (fewer_cards, "deck has 49 cards: expected 50"),
        (another_copy, "deck: "),
        (illegal_twelfth_action, "turn 12"),
        (unknown_variant, "there is no variant 'Sevens'"),
    ],
)
def test_a_bad_record_is_refused_in_one_line(
    handful: Handful, tmp_path: Path, command: str, change: Callable[[Json], None], message: str
) -> None:
    record = json.loads(REAL.read_text(encoding="utf-8"))
    change(record)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    result = handful(command, str(path), "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert str(path) in result.stderr


@pytest.mark.parametrize("command", ["solve", "analyse"])
@pytest.mark.parametrize(
    ("data", "message"), [(b"", "is empty"), (b"[" * 10_000_000, "more than 2,000,000 bytes"), (b"\xff\xfe", "UTF-8")]
)
def test_a_file_that_is_no_record_is_refused_in_one_line(
    handful: Handful, tmp_path: Path, command: str, data: bytes, message: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    result = handful(command, str(path))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to solve"),
        (("nowhere.json",), "nowhere.json cannot be read"),
        (("p2v0s1", "nowhere.json"), "nowhere.json cannot be read"),
        (("p2v0s1", "--seed", "3"), "the one or the other"),
        (("p2v0s1", "--players", "3"), "contradicts"),
        (("p2v99999s1",), "p2v99999s1"),
        (("p2v0s1", "--turn", "3"), "has a deal and no turns"),
        ((str(REAL), "--turn", "55"), "expected 1 to 54"),
        ((str(REAL), "--players", "2"), "--players 2 contradicts"),
        ((str(REAL), "--variant", "6 Suits"), "--variant '6 Suits' contradicts"),
        ((str(REAL), "--rules", "no_hints"), "no_hints"),
        (("--seed", "x"), "--seed 'x'"),
        (("--seed", "1", "--variant", "Sevens"), "there is no variant 'Sevens'"),
        (("--seed", "1", "--time-limit", "soon"), "'soon' is not a time"),
        (("--seed", "1", "--time-limit", "-1"), "'-1' is not a time"),
    ],
)
def test_bad_input_is_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful("solve", *words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert message in result.stderr
