"""Analyses: the turn that lost a game is the one that solving every position finds, with few of them solved."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from handful.hanabi import (
    Deal,
    Discard,
    HintValue,
    Play,
    Record,
    Rules,
    State,
    deal_from_live_seed,
    record_from_link,
    variant_named,
)
from handful.hanabi.live.translation import EndAction
from handful.hanabi.measures import best_score, pace
from handful.playability import Solution
from handful.playability.deals import analysis
from handful.playability.deals.analysis import Analysis, analyse
from handful.playability.deals.solve import solve
from tests.players import cautious_player, peeking_player, play_out

Answer = bool | None


def game(seed: int, players: int = 3, variant: str = "No Variant", is_peeking: bool = False) -> Record:
    deal = Deal.from_seed(Rules(variant_named(variant), players), seed)
    return Record.from_state(play_out(deal, peeking_player if is_peeking else cautious_player, seed))


def answering(answer: Callable[[int], Answer], asked: list[int]) -> Callable[[State, float | None], Solution]:
    """Return a solver that knows the answer after so many turns, and writes down what it is asked."""

    def solve(state: State, _time_limit: float | None) -> Solution:
        turns = len(state.history)
        asked.append(turns)
        return Solution(answer(turns), 0, 25, (), f"after {turns}", "known", 1, 0.0, state.copy())

    return solve


def answers_of(result: Analysis) -> list[Answer]:
    """Return the answers before the first turn, and after each."""
    assert all(
        one.winnable_after is two.winnable_before for one, two in zip(result.turns, result.turns[1:], strict=False)
    )
    return [result.winnable, *[turn.winnable_after for turn in result.turns]]


# The search for the turn


@pytest.mark.parametrize("turns", [0, 1, 2, 9])
def test_every_answer_is_found_that_can_be(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    record = game(1)
    record = replace(record, actions=record.actions[:turns])
    for last_winnable, first_lost in product(range(-1, turns + 1), range(turns + 2)):
        if last_winnable >= first_lost:
            continue
        truth: list[Answer] = [
            True if i <= last_winnable else False if i >= first_lost else None for i in range(turns + 1)
        ]
        asked: list[int] = []
        monkeypatch.setattr(analysis, "solve", answering(truth.__getitem__, asked))
        result = analyse(record)
        assert answers_of(result) == truth
        assert len(asked) == len(set(asked)) == result.solved
        is_clear = first_lost == last_winnable + 1
        assert result.lost_at_turn == (first_lost if is_clear and first_lost <= turns else None)
        assert result.lost_between == (None if is_clear else (last_winnable + 1, min(first_lost, turns)))
        assert result.reason == (f"after {first_lost}" if first_lost <= turns else "")
        assert (result.missed_line is not None) == (0 <= last_winnable < turns)


def test_scattered_undecided_positions_never_make_an_answer_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    record = game(1)
    record = replace(record, actions=record.actions[:6])
    for boundary, is_known in product(range(8), product((True, False), repeat=7)):
        truth = [index < boundary for index in range(7)]
        told: list[Answer] = [each if known else None for each, known in zip(truth, is_known, strict=True)]
        monkeypatch.setattr(analysis, "solve", answering(told.__getitem__, []))
        for answer, true in zip(answers_of(analyse(record)), truth, strict=True):
            assert answer in (true, None)


def test_few_positions_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(analysis, "solve", answering(lambda turns: turns < 23, asked))
    result = analyse(game(1))
    assert len(result.turns) > 60
    assert result.lost_at_turn == 23
    assert len(asked) <= 7


def test_a_game_that_was_won_is_its_own_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(analysis, "solve", answering(lambda _: None, asked))
    result = analyse(game(0, players=2, is_peeking=True))
    assert (result.score, result.verdict, result.lost_at_turn, result.missed_line) == (25, "won", None, None)
    assert set(answers_of(result)) == {True}
    assert not asked


def test_a_line_proves_the_turns_that_go_along_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Deal.from_seed(Rules(players=3), seed=4)
    best = solve(deal)
    state = State(deal)
    for action in best.line[:20]:
        state.act(action)
    while not state.is_over:
        state.act(state.legal_actions()[0])
    asked: list[int] = []

    def along_the_line(position: State, _time_limit: float | None) -> Solution:
        turns = len(position.history)
        asked.append(turns)
        return replace(best, line=best.line[turns:]) if turns <= 20 else replace(best, winnable=False, line=())

    monkeypatch.setattr(analysis, "solve", along_the_line)
    result = analyse(Record.from_state(state))
    assert result.lost_at_turn == 21
    assert len([turns for turns in asked if turns <= 20]) == 1
    assert result.missed_line is not None
    assert result.missed_line.line == best.line[20:]
    assert result.link == f"{best.link()}#21"


# Real games


@pytest.mark.parametrize(
    ("seed", "players", "variant"), [(1, 2, "No Variant"), (3, 3, "Black (6 Suits)"), (5, 6, "6 Suits")]
)
def test_the_turn_is_that_of_solving_every_position(seed: int, players: int, variant: str) -> None:
    record = game(seed, players, variant)
    result = analyse(record)
    assert answers_of(result) == [solve(state).winnable for state in record.states()]
    assert result.lost_at_turn is not None


def test_the_missed_line_wins_from_just_before_the_losing_turn() -> None:
    record = game(1, players=2)
    result = analyse(record)
    assert result.lost_at_turn
    assert result.missed_line is not None
    state = record.replay(result.lost_at_turn - 1)
    for action in result.missed_line.line:
        state.act(action)
    assert state.score == 25
    assert result.link.endswith(f"#{result.lost_at_turn}")
    assert record_from_link(result.link).replay().score == 25
    lost = result.turns[result.lost_at_turn - 1]
    assert (lost.winnable_before, lost.winnable_after) == (True, False)
    assert result.verdict == f"lost on turn {lost.number}: {lost.text}"
    assert result.verdict in repr(result)
    assert "<table>" in result._repr_html_()
    told = json.loads(json.dumps(result.to_dict()))
    assert (told["lost_at_turn"], len(told["turns"]), told["missed_line"]["score"]) == (lost.number, 80, 25)
    assert told["turns"][0]["player"] == 1


def test_a_deal_that_cannot_be_won_says_so() -> None:
    state = State(deal_from_live_seed("p2v0s40"))
    state.act(Play(0))
    result = analyse(Record.from_state(state))
    assert (result.winnable, result.lost_at_turn, result.missed_line) == (False, 0, None)
    assert result.verdict == "the deal cannot be won"
    assert result.reason


def test_the_last_strike_loses_a_game() -> None:
    deal = Deal.from_cards(
        Rules(variant_named("Custom (1 suit, copies 3 2 1)"), 2, hand_size=2, max_strikes=1), "r1 r2 r1 r3 r1 r2"
    )
    state = State(deal)
    state.act(Play(1))
    result = analyse(Record.from_state(state))
    assert (result.winnable, result.lost_at_turn, result.score) == (True, 1, 0)
    assert result.reason == "over: strike 1 ended the game, with 0 of 3 points"


def test_a_record_that_stops_early_is_not_lost() -> None:
    record = game(1, players=3)
    result = analyse(replace(record, actions=record.actions[:2], ends=(EndAction(10, by_vote=True),)))
    assert (result.winnable, result.lost_at_turn, result.ending) == (True, None, "ended by vote")
    assert result.verdict.startswith("not lost")


# Undecided games, in words


@pytest.mark.parametrize(
    ("last_winnable", "first_lost", "words"),
    [
        (2, 5, "lost on one of the turns 3 to 5, undecided which"),
        (-1, 5, "lost by the deal or by turn 5, undecided which"),
        (3, 9, "undecided from turn 4 on"),
        (-1, 9, "undecided from the deal on"),
    ],
)
def test_undecided_is_said(last_winnable: int, first_lost: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record = game(1)

    def answer(turns: int) -> Answer:
        return True if turns <= last_winnable else False if turns >= first_lost else None

    monkeypatch.setattr(analysis, "solve", answering(answer, []))
    result = analyse(replace(record, actions=record.actions[:8]))
    assert result.verdict == words
    assert result.lost_at_turn is None


# Pace


def test_pace_falls_with_discards_and_strikes_and_not_with_hints_and_points() -> None:
    state = State(Deal.from_seed(Rules(players=2), seed=1))
    assert pace(state) == 0 + 40 + 2 - 25
    state.act(HintValue(1, 4))
    assert pace(state) == 17
    state.act(Discard(0))
    assert pace(state) == 16


def test_pace_is_continuous_into_the_last_round_and_falls_in_it() -> None:
    record = game(1, players=2)
    # Against the best score still possible: points that are lost for good need no turns.
    paces = [(pace(state) or 0) + best_score(state) - record.rules.max_score for state in record.states()]
    for before, after, turn in zip(paces, paces[1:], record.replay().history, strict=False):
        is_card, is_last_round = isinstance(turn.action, Play | Discard), record.replay(turn.number - 1).deck_size == 0
        is_point = isinstance(turn.action, Play) and not turn.is_strike
        assert after == before - (not is_point and (is_card or is_last_round))
    assert pace(State(Deal.from_seed(Rules(end_of_deck="never"), seed=1))) is None
