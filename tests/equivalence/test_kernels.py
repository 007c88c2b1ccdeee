"""The kernels beside the plain rules, in lockstep: the same record after every action, in every variant."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from handful.errors import IllegalActionError, RulesError
from handful.hanabi import VARIANTS, Deal, Rules, State, Variant, action_at, action_index
from handful.hanabi.kernels.batch import Batch, random_games
from handful.hanabi.kernels.bridge import game_from_state, game_from_view
from handful.hanabi.kernels.layout import HIDDEN, rulebook_of
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, Player, peeking_player

OPTIONS = (
    "",
    "empty_hints, discard_at_max, bonus_hint=no",
    "strike_score=keep, max_strikes=none, max_hints=2",
    "strike_score=keep-on-last-turn, max_hints=0",
    "end_of_deck=never, max_hints=3",
    "end_of_deck=never, empty_hints, max_strikes=50",
    "max_hints=none, max_strikes=1",
)


def assert_same(batch: Batch, states: list[State], over_before: list[bool] | None = None) -> None:
    """Compare everything: the record, the legal actions, the score, the end. Games over before have been compared."""
    masks, scores = batch.legal_masks(), batch.scores()
    for g, state in enumerate(states):
        if over_before is not None and over_before[g]:
            continue
        ours, plain = batch.games[g].copy(), game_from_state(state)[0]
        players, size = state.rules.players, state.rules.hand_size
        held = [p * size + slot for p in range(players) for slot in range(state.hand_length(p))]
        is_held = np.zeros(len(ours["orders"]), bool)
        is_held[held] = True
        for each in (ours, plain):
            # What lies behind the end of a hand was there before, and counts for nothing.
            for name in ("possible", "touched", "orders"):
                each[name][~is_held] = 0
        for name in ours.dtype.names if ours.tobytes() != plain.tobytes() else ():
            if name in ("possible", "touched", "orders"):
                assert list(ours[name][held]) == list(plain[name][held]), (name, state)
            else:
                assert np.array_equal(ours[name], plain[name]), (name, state)
        numbers = [action_index(state.rules, state.current, action) for action in state.legal_actions()]
        assert masks[g] == sum(1 << number for number in numbers)
        assert scores[g] == state.score


def play_in_lockstep(rules: Rules, player: Player, games: int, max_turns: int = 300) -> Counter[str | None]:
    """Play the same games by both, comparing after every turn; return how they ended."""
    batch = Batch.from_seed(rules, seed=9, count=games)
    states = [State(Deal.from_seed(rules, 9, game)) for game in range(games)]
    chances = [SplitMix64(game) for game in range(games)]
    assert_same(batch, states)
    for _ in range(max_turns):
        if batch.is_over.all():
            break
        numbers, over_before = [], [state.is_over for state in states]
        for state, chance in zip(states, chances, strict=True):
            numbers.append(0)
            if not state.is_over:
                actor, action = state.current, player(state, chance)
                numbers[-1] = action_index(rules, actor, action)
                state.act(action)
        batch.act(numbers)
        assert_same(batch, states, over_before)
    return Counter(state.ending for state in states)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.__name__)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant(variant: str, player: Player) -> None:
    for players in range(2, 6):
        play_in_lockstep(Rules(VARIANTS[variant], players), player, games=2)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("players", [1, 2, 3, 6])
def test_every_option(options: str, players: int) -> None:
    rules = Rules(VARIANTS["No Variant"], players).with_options(options)
    for player in PLAYERS:
        play_in_lockstep(rules, player, games=2)


@pytest.mark.kernel
@pytest.mark.parametrize("options", OPTIONS)
def test_small_games(options: str) -> None:
    rules = Rules(Variant.custom(2, copies=(2, 2, 1)), 2, 2).with_options(options)
    endings: Counter[str | None] = Counter()
    for player in PLAYERS:
        endings += play_in_lockstep(rules, player, games=4, max_turns=60)
    assert sum(endings.values()) == 12


@pytest.mark.kernel
def test_the_whole_deck_may_be_dealt() -> None:
    endings = play_in_lockstep(Rules(Variant.custom(2, copies=(2, 2)), 2, 4), peeking_player, games=4)
    assert endings["perfect"] + endings["deck"] == 4


def test_peeking_players_finish_games_and_cautious_ones_exhaust_the_deck() -> None:
    rules = Rules(players=3)
    assert play_in_lockstep(rules, PLAYERS[1], games=10)["perfect"] >= 8
    assert play_in_lockstep(rules, PLAYERS[2], games=10)["deck"] == 10


def test_a_batch_goes_on_from_the_middle() -> None:
    rules = Rules(players=3)
    states = [State(Deal.from_seed(rules, 4, game)) for game in range(5)]
    chance = SplitMix64(1)
    for state in states:
        for _ in range(20):
            state.act(peeking_player(state, chance))
    batch = Batch.from_states(states)
    assert_same(batch, states)
    while not batch.is_over.all():
        numbers = [0 if s.is_over else action_index(rules, s.current, peeking_player(s, chance)) for s in states]
        for state, number in zip(states, numbers, strict=True):
            if not state.is_over:
                state.act(action_at(rules, state.current, number))
        batch.act(numbers)
        assert_same(batch, states)


@pytest.mark.kernel
def test_a_view_hides_the_own_cards_and_the_deck() -> None:
    state = State(Deal.from_seed(Rules(players=3), 1))
    for player in range(3):
        game = game_from_view(state.view(player))[0]
        own = game["orders"][player * 5 : player * 5 + 5]
        assert (game["cards"][own] == HIDDEN).all()
        assert (game["cards"][15:] == HIDDEN).all()
        assert game["hintable"][player] == 0
        assert (game["cards"][:15] != HIDDEN).sum() == 10


@pytest.mark.kernel
def test_an_illegal_action_changes_no_game() -> None:
    batch = Batch.from_seed(Rules(players=2), seed=0, count=3)
    before = batch.games.copy()
    for wrong in (0, -1, 20, 10**9):  # a discard with eight hints, and no actions at all
        with pytest.raises(IllegalActionError, match="game 1"):
            batch.act([5, wrong, 5])
        assert (batch.games == before).all()
    with pytest.raises(IllegalActionError, match="shape"):
        batch.act([5, 5])


def test_random_games_are_the_same_however_they_are_split() -> None:
    rules = Rules(players=4, strike_score="keep")
    whole, turns = random_games(rules, seed=3, count=100)
    head, head_turns = random_games(rules, seed=3, count=30)
    tail, tail_turns = random_games(rules, seed=3, count=70, first=30)
    assert list(whole) == [*head, *tail]
    assert turns == head_turns + tail_turns
    assert whole.max() > 0


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(Variant.custom(7), 2), "70 cards in the deck"),
        (Rules(Variant.custom(2, copies=(1,) * 32), 2), "64 different cards"),
        (Rules(Variant.custom(5), 6, 6), "36 cards in all hands"),
    ],
)
def test_games_too_large_for_the_records_are_refused(rules: Rules, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        rulebook_of(rules)
