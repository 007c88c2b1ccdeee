"""Every variant of hanab.live: kernels and plain rules in lockstep, records and links there and back."""

from __future__ import annotations

import pytest

from handful.hanabi import Deal, Record, Rules, State, link_from_record, read_record, record_from_link, variant_named
from handful.splitmix import SplitMix64
from tests.equivalence.test_kernels import play_in_lockstep
from tests.hanabi.listed import every_code, sample_codes
from tests.players import cautious_player, peeking_player, play_out, random_player

PARTS = 40
OPTIONS = ("deck_plays", "all_or_nothing", "deck_plays, all_or_nothing, empty_hints", "hand_size=4, deck_plays")


def assert_records_round_trip(state: State) -> None:
    record = Record.from_state(state)
    assert read_record(record.to_text()) == record
    if state.rules.variant.live_id is not None and not state.rules.options_text():
        again = record_from_link(link_from_record(record))
        assert (again.deal.deck, again.actions) == (state.deal.deck, record.actions)
        assert again.replay().score == state.score


@pytest.mark.parametrize("code", sample_codes())
def test_a_sample_of_every_modifier(code: str) -> None:
    for players, player in ((2, random_player), (3, peeking_player), (5, cautious_player)):
        play_in_lockstep(Rules(variant_named(code), players), player, games=1)
    assert_records_round_trip(play_out(Deal.from_seed(Rules(variant_named(code), 3), 5), peeking_player, 5))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "code", ["R+Y+G+B+P", "R+Y+G+B+P,UD", "R+Y+G+B,Su", "R+Y+G+B+Or,AC", "R+G+B+Or,TH,CS", "R+G+B,CP"]
)
def test_options_of_hanab_live(code: str, options: str) -> None:
    for players, player in ((2, peeking_player), (6, random_player)):
        play_in_lockstep(Rules(variant_named(code), players).with_options(options), player, games=2)
    rules = Rules(variant_named(code), 4).with_options(options)
    assert_records_round_trip(play_out(Deal.from_seed(rules, 5), peeking_player, 5))


@pytest.mark.full
@pytest.mark.parametrize("part", range(PARTS))
def test_every_variant_in_lockstep(part: int) -> None:
    for number, code in enumerate(every_code()):
        if number % PARTS == part:
            variant = variant_named(code)
            play_in_lockstep(Rules(variant, 2 + number % 5), random_player, games=20)
            play_in_lockstep(Rules(variant, 2 + number % 4), peeking_player, games=2)
            play_in_lockstep(Rules(variant, 2 + number % 3), cautious_player, games=1)


@pytest.mark.full
def test_records_of_every_variant_round_trip() -> None:
    for number, code in enumerate(every_code()):
        rules = Rules(variant_named(code), 2 + number % 5)
        assert_records_round_trip(play_out(Deal.from_seed(rules, 7, number), peeking_player, number))


def test_peeking_players_win_games_of_every_modifier() -> None:
    """High scores are reached, so that the whole of the rules is gone through."""
    for code in ("R+Y+G+B+P,UD", "R+Y+G+B+P,Su", "R+Y+G+B+P:R", "R+Y+G+B+Or", "R+Y+G+B+P,TH", "R+Y+G+B+P,CS"):
        states = [State(Deal.from_seed(Rules(variant_named(code), 3), 1, game)) for game in range(4)]
        for game, state in enumerate(states):
            chance = SplitMix64(game)
            while not state.is_over:
                state.act(peeking_player(state, chance))
        assert sum(state.score >= state.rules.max_score - 1 for state in states) >= 2, code
