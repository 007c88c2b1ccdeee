"""`handful analyse --conventions`: what is not as conventions would have it, turn by turn."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Handful


def test_findings_are_listed_and_told_as_json(handful: Handful, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    handful("watch", "--bot", "rules(reading=text)", "--players", "3", "--seed", "1", "--record", str(path))
    told = json.loads(handful("analyse", str(path), "--conventions", "--json").stdout)
    found = told["conventions"]
    assert found
    for finding in found:
        assert set(finding) == {"turn", "player", "kind", "sentence", "unclear"}
        assert 1 <= finding["turn"] <= len(told["turns"])
    shown = handful("analyse", str(path), "--conventions").stdout
    assert all(finding["kind"] in shown for finding in found)
    assert "conventions" not in json.loads(handful("analyse", str(path), "--json").stdout)
