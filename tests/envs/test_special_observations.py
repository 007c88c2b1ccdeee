"""Observations of games that are not played as usual: both encoders, and what the variant hides is not in them."""

from __future__ import annotations

import numpy as np
import pytest

from handful.envs.batched import BatchedEnv
from handful.envs.observation import encode, fields, observation_size
from handful.envs.steps_kernel import observe_one, tables_from_states
from handful.envs.words import decode, describe
from handful.hanabi import Deal, Rules, State, action_index, variant_named
from handful.splitmix import SplitMix64
from tests.hanabi.listed import sample_codes
from tests.players import PLAYERS


def sampled_states(rules: Rules, seed: int) -> list[State]:
    """Some positions of a game of each player, the last one among them."""
    found = []
    for number, player in enumerate(PLAYERS):
        state, chance = State(Deal.from_seed(rules, seed, number)), SplitMix64(number)
        while not state.is_over:
            if state.turn_number % 9 == 2:
                found.append(state.copy())
            state.act(player(state, chance))
        found.append(state)
    return found


@pytest.mark.parametrize("code", [*sample_codes()[::4], "R+Y+G+B+Or,TH", "R+Y+G+B+P,CP", "R+G+B,Du", "R+Y+G+B+P,CS"])
def test_both_encoders_agree(code: str) -> None:
    assert_encoders_agree(Rules(variant_named(code), 3))


@pytest.mark.parametrize("code", ["R+Y+G+B+P", "R+Y+G+B+P+T,UD"])
@pytest.mark.parametrize("options", ["deck_plays", "all_or_nothing, deck_plays", "hand_size=4", "hand_size=2"])
def test_options_and_six_players(code: str, options: str) -> None:
    rules = Rules(variant_named(code), 6).with_options(options)
    assert_encoders_agree(rules)
    env = BatchedEnv(4, players=6, variant=code, seed=1, rules=options)
    env.reset()
    assert sum(env.step(env.random_actions())[2].sum() for _ in range(40))
    assert env.rules == rules


def assert_encoders_agree(rules: Rules) -> None:
    row, legal = np.full(observation_size(rules), 9, np.uint8), np.zeros(rules.num_actions, np.uint8)
    for state in sampled_states(rules, 5):
        tables = tables_from_states([state])
        for seat in range(rules.players):
            observe_one(tables, seat, row, legal)
            assert list(row) == encode(state.view(seat)), (state, seat)
            if seat == state.current:
                actions = {action_index(rules, seat, action) for action in state.legal_actions()}
                assert actions == {number for number in range(rules.num_actions) if legal[number]}
        assert describe(rules, row)


def test_nothing_of_the_hole_is_seen() -> None:
    for state in sampled_states(Rules(variant_named("R+Y+G+B,TH"), 2), 1):
        seen = decode(state.rules, encode(state.view(state.current)))
        if not state.is_over:
            assert (seen.stacks, seen.strikes) == ((0, 0, 0, 0), 0)
            assert sum(seen.discards) == len(state.view(0).discards)


@pytest.mark.parametrize("code", ["R+Y+G+B+P,UD", "R+Y+G+B,Su", "R+Y+G+B+Or,TH", "R+G+B,Du"])
def test_environments_play_them(code: str) -> None:
    env = BatchedEnv(4, players=3, variant=code, seed=1, rules="strike_score=keep")
    observations, _legal = env.reset()
    ended = 0
    for _ in range(30):
        observations, _rewards, terminated, _legal = env.step(env.random_actions())
        ended += terminated.sum()
    assert ended
    assert fields(env.rules)[-1].stop == observations.shape[1]
