"""The bot `best` stands for another one, and the commands say for which."""

from __future__ import annotations

import json

from tests.cli.conftest import Handful


def test_simulate_says_whom_an_alias_stands_for(handful: Handful) -> None:
    words = ("simulate", "--bot", "best", "--players", "6", "--games", "20")
    values = json.loads(handful(*words, "--json").stdout)
    assert (values["bot"], values["plays_as"]) == ("best", "rules(reading=text)")
    assert "│ plays as      │ rules(reading=text)" in handful(*words).stdout
    assert "plays_as" not in json.loads(handful("simulate", "--games", "20", "--json").stdout)


def test_watch_says_whom_an_alias_stands_for(handful: Handful) -> None:
    words = ("watch", "--bot", "best", "--players", "6")
    assert "6 players, best, here rules(reading=text)\n" in handful(*words).stdout
    assert json.loads(handful(*words, "--json").stdout)["plays_as"] == ["rules(reading=text)"] * 6
