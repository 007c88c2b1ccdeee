from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.errors import DealError, HandfulError, NotationError
from handful.rummy.cards import Card, cards_of, format_cards, mask_of, parse_card, parse_cards

masks = st.sets(st.integers(0, 51), max_size=11).map(lambda bits: sum(1 << bit for bit in bits))


@given(masks)
def test_a_hand_survives_being_written_and_read(mask: int) -> None:
    cards = cards_of(mask)
    assert mask_of(parse_cards(format_cards(cards))) == mask
    assert mask_of(cards) == mask


@pytest.mark.parametrize("text", ["10D", "TD", "td", "10d", " 10D ", "10♦"])
def test_the_ten_of_diamonds_is_written_in_several_ways(text: str) -> None:
    assert parse_card(text) == Card(9, 1)


@pytest.mark.parametrize("text", ["AC 10D JH", "ac,td,jh", " AC, 10D; JH ", "JH AC 10D"])
def test_blanks_and_commas_set_cards_apart(text: str) -> None:
    assert format_cards(parse_cards(text)) == "AC 10D JH"


def test_cards_may_be_given_one_by_one() -> None:
    assert parse_cards(["KS", Card(0, 0)]) == (Card(0, 0), Card(12, 3))


@pytest.mark.parametrize(
    ("text", "error", "named"),
    [
        ("1C 2C 3C", NotationError, "'1'"),
        ("AX 2C 3C", NotationError, "'X'"),
        ("A 2C 3C", NotationError, "'A'"),
        ("11C 2C 3C", NotationError, "'11'"),
        ("AC AC 3C", DealError, "AC is there twice"),
        ("TD 10D 3C", DealError, "10D is there twice"),
        ("AC 2C", DealError, "2 cards, expected 3"),
        ("AC", DealError, "1 card, expected 3"),
        ("", DealError, "0 cards, expected 3"),
        ("AC 2C 3C 4C", DealError, "4 cards, expected 3"),
    ],
)
def test_bad_hands_are_refused_in_one_line(text: str, error: type[HandfulError], named: str) -> None:
    with pytest.raises(error, match=r"^.*$") as caught:
        parse_cards(text, 3)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)
