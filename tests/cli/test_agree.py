"""`handful agree`: how often a bot would have done what was done."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Handful


def record(handful: Handful, folder: Path, bot: str, seed: int) -> Path:
    path = folder / f"{seed}.json"
    handful("watch", "--bot", bot, "--players", "3", "--seed", str(seed), "--record", str(path))
    return path


def test_a_bot_agrees_with_itself(handful: Handful, tmp_path: Path) -> None:
    record(handful, tmp_path, "rules", 1)
    record(handful, tmp_path, "rules", 2)
    found = json.loads(handful("agree", str(tmp_path), "--bot", "partner", "--json").stdout)
    assert found["games"] == 2
    assert found["positions"] == sum(kind["positions"] for kind in found["by_kind"].values())
    assert 0.2 < found["same_action"] < found["same_kind"] < 1
    # `information` takes no chance, so that it does again what it did.
    path = record(handful, tmp_path, "information", 3)
    again = json.loads(handful("agree", str(path), "--bot", "information", "--json").stdout)
    assert again["same_action"] == 1


def test_turns_of_one_player_can_be_counted_alone(handful: Handful, tmp_path: Path) -> None:
    path = str(record(handful, tmp_path, "rules", 1))
    all_turns = json.loads(handful("agree", path, "--json").stdout)["positions"]
    each = [json.loads(handful("agree", path, "--player", name, "--json").stdout) for name in ("Alice", "Bob", "Cathy")]
    assert sum(found["positions"] for found in each) == all_turns
    assert "partner in 1 game" in handful("agree", path).stdout
    refused = handful("agree", path, "--player", "Zoe")
    assert refused.exit_code == 2
    assert "nobody is called Zoe: expected one of Alice, Bob, Cathy" in refused.stderr


def test_what_cannot_be_read_is_named(handful: Handful, tmp_path: Path) -> None:
    good, bad = record(handful, tmp_path, "rules", 1), tmp_path / "bad.json"
    bad.write_text("{}")
    both = handful("agree", str(good), str(bad))
    assert both.exit_code == 0
    assert "bad.json" in both.stderr
    assert handful("agree", str(bad)).exit_code == 2
    assert "sees all hands" in handful("agree", str(good), "--bot", "cheat").stderr
