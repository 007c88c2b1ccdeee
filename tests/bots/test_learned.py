"""The bot `learned`: its network as plain NumPy has it, inputs, honest choices, strength; and how it is learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.learn_two_players import chances_of, forward, gradients_of, log_loss, main, new_layers

from handful._records import words_of
from handful.bots import player_named
from handful.bots.learned import is_usual, parameters_for
from handful.bots.learned import weights as weights_file
from handful.bots.learned.weights import CHECKSUM, FILE, checksum_of, read_layers, words_of_layers, write_layers
from handful.bots.seats import CompiledSeat
from handful.bots.table import play_game, seat_bots, tell
from handful.bots.table_kernel import CompiledTable
from handful.errors import HandfulError
from handful.hanabi import VARIANTS, Action, Card, Deal, HintSuit, Rules, State, card_index, rules_from_text

TWO = Rules(players=2)


def notes_of(seat: CompiledSeat) -> Any:
    from handful.bots.conventions.notes_kernel import NOTES

    return seat._memory[seat.seat, : words_of(NOTES)].view(NOTES)[0]


# The network.


@pytest.mark.kernel
def test_the_network_is_what_plain_numpy_makes_of_it() -> None:
    """Whatever was summed up before: only the inputs that have changed are added."""
    from handful.bots.learned.features_kernel import INPUTS
    from handful.bots.learned.network_kernel import add_changes, log_odds, network_in

    layers = new_layers(3, (16, 8))
    network = network_in(words_of_layers(layers))
    chance = np.random.default_rng(1)
    before, sums, deeper = np.zeros(INPUTS, np.float32), layers[0][-1].copy(), np.zeros(8, np.float32)
    for _ in range(4):
        inputs = (chance.random(INPUTS) * (chance.random(INPUTS) < 0.3)).astype(np.float32)
        add_changes(network, inputs, before, sums)
        assert np.array_equal(before, inputs)
        expected = float(forward(layers, inputs[None])[-1][0, 0])
        assert log_odds(network, sums, deeper) == pytest.approx(expected, abs=1e-3)


def test_gradients_are_slopes() -> None:
    layers = [layer.astype(np.float64) for layer in new_layers(5, (6, 4))]
    chance = np.random.default_rng(2)
    inputs, targets = chance.random((9, len(layers[0]) - 1)), chance.random(9)

    def loss() -> float:
        return log_loss(chances_of(forward(layers, inputs)[-1]), targets)  # type: ignore[arg-type]

    gradients = gradients_of(layers, inputs, targets)  # type: ignore[arg-type]
    for layer, gradient in zip(layers, gradients, strict=True):
        for place in ((0, 0), (len(layer) - 1, layer.shape[1] - 1)):
            here = loss()
            layer[place] += 1e-5
            slope = (loss() - here) / 1e-5
            layer[place] -= 1e-5
            assert gradient[place] == pytest.approx(slope, abs=1e-4)


def test_the_network_of_the_package_is_the_one_that_belongs_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checksum_of(read_layers(FILE)) == CHECKSUM
    assert FILE.stat().st_size < 200_000
    layers = read_layers(FILE)
    layers[0][0, 0] += 0.5
    write_layers(tmp_path / "other.npz", layers)
    monkeypatch.setattr(weights_file, "FILE", tmp_path / "other.npz")
    weights_file.shipped_words.cache_clear()
    with pytest.raises(HandfulError, match="not the network that belongs"):
        weights_file.shipped_words()
    monkeypatch.undo()
    weights_file.shipped_words.cache_clear()


# What goes in.


def inputs_after(state: State) -> tuple[npt.NDArray[np.float32], bool]:
    """Return the inputs after the last turn, from what lies open, and whether no two suits are sorted as equals."""
    from handful.bots.conventions.conventions_kernel import note_view
    from handful.bots.conventions.notes_kernel import PAPER, begin
    from handful.bots.learned.features_kernel import INPUTS, SUITS, describe, suit_key
    from handful.hanabi.kernels.bridge import game_from_state
    from handful.hanabi.kernels.layout import rulebook_of

    game, rulebook, paper = game_from_state(state)[0], rulebook_of(state.rules)[0], np.zeros(1, PAPER)[0]
    inputs, places = np.full(INPUTS, 9.0, np.float32), np.zeros(SUITS, np.int64)
    begin(game, rulebook, paper)
    mover = int(game["last_actor"])
    note_view(game, rulebook, paper, mover)
    describe(game, rulebook, paper, mover, places, inputs)
    assert sorted(places.tolist()) == list(range(SUITS))
    return inputs, len({suit_key(game, suit) for suit in range(SUITS)}) == SUITS


def test_inputs_are_shares_and_the_same_in_all_suits() -> None:
    """The same game with its suits exchanged looks the same, but where suits cannot be told apart by their stacks."""
    compared = 0
    for seed in range(3):
        deal = Deal.from_seed(TWO, seed)
        other = Deal(TWO, tuple(Card((card.suit + 2) % 5, card.value) for card in deal.deck))
        states = State(deal), State(other)
        bots = seat_bots(TWO, [player_named("conventions").plain] * 2, seed)
        while not states[0].is_over:
            action = bots[states[0].current].choose(states[0].view(states[0].current))
            swapped: Action = action
            if isinstance(action, HintSuit):
                swapped = HintSuit(action.player, (action.suit + 2) % 5)
            tell(states[0], bots, states[0].act(action))
            states[1].act(swapped)
            first, is_clear = inputs_after(states[0])
            assert first.min() >= 0.0
            assert first.max() <= 1.0
            if is_clear:
                assert np.allclose(first, inputs_after(states[1])[0], atol=1e-6)
                compared += 1
    assert compared > 30


# The bot.


def test_it_keeps_to_the_conventions() -> None:
    """Seats of `conventions` that watch its games read every turn as it does, and what they read is true."""
    others = 0
    for seed in range(3):
        state = State(Deal.from_seed(TWO, seed))
        seats, habits = (
            [seat for seat in seat_bots(TWO, [player_named(name).plain] * 2, seed) if isinstance(seat, CompiledSeat)]
            for name in ("learned", "conventions")
        )
        while not state.is_over:
            view = state.view(state.current)
            action = seats[state.current].choose(view)
            others += action != habits[state.current].choose(view)
            turn = state.act(action)
            tell(state, seats, turn)
            tell(state, habits, turn)
            masks = notes_of(seats[0])["masks"]
            for seat in (seats[1], *habits):
                assert np.array_equal(notes_of(seat)["masks"], masks)
            for player in range(2):
                for slot, card in enumerate(state.hand(player)):
                    assert int(masks[player, slot]) >> card_index(TWO.variant, card) & 1
    assert others > 20


def test_games_that_the_network_does_not_know_are_played_as_conventions_plays_them() -> None:
    assert is_usual(TWO)
    assert is_usual(Rules(players=2, strike_score="keep"))
    others = (Rules(VARIANTS["6 Suits"], 2), Rules(players=2, hand_size=4), rules_from_text("thesis", 2))
    assert not any(is_usual(rules) for rules in others)
    for rules in others:
        state, other = (
            play_game(Deal.from_seed(rules, 4), [player_named(name).plain] * 2) for name in ("learned", "conventions")
        )
        assert state.history == other.history


def test_it_is_stronger_than_the_score_alone_and_one_candidate_is_the_score_alone() -> None:
    scores = []
    for name, games in (("learned", 600), ("conventions", 600), ("learned(candidates=1)", 100)):
        bot = player_named(name).compile(TWO)
        assert bot is not None
        scores.append(CompiledTable(TWO, [bot] * 2).play(seed=90, first=0, count=games).scores)
    assert np.mean(scores[0] == 25) > np.mean(scores[1] == 25) + 0.04
    assert np.array_equal(scores[2], scores[1][:100])


# Learning.


def test_targets_are_what_came_of_the_games() -> None:
    from handful.bots.learned.features_kernel import INPUTS
    from handful.bots.learned.self_play_kernel import Plan, Samples, generate
    from handful.hanabi.kernels.layout import rulebook_of

    row = parameters_for(TWO, words_of_layers(new_layers(1)), candidates=1)
    played = []
    for first, games in ((0, 20), (10, 10)):
        samples = Samples(np.zeros((9000, INPUTS), np.uint8), np.zeros(9000, np.float32), np.zeros(4, np.int64))
        generate(rulebook_of(TWO), row, Plan(1, first, games, 2, 8, 20.0, 1.0, 0.5, 1.0), samples)
        played.append(samples)
    whole, half = played
    count = int(half.counts[3])
    assert whole.counts[0] == 20
    assert whole.counts[2] > 20
    assert set(np.unique(whole.targets[: whole.counts[3]])) == {0.0, 1.0}
    # A game is a function of the seed and its number, whatever was played before it.
    end = int(whole.counts[3])
    assert np.array_equal(whole.inputs[end - count : end], half.inputs[:count])
    assert np.array_equal(whole.targets[end - count : end], half.targets[:count])


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for folder, runs in (("whole", ("2,1",)), ("parts", ("2", "2,1"))):
        for parts in runs:
            main([str(tmp_path / folder), "--parts", parts, "--games", "8"])
        told.append(capsys.readouterr().out.splitlines()[-1])
        if folder == "parts":
            assert not list((tmp_path / folder).glob("*.tmp"))
    assert told[0] == told[1]
    assert (tmp_path / "parts" / "log.txt").read_text().count("round 0, part 0") == 1
