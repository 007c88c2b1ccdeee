from __future__ import annotations

from itertools import combinations

import pytest

from handful.errors import DealError, NotationError
from handful.rummy import ACE_RULES, Card, is_rummy, parse_cards, solve
from handful.rummy.reduced_deck import ReducedDeck
from handful.splitmix import SplitMix64

ALL_CARDS = [Card(rank, suit) for rank in range(13) for suit in range(4)]


def random_cards(seed: int, number: int) -> tuple[Card, ...]:
    cards = list(ALL_CARDS)
    SplitMix64(seed).shuffle(cards)
    return tuple(cards[:number])


@pytest.mark.parametrize("aces", ACE_RULES)
def test_with_nothing_gone_it_is_the_table(aces: str) -> None:
    deck, answers = ReducedDeck(3, aces, ()), solve(3, aces, keep=False)
    for seed in range(200):
        hand = random_cards(seed, 3)
        assert deck.expected_turns(hand) == pytest.approx(answers.expected_turns(hand), abs=1e-10)
    assert deck.turns_of("AC 4C 7C").sd > 0


def by_value_iteration(cards: tuple[Card, ...], size: int, aces: str) -> dict[frozenset[Card], float]:
    """The Bellman equation, applied until nothing changes: the oracle."""
    hands = [frozenset(hand) for hand in combinations(cards, size)]
    best = {frozenset(more): 0.0 for more in combinations(cards, size + 1)}
    values = dict.fromkeys(hands, 0.0)
    rummies = {hand for hand in hands if is_rummy(sorted(hand), aces)}
    for _ in range(3000):
        best = {more: min(values[more - {card}] for card in more) for more in best}
        new = {
            hand: 0.0
            if hand in rummies
            else 1.0 + sum(best[hand | {card}] for card in cards if card not in hand) / (len(cards) - size)
            for hand in hands
        }
        change = max(abs(new[hand] - values[hand]) for hand in hands)
        values = new
        if change < 1e-11:
            break
    return values


@pytest.mark.kernel
@pytest.mark.parametrize(("size", "aces"), [(3, "low"), (3, "wrap"), (4, "high")])
def test_a_small_deck_against_value_iteration(size: int, aces: str) -> None:
    left = parse_cards("AC 2C 3C 4C QC KC AD 3D AH AS")
    gone = [card for card in ALL_CARDS if card not in left]
    deck = ReducedDeck(size, aces, gone)
    expected = by_value_iteration(left, size, aces)
    for hand, turns in expected.items():
        assert deck.expected_turns(sorted(hand)) == pytest.approx(turns, abs=1e-8)
    assert deck.draws == len(left) - size


def test_a_hand_that_has_lost_its_cards_takes_longer() -> None:
    whole = ReducedDeck(3, "low", ()).expected_turns("7C 7D 8C")
    without = ReducedDeck(3, "low", "7H 7S 6C 9C").expected_turns("7C 7D 8C")
    assert without > whole + 3


def test_the_bellman_equation_holds() -> None:
    deck = ReducedDeck(3, "low", "7H 7S 6C 9C")
    for seed in range(20):
        hand = tuple(card for card in random_cards(seed, 8) if card in deck.places)[:3]
        if deck.expected_turns(hand) == 0:
            continue
        after = [deck.discards(hand, draw)[0].expected_turns for draw in deck.places if draw not in hand]
        assert deck.expected_turns(hand) == pytest.approx(1 + sum(after) / len(after), abs=1e-10)


def test_four_cards_and_their_distribution() -> None:
    deck = ReducedDeck(4, "wrap", "AC 2D 3H")
    turns = deck.turns_of("5C 6C 9D KH")
    assert sum(turns.chances) == pytest.approx(1, abs=1e-8)
    assert sum(turn * chance for turn, chance in enumerate(turns.chances)) == pytest.approx(turns.expected, abs=1e-5)
    assert turns.not_followed == 0


def test_what_is_refused() -> None:
    with pytest.raises(DealError, match="no 3 cards that are left meld"):
        ReducedDeck(3, "low", [card for card in ALL_CARDS if str(card) not in ("AC", "3D", "5H", "7S", "9C")])
    with pytest.raises(DealError, match="AC is among the cards that are gone"):
        ReducedDeck(3, "low", "AC").expected_turns("AC 2C 4D")
    with pytest.raises(DealError, match="is in the hand"):
        ReducedDeck(3, "low", "AC").discards("2C 4D 5D", "2C")
    with pytest.raises(NotationError, match="no rank '1'"):
        ReducedDeck(3, "low", "1C")


def test_discards_are_those_of_a_plain_count_of_every_throw() -> None:
    deck, answers = ReducedDeck(3, "low", "5C"), solve(3, "low")
    hand, drawn = parse_cards("AC 4C 7C"), Card(1, 0)
    for source in (deck, answers):
        left = {card: source.expected_turns([c for c in (*hand, drawn) if c != card]) for card in (*hand, drawn)}
        found = source.discards(hand, drawn)
        assert {each.card: each.expected_turns for each in found} == left
        assert [each.cost for each in found] == [each.expected_turns - min(left.values()) for each in found]
        assert [each.cost for each in found] == sorted(each.cost for each in found)
