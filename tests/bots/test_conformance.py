"""Every bot of the register passes the conformance test; a bot that peeks fails it."""

from __future__ import annotations

import pickle

import pytest

from handful.bots import Bot, player_named
from handful.errors import NotationError, UnknownNameError
from handful.hanabi import VARIANTS, Action, Play, Rules, State, View, card_index
from handful.hanabi.worth import playable_mask
from handful.splitmix import SplitMix64
from tests.bots.budgets import entry_of, quick_bots
from tests.bots.conformance import assert_blind_to_hidden_cards, assert_legal_and_repeatable

BOTS = quick_bots()
VARIED = ("Rainbow (6 Suits)", "White (6 Suits)", "Brown (6 Suits)", "3 Suits")


def tables_of(bot: str) -> list[Rules]:
    """The games in which a bot is tested: every number of players that it plays with, and some variants."""
    players = entry_of(bot).players or (2, 3, 4, 5)
    usual = 3 if 3 in players else players[0]
    return [Rules(players=number) for number in players] + [Rules(VARIANTS[name], usual) for name in VARIED]


@pytest.mark.parametrize("bot", BOTS)
def test_bots_are_legal_and_repeatable(bot: str) -> None:
    for seed, rules in enumerate(tables_of(bot)):
        assert_legal_and_repeatable(rules, player_named(bot).plain, seed)


@pytest.mark.parametrize("bot", [bot for bot in BOTS if entry_of(bot).sees == "view"])
def test_bots_are_blind_to_hidden_cards(bot: str) -> None:
    player = player_named(bot)
    compared = sum(assert_blind_to_hidden_cards(rules, player.plain, 100 + i) for i, rules in enumerate(tables_of(bot)))
    assert compared > 30


class Spy(Bot):
    """A cheat that knows the state, by way of a hole in the wall: it plays a playable own card."""

    state: State

    def choose(self, view: View) -> Action:
        variant = self.rules.variant
        playable = playable_mask(variant, view.stacks)
        for slot, card in enumerate(type(self).state.hand(self.seat)):
            if playable >> card_index(variant, card) & 1:
                return Play(slot)
        return view.legal_actions()[-1]


def test_a_bot_that_peeks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    view_of = State.view

    def leaky_view(state: State, player: int) -> View:
        Spy.state = state
        return view_of(state, player)

    monkeypatch.setattr(State, "view", leaky_view)
    with pytest.raises(AssertionError, match="depends on hidden cards"):
        assert_blind_to_hidden_cards(Rules(players=3), Spy, seed=0)


@pytest.mark.parametrize("bot", BOTS)
def test_players_can_be_sent_to_another_process(bot: str) -> None:
    player = pickle.loads(pickle.dumps(player_named(bot)))
    assert player == player_named(bot)
    assert isinstance(player.plain(tables_of(bot)[0], 0, SplitMix64(0)), Bot)


def test_names_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'random'"):
        player_named("randm")
    with pytest.raises(UnknownNameError, match="setting of the bot 'random' 'speed'"):
        player_named("random(speed=3)")
    with pytest.raises(NotationError, match="expected a name"):
        player_named("random(")
