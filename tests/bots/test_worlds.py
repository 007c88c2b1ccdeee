"""Worlds that fit a view: all deals that fit what a seat knows come up, and no other, each as often as the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from handful.bots import player_named
from handful.bots.shared.worlds_kernel import (
    WORLD,
    deal_rest,
    draw_hand,
    draw_in_turn,
    fit_slot,
    gather_planes,
    gather_unseen,
    know_slot,
)
from handful.bots.table import ask, seat_bots
from handful.hanabi import Deal, Rules, State, card_index
from handful.hanabi.kernels.bridge import game_from_view
from handful.hanabi.kernels.layout import MAX_DECK, rulebook_of
from handful.splitmix_jit import unit

THREE = Rules(players=3)

# Hidden cards, and the mask of the cards that each own slot can be.
CASES = {
    "open": ([0, 0, 1, 2], [0b111, 0b111]),
    "two of three": ([3, 3, 4], [0b01000, 0b11000]),
    "one inside the other": ([0, 1, 1, 2, 3], [0b0001, 0b0011, 0b1111]),
    "a cycle": ([0, 1, 2, 3, 4], [0b00011, 0b00110, 0b01100, 0b11000, 0b10001]),
    "one hand alone": ([0, 1, 2, 3], [0b1111, 0b0111, 0b0011, 0b0001]),
    "crossed": ([0, 0, 1, 1, 2, 3], [0b0011, 0b0110, 0b1001, 0b1100]),
}


def all_hands(cards: Sequence[int], masks: Sequence[int]) -> Counter[tuple[int, ...]]:
    """Return in how many ways each hand that fits can be dealt: plain, and by trying all."""
    return Counter(
        hand
        for hand in permutations(cards, len(masks))
        if all(mask >> card & 1 for mask, card in zip(masks, hand, strict=True))
    )


def world_of(cards: Sequence[int], masks: Sequence[int]) -> Any:
    """Return the record of a seat that cannot see these cards, and knows its slots by these masks."""
    world = np.zeros(1, WORLD)[0]
    planes = [sum(1 << card for card in set(cards) if cards.count(card) > copies) for copies in range(3)]
    gather_planes(world, np.array(planes))
    assert world["cards"][: world["size"]].tolist() == sorted(cards)
    for slot, mask in enumerate(masks):
        fit_slot(world, slot, mask)
    return world


def assert_as_often_as(expected: Counter[tuple[int, ...]], found: Counter[tuple[int, ...]]) -> None:
    """Compare by χ², which is about its degrees of freedom n, with a standard deviation of √2n."""
    assert found.keys() == expected.keys()
    rate = found.total() / expected.total()
    chi_square = sum((found[hand] - rate * ways) ** 2 / (rate * ways) for hand, ways in expected.items())
    freedom = len(expected) - 1
    assert chi_square <= freedom + 3 * sqrt(2 * freedom)


@pytest.mark.kernel
@pytest.mark.parametrize("case", CASES)
def test_all_hands_that_fit_are_equally_likely(case: str) -> None:
    cards, masks = CASES[case]
    world, chance = world_of(cards, masks), np.array([5], np.uint64)
    found = Counter[tuple[int, ...]]()
    for _ in range(1500):
        assert draw_hand(world, chance, 0)
        hand = tuple(world["hand"][: len(masks)].tolist())
        taken = [world["cards"][place] for place in range(len(cards)) if world["taken_mask"] >> place & 1]
        assert sorted(hand) == taken
        found[hand] += 1
    assert_as_often_as(all_hands(cards, masks), found)


@pytest.mark.kernel
@pytest.mark.parametrize("case", CASES)
def test_so_they_are_when_slots_draw_one_after_the_other(case: str) -> None:
    """If the share that is to be kept is kept; of hands whose slots lie one inside the other that is all of them."""
    cards, masks = CASES[case]
    world, chance = world_of(cards, masks), np.array([8], np.uint64)
    found = Counter[tuple[int, ...]]()
    for _ in range(2500):
        share = draw_in_turn(world, chance, 0)
        assert share == 1.0 or case in ("a cycle", "crossed")
        if unit(chance, 0) < share:
            found[tuple(world["hand"][: len(masks)].tolist())] += 1
    assert_as_often_as(all_hands(cards, masks), found)


@pytest.mark.kernel
def test_a_large_hand_that_can_be_dealt_in_one_way_is_found() -> None:
    """Slots that draw each for itself would come to it once in 14! times."""
    cards = list(range(14))
    world = world_of(cards, [(2 << card) - 1 for card in reversed(cards)])
    assert draw_hand(world, np.array([1], np.uint64), 0)
    assert world["hand"][:14].tolist() == cards[::-1]


@pytest.mark.kernel
def test_what_cannot_be_dealt_is_not() -> None:
    chance = np.array([1], np.uint64)
    assert not draw_hand(world_of([0, 1], [0b100]), chance, 0)
    assert not draw_hand(world_of([0, 1, 2], [0b001, 0b001]), chance, 0)


@pytest.mark.kernel
def test_a_known_card_is_held_and_not_drawn() -> None:
    world, chance = world_of([0, 1], [0b11, 0b11]), np.array([1], np.uint64)
    know_slot(world, 1, 7)
    for _ in range(5):
        assert draw_hand(world, chance, 0)
        assert world["hand"][1] == 7
        assert int(world["taken_mask"]).bit_count() == 1


@pytest.mark.kernel
def test_all_orders_of_the_deck_are_equally_likely() -> None:
    world, chance, deck = world_of([0, 1, 1, 2], [0b010]), np.array([2], np.uint64), np.zeros(MAX_DECK, np.int8)
    found, next_cards = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for _ in range(1200):
        assert draw_hand(world, chance, 0)
        assert deal_rest(world, deck, 10, MAX_DECK, chance, 0) == 13
        found[tuple(deck[10:13].tolist())] += 1
        assert deal_rest(world, deck, 10, 1, chance, 0) == 13
        next_cards[tuple(deck[10:11].tolist())] += 1
    assert_as_often_as(Counter(permutations([0, 1, 2])), found)
    assert_as_often_as(Counter(permutations([0, 1, 2], 1)), next_cards)


def middle_of_a_game(rules: Rules, seed: int, turns: int) -> State:
    """A position in which hints have been given."""
    state = State(Deal.from_seed(rules, seed))
    bots = seat_bots(rules, [player_named("rules(reading=text)").plain] * rules.players, seed)
    for _ in range(turns):
        state.act(ask(state, bots[state.current]))
    return state


@pytest.mark.kernel
@pytest.mark.parametrize("turns", [0, 7, 30])
def test_what_a_seat_cannot_see_is_its_hand_and_the_deck(turns: int) -> None:
    state = middle_of_a_game(THREE, 4, turns)
    view, world = game_from_view(state.view(state.current)), np.zeros(1, WORLD)[0]
    hidden = (*state.hand(state.current), *state.deck())
    gather_unseen(world, view[0], rulebook_of(THREE)[0], state.current)
    assert world["cards"][: world["size"]].tolist() == sorted(card_index(THREE.variant, card) for card in hidden)


@pytest.mark.kernel
@pytest.mark.parametrize("turns", [0, 7, 30])
def test_play_outs_begin_in_worlds_that_fit_the_hints(turns: int) -> None:
    from handful.bots.simple.rules_kernel import RULES
    from handful.bots.thinking.playout_kernel import enter_world, set_stage

    state = middle_of_a_game(THREE, 4, turns)
    seat, drawn = state.current, 50 - state.deck_size
    games, rulebooks = game_from_view(state.view(seat)), rulebook_of(THREE)
    stage = set_stage(games, 0, rulebooks, seat, 0.0, np.zeros(1, RULES)[0])
    hidden = sorted(card_index(THREE.variant, card) for card in (*state.hand(seat), *state.deck()))
    for key in range(30):
        enter_world(stage, games, 0, np.uint64(key), MAX_DECK)
        hand = [int(stage.games[0]["cards"][held.order]) for held in state.hands[seat]]
        for card, held in zip(hand, state.hands[seat], strict=True):
            assert held.knowledge.possible_mask >> card & 1
        assert sorted([*hand, *map(int, stage.deck[drawn:50])]) == hidden
