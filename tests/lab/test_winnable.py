"""Counts of winnable deals: the same whatever the workers, and honest about what is undecided."""

from __future__ import annotations

import json

import pytest

from handful.errors import HandfulError
from handful.hanabi import Deal, Rules, State, variant_named
from handful.lab import winnable as module
from handful.lab.statistics import wilson_interval
from handful.lab.winnable import cause_of, winnable
from handful.playability import Solution
from handful.playability.deals.solve import solve

SMALL = Rules(variant_named("Custom (2 suits, copies 2 1 1)"), 2, hand_size=2)


def by_number(start: Deal | State, _time_limit: float | None) -> Solution:
    """Answer by the number of the deal: every tenth is lost, every tenth undecided."""
    assert isinstance(start, Deal)
    digit = int(start.seed.rpartition("/")[2]) % 10
    answer = {3: False, 7: None}.get(digit, True)
    reason = "pace: too slow" if digit == 3 else "a line wins"
    return Solution(answer, 0, 25, (), reason, "by number", 1, 0.0, State(start))


def nothing_wins(_rules: Rules, _seed: int, _first: int, count: int) -> list[None]:
    return [None] * count


def test_undecided_deals_widen_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solve", by_number)
    monkeypatch.setattr(module, "quick_methods", nothing_wins)
    done: list[int] = []
    count = winnable(players=3, deals=450, seed=5, workers=1, on_progress=done.append)
    assert (count.winnable, count.unwinnable, count.undecided) == (360, 45, 45)
    assert count.fraction == 0.8
    assert count.ci95 == (wilson_interval(360, 450)[0], wilson_interval(405, 450)[1])
    assert count.causes == {"pace": 45}
    assert count.methods == {"by number": 450}
    assert count.unwinnable_deals == tuple(range(3, 450, 10))
    assert count.undecided_deals == tuple(range(7, 450, 10))
    assert sum(done) == 450
    assert "45 undecided" in repr(count)
    assert "<table>" in count._repr_html_()
    assert json.loads(json.dumps(count.to_dict()))["ci95"] == list(count.ci95)


def test_the_result_does_not_depend_on_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 30)
    one = winnable(rules=SMALL, deals=100, seed=1, workers=1)
    assert one == winnable(rules=SMALL, deals=100, seed=1, workers=2)
    assert one != winnable(rules=SMALL, deals=100, seed=2, workers=1)
    assert one.unwinnable > 5
    assert one.undecided == 0


def test_answers_are_those_of_the_single_deals() -> None:
    count = winnable(rules=SMALL, deals=50, seed=9)
    lost = [number for number in range(50) if not solve(Deal.from_seed(SMALL, 9, number)).winnable]
    assert list(count.unwinnable_deals) == lost
    assert (count.variant, count.rules) == (SMALL.variant.name, "hand_size=2")


def test_most_classic_deals_can_be_won() -> None:
    assert winnable(players=4, deals=50).fraction > 0.95


def test_a_cause_is_what_stands_before_the_colon() -> None:
    assert cause_of("capacity: too many cards must be held", "merged") == "capacity"
    assert cause_of("refuted", "sat") == "sat"


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(HandfulError, match="deals=0"):
        winnable(deals=0)
    with pytest.raises(HandfulError, match="seed -1"):
        winnable(seed=-1)
