"""Gin as an environment: the same observation plainly and compiled, nothing hidden in it, PettingZoo's own test."""

from __future__ import annotations

import numpy as np
import pytest

from handful.envs.gin_batched import GinBatchedEnv
from handful.envs.gin_observation import NUM_ACTIONS, OBSERVATION_SIZE, observe, places
from handful.errors import HandfulError, IllegalActionError
from handful.rummy.gin import GinDeal, Round


def test_batches_follow_the_plain_rules() -> None:
    """Every round of a batch, stepped beside the plain one: observation, mask, seat and points are the same."""
    env = GinBatchedEnv(count=8, rules="openspiel", seed=5)
    observations, legal = env.reset()
    numbers = list(range(8))
    games = [Round(GinDeal.from_seed(5, number), env.rules, number & 1) for number in numbers]
    ended = 0
    for _ in range(120):
        for place, game in enumerate(games):
            assert env.seats[place] == game.current
            assert np.flatnonzero(legal[place]).tolist() == game.legal_numbers()
            assert (observations[place] == observe(game.view(game.current))).all()
        actions = env.random_actions()
        observations, rewards, terminated, legal = env.step(actions)
        for place, game in enumerate(games):
            game.act(int(actions[place]))
            assert terminated[place] == game.is_over
            if game.settlement is not None:
                sign = {0: 1, 1: -1, None: 0}[game.settlement.winner]
                assert rewards[place] == sign * game.settlement.points
                numbers[place] += 8
                games[place] = Round(GinDeal.from_seed(5, numbers[place]), env.rules, numbers[place] & 1)
                ended += 1
    assert ended > 5


def test_an_observation_has_nothing_hidden() -> None:
    """Dealing the opponent's hand and the stock anew changes no number."""
    game = Round(GinDeal.from_seed(2))
    other = game.copy()
    other.hands[1], other.stock = set(other.stock[:10]), [*other.hands[1], *other.stock[10:]]
    assert (observe(game.view(0)) == observe(other.view(0))).all()
    hand = observe(game.view(0))[places()["hand"]]
    assert hand.sum() == 10
    assert sum(part.stop - part.start for part in places().values()) == OBSERVATION_SIZE


def test_an_opponent_plays_the_other_seat() -> None:
    env = GinBatchedEnv(count=16, seed=3, opponent="simple")
    env.reset()
    points = 0.0
    for _ in range(60):
        _, rewards, _, _ = env.step(env.random_actions())
        assert (env.seats == 0).all()
        points += float(rewards.sum())
    assert points < 0


def test_what_makes_no_sense_is_refused() -> None:
    env = GinBatchedEnv(count=2)
    with pytest.raises(IllegalActionError, match="reset"):
        env.step([0, 0])
    env.reset()
    with pytest.raises(IllegalActionError, match="round 1"):
        env.step([52, 0])
    with pytest.raises(HandfulError, match="too long"):
        GinBatchedEnv(count=2, opponent="montecarlo")


def test_by_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    from handful.envs import gin_pettingzoo
    from tests.envs.test_pettingzoo import api_test

    api_test(gin_pettingzoo.env(), 80)
    table = gin_pettingzoo.raw_env(opponent="simple")
    table.reset(seed=4)
    chance = np.random.default_rng(1)
    while table.agents:
        observation, _reward, ended, _, _info = table.last()
        mask = observation["action_mask"]
        assert mask.shape == (NUM_ACTIONS,)
        table.step(None if ended else int(chance.choice(np.flatnonzero(mask))))
    assert table.round.is_over
