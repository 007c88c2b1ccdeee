"""The bots that think: what they may see, what a budget is, and how well they play."""

from __future__ import annotations

import numpy as np
import pytest

from handful.bots import Bot, play_game, player_named
from handful.bots.players import player_of
from handful.bots.protocol import OpenBot
from handful.errors import NotationError, RulesError
from handful.hanabi import VARIANTS, Action, Deal, Rules, State, Variant, View
from handful.hanabi.kernels.bridge import game_from_state, game_from_view
from handful.hanabi.kernels.layout import HIDDEN, rulebook_of
from handful.hanabi.rules import rules_from_text
from handful.lab import simulate
from handful.lab.games import chunks_of, make_plan
from handful.lab.winnable import winnable
from handful.splitmix import SplitMix64
from tests.bots.conformance import assert_blind_to_hidden_cards, assert_blind_to_the_deck, play
from tests.bots.test_table_kernel import assert_tables_agree

THREE = Rules(players=3)


# Play-outs


@pytest.mark.kernel
def test_the_informed_random_player_never_plays_what_the_hints_rule_out() -> None:
    from handful.bots.thinking.playout_kernel import informed_random

    state = State(Deal.from_seed(THREE, 8))
    table, chance = rulebook_of(THREE), np.zeros(6, np.uint64)
    games = game_from_state(state)
    seen = {int(informed_random(games[0], table[0], 0, chance)) for _ in range(400)}
    assert {5, 6, 7, 8, 9} <= seen  # nothing is known: any card may be a 1; with all tokens, none may be discarded
    assert min(seen) == 5
    assert max(seen) >= 10
    value_two = 0b0001000010000100001000010 >> 0
    for slot in (0, 3):
        games[0]["possible"][slot] = value_two  # a 2, of some suit: not playable now
    seen = {int(informed_random(games[0], table[0], 0, chance)) for _ in range(400)}
    assert {6, 7, 9} <= seen
    assert not {5, 8} & seen


@pytest.mark.kernel
def test_montecarlo_looks_at_every_turn_up_to_its_depth() -> None:
    """A card that is known to be playable is worth 1 + 2 + … + D points from the first turn on."""
    from handful.bots.simple.rules_kernel import RULES
    from handful.bots.thinking import thinking_settings
    from handful.bots.thinking.montecarlo_kernel import choose, playout_value
    from handful.bots.thinking.playout_kernel import set_stage

    state = State(Deal.from_seed(THREE, 8))
    games, table = game_from_view(state.view(0)), rulebook_of(THREE)
    ones = sum(1 << 5 * suit for suit in range(5))
    games[0]["possible"][:5] = [THREE.variant.all_mask & ~ones] * 5
    games[0]["possible"][2] = ones
    stage = set_stage(games, 0, table, 0, 0.0, np.zeros(1, RULES)[0])
    stage.rulebooks[0]["max_strikes"] = 1 << 20
    world = np.uint64(3)
    assert playout_value(stage, games, 0, world, 7, 1) == 1.0  # the known 1
    assert playout_value(stage, games, 0, world, 5, 1) == -1.0  # a card that is none
    assert playout_value(stage, games, 0, world, 10, 1) == 0.0  # a hint
    parameters = np.tile(thinking_settings(THREE, "montecarlo", playouts=20, depth=3), (6, 1))
    assert choose(games, 0, table, 0, np.zeros((6, 1), np.int64), parameters, np.ones(6, np.uint64)) == 7
    assert games[0]["turn"] == 0
    assert games[0]["cards"][0] == HIDDEN


@pytest.mark.parametrize("bot", ["montecarlo(playouts=4, depth=3)", "uct(playouts=60)", "cheat(worlds=4)"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_both_tables_play_the_same_games(bot: str, players: int) -> None:
    for variant in ("No Variant", "Pink (6 Suits)"):
        assert_tables_agree(Rules(VARIANTS[variant], players, strike_score="keep"), bot, games=2, repeats=1)


@pytest.mark.kernel
@pytest.mark.parametrize("bot", ["montecarlo(playouts=1, depth=2)", "uct(playouts=3, depth=2)", "cheat(worlds=2)"])
def test_a_short_game_without_a_compiler(bot: str) -> None:
    """Eight cards: a game of a few turns, so that it can be played step by step."""
    rules = Rules(Variant.custom(2, copies=(2, 1, 1)), 2, hand_size=2, max_hints=1, strike_score="keep")
    assert_tables_agree(rules, bot, games=1, repeats=1)


# Budgets


@pytest.mark.parametrize("bot", ["montecarlo(milliseconds=0.2)", "uct(milliseconds=1)"])
def test_a_budget_of_time_gives_legal_games(bot: str) -> None:
    state, _ = play(Rules(players=3, strike_score="keep"), player_named(bot).plain, seed=1)
    assert state.is_over


def test_more_playouts_are_other_games_and_the_same_number_the_same() -> None:
    scores = [simulate(f"uct(playouts={n})", players=3, games=4, seed=9, workers=1).histogram for n in (40, 40, 160)]
    assert scores[0] == scores[1] != scores[2]


def test_settings_that_make_no_sense_are_refused() -> None:
    for text in ("uct(playouts=0)", "montecarlo(depth=0)", "uct(policy=hat)", "cheat(worlds=-1)"):
        with pytest.raises(NotationError, match="expected"):
            player_named(text)


@pytest.mark.parametrize("bot", ["montecarlo(playouts=1, depth=2, policy=rules)", "uct(playouts=2)"])
def test_large_hands_have_room_in_playouts(bot: str) -> None:
    rules = Rules(Variant.custom(2, copies=(20, 2, 2)), 2, hand_size=15, strike_score="keep")
    assert_tables_agree(rules, bot, games=1, repeats=1)


def test_slow_bots_have_small_chunks() -> None:
    """So that the progress bar moves, and an interrupted run loses little."""
    plan = make_plan("uct", 3, "No Variant", "hanab-live")
    assert max(chunk.count for chunk in chunks_of(plan, 100)) <= 4
    assert len(list(chunks_of(make_plan("rules", 3, "No Variant", "hanab-live"), 100))) == 1


# Strength, on few games: the tables of docs/thinking-players.md are the measurement.


def test_uct_is_stronger_than_the_rules_of_thumb_that_it_stands_on() -> None:
    result = simulate("uct(playouts=200)", players=3, games=12, seed=11, workers=1)
    assert result.mean > 19.0  # `rules(reading=text)` has 17.7 on average, with a standard error of 0.5 for 12 games
    assert result.strikeouts == 0


@pytest.mark.full
def test_montecarlo_plays_at_the_published_level() -> None:
    """Bergh et al. 2016, section 4: about 14 on average with 500 play-outs, D = 5."""
    result = simulate("montecarlo", players=3, games=100, seed=12, rules="thesis")
    assert abs(result.mean - 14.0) < 0.7 + 2 * result.sd / 10


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (3, 0.92), (4, 0.92), (5, 0.9)])
def test_open_hands_win_nearly_always(players: int, least: float) -> None:
    assert simulate("cheat(worlds=0)", players=players, games=1000, seed=13, workers=1).perfect > least


# The door


def test_cheat_looks_at_its_hand_but_not_at_the_deck() -> None:
    maker = player_named("cheat(worlds=2)").plain
    with pytest.raises(AssertionError, match="depends on hidden cards"):
        assert_blind_to_hidden_cards(THREE, maker, seed=0)
    for players in (2, 3, 5):
        assert_blind_to_the_deck(Rules(players=players), maker, seed=1)


def test_oracle_looks_at_the_deck() -> None:
    maker = player_named("oracle").plain
    with pytest.raises(AssertionError, match="depends on"):
        assert_blind_to_the_deck(Rules(players=2), maker, seed=1)


@pytest.mark.parametrize("bot", ["cheat", "oracle"])
def test_bots_that_look_further_refuse_a_view(bot: str) -> None:
    seat = player_named(bot).plain(THREE, 0, SplitMix64(0))
    assert isinstance(seat, OpenBot)
    with pytest.raises(RulesError, match=f"'{bot}' looks at more than its view"):
        seat.choose(State(Deal.from_seed(THREE, 0)).view(0))


class Curious(Bot):
    """A bot of somebody's own that would look at the state, if a table showed it one."""

    def choose(self, view: View) -> Action:
        assert type(view) is View
        assert view.cards[self.seat] == ()
        return view.legal_actions()[0]

    def choose_open(self, state: State) -> Action:
        raise AssertionError("a table showed the state to a bot that is given a view")


class Open(OpenBot):
    def choose_open(self, state: State) -> Action:
        return state.legal_actions()[0]


def test_a_bot_of_ones_own_is_shown_its_view_and_no_more() -> None:
    """Even beside one that sees all hands, and if it has the method for which the door is opened to others."""
    seats = [Curious, player_named("cheat(worlds=0)").plain, Curious]
    play_game(Deal.from_seed(THREE, 0), seats, seed=0)
    assert simulate(Curious, players=3, games=2, workers=1).games == 2
    with pytest.raises(RulesError, match="only bots of the register may"):
        player_of(Open)


def test_the_register_says_who_sees_what() -> None:
    from handful.bots import all_bots

    assert {entry.name: entry.sees for entry in all_bots() if entry.sees != "view"} == {
        "cheat": "hands",
        "oracle": "everything",
    }


# The oracle


@pytest.mark.parametrize(("players", "seed"), [(2, 0), (5, 0)])
def test_oracles_win_exactly_the_deals_that_can_be_won(players: int, seed: int) -> None:
    won = simulate("oracle", players=players, games=60, seed=seed, workers=1)
    can_be = winnable(players=players, deals=60, seed=seed, workers=1)
    assert can_be.undecided == 0
    assert won.histogram[-1] == can_be.winnable
    assert won.strikeouts == 0


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_oracles_win_exactly_the_deals_that_can_be_won_at_length(players: int) -> None:
    won = simulate("oracle", players=players, games=1000, seed=1, workers=1)
    assert won.histogram[-1] == winnable(players=players, deals=1000, seed=1, workers=1).winnable


def test_an_oracle_among_others_asks_the_solver_anew() -> None:
    rules = rules_from_text("hanab-live, strike_score=keep", 3)
    deal = Deal.from_seed(rules, 3)
    seats = [player_named(name).plain for name in ("oracle", "rules(reading=text)", "oracle")]
    helped = play_game(deal, seats, seed=3).score
    assert helped > play_game(deal, [player_named("rules(reading=text)").plain] * 3, seed=3).score
