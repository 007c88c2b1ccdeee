"""(k, m)-playability: the examples and results of Bergh 2015, sections 3.1 to 3.6, and decks that are larger."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handful.errors import DealError, HandfulError, RulesError
from handful.hanabi import Card, Deal, Discard, Play, Rules, State, Variant
from handful.hanabi.cards import sorted_deck
from handful.lab.sequences import sample_sequences
from handful.playability import count_playable, count_sequences, count_total, play_sequence, solve
from handful.playability.sequences.counting import MISPRINTS, published_rows, published_table, total_fraction
from handful.playability.sequences.line import SequenceLine
from tests.playability.open_games import printed_algorithm, single_player_can_win
from tests.playability.test_counting import all_sequences, decks


def one_suit(values: tuple[int, ...]) -> list[Card]:
    return [Card(0, value) for value in values]


class TestExamples:
    """The worked examples; 2.15 is among the tests of knowledge, 3.16 and 3.19 of counting, 3.38 of conjectures."""

    def test_example_3_2(self) -> None:
        """All fives and fours on top: two full hands of cards that must not be discarded."""
        top = [Card(suit, 5) for suit in range(5)] + [Card(suit, 4) for suit in range(5) for _ in range(2)]
        assert solve(with_on_top(Rules(players=2), top)).winnable is False

    @pytest.mark.parametrize("players", [2, 3, 4, 5])
    def test_example_3_3(self, players: int) -> None:
        """All ones at the bottom: at most 14 + p cards can be played."""
        ones = [Card(suit, 1) for suit in range(5) for _ in range(3)]
        rest = [card for card in sorted_deck(Rules().variant) if card.value > 1]
        found = solve(Deal.from_cards(Rules(players=players), rest + ones))
        assert found.winnable is False
        assert found.score <= 14 + players

    def test_example_3_11(self) -> None:
        line = play_sequence((4, 3, 2, 1, 1, 1, 1), hand=4)
        assert [(step.action, step.card.value) for step in line.steps] == [("play", value) for value in (1, 2, 3, 4)]
        assert line.steps[2].kept == (1, 5, 6)
        assert not play_sequence((4, 3, 2, 1, 1, 1, 1), hand=1).playable

    def test_example_3_12(self) -> None:
        assert play_sequence((1, 2, 3, 4), hand=1).playable
        assert not play_sequence((1, 2, 3, 4), hand=4).playable
        assert [play_sequence((1, 2, 3, 4), hand=4, points=points).playable for points in (1, 2)] == [True, False]

    def test_example_3_30(self) -> None:
        """Not playable, as printed. But with the 4 and then the 2 kept the first 1 of (1, −1, −1) is not missing."""
        sequence = (4, 2, 3, 1, 3, 2, 1, 1)
        assert not play_sequence(sequence, hand=2, points=4).playable
        assert not printed_algorithm([(value, 1) for value in sequence], 4, 2)
        assert play_sequence(sequence, hand=2, points=3).playable

    def test_example_3_37(self) -> None:
        """(4, 2)-playable, as printed; even all six points can be made."""
        sequence = ((2, 1), (1, 1), (3, 2), (1, 2), (3, 1), (2, 2), (1, 1))
        cards = [Card(suit - 1, value) for value, suit in sequence]
        line = play_sequence(cards, hand=2, points=4)
        assert line.playable
        assert printed_algorithm(sequence, 4, 2)
        assert play_sequence(cards, hand=2).points == 6
        assert play_sequence(cards, hand=2).playable


def with_on_top(rules: Rules, top: list[Card]) -> Deal:
    rest = sorted_deck(rules.variant)
    for card in top:
        rest.remove(card)
    return Deal.from_cards(rules, [*top, *rest])


class TestAppendixA:
    def test_all_630_fractions(self) -> None:
        table = published_table()
        assert sum(len(row) for _, row in table) == 630
        for published, row in table:
            for found in row:
                assert round(found.fraction, 4) == Fraction(str(published.fractions[found.hand])), found
        words = sum(each[0].total for _, each in table)
        assert words == 5103000  # sequences of length 10 in which each of five values comes: 5! · S(10, 5)
        assert 0 < total_fraction(found for _, row in table for found in row) < 1

    def test_the_misprints_differ_from_what_is_printed_and_nothing_else_does(self) -> None:
        wrong = {
            (row.copies, hand): row.fractions[hand]
            for row in published_rows()
            for hand in row.printed
            if row.printed[hand] != row.fractions[hand]
        }
        assert wrong == MISPRINTS

    def test_the_first_misprint_breaks_the_symmetry(self) -> None:
        """Lemma 3.21: (1, 2, 1, 4, 2) must have what all other rows with these copies have."""
        printed = {row.printed[1] for row in published_rows() if sorted(row.copies) == [1, 1, 2, 2, 4]}
        assert printed == {0.0559, 0.0560}
        assert count_sequences((1, 2, 1, 4, 2), 1).fraction == Fraction(2114, 37800)

    def test_the_second_misprint_by_looking_at_every_sequence(self) -> None:
        """28384 of the 75600 sequences of (1, 2, 2, 3, 2) can be played with two cards: 0.37545 less 3 · 10⁻⁷."""
        every = all_sequences_of_ten((1, 2, 2, 3, 2))
        playable = sum(printed_algorithm([(value, 1) for value in each], 5, 2) for each in every)
        assert (playable, len(every)) == (28384, 75600)
        assert round(playable / len(every), 4) == 0.3754

    def test_result_3_31_which_deck_is_best(self) -> None:
        """(3, 2, 2, 2, 1) has the largest fraction for hands of 3, 4 and 5; for 1 and 2, two copies of each."""
        best = {hand: max(published_rows(), key=lambda row: row.fractions[hand]).copies for hand in range(1, 6)}
        classic, twos = (3, 2, 2, 2, 1), (2, 2, 2, 2, 2)
        assert best == {1: twos, 2: twos, 3: classic, 4: classic, 5: classic}


def all_sequences_of_ten(copies: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All sequences, built card by card: ten cards have too many permutations."""
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), copies)]
    for _ in range(sum(copies)):
        found = [
            ((*begun, value + 1), (*left[:value], left[value] - 1, *left[value + 1 :]))
            for begun, left in found
            for value in range(len(left))
            if left[value]
        ]
    return [sequence for sequence, _ in found]


class TestTryingEverything:
    def test_every_deck_of_up_to_seven_cards_by_the_printed_algorithm(self) -> None:
        for copies in decks(most_cards=7, most_values=7):
            every = all_sequences_of_ten(copies)
            for hand in range(1, min(4, sum(copies)) + 1):
                playable = sum(printed_algorithm([(v, 1) for v in each], len(copies), hand) for each in every)
                assert count_sequences(copies, hand).playable == playable, (copies, hand)

    def test_every_deck_of_up_to_five_cards(self) -> None:
        compare_with_everything(5)

    @pytest.mark.full
    def test_every_deck_of_up_to_seven_cards(self) -> None:
        compare_with_everything(7)

    @pytest.mark.parametrize(("suits", "copies"), [(2, (1, 1)), (2, (2, 1)), (3, (1, 1)), (2, (1, 1, 1)), (3, (2,))])
    def test_several_suits(self, suits: int, copies: tuple[int, ...]) -> None:
        cards = [Card(s, v) for s in range(suits) for v, number in enumerate(copies, start=1) for _ in range(number)]
        every = set(permutations(cards))
        points = suits * len(copies)
        for hand in range(1, 5):
            for endless in (False, True):
                playable = sum(single_player_can_win(each, hand, points, endless) for each in every)
                found = count_sequences(copies, hand, suits, "never" if endless else "last-round")
                assert (found.playable, found.total) == (playable, len(every))

    @given(st.data(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 9))
    @settings(max_examples=300, deadline=None)
    def test_one_sequence(self, data: st.DataObject, suits: int, values: int, length: int) -> None:
        """Any cards, any points: missing values, too. The line is replayed."""
        card = st.builds(Card, st.integers(0, suits - 1), st.integers(1, values))
        cards = data.draw(st.lists(card, min_size=length, max_size=length))
        hand = data.draw(st.integers(1, min(4, length)))
        points = data.draw(st.integers(1, suits * values))
        for endless in (False, True):
            line = play_sequence(cards, hand, points, "never" if endless else "last-round")
            assert line.playable == single_player_can_win(cards, hand, points, endless)
            assert not line.playable or points_of(line) >= points
        assert printed_algorithm([(card.value, card.suit) for card in cards], points, hand) == (
            play_sequence(cards, hand, points).playable
        )


def compare_with_everything(most_cards: int) -> None:
    for copies in decks(most_cards=most_cards, most_values=most_cards):
        every = all_sequences_of_ten(copies)
        for hand in range(1, min(4, sum(copies)) + 1):
            for endless in (False, True):
                rule = "never" if endless else "last-round"
                playable = 0
                for each in every:
                    answer = single_player_can_win(one_suit(each), hand, len(copies), endless)
                    assert play_sequence(each, hand, end_of_deck=rule).playable == answer  # type: ignore[arg-type]
                    playable += answer
                found = count_sequences(copies, hand, end_of_deck=rule)  # type: ignore[arg-type]
                assert found.playable == playable, (copies, hand, rule)


def points_of(line: SequenceLine) -> int:
    """Carry out a line by the book: the hand, what is drawn, one card a turn."""
    hand, drawn = set(range(1, line.hand + 1)), line.hand
    heights: dict[int, int] = {}
    for number, step in enumerate(line.steps, start=1):
        assert (step.turn, line.cards[step.place - 1]) == (number, step.card)
        hand.remove(step.place)
        assert hand == set(step.kept)
        if step.action == "play":
            assert heights.get(step.card.suit, 0) == step.card.value - 1
            heights[step.card.suit] = step.card.value
        if drawn < len(line.cards):
            drawn += 1
            hand.add(drawn)
    turns = len(line.cards) if line.end_of_deck == "never" else len(line.cards) - line.hand + 1
    assert len(line.steps) <= turns
    return sum(heights.values())


def test_a_line_wins_by_the_plain_rules() -> None:
    rules = Rules(Variant.custom(2, copies=(3, 2, 2, 1)), players=1, hand_size=3)
    won = 0
    for game in range(40):
        deal = Deal.from_seed(rules, 4, game)
        line = play_sequence(deal.deck, 3)
        assert line.playable == solve(deal).winnable
        if line.playable:
            state = State(deal)
            for step in line.steps:
                slot = [held.order for held in state.hands[0]].index(step.place - 1)
                state.act(Play(slot) if step.action == "play" else Discard(slot))
            assert state.ending == "perfect"
            won += 1
    assert 20 < won < 40


class TestSymmetry:
    def test_it_holds_for_a_hand_of_one_card(self) -> None:
        for copies in decks(most_cards=7, most_values=4):
            assert count_sequences(copies, 1).playable == count_sequences(tuple(sorted(copies)), 1).playable

    def test_the_smallest_counterexample_for_larger_hands(self) -> None:
        """A hand of two: 1 2 2 has an unplayable order, 2 2 1; with 1 1 2 every order can be played."""
        assert count_sequences((1, 2), 2).playable == 2
        assert count_sequences((2, 1), 2).playable == 3
        assert [each for each in all_sequences((1, 2)) if not play_sequence(each, 2).playable] == [(2, 2, 1)]
        assert first_asymmetry("last-round") == (3, 2, (1, 2), (2, 1))

    def test_the_smallest_counterexample_if_the_deck_ends_nothing(self) -> None:
        """Three values, one of them twice: a second 1 helps more than a second 2 or 3."""
        assert first_asymmetry("never") == (4, 2, (1, 1, 2), (2, 1, 1))
        endless = {copies: count_sequences(copies, 2, end_of_deck="never").playable for copies in TWICE_ONE_VALUE}
        assert endless == {(1, 1, 2): 9, (1, 2, 1): 9, (2, 1, 1): 10}

    def test_the_published_counterexample(self) -> None:
        """Bergh 2015, Result 3.31: six fives or six ones."""
        assert round(count_sequences((1, 1, 1, 1, 6), 5).fraction, 4) == Fraction("0.2571")
        assert round(count_sequences((6, 1, 1, 1, 1), 5).fraction, 4) == Fraction("0.4764")


TWICE_ONE_VALUE = ((1, 1, 2), (1, 2, 1), (2, 1, 1))


def first_asymmetry(rule: str) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """The smallest deck, and then the smallest hand above 1, whose count changes when the copies are exchanged."""
    for size in range(1, 8):
        for hand in range(2, size + 1):
            for copies in decks(most_cards=size, most_values=size):
                if sum(copies) == size and copies == tuple(sorted(copies)):
                    for other in sorted(set(permutations(copies))):
                        one, two = (count_sequences(x, hand, end_of_deck=rule) for x in (copies, other))  # type: ignore[arg-type]
                        if one.playable != two.playable:
                            return size, hand, copies, other
    raise AssertionError("no asymmetry")


class TestLargerDecks:
    def test_the_deck_with_memory_issues(self) -> None:
        """Bergh 2015, section 3.6: two suits, two copies of three values, 7 million sequences."""
        found = [count_sequences((2, 2, 2), hand, suits=2) for hand in (1, 2, 3, 4)]
        assert [each.playable for each in found] == [2041116, 5777368, 7037532, 7170120]
        assert {each.total for each in found} == {7484400}

    def test_hands_of_one_card_of_the_full_deck(self) -> None:
        found = count_sequences((3, 2, 2, 2, 1), 1, suits=5)
        assert found.fraction == Fraction(5934, 75600) ** 5

    def test_a_suit_of_twenty_cards(self) -> None:
        found = count_sequences((6, 4, 4, 4, 2), 2)
        assert found.total == count_total((6, 4, 4, 4, 2))
        sample = sample_sequences((6, 4, 4, 4, 2), 2, total=20_000, seed=3)
        assert abs(sample.fraction - found.fraction) < 0.01

    @pytest.mark.full
    def test_two_whole_suits(self) -> None:
        assert count_sequences((3, 2, 2, 2, 1), 2, suits=2).playable == 155788001847454
        assert count_sequences((3, 2, 2, 2, 1), 3, suits=2).playable == 512589392377692

    def test_decks_that_are_too_large_are_refused(self) -> None:
        with pytest.raises(RulesError, match="more than 2,000 positions"):
            count_sequences((3, 2, 2, 2, 1), 4, suits=5, most_positions=2000)

    def test_bad_input_is_refused(self) -> None:
        with pytest.raises(RulesError, match="a hand of 11 cards: expected 1 to 10"):
            count_sequences((3, 2, 2, 2, 1), 11)
        with pytest.raises(RulesError, match="0 suits"):
            count_sequences((3, 2), 1, suits=0)
        with pytest.raises(RulesError, match="a hand of 3 cards: expected 1 to 2"):
            play_sequence((1, 2), 3)
        with pytest.raises(RulesError, match="at most 500"):
            play_sequence([1] * 501, 3)
        with pytest.raises(DealError, match="suit -1"):
            play_sequence([Card(-1, 1)], 1)
        with pytest.raises(HandfulError, match="a sample of 0"):
            sample_sequences((3, 2), 1, total=0)

    def test_results_show_themselves(self) -> None:
        found = count_sequences((2, 1), 2)
        assert found.to_dict()["fraction_exact"] == "1"
        assert found.unplayable == 0
        assert "3 of 3 playable" in repr(found)
        assert "<td>3</td>" in found._repr_html_()
        assert "in 2 suits" in repr(count_sequences((1, 1), 1, suits=2))
        line = play_sequence((2, 1, 1), 2)
        assert line.to_dict()["steps"][0] == {"turn": 1, "action": "play", "place": 2, "card": [1, 1], "kept": [1]}
        assert "<td>play</td>" in line._repr_html_()


def timing_alone(deck: tuple[Card, ...], hand: int) -> bool:
    """The proposition of docs/counting.md for hands that hold whatever is needed."""
    first = {card: deck.index(card) + 1 for card in set(deck)}
    needed = {card: max(first[Card(card.suit, v)] for v in range(1, card.value + 1)) for card in set(deck)}
    size = len(deck)
    in_time = all(sum(at >= place for at in needed.values()) <= size - place + 1 for place in range(1, size + 1))
    return in_time and len(needed) <= size - hand + 1


@pytest.mark.parametrize("hand", [25, 26, 27])
def test_large_hands_depend_on_time_alone(hand: int) -> None:
    """With 25 cards in the hand nothing needed is ever thrown; with 27 there are not enough turns."""
    rules = Rules(players=1, hand_size=hand)
    answers = []
    for game in range(150):
        deck = Deal.from_seed(rules, 2, game).deck
        answers.append(timing_alone(deck, hand))
        assert play_sequence(deck, hand).playable == answers[-1]
    assert any(answers) == (hand < 27)


@pytest.mark.kernel
class TestSamples:
    @pytest.mark.parametrize(
        ("copies", "suits", "hand"), [((3, 2, 2, 2, 1), 5, 5), ((2, 2, 1), 3, 2), ((3, 3, 2), 1, 2)]
    )
    def test_the_kernel_agrees_with_playing_every_sequence(
        self, copies: tuple[int, ...], suits: int, hand: int
    ) -> None:
        rules = Rules(Variant.custom(suits, copies=copies), players=1, hand_size=hand)
        sequences = [Deal.from_seed(rules, 9, game).deck for game in range(40)]
        for rule in ("last-round", "never"):
            found = sample_sequences(copies, hand, suits, total=40, seed=9, end_of_deck=rule, workers=1)
            assert found.undecided == 0
            assert found.playable == sum(play_sequence(each, hand, end_of_deck=rule).playable for each in sequences)


def test_samples_agree_with_the_exact_fraction() -> None:
    for copies, suits, hand in (((3, 2, 2, 2, 1), 1, 2), ((2, 2, 2), 2, 3), ((3, 2, 2, 1), 2, 2)):
        found = sample_sequences(copies, hand, suits, total=20_000, seed=1)
        low, high = found.ci95
        exact = count_sequences(copies, hand, suits).fraction
        # three times as far as the interval reaches: a matter of the seed once in 200 million
        assert found.fraction - 3 * (found.fraction - low) < exact < found.fraction + 3 * (high - found.fraction)
        assert sample_sequences(copies, hand, suits, total=20_000, seed=1, workers=2) == found
    assert f"hand {hand}" in repr(found)
    assert "<td>20000</td>" in found._repr_html_()


def test_hand_one_counts_are_products() -> None:
    """Bergh 2015, Theorem 3.33 and Corollary 3.34: with a hand of one card suits do not meet."""
    for copies in ((2, 1), (1, 1, 1), (2, 2)):
        single = Fraction(count_playable(copies), count_total(copies))
        for suits in (1, 2, 3):
            assert count_sequences(copies, 1, suits).fraction == prod([single] * suits)
