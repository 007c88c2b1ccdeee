"""Pace, risk, cards gotten, efficiency and hints still usable, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.hanabi import Deal, Discard, HintSuit, HintValue, Play, Rules, State, variant_named
from handful.hanabi.measures import (
    Measures,
    best_score,
    best_stacks,
    gotten,
    hints_spent,
    hints_usable,
    least_efficiency,
    measures,
    pace,
    risk_of_discard,
)
from handful.splitmix import SplitMix64
from tests.positions import BLUE, GREEN, RED, arrange

THREE = Rules(players=3)
HANDS = ("r1 r1 y2 g3 b4", "y1 y1 g1 b1 p1", "r2 y3 g4 b5 p5")


def test_a_game_begins_with_deck_plus_players_less_the_maximum_to_spare() -> None:
    # 3 players: 50 − 15 cards to draw, 0 + 35 + 3 − 25 = 13.
    start = measures(State(Deal.from_seed(THREE, 0)))
    assert (start.pace, start.risk, start.best_score) == (13, "low", 25)
    # Nothing gotten, nothing spent. 13 cards can be discarded; 25 − 3 = 22 points come before the last round, enough
    # for four stacks: 8 + 13 + 4 hints.
    assert (start.gotten, start.hints_spent, start.efficiency, start.hints_usable) == (0, 0, None, 25)
    assert start.future_efficiency == 1.0


@pytest.mark.parametrize(
    ("players", "variant", "expected"),
    [
        # maximum / (8 + pace + stacks before the last round), by hand
        (2, "No Variant", 25 / (8 + 17 + 4)),  # 40 cards to draw, 23 points before the end
        (3, "No Variant", 25 / (8 + 13 + 4)),  # 35, 22
        (4, "No Variant", 25 / (8 + 13 + 4)),  # 34, 21
        (5, "No Variant", 25 / (8 + 10 + 4)),  # 30, 20: the fourth stack just so
        (6, "No Variant", 25 / (8 + 13 + 3)),  # 32, 19
        (2, "6 Suits", 30 / (8 + 22 + 5)),  # 50, 28
        (5, "Black (6 Suits)", 30 / (8 + 10 + 5)),  # 35, 25
        (3, "3 Suits", 15 / (8 + 3 + 2)),  # 15, 12
    ],
)
def test_the_least_efficiency_of_a_variant(players: int, variant: str, expected: float) -> None:
    assert least_efficiency(Rules(variant_named(variant), players)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("players", "by_pace"),
    [
        (2, {3: "low", 2: "low", 1: "medium", 0: "none left", -1: "none left"}),  # high if pace < 1
        (3, {3: "low", 2: "medium", 1: "high", 0: "none left"}),  # high if pace < 2
        (5, {5: "low", 4: "medium", 3: "medium", 2: "high", 1: "high", 0: "none left"}),  # high if pace < 3
    ],
)
def test_the_risk_of_a_discard(players: int, by_pace: dict[int, str]) -> None:
    assert {number: risk_of_discard(number, players) for number in by_pace} == by_pace


def test_a_lost_card_lowers_the_best_score_and_raises_the_pace() -> None:
    # The green 3s are gone: green ends at 2. 25 − 3 = 22 points; 35 − 3 cards to draw and no points.
    state = arrange(THREE, ("r1 r1 y2 g1 b4", "y1 y1 g1 b1 p1", "r2 y3 g4 b5 p5"), discards="g3 g3 r4")
    assert best_stacks(state) == (5, 5, 2, 5, 5)
    assert (best_score(state), pace(state)) == (22, 0 + 32 + 3 - 22)


def test_a_stack_that_cannot_be_completed_gives_no_token() -> None:
    # Green ends at 2: 22 points are missing. 19 of them before the last round complete three stacks (15), and the deck
    # of 32 leaves 13 discards: 8 + 13 + 3.
    state = arrange(THREE, ("r1 r1 y2 g1 b4", "y1 y1 g1 b1 p1", "r2 y3 g4 b5 p5"), discards="g3 g3 r4")
    assert hints_usable(state) == 24


def test_the_stacks_that_miss_least_are_completed_first() -> None:
    # Heights 4 4 3 0 0: 14 missing, 11 of them before the last round: 1 + 1 + 2 + 5 complete four stacks. 50 − 11 − 15
    # = 24 cards to draw leave 13 discards. 3 tokens + 13 + 4.
    state = arrange(THREE, ("r1 r1 y2 g3 b4", "y1 y1 g1 b1 p1", "r2 y3 g4 b5 p5"), (4, 4, 3, 0, 0), hints=3)
    assert hints_usable(state) == 20


def test_without_a_bonus_stacks_give_nothing() -> None:
    assert hints_usable(State(Deal.from_seed(Rules(players=3, bonus_hint=False), 0))) == 8 + 13


def test_in_the_last_round_only_tokens_are_left_and_turns_count() -> None:
    hands = ("r5 y5 g5 b5 p5", "r1 y1 g1 b1 p1", "r2 y2 g2 b2 p2")
    state = arrange(THREE, hands, (4, 4, 4, 4, 4), deck="", hints=2)
    assert (pace(state), hints_usable(state)) == (20 + 0 + 3 - 25, 2)
    state.act(Play(0))
    state.act(HintSuit(0, GREEN))
    # One point more, and one turn left of three.
    assert pace(state) == 21 + 0 + 1 - 25


def test_touched_cards_are_gotten_until_hints_say_that_they_are_worthless() -> None:
    state = arrange(THREE, HANDS)
    state.act(HintValue(1, 1))  # all five: y1 y1 g1 b1 p1
    assert (gotten(state), hints_spent(state)) == (5, 1)
    state.act(Play(0))  # y1; five gotten as before: one lies on its stack
    assert gotten(state) == 5
    state.act(Discard(0))  # r2
    state.act(HintSuit(1, 1))  # the second y1: its value and its suit are known, and y1 lies on the stack
    assert gotten(state) == 1 + 3
    assert measures(state).efficiency == 4 / 2


def test_no_more_are_gotten_than_the_best_score() -> None:
    rules = Rules(variant_named("Custom (1 suit, copies 3 1)"), 2, hand_size=1)
    state = State(Deal.from_cards(rules, "r1 r1 r1 r2"))
    state.act(HintValue(1, 1))
    state.act(HintValue(0, 1))  # two touched ones, of two points
    assert (best_score(state), gotten(state)) == (2, 2)


def test_a_strike_costs_a_token() -> None:
    state = arrange(THREE, HANDS)
    assert state.act(Play(2)).is_strike  # y2
    assert hints_spent(state) == 1
    assert measures(state).efficiency == 0


@pytest.mark.parametrize(("hints", "lost"), [(8, 1), (7, 0)])
def test_completing_a_stack_with_all_tokens_there_loses_one(hints: int, lost: int) -> None:
    hands = ("r1 r1 y2 g3 b4", "b5 y1 g1 b1 p1", "r2 y3 g4 r5 p5")
    state = arrange(THREE, hands, (0, 0, 0, 4, 0), hints=hints)
    state.act(Play(0))
    state.act(Play(0))
    assert state.stacks[BLUE] == 5
    assert hints_spent(state) == lost


def test_a_bonus_is_not_lost_where_a_token_was_spent_before() -> None:
    hands = ("b5 r1 y2 g3 b4", "y1 y1 g1 b1 p1", "r2 y3 g4 r5 p5")
    state = arrange(THREE, hands, (0, 0, 0, 4, 0))
    state.act(HintSuit(1, BLUE))
    state.act(Play(0))  # y1
    state.act(HintSuit(0, RED))
    state.act(Play(0))
    assert (state.stacks[BLUE], hints_spent(state)) == (5, 2)


def test_games_without_an_end_or_without_a_limit_have_no_pace_or_hints() -> None:
    endless = measures(State(Deal.from_seed(Rules(players=3, end_of_deck="never"), 0)))
    assert (endless.pace, endless.risk, endless.hints_usable, endless.future_efficiency) == (None, None, None, None)
    assert hints_usable(State(Deal.from_seed(Rules(players=3, max_hints=None), 0))) is None
    assert least_efficiency(Rules(players=3, max_hints=None)) is None


@given(seed=st.integers(0, 1000), players=st.integers(2, 5), turns=st.integers(0, 60))
def test_every_table_knows_the_numbers(seed: int, players: int, turns: int) -> None:
    """They follow from common knowledge alone; the best score never rises, nor does the pace before the last round
    while the best score stays."""
    state, chance = State(Deal.from_seed(Rules(players=players, max_strikes=None), seed)), SplitMix64(seed)
    before: Measures | None = None
    for _ in range(turns):
        if state.is_over:
            break
        now = measures(state)
        assert now == measures(state.common_knowledge()) == measures(state.view(state.current))
        assert now.points <= now.gotten <= now.best_score
        if before is not None:
            assert now.best_score <= before.best_score
            assert now.pace is not None
            assert before.pace is not None
            assert now.pace - before.pace <= before.best_score - now.best_score
        before = now
        actions = state.legal_actions()
        state.act(actions[chance.below(len(actions))])
