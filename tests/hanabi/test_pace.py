"""The pace inside kernels, against the plain formula, on every turn of games at random."""

from __future__ import annotations

import pytest

from handful.hanabi import Deal, Rules, State
from handful.hanabi.kernels.bridge import game_from_state
from handful.hanabi.kernels.game import pace
from handful.hanabi.kernels.layout import rulebook_of
from handful.splitmix import SplitMix64


@pytest.mark.kernel
@pytest.mark.parametrize("players", [2, 5])
def test_pace_is_turns_less_missing_points(players: int) -> None:
    rules = Rules(players=players, strike_score="keep", max_strikes=None)
    state, chance, last_turns = State(Deal.from_seed(rules, 7)), SplitMix64(7), 0
    while not state.is_over:
        turns = state.turns_left
        last_turns += turns is not None
        if turns is None:
            turns = state.deck_size + players
        expected = turns - (rules.max_score - state.points)
        assert pace(game_from_state(state)[0], rulebook_of(rules)[0]) == expected
        actions = state.legal_actions()
        state.act(actions[chance.below(len(actions))])
    assert last_turns == players
