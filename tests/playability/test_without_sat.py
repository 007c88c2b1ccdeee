"""Without python-sat, or with one that is too old: what needs it is undecided and says so, all else is answered."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from handful import playability
from handful.cli.main import app
from handful.hanabi import Deal, Record, Rules, State, Variant, save_record
from handful.hanabi.notation import default_names
from handful.playability import analyse, solitaire, solve
from handful.playability.deals.reasons import why_refuted
from handful.playability.deals.sat import decide
from handful.playability.formulas import SOLVER, why_no_solver
from handful.playability.solitaire import Solitaire
from handful.playability.solitaire.positions import TooManyStatesError

RULES = Rules(players=3)
# Deals of seed 0 that neither the relaxation nor a beam decides: the first can be won, the second cannot.
OPEN_DEALS = (2137, 4891)
GAME = Solitaire.of(1, [(2, 1), (2, 2), (1, 2), (1, 1), (2, 1)])


@pytest.fixture(params=["missing", "too old", "broken"], autouse=True)
def _no_solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    found: ModuleType | None = None
    if request.param != "missing":
        found = ModuleType("pysat.solvers")
        known = "cadical153" if request.param == "too old" else SOLVER
        vars(found).update(SolverNames=SimpleNamespace(**{known: (known,)}), Solver=_broken)
    monkeypatch.setitem(sys.modules, "pysat", found)
    monkeypatch.setitem(sys.modules, "pysat.solvers", found)


def _broken(_name: str) -> None:
    raise AttributeError("module 'pysolvers' has no attribute 'cadical300_new'")


def test_the_reason_says_what_is_missing() -> None:
    assert why_no_solver().startswith("needs python-sat (")


@pytest.mark.parametrize("number", OPEN_DEALS)
def test_a_deal_that_needs_sat_is_undecided(number: int) -> None:
    found = solve(Deal.from_seed(RULES, 0, number))
    assert found.winnable is None
    assert found.reason.startswith("what the search leaves open needs python-sat")
    assert (found.method, found.upper_bound) == ("none", 25)
    assert 20 <= found.score < 25
    assert found.to_dict()["winnable"] is None


def test_all_other_deals_are_decided() -> None:
    assert solve(Deal.from_seed(RULES, 0, 0)).winnable
    assert solve("p2v0s40").winnable is False
    assert playability.count((3, 2, 2, 2, 1)).playable == 5934


def test_a_last_round_needs_no_solver() -> None:
    rules = Rules(Variant.custom(suits=1, copies=(1, 1)), players=2, hand_size=1)
    assert decide(State(Deal.from_cards(rules, "r1 r2"))).winnable
    assert decide(State(Deal.from_cards(rules, "r2 r1"))).winnable is False


def test_a_refuted_position_stays_refuted() -> None:
    reason = why_refuted(State(Deal.from_seed(RULES, 0, OPEN_DEALS[1])))
    assert reason.startswith("refuted: no line wins; to find out whether one would with free hints needs python-sat")


def test_an_analysis_says_why_it_is_undecided() -> None:
    found = analyse(Record(default_names(3), Deal.from_seed(RULES, 0, OPEN_DEALS[0]), ()))
    assert (found.winnable, found.lost_at_turn, found.lost_between) == (None, None, (0, 0))
    assert "needs python-sat" in found.reason


def test_the_sat_method_of_solitaire_is_undecided() -> None:
    found = solitaire.solve(GAME, "sat")
    assert (found.winnable, found.moves, found.method) == (None, (), "sat")
    assert found.to_dict()["reason"].startswith("the method sat needs python-sat")


def test_solitaire_fills_a_larger_table_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solitaire, "AUTO_STATES", 1)
    found = solitaire.solve(GAME)
    assert (found.winnable, found.method, found.reason) == (True, "table", "")


def test_solitaire_is_undecided_where_no_table_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(*_arguments: object, **_options: object) -> None:
        raise TooManyStatesError("too large")

    monkeypatch.setattr(solitaire, "solve_states", too_large)
    assert solitaire.solve(GAME).winnable is None


def test_the_command_line_says_unknown(tmp_path: Path) -> None:
    def answer(*words: str) -> dict[str, Any]:
        result = CliRunner().invoke(app, [*words, "--json"])
        assert result.exit_code == 0, result.output
        answer: dict[str, Any] = json.loads(result.stdout)
        return answer

    path = tmp_path / "open.json"
    save_record(path, Record(default_names(3), Deal.from_seed(RULES, 0, OPEN_DEALS[0]), ()))
    assert answer("solve", str(path))["winnable"] is None
    assert "needs python-sat" in answer("analyse", str(path))["reason"]
    (tmp_path / "cards").write_text("hand=1 2:1 2:2 1:2 1:1 2:1")
    alone = answer("solitaire", "solve", str(tmp_path / "cards"), "--method", "sat")
    assert alone["winnable"] is None
    assert "needs python-sat" in alone["reason"]
