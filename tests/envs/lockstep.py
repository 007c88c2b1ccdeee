"""Games for tests of observations: what each seat sees, by our two encoders, and by OpenSpiel's in the same game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from handful.envs.encoder_kernel import encode as encode_record
from handful.envs.observation import observation_size
from handful.hanabi import Deal, Rules, State, action_index, card_index
from handful.hanabi.kernels.bridge import game_from_state
from handful.hanabi.kernels.layout import rulebook_of
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, Player


def positions(rules: Rules, num_games: int, seed: int = 7, max_turns: int = 200) -> Iterator[State]:
    """Yield every position of so many games of each of the players of `tests.players`."""
    for player in PLAYERS:
        for number in range(num_games):
            state, chance = State(Deal.from_seed(rules, seed, number)), SplitMix64(number)
            yield state
            while not state.is_over and state.turn_number <= max_turns:
                state.act(player(state, chance))
                yield state


record_of = cache(rulebook_of)


def compiled_vector(state: State, seat: int) -> list[int]:
    """Return the observation of a seat, from a record that never had the cards of that seat or of the deck."""
    row = np.full(observation_size(state.rules), 9, np.uint8)  # whatever was there before must go
    has_regained = bool(state.history) and (state.hints or 0) > hints_before(state)
    encode_record(game_from_state(state), 0, record_of(state.rules), seat, has_regained, row)
    return [int(bit) for bit in row]


def hints_before(state: State) -> int:
    before = state.copy()
    before.undo()
    assert before.hints is not None
    return before.hints


def open_spiel_game(pyspiel: Any, rules: Rules) -> Any:
    return pyspiel.load_game(
        "hanabi",
        {
            "players": rules.players,
            "colors": rules.variant.num_suits,
            "ranks": rules.variant.num_values,
            "hand_size": rules.hand_size,
            "max_information_tokens": rules.max_hints,
            "max_life_tokens": rules.max_strikes,
        },
    )


def beside_open_spiel(game: Any, rules: Rules, player: Player, number: int) -> Iterator[tuple[State, Any]]:
    """Yield every position of a game, ours and OpenSpiel's, which is fed the same deck and the same actions."""
    deal = Deal.from_seed(rules, 11, number)
    state, chance, other = State(deal), SplitMix64(number), game.new_initial_state()
    deck = iter([card_index(rules.variant, card) for card in deal.deck])
    while other.is_chance_node():
        other.apply_action(next(deck))
    yield state, other
    while not state.is_over:
        action, actor = player(state, chance), state.current
        state.act(action)
        other.apply_action(action_index(rules, actor, action))
        if other.is_chance_node():
            other.apply_action(next(deck))
        yield state, other
