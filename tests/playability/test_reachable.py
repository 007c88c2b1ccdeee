"""How many points could still be reached: bounds that hold, and meet where the answer is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handful.hanabi import Deal, Record, Rules, State, deal_from_live_seed
from handful.playability import analyse
from handful.playability.deals.reachable import Reach, reachable_scores
from tests.players import cautious_player, play_out


def reach_of(record: Record) -> list[Reach]:
    found = analyse(record)
    return reachable_scores(list(record.states()), [found.winnable, *(turn.winnable_after for turn in found.turns)])


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_less_and_less_can_be_reached_down_to_the_score(players: int, seed: int) -> None:
    record = Record.from_state(play_out(Deal.from_seed(Rules(players=players), seed), cautious_player, seed))
    reach, states = reach_of(record), list(record.states())
    assert len(reach) == len(states)
    assert all(each.low <= each.high for each in reach)
    assert [each.low for each in reach] == sorted((each.low for each in reach), reverse=True)
    assert [each.high for each in reach] == sorted((each.high for each in reach), reverse=True)
    assert reach[-1] == Reach(states[-1].score, states[-1].score)
    assert all(each.low >= states[-1].score for each in reach)


def test_a_deal_that_cannot_be_won_has_a_best_line() -> None:
    record = Record.from_state(State(deal_from_live_seed("p2v0s40")))
    assert reach_of(record) == [Reach(24, 24)]
    found = analyse(record)
    assert found.best_line is not None
    assert found.best_line.finished.score == found.best_line.score == 24
    assert found.to_dict()["best_line"]["score"] == 24


def test_a_lost_card_bounds_what_can_be_reached() -> None:
    record = Record.from_state(play_out(Deal.from_seed(Rules(players=2), 1), cautious_player, 1))
    lost = analyse(record).lost_at_turn
    assert lost is not None
    reach = reach_of(record)
    assert reach[lost - 1] == Reach(25, 25)
    assert reach[lost].high < 25
    assert reach_of(replace(record, actions=record.actions[: lost - 1]))[-1] == Reach(25, 25)


def test_where_no_solver_helps_the_score_is_the_least() -> None:
    rules = Rules(players=2, end_of_deck="never")
    state = State(Deal.from_seed(rules, 1))
    assert reachable_scores([state], [None]) == [Reach(0, 25)]
