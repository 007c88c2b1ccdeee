"""The bot `information`: what is public is the same for all, and true, in every variant; and how strong it is."""

from __future__ import annotations

import numpy as np
import pytest

from handful._records import words_of
from handful.bots import player_named
from handful.bots.hat.notes_kernel import NOTES, notes_of
from handful.bots.seats import CompiledSeat
from handful.bots.table import seat_bots, tell
from handful.bots.table_kernel import CompiledTable
from handful.errors import RulesError
from handful.hanabi import VARIANTS, Action, Deal, HintValue, Play, Rules, State, card_index
from handful.hanabi.kernels.layout import PERFECT, STRIKES
from handful.hanabi.notation import NAMES
from handful.hanabi.rules import rules_from_text
from handful.hanabi.variants import Suit, Variant
from handful.splitmix import SplitMix64
from tests.bots.conformance import assert_blind_to_hidden_cards

INFORMATION = player_named("information")
SUITS_6 = ("6 Suits", "Rainbow (6 Suits)", "Black (6 Suits)")
# What the cards of these cannot be told by every kind of hint: the bot still plays with them.
HARD_TO_TELL = ("White (6 Suits)", "Brown (6 Suits)", "Pink (6 Suits)")


def seats_of(rules: Rules, seed: int) -> list[CompiledSeat]:
    seats = seat_bots(rules, [INFORMATION.plain] * rules.players, seed)
    return [seat for seat in seats if isinstance(seat, CompiledSeat)]


def public_words(seat: CompiledSeat) -> list[int]:
    """Return what the seat thinks that everybody knows."""
    return [int(word) for word in seat._memory[seat.seat, : words_of(NOTES)]]


def assert_seats_agree_on_the_truth(state: State, seats: list[CompiledSeat]) -> None:
    """All seats have decoded the same, and every card is one of those that it can be."""
    rules = state.rules
    public = public_words(seats[0])
    masks = notes_of(seats[0]._memory[seats[0].seat])["masks"]
    for seat in seats[1:]:
        assert public_words(seat) == public, f"turn {state.turn_number}: seat {seat.seat} has decoded something else"
    for player in range(rules.players):
        for slot, card in enumerate(state.hand(player)):
            mask = int(masks[player * rules.hand_size + slot])
            assert mask >> card_index(rules.variant, card) & 1, f"turn {state.turn_number}: {player}'s slot {slot}"


def follow_game(rules: Rules, seed: int) -> State:
    """Return the end of a game in which the seats agreed after every turn."""
    state, seats = State(Deal.from_seed(rules, seed)), seats_of(rules, seed)
    while not state.is_over:
        action = seats[state.current].choose(state.view(state.current))
        assert state.is_legal(action)
        tell(state, seats, state.act(action))
        assert_seats_agree_on_the_truth(state, seats)
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variant", ["No Variant", *SUITS_6, *HARD_TO_TELL, "3 Suits"])
def test_all_seats_decode_the_same_and_it_is_true(variant: str, players: int) -> None:
    state = follow_game(Rules(VARIANTS[variant], players), seed=players)
    assert state.strikes < 3


@pytest.mark.parametrize(
    "rules",
    [
        rules_from_text("thesis", players=3),
        Rules(players=2, hand_size=1),
        Rules(players=3, hand_size=2),
        Rules(players=4, hand_size=6),
        Rules(players=5, hand_size=3, discard_at_max=True),
        Rules(players=3, max_hints=None),
        Rules(players=4, max_hints=1),
        Rules(players=3, end_of_deck="never"),
    ],
    ids=lambda rules: f"{rules.players} players, {rules.options_text()}",
)
def test_other_rules_of_the_game_are_followed(rules: Rules) -> None:
    for seed in range(3):
        follow_game(rules, seed)


@pytest.mark.kernel
def test_seats_agree_also_with_bounds_checked_and_with_the_compiler_off() -> None:
    """A few turns, from the first one on."""
    rules = Rules(VARIANTS["3 Suits"], players=3)
    state, seats = State(Deal.from_seed(rules, 5)), seats_of(rules, 5)
    for _ in range(25):
        tell(state, seats, state.act(seats[state.current].choose(state.view(state.current))))
        assert_seats_agree_on_the_truth(state, seats)


@pytest.mark.parametrize("players", [2, 5])
def test_hidden_cards_change_no_choice(players: int) -> None:
    compared = assert_blind_to_hidden_cards(Rules(VARIANTS["Black (6 Suits)"], players), INFORMATION.plain, players)
    assert compared > 10


def test_whoever_does_not_keep_to_the_code_is_survived() -> None:
    """One player hints at random, as a person might who does not know the code: the others stay within the rules."""
    rules, chance = Rules(players=3, strike_score="keep"), SplitMix64(7)
    for seed in range(5):
        state, seats = State(Deal.from_seed(rules, seed)), seats_of(rules, seed)
        while not state.is_over:
            if state.current == 0:
                careful = [each for each in state.legal_actions() if not isinstance(each, Play)]
                action: Action = careful[chance.below(len(careful))]
            else:
                action = seats[state.current].choose(state.view(state.current))
            assert state.is_legal(action)
            tell(state, seats, state.act(action))


def test_a_seat_may_be_taken_in_the_middle_of_a_game() -> None:
    rules = Rules(players=4)
    state, seats = State(Deal.from_seed(rules, 3)), seats_of(rules, 3)
    for turn in range(40):
        if turn == 20:
            seats = seats_of(rules, 4)
        tell(state, seats, state.act(seats[state.current].choose(state.view(state.current))))
        assert_seats_agree_on_the_truth(state, seats)


def test_too_many_copies_are_refused() -> None:
    variant = Variant("Fours", (Suit("Red", "r", copies=(4, 2, 2, 2, 1)),))
    with pytest.raises(RulesError, match="up to 3 copies"):
        INFORMATION.compile(Rules(variant, players=2))


# How strong it was on 20,000 deals: perfect games, in percent.
STRENGTH = {
    ("No Variant", 2): 24.0,
    ("No Variant", 3): 96.9,
    ("No Variant", 4): 98.1,
    ("No Variant", 5): 97.4,
    ("Rainbow (6 Suits)", 4): 97.0,
    ("Black (6 Suits)", 3): 72.0,
}


@pytest.mark.parametrize(("variant", "players"), STRENGTH)
def test_it_is_as_strong_as_it_was(variant: str, players: int) -> None:
    games = 500
    rules = Rules(VARIANTS[variant], players)
    bot = INFORMATION.compile(rules)
    assert bot is not None
    results = CompiledTable(rules, [bot] * players).play(seed=31, first=0, count=games)
    expected = STRENGTH[variant, players] / 100
    standard_error = (expected * (1 - expected) / games) ** 0.5
    assert abs(np.mean(results.endings == PERFECT) - expected) < 4 * standard_error
    assert np.mean(results.endings == STRIKES) < 0.02


def test_a_hint_is_explained_to_everybody() -> None:
    """The first hint of a game tells each of the others something about the own hand, and what it says is so."""
    rules = Rules(players=4)
    explainer = INFORMATION.explainer(rules, NAMES)
    assert explainer is not None
    state, seats = State(Deal.from_seed(rules, 11)), seats_of(rules, 11)
    sentences = []
    while not state.is_over:
        turn = state.act(seats[state.current].choose(state.view(state.current)))
        sentences.append(explainer.explain(state, turn))
        if turn.number <= 1:
            assert {sentence.split(":")[0] for sentence in sentences[0]} <= {"Bob", "Cathy", "Donald"}
        tell(state, seats, turn)
    assert any("is playable" in words for said in sentences for words in said)
    assert not any(words.startswith("Alice") for words in sentences[0])


def test_words_for_a_hint_that_is_watched() -> None:
    rules = Rules(players=2)
    explainer = INFORMATION.explainer(rules, ("You", "Bob"))
    assert explainer is not None
    state = State(Deal.from_seed(rules, 1))
    value = state.hand(1)[0].value
    for words in explainer.explain(state, state.act(HintValue(1, value))):
        assert words.startswith("Bob: ")
