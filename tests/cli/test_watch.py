from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handful.hanabi import Rules, State, variant_named
from handful.hanabi.live.links import record_from_link
from handful.hanabi.live.records import Record, load_record
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.hanabi.notation import turn_text
from tests.cli.conftest import Handful

HELPFUL = "blind(helpful=yes)"
WATCH = [sys.executable, "-c", "from handful.cli.main import run; run()", "watch", "--bot", "random", "--players", "3"]
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_every_turn_is_told(handful: Handful) -> None:
    words = ("watch", "--bot", HELPFUL, "--players", "3", "--seed", "7")
    shown = handful(*words).stdout
    told = json.loads(handful(*words, "--json").stdout)
    assert len(told["turns"]) > 20
    for turn in told["turns"]:
        assert re.search(rf"^ *{turn['number']}  {re.escape(turn['text'])} ", shown, re.MULTILINE)
    assert f"Score {told['score']} of 25" in shown
    assert shown.startswith("No Variant, seed 7: 3 players, blind(helpful=True)\n")


def test_json_is_one_object_and_replays(handful: Handful) -> None:
    result = handful(
        "watch", "--bot", HELPFUL, "--seed", "3", "--game", "2", "--variant", "rainbow (6 suits)", "--json"
    )
    told = json.loads(result.stdout)
    assert result.stderr == ""
    assert (told["bot"], told["players"], told["variant"]) == (HELPFUL.replace("yes", "True"), 2, "Rainbow (6 Suits)")
    assert (told["seed"], told["game"], told["max_score"]) == (3, 2, 30)
    for record in (Record.from_json(told["record"]), record_from_link(told["link"])):
        state = record.replay()
        assert (state.score, state.ending) == (told["score"], told["ending"])
        assert [turn_text(state.rules, turn) for turn in state.history] == [turn["text"] for turn in told["turns"]]


def test_a_live_seed_says_who_plays_what(handful: Handful) -> None:
    told = json.loads(handful("watch", "--bot", "blind", "--rules", "thesis", "--seed", "p4v0s415", "--json").stdout)
    assert (told["players"], told["variant"], told["seed"]) == (4, "No Variant", "p4v0s415")
    assert told["rules"].startswith("strike_score=keep-on-last-turn")
    first = told["turns"][0]["card"]
    assert first == deal_from_live_seed("p4v0s415").text().split()[0]


def test_a_bot_for_each_seat(handful: Handful) -> None:
    told = json.loads(
        handful(
            "watch", "--bot", "blind", "--bot", HELPFUL, "--bot", "blind", "--rules", "discard_at_max", "--json"
        ).stdout
    )
    assert told["players"] == 3
    assert told["bots"] == ["blind", "blind(helpful=True)", "blind"]
    assert [turn["action"] for turn in told["turns"] if turn["player"] == 1] == ["discard a"] * len(told["turns"][::3])


def test_record_and_link(handful: Handful, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    result = handful("watch", "--bot", HELPFUL, "--seed", "5", "--record", str(path), "--link")
    link = next(line for line in result.stdout.splitlines() if "replay-json" in line)
    assert record_from_link(link).replay().history == load_record(path).replay().history


def test_what_hanab_live_cannot_express(handful: Handful, tmp_path: Path) -> None:
    words = ("watch", "--bot", HELPFUL, "--variant", "Custom (2 suits, copies 3 2 1)")
    told = json.loads(handful(*words, "--json").stdout)
    assert told["link"] is None
    assert told["no_link"]
    result = handful(*words, "--link")
    assert result.exit_code == 0
    assert f"No link: {told['no_link']}" in result.stdout


def test_tables_show_every_hand_after_every_turn(handful: Handful) -> None:
    shown = handful("watch", "--bot", HELPFUL, "--seed", "7", "--tables").stdout
    record = json.loads(handful("watch", "--bot", HELPFUL, "--seed", "7", "--json").stdout)["record"]
    lines = shown.splitlines()
    hands = [re.findall(r"[rygbp][1-5]", line) for line in lines if line.startswith("Alice ")]
    states = list(Record.from_json(record).states())
    assert [len(hand) for hand in hands] == [len(state.hand(0)) for state in states]
    assert hands == [_cards(state, 0) for state in states]


def _cards(state: State, seat: int) -> list[str]:
    return [f"{state.rules.variant.suits[card.suit].letter}{card.value}" for card in state.hand(seat)]


def _watch(*words: str, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    settings = {**kept, "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run(
        [*WATCH, *words], capture_output=True, text=True, encoding="utf-8", check=True, env=settings
    ).stdout


def test_colour_adds_nothing_that_letters_do_not_say() -> None:
    plain = _watch()
    coloured = _watch(FORCE_COLOR="1", COLUMNS="120", TERM="xterm-256color")
    assert "\x1b" not in plain
    assert "\x1b[" in coloured
    assert ANSI.sub("", coloured) == plain
    without = _watch(FORCE_COLOR="1", NO_COLOR="1", COLUMNS="120", TERM="xterm-256color")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", without)
    assert ANSI.sub("", without) == plain


@pytest.mark.parametrize("columns", [80, 120])
def test_lines_fit_the_page(columns: int) -> None:
    lines = _watch("--seed", "2", COLUMNS=str(columns)).splitlines()
    assert max(map(len, lines)) <= columns
    assert all(line == line.rstrip() for line in lines)


def test_a_terminal_without_our_characters_gets_question_marks() -> None:
    assert "points    0 of 25 ? hints 8 of 8" in _watch(PYTHONIOENCODING="ascii")


def test_variants_are_drawn(handful: Handful) -> None:
    for name in ("Black (6 Suits)", "White (6 Suits)", "Brown (6 Suits)", "Dutch Box", "Custom (1 suit, copies 12 3)"):
        result = handful("watch", "--bot", HELPFUL, "--players", "2", "--variant", name)
        assert result.exit_code == 0, result.stderr
        suits = Rules(variant_named(name)).variant.suits
        assert "stacks    " + " ".join(f"{suit.letter}0" for suit in suits) in result.stdout
