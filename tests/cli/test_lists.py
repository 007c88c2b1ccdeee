from __future__ import annotations

import json

from handful.bots.players import all_bots
from handful.hanabi import VARIANTS
from tests.cli.conftest import Handful


def test_bots_with_their_settings_and_sources(handful: Handful) -> None:
    shown = handful("bots").stdout
    for entry in all_bots():
        assert entry.name in shown
    assert "helpful=False: whether it gives hints" in shown
    assert "no source" in shown


def test_bots_as_json(handful: Handful) -> None:
    told = json.loads(handful("bots", "--json").stdout)
    assert [each["name"] for each in told] == [entry.name for entry in all_bots()]
    assert all(each["source"] and each["summary"] for each in told)
    blind = next(each for each in told if each["name"] == "blind")
    assert blind["settings"] == [{"name": "helpful", "default": False, "meaning": "whether it gives hints"}]


def test_variants(handful: Handful) -> None:
    shown = handful("variants").stdout
    told = json.loads(handful("variants", "--json").stdout)
    assert [each["name"] for each in told] == list(VARIANTS)
    for each in told:
        assert each["name"] in shown
        assert each["cards"] == sum(sum(suit["copies"]) for suit in each["suits"])
    assert "brown: touched by no value hint" in shown
