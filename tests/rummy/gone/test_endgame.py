"""The last draws of a stock, against the plain recursion over sets of cards."""

from __future__ import annotations

from functools import cache

import pytest

from handful.errors import DealError
from handful.rummy import Card, is_rummy
from handful.rummy.cards import cards_of
from handful.rummy.gone.endgame import endgame
from handful.splitmix import SplitMix64


def plain_endgame(hand: frozenset[Card], stock: frozenset[Card], draws: int, aces: str) -> tuple[float, float]:
    """Chance and turns, from the definition; turns are negated, so that the best throw is the greatest pair."""

    @cache
    def worth(held: frozenset[Card], come: frozenset[Card]) -> tuple[float, float]:
        if is_rummy(sorted(held), aces):
            return 1.0, 0.0
        if len(come) == draws:
            return 0.0, 0.0
        chance = turns = 0.0
        rest = stock - come
        for drawn in rest:
            more = held | {drawn}
            best = max(
                (round(each[0], 12), round(each[1], 12))
                for each in (worth(more - {thrown}, come | {drawn}) for thrown in more)
            )
            chance += best[0] / len(rest)
            turns += (best[1] - 1.0) / len(rest)
        return chance, turns

    return worth(hand, frozenset())


@pytest.mark.kernel
@pytest.mark.parametrize(("size", "left", "draws", "aces"), [(3, 5, 5, "low"), (3, 6, 3, "wrap"), (4, 5, 3, "high")])
def test_the_plain_recursion_says_the_same(size: int, left: int, draws: int, aces: str) -> None:
    turns_seen = set()
    for seed in range(6):
        deck = list(cards_of(0b111111 << 0 | 0b111111 << 13 | 0b1111 << 26))  # few ranks and suits: much melds
        SplitMix64(seed).shuffle(deck)
        hand, stock = deck[:size], deck[size : size + left]
        found = endgame(hand, stock, aces=aces, draws=draws)
        chance, turns = plain_endgame(frozenset(hand), frozenset(stock), draws, aces)
        assert (found.chance, found.turns) == pytest.approx((chance, -turns))
        turns_seen.add(round(found.turns, 6))
    assert len(turns_seen) > 2


def test_throws_lead_on() -> None:
    found = endgame("5C 6C 8C 9D", "9C 9H AD 4C 7C", draw="7C", draws=3)
    assert len(found.throws) == 5
    for each in found.throws:
        after = endgame(each.keeps, "9C 9H AD 4C", draws=2)
        assert (after.chance, after.turns) == pytest.approx((each.chance, each.turns))
    assert str(found.throws[0].card) == "9D"
    assert found.throws[0].chance == 1.0


def test_what_is_refused() -> None:
    with pytest.raises(DealError, match="cannot be in the stock as well"):
        endgame("7C 7D 9C", "7C KS")
    with pytest.raises(DealError, match="not in the stock"):
        endgame("7C 7D 9C", "7H KS", draw="2D")
    with pytest.raises(DealError, match="stock '5C 5C': 5C is there twice"):
        endgame("7C 7D 9C", "5C 5C")
    with pytest.raises(DealError, match="the stock is empty"):
        endgame("7C 7D 9C", "")
    with pytest.raises(DealError, match="expected 1 to 2"):
        endgame("7C 7D 9C", "7H KS", draws=3)
    with pytest.raises(DealError, match="expected at most"):
        endgame("AC 2C 4D 5D 7H 8H 10S JS KC KD", "3C 6D 9H QS KS 9S 3D AD 2H 4S 5S 6S 7S 8S")
