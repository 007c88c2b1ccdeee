"""PettingZoo's own tests, and the game behind its conventions: the plain one, seat by seat."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from handful.bots import Bot, player_named
from handful.bots.protocol import PlainMaker
from handful.bots.table import play_game
from handful.envs.observation import encode
from handful.envs.pettingzoo import HanabiEnv, env, raw_env
from handful.errors import DealError, HandfulError, IllegalActionError, RulesError, UnknownNameError
from handful.hanabi import Action, Deal, Play, Rules, State, Variant, View, action_index
from handful.hanabi.variants import VARIANTS
from handful.splitmix import SplitMix64
from tests.players import peeking_player, random_player

zoo = pytest.importorskip("pettingzoo.test")

TINY = Rules(Variant.custom(1, 5), 2, 2, 3, 1)


def api_test(table: Any, cycles: int) -> None:
    with warnings.catch_warnings():
        # PettingZoo asks for arrays, and makes dicts with action masks its convention for card games.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        zoo.api_test(table, num_cycles=cycles)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pettingzoos_api_test(players: int) -> None:
    api_test(env(players=players), 200)
    api_test(raw_env(players=players), 200)


@pytest.mark.parametrize("name", VARIANTS)
def test_pettingzoos_api_test_in_every_variant(name: str) -> None:
    for players in (2, 3, 4, 5):
        api_test(env(players=players, variant=name), 12)


@pytest.mark.parametrize("settings", [{"partners": {1: "random"}}, {"partners": {0: "rules", 2: "random"}}])
def test_pettingzoos_api_test_with_bots(settings: dict[str, Any]) -> None:
    api_test(env(players=3, **settings), 30)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pettingzoos_seed_test(players: int) -> None:
    zoo.seed_test(lambda: env(players=players), num_cycles=100)


@pytest.mark.full
def test_pettingzoos_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    zoo.performance_benchmark(env())
    assert "turns per second" in capsys.readouterr().out


def step_along(table: HanabiEnv, state: State, player: Any, chance: SplitMix64) -> None:
    """Play a game on both tables, and compare what every agent is told after every turn."""
    while not state.is_over:
        for seat, agent in enumerate(table.possible_agents):
            seen = table.observe(agent)
            assert seen["observation"].tolist() == encode(state.view(seat))
            legal = state.legal_actions() if seat == state.current else []
            assert np.flatnonzero(seen["action_mask"]).tolist() == [action_index(state.rules, seat, a) for a in legal]
        assert table.agent_selection == f"player_{state.current}"
        action, actor, before = player(state, chance), state.current, state.score
        state.act(action)
        table.step(action_index(state.rules, actor, action))
        assert set(table.rewards.values()) == {state.score - before}
    assert all(table.terminations.values())
    assert not any(table.truncations.values())
    assert all(info == {"score": state.score, "ending": state.ending} for info in table.infos.values())
    for _ in table.possible_agents:
        assert table.last()[2]
        table.step(None)
    assert table.agents == []


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_game_is_the_plain_one(players: int) -> None:
    table = raw_env(players=players)
    for seed, player in ((1, random_player), (2, peeking_player)):
        table.reset(seed=seed)
        step_along(table, State(Deal.from_seed(table.rules, seed)), player, SplitMix64(seed))
    table.reset()  # the next deal of the seed
    step_along(table, State(Deal.from_seed(table.rules, 2, 1)), random_player, SplitMix64(0))


def test_a_deck_can_be_chosen() -> None:
    deal = Deal.from_seed(TINY, 12)
    for deck in (deal, deal.text(), list(deal.deck), [tuple(card) for card in deal.deck]):
        table = raw_env(rules=TINY)
        table.reset(options={"deck": deck})
        step_along(table, State(deal), random_player, SplitMix64(0))


def test_a_state_can_be_chosen() -> None:
    state, chance = State(Deal.from_seed(Rules(players=3), 8)), SplitMix64(2)
    for _ in range(25):
        state.act(peeking_player(state, chance))
    table = raw_env(players=3)
    table.reset(options={"state": state})
    assert table.game.history == state.history
    assert table.game is not state
    step_along(table, state.copy(), peeking_player, chance)
    table.reset(options={"state": state})
    assert table.observe(table.agent_selection)["observation"].tolist() == encode(state.view(state.current))


class FirstLegal(Bot):
    """A bot of somebody's own, without a compiled form, which keeps notes."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.turns_seen = 0

    def choose(self, view: View) -> Action:
        assert self.turns_seen == len(view.history)
        return view.legal_actions()[-1]

    def observe(self, _view: View, _turn: Any) -> None:
        self.turns_seen += 1


def test_bots_sit_in_any_seat() -> None:
    """We play seat 1 as its bot would: the game is that of the plain table."""
    makers: list[PlainMaker] = [player_named("rules").plain, player_named("random").plain, FirstLegal]
    for number in range(3):
        game = play_game(Deal.from_seed(Rules(players=3), 5, number), makers, 5, number)
        own = [turn for turn in game.history if turn.actor == 1]
        table = raw_env(players=3, partners={0: "rules", 2: FirstLegal}, seed=5)
        for _ in range(number + 1):
            table.reset()
        assert table.possible_agents == ["player_1"]
        for turn in own:
            table.step(action_index(game.rules, 1, turn.action))
        assert table.game.history == game.history
        assert table.infos["player_1"]["score"] == game.score


def test_bots_know_how_a_chosen_state_came_about() -> None:
    state, chance = State(Deal.from_seed(Rules(players=2), 8)), SplitMix64(2)
    for _ in range(7):
        state.act(peeking_player(state, chance))
    table = raw_env(players=2, partners={1: FirstLegal})
    table.reset(options={"state": state})  # FirstLegal counts the turns
    assert table.game.turn_number == 9


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    table = raw_env()
    table.reset(seed=0)
    for illegal in (0, 99, -1, None):
        with pytest.raises(IllegalActionError, match="is illegal"):
            table.step(illegal)
    wrapped = env()
    wrapped.reset(seed=0)
    wrapped.last()
    wrapped.step(0)
    assert all(wrapped.terminations.values())
    assert wrapped.rewards["player_0"] == -1


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    table = env(render_mode="ansi")
    table.reset(seed=1)
    table.step(5)
    text = table.render()
    assert text.splitlines()[0] == "player_0 misplays a: purple 2, strike 1"
    assert "player_1 p3 y3 g4 r1 p4  to move" in text
    assert capsys.readouterr().out == ""
    human = env(render_mode="human")
    human.reset(seed=1)
    human.step(5)
    assert capsys.readouterr().out.count("stacks") == 2
    assert human.render() is None


def test_nonsense_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="render_mode 'oil'"):
        env(render_mode="oil")
    with pytest.raises(RulesError, match="7 players"):
        env(players=7)
    with pytest.raises(UnknownNameError, match="variant 'Sevens'"):
        env(variant="Sevens")
    table = raw_env()
    for options, complaint in (
        ({"deck": "r1 r1"}, "48 of 50 cards are missing"),
        ({"state": 3}, "option state is a int"),
        ({"state": State(Deal.from_seed(TINY, 0))}, "other rules"),
        ({"deck": "r1", "state": 3}, "both a deck and a state"),
    ):
        with pytest.raises(DealError, match=complaint):
            table.reset(options=options)


class Bold(Bot):
    """Plays the oldest card, whatever it is."""

    def choose(self, _view: View) -> Action:
        return Play(0)


def test_games_that_bots_always_lose_at_once_are_refused() -> None:
    lost = Deal.from_cards(TINY, "r5 r4 r1 r1 r1 r2 r2 r3 r3 r4")
    table = raw_env(rules=TINY, partners={0: Bold})
    with pytest.raises(HandfulError, match="ended 1000 games before anybody else"):
        table.reset(options={"deck": lost})


def test_an_environment_can_be_copied() -> None:
    table = raw_env()
    table.reset(seed=3)
    twin = copy.deepcopy(table)
    twin.step(5)
    assert table.agent_selection == "player_0"


def test_without_pettingzoo_one_line_says_what_is_missing() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None\nimport handful.envs.batched\nimport handful.envs.pettingzoo"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.endswith("HandfulError: handful.envs.pettingzoo needs PettingZoo: pip install 'handful[envs]'")
