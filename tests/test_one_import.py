"""`import handful` is all of it: the rooms and the verbs, each loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import handful
from handful.hanabi import Deal, Rules, deal_from_live_seed
from tests.test_house import imported_by

WON = Path(__file__).parent / "hanabi" / "data" / "real_game.json"


def test_importing_it_loads_no_room_and_no_compiler() -> None:
    modules = imported_by("import handful")
    assert not modules & {"numba", "numpy", "typer", "rich", "dataclasses"}
    assert {name for name in modules if name.startswith("handful")} == {"handful"}


def test_every_name_is_there_and_has_a_docstring() -> None:
    assert set(handful.__all__) == {*handful._ROOMS, *handful._VERBS}
    assert set(handful.__all__) <= set(dir(handful))
    for name in handful.__all__:
        assert getattr(handful, name).__doc__, name
    for room in handful._ROOMS:
        assert getattr(handful, room) is import_module(f"handful.{room}")
    with pytest.raises(AttributeError, match="no attribute 'win'"):
        handful.win  # noqa: B018


def test_the_verbs_take_what_the_command_line_takes() -> None:
    deal = deal_from_live_seed("p4v0s415")
    assert handful.solve("p4v0s415").line == handful.solve(deal).line == handful.solve(str(WON)).line
    assert handful.analyse(str(WON)).lost_at_turn is None
    assert handful.winnable(players=2, deals=20, seed=1).deals == 20
    state = handful.play_game(Deal.from_seed(Rules(players=2), seed=1), [handful.bots.player_named("random").plain] * 2)
    assert state.is_over
