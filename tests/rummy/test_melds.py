from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.errors import UnknownNameError
from handful.rummy.cards import Card, cards_of, mask_of
from handful.rummy.melds import ACE_RULES, all_melds, find_melds, is_rummy, rummies
from tests.rummy import plain

aces_rules = st.sampled_from(ACE_RULES)


@st.composite
def hands_near_rummies(draw: st.DrawFn) -> tuple[str, tuple[Card, ...]]:
    """Two or three melds, laid over each other, and a card or two changed: hands that are rummies half of the time."""
    aces = draw(aces_rules)
    cards: set[Card] = set()
    for _ in range(draw(st.integers(1, 3))):
        cards |= set(draw(st.sampled_from(all_melds(aces, draw(st.integers(3, 5))))))
    for _ in range(draw(st.integers(0, 1))):
        cards ^= {Card(draw(st.integers(0, 12)), draw(st.integers(0, 3)))}
    return aces, tuple(sorted(cards))[:10]


@given(hands_near_rummies())
def test_a_rummy_is_found_exactly_where_there_is_one(case: tuple[str, tuple[Card, ...]]) -> None:
    aces, hand = case
    expected = bool(hand) and plain.is_rummy(tuple((card.rank, card.suit) for card in hand), aces)
    assert is_rummy(hand, aces) == expected


@given(hands_near_rummies())
def test_what_is_laid_down_are_melds_and_all_cards_are_accounted_for(case: tuple[str, tuple[Card, ...]]) -> None:
    aces, hand = case
    laid = find_melds(hand, aces)
    assert Counter(hand) == Counter([card for meld in laid.melds for card in meld] + list(laid.deadwood))
    for meld in laid.melds:
        assert plain.is_meld(tuple((card.rank, card.suit) for card in meld), aces)
    # no meld can be made of deadwood, or the melding would not be the best
    deadwood = tuple((card.rank, card.suit) for card in laid.deadwood)
    assert not any(plain.is_meld(cards, aces) for size in (3, 4) for cards in combinations(deadwood, size))


def test_a_card_that_fits_two_melds_is_laid_where_more_is_laid() -> None:
    assert str(find_melds("AC 2C 3C 3D 3H 3S")) == "AC 2C 3C | 3D 3H 3S"
    assert str(find_melds("AC 2C 3C 4C 4D 4H 5D")) == "AC 2C 3C | 4C 4D 4H | deadwood 5D"
    assert str(find_melds("JC QC KC AC", "wrap")) == "JC QC KC AC"


@pytest.mark.parametrize("cards", [3, 4])
@pytest.mark.parametrize("aces", ACE_RULES)
def test_rummies_are_all_there_are(cards: int, aces: str) -> None:
    found = [hand for hand in combinations(plain.DECK, cards) if plain.is_meld(hand, aces)]
    assert rummies(aces, cards) == sorted(mask_of(Card(*card) for card in hand) for hand in found)


@pytest.mark.full
@pytest.mark.parametrize("aces", ACE_RULES)
def test_rummies_of_five_cards_are_all_there_are(aces: str) -> None:
    # five cards are a rummy only if they are one meld, a run: all of a suit
    found = [
        sum(1 << 13 * suit + rank for rank in ranks)
        for suit in range(4)
        for ranks in combinations(range(13), 5)
        if plain.is_meld(tuple((rank, suit) for rank in ranks), aces)
    ]
    assert rummies(aces, 5) == sorted(found)


@pytest.mark.parametrize("aces", ACE_RULES)
def test_every_rummy_of_six_cards_melds(aces: str) -> None:
    for mask in rummies(aces, 6)[::97]:
        assert is_rummy(cards_of(mask), aces)


def test_there_are_as_many_rummies_as_printed() -> None:
    # Finkle 2017, section 4.1
    assert [len(rummies(aces, 4)) for aces in ("low", "high", "wrap")] == [53, 57, 65]


def test_an_unknown_ace_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"there is no ace rule 'Low'\. Did you mean 'low'"):
        find_melds("AC 2C 3C", "Low")
