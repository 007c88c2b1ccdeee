from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.rummy.cards import Card, cards_of, mask_of
from handful.rummy.kernels.hand_index import (
    all_orbits,
    first_alike,
    hand_at,
    indices_of,
    make_hand_index,
    mask_index,
    orbit_at,
    sorted_suits,
)
from handful.rummy.kernels.neighbours import find_throws, make_work
from handful.rummy.melds import ACE_RULES
from tests.rummy import plain

aces_rules = st.sampled_from(ACE_RULES)


@st.composite
def hands(draw: st.DrawFn, fewest: int = 3, most: int = 11) -> tuple[Card, ...]:
    """Hands of few ranks are often symmetric: draw those as often as others."""
    ranks = draw(st.sampled_from([(0, 12), (0, 3), (5, 8), (4, 9)]))
    cards = st.builds(Card, st.integers(*ranks), st.integers(0, 3))
    size = draw(st.integers(fewest, most))
    found = draw(st.lists(cards, unique=True, min_size=min(size, 9), max_size=size))
    return tuple(sorted(found))


def tuples(cards: tuple[Card, ...]) -> plain.Cards:
    return tuple((card.rank, card.suit) for card in cards)


def index_of(cards: tuple[Card, ...], aces: str) -> tuple[int, int]:
    hand_index = make_hand_index(aces, len(cards))
    index = int(mask_index(hand_index, mask_of(cards)))
    return index, int(orbit_at(hand_index, index)[0])


@pytest.mark.kernel
@given(hands(), aces_rules, st.randoms(use_true_random=False))
def test_alike_hands_have_the_same_index(hand: tuple[Card, ...], aces: str, chance: Any) -> None:
    each = chance.choice(plain.symmetries(aces))
    image = tuple(sorted(Card(*each[card.rank, card.suit]) for card in hand))
    assert index_of(image, aces) == index_of(hand, aces)


@given(hands(3, 10), hands(3, 10), aces_rules, st.integers(0, 9), st.integers(0, 51))
def test_hands_of_the_same_index_are_alike(
    hand: tuple[Card, ...], other: tuple[Card, ...], aces: str, place: int, bit: int
) -> None:
    # another hand of the same size, either quite different or with one card exchanged
    exchanged = set(hand) - {hand[place % len(hand)]} | {Card(bit % 13, bit // 13)}
    for second in (other, tuple(sorted(exchanged))):
        if len(second) == len(hand):
            same = index_of(hand, aces)[0] == index_of(second, aces)[0]
            assert same == (plain.canonical(tuples(hand), aces) == plain.canonical(tuples(second), aces))


@given(hands(), aces_rules)
def test_the_orbit_is_how_many_hands_are_alike(hand: tuple[Card, ...], aces: str) -> None:
    images = {tuple(sorted(each[card] for card in tuples(hand))) for each in plain.symmetries(aces)}
    assert index_of(hand, aces)[1] == len(images)


@given(hands(), aces_rules)
def test_the_hand_at_an_index_is_alike_and_so_is_the_first(hand: tuple[Card, ...], aces: str) -> None:
    hand_index = make_hand_index(aces, len(hand))
    index, _ = index_of(hand, aces)
    found = cards_of(int(hand_at(hand_index, index)))
    assert plain.canonical(tuples(found), aces) == plain.canonical(tuples(hand), aces)
    first = cards_of(int(first_alike(hand_index, np.array([index]))))
    assert tuples(first) == plain.canonical(tuples(hand), aces)


@pytest.mark.kernel
@pytest.mark.parametrize("aces", ACE_RULES)
@pytest.mark.parametrize("cards", [1, 2, 3])
def test_orbits_of_few_cards_add_up_to_all_hands(aces: str, cards: int) -> None:
    assert sum_of_orbits(aces, cards) == comb(52, cards)


@pytest.mark.parametrize("aces", ACE_RULES)
@pytest.mark.parametrize("cards", [4, 5, 6, 7])
def test_orbits_add_up_to_all_hands(aces: str, cards: int) -> None:
    assert sum_of_orbits(aces, cards) == comb(52, cards)


@pytest.mark.full
@pytest.mark.parametrize("aces", ACE_RULES)
@pytest.mark.parametrize("cards", [8, 9])
def test_orbits_of_many_cards_add_up_to_all_hands(aces: str, cards: int) -> None:
    assert sum_of_orbits(aces, cards) == comb(52, cards)


def sum_of_orbits(aces: str, cards: int) -> int:
    return int(all_orbits(make_hand_index(aces, cards)).sum(dtype=np.int64))


@pytest.mark.kernel
@given(hands(4, 11), aces_rules)
def test_throws_are_found_all_at_once(hand: tuple[Card, ...], aces: str) -> None:
    hand_index, work = make_hand_index(aces, len(hand) - 1), make_work()
    suits = sorted_suits(mask_of(hand))
    found = [int(work["throws"][i]) for i in range(find_throws(work, hand_index, suits))]
    masks = np.array([mask_of(hand) ^ card.bit for card in hand])
    assert sorted(found) == sorted(indices_of(hand_index, masks).tolist())
