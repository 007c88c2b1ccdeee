"""Bergh 2015, section 5, decided; and Theorems 3.7 to 3.9 and 3.39, through the real engine."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handful.errors import RulesError
from handful.hanabi import Card, Deal, Discard, HintValue, Play, Rules, State
from handful.playability import count_playable, count_sequences, play_sequence
from handful.playability.sequences.line import SequenceLine
from handful.playability.sequences.theorems import (
    conjectured_permutations,
    is_playable_permutation,
    merged_rules,
    playable_permutations,
)
from tests.playability.open_games import deck_rules, engine_can_win, open_game_can_win
from tests.playability.test_counting import all_sequences, decks

FREE = {"max_hints": None, "end_of_deck": "never"}


@st.composite
def small_decks(draw: st.DrawFn, most_cards: int = 7) -> tuple[Card, ...]:
    """A shuffled deck of one or two suits, every card at least once."""
    suits, values = draw(st.sampled_from([(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (2, 3), (3, 2)]))
    cards = [Card(suit, value) for suit in range(suits) for value in range(1, values + 1)]
    more = draw(st.lists(st.sampled_from(cards), max_size=max(0, most_cards - len(cards))))
    return tuple(draw(st.permutations(cards + more)))


class TestConjecture51:
    def test_it_is_false_from_the_smallest_case_on(self) -> None:
        """k = 2, m = 1: two orders are conjectured, but of 1 2 and 2 1 only the first can be played."""
        assert conjectured_permutations(2, 1) == 2
        playable = [order for order in permutations((1, 2)) if play_sequence(order, 1, end_of_deck="never").playable]
        assert playable == [(1, 2)]
        assert playable_permutations(2, 1) == 1

    def test_it_is_false_for_every_k_above_m(self) -> None:
        for k in range(1, 12):
            for m in range(1, k + 1):
                assert (conjectured_permutations(k, m) == playable_permutations(k, m)) == (k == m)

    @pytest.mark.parametrize("k", range(1, 7))
    def test_the_corrected_formula_by_looking_at_every_order(self, k: int) -> None:
        for m in range(1, k + 1):
            orders = list(permutations(range(1, k + 1)))
            playable = [order for order in orders if play_sequence(order, m, end_of_deck="never").playable]
            assert playable == [order for order in orders if is_playable_permutation(order, m)]
            assert len(playable) == playable_permutations(k, m) == factorial(m) * m ** (k - m)

    def test_the_corrected_formula_by_counting_positions(self) -> None:
        for k in range(1, 10):
            for m in range(1, k + 1):
                assert count_sequences((1,) * k, m, end_of_deck="never").playable == playable_permutations(k, m)

    def test_with_one_last_turn_nothing_but_a_hand_of_one_can_play(self) -> None:
        """k cards must be played in k − m + 1 turns."""
        for k in range(2, 7):
            assert [count_sequences((1,) * k, m).playable for m in range(1, k + 1)] == [1] + [0] * (k - 1)

    def test_fewer_values_than_cards_in_the_hand(self) -> None:
        assert playable_permutations(3, 5) == 6
        with pytest.raises(RulesError, match="at least as many values"):
            conjectured_permutations(3, 5)


class TestConjecture52:
    @pytest.mark.parametrize("players", [1, 2, 3, 4])
    def test_it_is_true_for_every_sequence_of_up_to_four_cards(self, players: int) -> None:
        compare_all(players, most_cards=4)

    @pytest.mark.full
    @pytest.mark.parametrize(("players", "most_cards"), [(2, 6), (3, 5), (4, 5)])
    def test_it_is_true_for_every_sequence_of_up_to_six_cards(self, players: int, most_cards: int) -> None:
        compare_all(players, most_cards)

    @given(small_decks(), st.integers(1, 3), st.integers(1, 3))
    @settings(max_examples=60, deadline=None)
    def test_it_is_true_for_hands_of_any_size_and_several_suits(
        self, cards: tuple[Card, ...], players: int, hand: int
    ) -> None:
        if players * hand <= len(cards):
            assert_same_if_free(cards, players, hand)

    @given(small_decks(most_cards=9), st.integers(2, 4), st.integers(1, 3))
    @settings(max_examples=100, deadline=None)
    def test_the_proof_runs(self, cards: tuple[Card, ...], players: int, hand: int) -> None:
        """A line of the single player is a line of the players: whose card it is not, passes."""
        if players * hand <= len(cards):
            line = play_sequence(cards, players * hand, end_of_deck="never")
            if line.playable:
                assert shared_game(line, players, hand).ending == "perfect"

    def test_it_is_false_if_the_deck_ends_the_single_players_game(self) -> None:
        """The smallest case: two players with the cards 1 and 2."""
        cards = [Card(0, 1), Card(0, 2)]
        assert engine_can_win(deck_rules(cards, players=2, hand_size=1, **FREE), cards)
        assert engine_can_win(deck_rules(cards, players=2, hand_size=1, max_hints=None), cards)
        assert not engine_can_win(deck_rules(cards, players=1, hand_size=2), cards)
        assert not play_sequence([1, 2], 2).playable
        assert play_sequence([1, 2], 2, end_of_deck="never").playable

    def test_other_rules_are_refused(self) -> None:
        with pytest.raises(RulesError, match="expected max_hints=none"):
            merged_rules(Rules(players=3))


def compare_all(players: int, most_cards: int) -> None:
    """Every sequence of every deck of one suit, with hands of one card."""
    for copies in decks(most_cards, most_values=most_cards):
        if sum(copies) >= players:
            for sequence in all_sequences(copies):
                assert_same_if_free([Card(0, value) for value in sequence], players, 1)


def assert_same_if_free(cards: list[Card] | tuple[Card, ...], players: int, hand: int) -> None:
    rules = deck_rules(cards, players=players, hand_size=hand, **FREE)
    alone = merged_rules(rules)
    answer = engine_can_win(rules, cards)
    assert answer == engine_can_win(alone, cards)
    assert answer == play_sequence(cards, players * hand, end_of_deck="never").playable


def shared_game(line: SequenceLine, players: int, hand: int) -> State:
    """The game of several players that follows the line of a single player with all their cards."""
    rules = deck_rules(line.cards, players=players, hand_size=hand, **FREE)
    state = State(Deal(rules, line.cards))
    for step in line.steps:
        while step.place - 1 not in [held.order for held in state.hands[state.current]]:
            state.act(HintValue((state.current + 1) % players, 1))  # a pass
        slot = [held.order for held in state.hands[state.current]].index(step.place - 1)
        state.act(Play(slot) if step.action == "play" else Discard(slot))
    return state


class TestOpenGames:
    @given(small_decks(most_cards=6), st.integers(2, 3), st.integers(1, 2), st.integers(0, 2), st.integers(1, 2))
    @settings(max_examples=150, deadline=None)
    def test_theorem_3_7_a_game_is_playable_if_its_open_game_is(
        self, cards: tuple[Card, ...], players: int, hand: int, hints: int, strikes: int
    ) -> None:
        if players * hand <= len(cards):
            rules = deck_rules(cards, players=players, hand_size=hand, max_hints=hints, max_strikes=strikes)
            assert engine_can_win(rules, cards) == open_game_can_win(cards, players, hand, hints, strikes)

    @given(small_decks(), st.integers(1, 3), st.integers(1, 3))
    @settings(max_examples=150, deadline=None)
    def test_theorem_3_8_and_corollary_3_9_passes_do_not_help_a_single_player(
        self, cards: tuple[Card, ...], hand: int, passes: int
    ) -> None:
        if hand <= len(cards):
            without = open_game_can_win(cards, 1, hand, 0)
            assert open_game_can_win(cards, 1, hand, passes) == without
            assert engine_can_win(deck_rules(cards, players=1, hand_size=hand), cards) == without
            assert play_sequence(cards, hand).playable == without

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_theorem_3_39_hands_of_one_card_without_passes(self, players: int) -> None:
        for copies in decks(most_cards=5, most_values=4):
            if sum(copies) >= players:
                playable = 0
                for sequence in all_sequences(copies):
                    cards = [Card(0, value) for value in sequence]
                    rules = deck_rules(cards, players=players, hand_size=1, max_hints=0)
                    answer = engine_can_win(rules, cards)
                    assert answer == play_sequence(sequence, 1).playable
                    playable += answer
                assert playable == count_playable(copies)

    def test_example_3_38(self) -> None:
        cards = [Card(0, value) for value in (4, 3, 2, 1, 1, 1, 1, 1)]
        assert not engine_can_win(deck_rules(cards, players=2, hand_size=2, max_hints=0), cards)
        assert engine_can_win(deck_rules(cards, players=2, hand_size=2, max_hints=None), cards)
        assert not open_game_can_win(cards, 2, 2, passes=0)
        assert open_game_can_win(cards, 2, 2, passes=20)
