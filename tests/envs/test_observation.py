"""The observation: OpenSpiel's tensor, bit for bit; the same plain and compiled; blind to hidden cards."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from handful.envs.encoder_kernel import encode as encode_record
from handful.envs.observation import encode, field_named, fields, observation_size
from handful.errors import RulesError
from handful.hanabi import Deal, HintSuit, Play, Rules, State, Variant, variant_named
from handful.hanabi.kernels.batch import Batch
from handful.hanabi.kernels.layout import ENDINGS
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import VARIANTS
from handful.splitmix import SplitMix64
from tests.bots.conformance import redeal_hidden
from tests.envs.lockstep import beside_open_spiel, compiled_vector, open_spiel_game, positions, record_of
from tests.players import PLAYERS

SMALL = (
    Rules(Variant.custom(1, 5), 2, 2, 3, 1),  # Hanabi-Very-Small of Bard et al. 2020
    Rules(Variant.custom(2, 5), 2, 2, 3, 1),  # Hanabi-Small
    Rules(Variant.custom(2, 2), 2, 4, 3, 3),  # the whole deck is dealt
    Rules(Variant.custom(3, 4), 5, 2, 4, 4),
    Rules(Variant.custom(4, 2), 3, 3, 5, 6),
)


def compare_states(rules: Rules, at_least: int) -> set[str | None]:
    """Compare so many states of games by all kinds of players, for every seat, with OpenSpiel's tensor."""
    pyspiel = pytest.importorskip("pyspiel")
    game = open_spiel_game(pyspiel, rules)
    assert game.observation_tensor_shape() == [observation_size(rules)]
    seen, endings = 0, set[str | None]()
    for number in itertools.count():
        for player in PLAYERS:
            for state, other in beside_open_spiel(game, rules, player, number):
                for seat in range(rules.players):
                    theirs = other.observation_tensor(seat)
                    assert encode(state.view(seat)) == theirs
                    assert compiled_vector(state, seat) == theirs
                seen += 1
            endings.add(state.ending)
        if seen >= at_least:
            return endings
    raise AssertionError


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observations_are_open_spiels(players: int) -> None:
    assert compare_states(Rules(players=players), 700) == {"perfect", "strikes", "deck"}


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: f"{rules.variant.name}, {rules.players} players")
def test_small_games_are_open_spiels(rules: Rules) -> None:
    compare_states(rules, 200)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_twenty_thousand_observations_are_open_spiels(players: int) -> None:
    """Every seat in every state, straight from the records: quick, and so many that a rare case would be among them."""
    pyspiel = pytest.importorskip("pyspiel")
    rules, endings = Rules(players=players), Counter[str | None]()
    game, record = open_spiel_game(pyspiel, rules), record_of(rules)
    row = np.zeros(observation_size(rules), np.float32)
    compared = 0
    for number in itertools.count():
        batch, chance, other = Batch.from_seed(rules, 21, 1, number), SplitMix64(number), game.new_initial_state()
        deck, has_regained = iter(batch.decks[0].tolist()), False
        while other.is_chance_node():
            other.apply_action(next(deck))
        while True:
            for seat in range(players):
                encode_record(batch.games, 0, record, seat, has_regained, row)
                assert (row == other.observation_tensor(seat)).all()
            compared += 1
            if batch.is_over[0]:
                break
            action, hints = any_action(batch, other.legal_actions(), chance, number % 3), batch.games["hints"][0]
            batch.act([action])
            has_regained = bool(batch.games["hints"][0] > hints)
            other.apply_action(action)
            if other.is_chance_node():
                other.apply_action(next(deck))
        endings[ENDINGS[batch.games["ending"][0]]] += 1
        if compared >= 20_000:
            break
    assert min(endings["strikes"], endings["deck"], endings["perfect"]) >= 20


def any_action(batch: Batch, legal: list[int], chance: SplitMix64, kind: int) -> int:
    """Return a random action of a player that plays anything (0), peeks at its cards (1) or never plays (2)."""
    game, size = batch.games[0], batch.rules.hand_size
    if kind == 0:
        return chance.choice(legal)
    seat = int(game["current"])
    cards = [int(game["cards"][order]) for order in game["orders"][seat * size :][: game["lengths"][seat]]]
    plays = [size + slot for slot, card in enumerate(cards) if game["stacks"][card // 5] == card % 5]
    if kind == 1 and plays:
        return plays[0]
    others = [action for action in legal if not size <= action < 2 * size]
    # With open cards, what is worthless goes first; otherwise the last copies are lost and no game is perfect.
    needless = [slot for slot, card in enumerate(cards) if game["stacks"][card // 5] > card % 5 and slot in legal]
    hints = [action for action in legal if action >= 2 * size]
    return chance.choice(needless or hints or others or legal) if kind == 1 else chance.choice(others or legal)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_plain_and_compiled_agree_in_every_variant(name: str, players: int) -> None:
    rules = Rules(variant_named(name), players)
    for state in positions(rules, 1):
        if state.turn_number % 3 == 0 or state.is_over:
            for seat in range(players):
                assert compiled_vector(state, seat) == encode(state.view(seat))


@pytest.mark.kernel
@pytest.mark.parametrize("options", ["bonus_hint=no", "thesis", "end_of_deck=never", "hand_size=2, max_strikes=1"])
def test_plain_and_compiled_agree_under_options(options: str) -> None:
    rules = rules_from_text(options, 2, Variant.custom(2, 3))
    for state in positions(rules, 1, max_turns=30):
        for seat in range(2):
            assert compiled_vector(state, seat) == encode(state.view(seat))


@pytest.mark.parametrize("name", ["No Variant", "Rainbow (6 Suits)"])
def test_what_a_player_cannot_see_does_not_matter(name: str) -> None:
    chance, different = SplitMix64(5), 0
    for state in positions(Rules(variant_named(name), 3), 2):
        if not state.is_over:  # afterwards the cards of the last turn need not be what was seen
            other = redeal_hidden(state, state.current, chance)
            different += other.hand(state.current) != state.hand(state.current)
            assert compiled_vector(other, state.current) == compiled_vector(state, state.current)
    assert different > 50


def test_a_rainbow_card_keeps_every_hint_that_touched_it() -> None:
    rules = Rules(variant_named("Rainbow (5 Suits)"), 2)
    rainbow = rules.variant.num_suits - 1
    deals = (Deal.from_seed(rules, 0, number) for number in itertools.count())
    state = next(state for state in map(State, deals) if state.hand(1)[-1].suit == rainbow)
    state.act(HintSuit(1, 0))
    state.act(Play(0))
    state.act(HintSuit(1, 1))
    slot = rules.hand_size - 2  # one place older than it was
    knowledge = field_named(rules, "knowledge")
    types, suits, values = rules.variant.num_types, rules.variant.num_suits, rules.variant.num_values
    told = encode(state.view(1))[knowledge.start + slot * (types + suits + values) + types :][: suits + values]
    assert told == [1, 1, 0, 0, 0] + [0] * values


def test_fields_follow_one_another_and_cover_everything() -> None:
    for players in range(2, 7):
        places = [place for field in fields(Rules(players=players)) for place in range(field.start, field.stop)]
        assert places == list(range(observation_size(Rules(players=players))))


@pytest.mark.parametrize("option", ["max_hints", "max_strikes"])
def test_games_without_limits_are_refused(option: str) -> None:
    with pytest.raises(RulesError, match=f"{option} is none"):
        fields(Rules().with_options(f"{option}=none"))
