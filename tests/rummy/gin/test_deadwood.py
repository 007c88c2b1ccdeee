"""Deadwood, arrangements and lay-offs: the plain form against brute force, and the masks against the plain form."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handful.rummy.cards import Card, cards_of, mask_of, parse_cards
from handful.rummy.gin.deadwood import (
    best_arrangement,
    best_arrangements,
    deadwood,
    defend,
    layoffs,
    least_after_throw,
    points_of,
)
from handful.rummy.gin.deal import card_at
from handful.rummy.melds import all_melds


def hands(size: int, ranks: int = 13) -> st.SearchStrategy[list[Card]]:
    pool = [card_at(number) for number in range(52) if number % 13 < ranks]
    return st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True)


def least_by_melds(cards: tuple[Card, ...]) -> int:
    """Try every combination of at most three melds that do not overlap."""
    whole = set(cards)
    fitting = [set(meld) for length in range(3, 11) for meld in all_melds("low", length) if set(meld) <= whole]
    least = points_of(cards)
    for number in (1, 2, 3):
        for melds in combinations(fitting, number):
            if sum(map(len, melds)) == len(set().union(*melds)):
                least = min(least, points_of(whole - set().union(*melds)))
    return least


@settings(max_examples=60, deadline=None)
@given(hands(10, ranks=7))
def test_deadwood_is_the_least_over_all_melds(hand: list[Card]) -> None:
    assert deadwood(hand) == least_by_melds(tuple(hand))


def test_openspiel_counts_two_more_here() -> None:
    assert least_after_throw("3S 6S AC 4C 5C 6C 3D 4D 5D 6D 5H") == 9


def test_all_best_arrangements_leave_the_same() -> None:
    ways = best_arrangements("4C 5C 6C 5D 5H KS")
    assert [way.deadwood for way in ways] == [20, 20]
    assert {way.melds for way in ways} == {(parse_cards("4C 5C 6C"),), (parse_cards("5C 5D 5H"),)}


def test_a_run_goes_on_behind_a_card_that_fits_a_set_too() -> None:
    melds = [parse_cards("7C 7D 7H"), parse_cards("4S 5S 6S")]
    assert layoffs(parse_cards("7S 8S"), melds) == parse_cards("7S 8S")


@settings(max_examples=40, deadline=None)
@given(hands(20, ranks=7))
def test_laying_off_before_melding_never_leaves_more(both: list[Card]) -> None:
    melds = best_arrangement(both[:10]).melds
    assert defend(both[10:], melds, "before melding").deadwood <= defend(both[10:], melds, "after melding").deadwood


@pytest.mark.kernel
@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(4, 13), st.sampled_from([10, 11]))
def test_masks_are_the_plain_form(data: st.DataObject, ranks: int, size: int) -> None:
    from handful.rummy.gin.kernels import deadwood as masks

    both = data.draw(hands(min(size + 10, 4 * ranks), ranks))
    hand, other = cards_of(mask_of(both[:size])), cards_of(mask_of(both[size:]))
    mask = mask_of(hand)
    best = best_arrangement(hand)
    sets = mask_of(card for meld in best.melds if meld[0].rank == meld[1].rank for card in meld)
    assert masks.deadwood(mask) == best.deadwood
    assert masks.best_sets(mask) == sets
    assert cards_of(masks.loose_cards(mask)) == best.loose
    if size == 11:
        assert masks.least_after_throw(mask) == least_after_throw(hand)
    for name in ("before melding", "after melding"):
        plain = defend(other, best.melds, name).deadwood if other else 0
        assert masks.defended(mask_of(other), sets, masks.in_runs(mask & ~sets), name == "before melding") == plain
