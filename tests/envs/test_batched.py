"""Many games at once are the same games as one by one: rules, observations, rewards, bots."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence

import numpy as np
import pytest

from handful.bots import Bot, player_named
from handful.bots.table import seat_bots, tell
from handful.envs.batched import BatchedEnv
from handful.envs.observation import encode
from handful.envs.rewards import Reward
from handful.errors import DealError, HandfulError, IllegalActionError, RulesError, UnknownNameError
from handful.hanabi import Deal, Rules, State, Variant, action_at, action_index, variant_named
from handful.hanabi.variants import VARIANTS
from handful.lab.games import Chunk, make_plan, play_chunk
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, peeking_player

TINY = Rules(Variant.custom(1, 5), 2, 2, 3, 1)


def reachable(state: State) -> int:
    variant, left = state.rules.variant, state.common_knowledge().copies_left
    best = 0
    for suit, height in enumerate(state.stacks):
        while height < variant.num_values and left[suit * variant.num_values + height]:
            height += 1
        best += height
    return best


def follow(env: BatchedEnv, steps: int, player: int) -> int:
    """Step an environment beside plain games, and compare everything; return how many games ended."""
    rules, count = env.rules, env.count
    numbers = list(range(count))
    states = [State(Deal.from_seed(rules, env.seed, number)) for number in numbers]
    chances = [SplitMix64(number) for number in numbers]
    observations, legal = env.reset()
    ended = 0
    for _ in range(steps):
        for g, state in enumerate(states):
            assert observations[g].tolist() == encode(state.view(state.current))
            expected = [action_index(rules, state.current, action) for action in state.legal_actions()]
            assert np.flatnonzero(legal[g]).tolist() == expected
            assert env.seats[g] == state.current
        chosen = [PLAYERS[player](state, chance) for state, chance in zip(states, chances, strict=True)]
        before = [state.score for state in states]
        for state, action in zip(states, chosen, strict=True):
            state.act(action)
        actions = [action_index(rules, state.history[-1].actor, state.history[-1].action) for state in states]
        observations, rewards, terminated, legal = env.step(actions)
        assert rewards.tolist() == [state.score - was for state, was in zip(states, before, strict=True)]
        assert terminated.tolist() == [state.is_over for state in states]
        for g, state in enumerate(states):
            if state.is_over:
                assert env.scores[g] == state.score
                ended += 1
                numbers[g] += count
                states[g] = State(Deal.from_seed(rules, env.seed, numbers[g]))
    return ended


@pytest.mark.parametrize("player", range(3))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_are_the_plain_ones(players: int, player: int) -> None:
    assert follow(BatchedEnv(3, players, seed=5), 90, player) >= 2


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant(name: str) -> None:
    follow(BatchedEnv(2, 3, name), 15, 1)


@pytest.mark.kernel
def test_tiny_games_are_the_plain_ones() -> None:
    assert follow(BatchedEnv(3, rules=TINY), 12, 0) > 0


def test_the_type_of_numbers_can_be_chosen() -> None:
    small, large = BatchedEnv(4, rules=TINY), BatchedEnv(4, rules=TINY, dtype=np.float32)
    for ours, theirs in zip(small.reset(), large.reset(), strict=True):
        assert (ours == theirs).all()
    assert large.reset()[0].dtype == np.float32


def test_nothing_is_copied() -> None:
    env = BatchedEnv(4, rules=TINY)
    observations, _ = env.reset()
    after = env.step(env.random_actions())[0]
    assert after is observations


def test_rewards() -> None:
    weights = {"score": Reward(score=1), "perfect": Reward(perfect=1), "shaped": Reward(0, 0, 1, -0.5, -0.2)}
    for name, reward in weights.items():
        env, state = BatchedEnv(1, reward=name, seed=3), State(Deal.from_seed(Rules(), 3))
        same = BatchedEnv(1, reward=reward, seed=3)
        env.reset()
        same.reset()
        chance, total = SplitMix64(1), 0.0
        while not state.is_over:
            was = (state.points, state.strikes, reachable(state))
            action = peeking_player(state, chance) if chance.below(9) else chance.choice(state.legal_actions())
            number = action_index(state.rules, state.current, action)
            state.act(action)
            given = env.step([number])[1][0]
            assert given == same.step([number])[1][0]
            shaped = state.points - was[0] - 0.5 * (state.strikes - was[1]) - 0.2 * (was[2] - reachable(state))
            if name == "shaped":
                assert given == pytest.approx(shaped)
            total += given
        assert name == "shaped" or total == (state.score if name == "score" else state.ending == "perfect")


def test_a_lost_game_gives_its_points_back() -> None:
    env = BatchedEnv(50, seed=1)
    env.reset()
    total, games = np.zeros(50), 0
    for _ in range(100):
        _, rewards, terminated, _ = env.step(env.random_actions())
        total += rewards
        assert (total[terminated] == env.scores[terminated]).all()
        total[terminated] = 0
        games += int(terminated.sum())
    assert games > 100


def test_a_perfect_game_is_worth_one() -> None:
    rules = Rules(Variant.custom(1, 2), 2, 2)
    env = BatchedEnv(20, rules=rules, reward="perfect")
    env.reset()
    for _ in range(50):
        _, rewards, _, _ = env.step(env.random_actions())
        assert ((rewards == 1) == ((env.scores == 2) & (rewards != 0))).all()


# Chosen deals and states


def test_chosen_deals_are_played_again_and_again() -> None:
    deals = [Deal.from_seed(TINY, 99, number) for number in range(3)]
    env = BatchedEnv(5, rules=TINY)
    first = env.reset(deals=deals)[0].copy()
    expected = [encode(State(deals[g % 3]).view(0)) for g in range(5)]
    assert first.tolist() == expected
    ended = 0
    for _ in range(60):
        observations, _, terminated, _ = env.step(env.random_actions())
        assert (observations[terminated] == first[terminated]).all()
        ended += int(terminated.sum())
    assert ended > 10
    env.reset()
    assert env.reset()[0].tolist() != first.tolist()


def test_games_start_from_a_state_in_the_middle() -> None:
    state, chance = State(Deal.from_seed(Rules(players=3), 8)), SplitMix64(2)
    for _ in range(30):
        state.act(peeking_player(state, chance))
    env = BatchedEnv(2, 3)
    observations, _ = env.reset(states=[state])
    assert observations[1].tolist() == encode(state.view(state.current))
    other = state.copy()
    action = peeking_player(other, chance)
    number = action_index(other.rules, other.current, action)
    other.act(action)
    assert env.step([number, number])[0][0].tolist() == encode(other.view(other.current))


# Bots


class Shy(Bot):
    """Has no compiled form."""

    def choose(self, view):  # type: ignore[no-untyped-def]
        return view.legal_actions()[0]


@pytest.mark.parametrize(
    ("bots", "seat"),
    [(("rules", "random"), 1), (("rules", "random"), 0), (("random", "recommendation", "rules", "recommendation"), 0)],
)
def test_bots_play_as_at_the_plain_table(bots: Sequence[str], seat: int) -> None:
    """We play one seat of a table as its bot would; the other bots must do what they do there."""
    env = BatchedEnv(1, len(bots), partners={s: bot for s, bot in enumerate(bots) if s != seat}, seed=4)
    makers = [player_named(bot).plain for bot in bots]
    observations, _ = env.reset()
    for number in range(4):
        state, table = State(Deal.from_seed(env.rules, 4, number)), seat_bots(env.rules, makers, 4, number)
        let_others_move(state, table, seat)
        while not state.is_over:
            before = state.score
            assert env.seats[0] == seat
            assert observations[0].tolist() == encode(state.view(seat))
            action = table[seat].choose(state.view(seat))
            tell(state, table, state.act(action))
            let_others_move(state, table, seat)
            observations, rewards, terminated, _ = env.step([action_index(env.rules, seat, action)])
            assert (rewards[0], terminated[0]) == (state.score - before, state.is_over)
        assert env.scores[0] == state.score


def let_others_move(state: State, table: Sequence[Bot], seat: int) -> None:
    while not state.is_over and state.current != seat:
        tell(state, table, state.act(table[state.current].choose(state.view(state.current))))


def test_bots_in_all_other_seats_play_the_labs_games() -> None:
    """Seat 0 copies what the bot `random` does there: the scores are those of `lab.simulate`."""
    plan = make_plan("random", 3, "No Variant", "hanab-live", seed=6)
    scores = play_chunk(plan, Chunk(0, 30)).scores.tolist()
    env = BatchedEnv(30, 3, partners={1: "random", 2: "random"}, seed=6)
    _, legal = env.reset()
    chances = [SplitMix64(6, 1, number, 0, 0) for number in range(30)]
    found: dict[int, int] = {}
    while len(found) < 30:
        actions = [chance.choice(np.flatnonzero(row).tolist()) for chance, row in zip(chances, legal, strict=True)]
        _, _, terminated, legal = env.step(actions)
        for g in np.flatnonzero(terminated):
            found.setdefault(int(g), int(env.scores[g]))
    assert [found[g] for g in range(30)] == scores


def test_bots_that_take_notes_know_how_a_state_came_about() -> None:
    rules = Rules(players=4)
    state = State(Deal.from_seed(rules, 2))
    table = seat_bots(rules, [player_named("recommendation").plain] * 4, 2)
    for _ in range(9):
        tell(state, table, state.act(table[state.current].choose(state.view(state.current))))
    seat = state.current
    env = BatchedEnv(1, 4, partners={s: "recommendation" for s in range(4) if s != seat})
    env.reset(states=[state])
    for _ in range(5):
        assert not state.is_over
        action = table[seat].choose(state.view(seat))
        tell(state, table, state.act(action))
        let_others_move(state, table, seat)
        observations = env.step([action_index(rules, seat, action)])[0]
        assert observations[0].tolist() == encode(state.view(seat))


def test_games_that_bots_lose_at_once_are_passed_over() -> None:
    rules = Rules(Variant.custom(1, 5), 5, 2, 3, 1)
    env = BatchedEnv(20, rules=rules, partners=dict.fromkeys(range(4), "random"))
    env.reset()
    for _ in range(30):
        env.step(env.random_actions())
        assert (env.seats == 4).all()
        assert (env.games["ending"] == 0).all()


@pytest.mark.kernel
def test_bots_in_a_tiny_game() -> None:
    env = BatchedEnv(2, rules=TINY, partners={0: "random"}, reward="shaped")
    env.reset()
    for _ in range(6):
        _, rewards, _, legal = env.step(env.random_actions())
        assert (env.seats == 1).all()
        assert legal.any(axis=1).all()
        assert (np.abs(rewards) <= 6).all()


# What is refused


def test_nonsense_is_refused() -> None:
    env = BatchedEnv(2, rules=TINY)
    with pytest.raises(IllegalActionError, match="expected reset"):
        env.step([0, 0])
    env.reset()
    with pytest.raises(IllegalActionError, match=r"actions of shape \(3,\): expected \(2,\)"):
        env.step([0, 0, 0])
    before = env.games.copy()
    play = action_index(TINY, 0, action_at(TINY, 0, 2))
    for illegal in (0, -1, 99):  # no discard while all hints are there
        with pytest.raises(IllegalActionError, match=f"game 1: action number {illegal} is illegal"):
            env.step([play, illegal])
    assert (env.games == before).all()
    with pytest.raises(HandfulError, match="count=0"):
        BatchedEnv(0)
    with pytest.raises(UnknownNameError, match="reward 'fame'"):
        BatchedEnv(1, reward="fame")
    with pytest.raises(RulesError, match="bots in all 2 seats"):
        BatchedEnv(1, partners={0: "random", 1: "random"})
    for bot in ("cheat", "oracle"):
        with pytest.raises(
            RulesError, match=f"the bot '{bot}' sees .*: expected a partner that plays by what the game"
        ):
            BatchedEnv(2, 2, partners={0: bot})
    with pytest.raises(RulesError, match="a bot in seat 2: expected seats 0 to 1"):
        BatchedEnv(1, partners={2: "random"})
    with pytest.raises(HandfulError, match="Shy has no compiled form"):
        BatchedEnv(1, partners={1: Shy})
    with pytest.raises(RulesError, match="max_hints is none"):
        BatchedEnv(1, rules="max_hints=none")
    with pytest.raises(DealError, match="other rules"):
        env.reset(deals=[Deal.from_seed(Rules(players=3), 0)])
    with pytest.raises(DealError, match="both deals and states"):
        env.reset(deals=[], states=[])
    with pytest.raises(DealError, match="expected one at least"):
        env.reset(states=[])
    with pytest.raises(DealError, match="seed -1"):
        env.reset(seed=-1)


def test_environments_can_be_copied_and_sent_elsewhere() -> None:
    env = BatchedEnv(3, 2, variant_named("3 Suits"), seed=2)
    env.reset()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        actions = env.random_actions().copy()
        twin = copy.deepcopy(env)
        assert (other.step(actions)[0] == twin.step(actions)[0]).all()
