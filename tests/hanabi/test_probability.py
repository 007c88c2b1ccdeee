"""The exact chances of the own cards, against laying every hand out one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from math import isclose

import pytest

from handful.hanabi import VARIANTS, Deal, Rules, State, Variant, View, card_index
from handful.hanabi.probability import identity_ways, joint_chance, possible_masks, single_card_chance
from handful.splitmix import SplitMix64
from tests.players import PLAYERS, Player, cautious_player


def brute_ways(masks: Sequence[int], unseen: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Lay the unseen cards, each copy a card of its own, into the slots in every order; count what fits the masks."""
    copies = [index for index, count in enumerate(unseen) for _ in range(count)]
    ways: list[Counter[int]] = [Counter() for _ in masks]
    for hand in permutations(copies, len(masks)):
        if all(mask >> card & 1 for mask, card in zip(masks, hand, strict=True)):
            for slot, card in enumerate(hand):
                ways[slot][card] += 1
    return tuple(tuple(row[index] for index in range(len(unseen))) for row in ways)


def test_random_cases() -> None:
    chance = SplitMix64(4)
    for _ in range(300):
        unseen = tuple(chance.below(4) for _ in range(1 + chance.below(5)))
        num_slots = chance.below(min(4, sum(unseen)) + 1)
        masks = tuple(chance.below(1 << len(unseen)) | chance.below(1 << len(unseen)) for _ in range(num_slots))
        assert identity_ways(masks, unseen) == brute_ways(masks, unseen)


def masks_of(ways: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return for each slot the cards that it holds in some way."""
    return tuple(sum(1 << index for index, count in enumerate(row) if count) for row in ways)


def test_what_is_possible_is_what_has_a_way() -> None:
    chance, tight = SplitMix64(5), 0
    for _ in range(600):
        unseen = tuple(chance.below(3) for _ in range(2 + chance.below(5)))
        masks = tuple(chance.below(1 << len(unseen)) for _ in range(1 + chance.below(5)))
        ways = identity_ways(masks, unseen)
        if any(ways[0]):
            found = possible_masks(masks, unseen)
            assert found == masks_of(ways)
            there = sum(1 << index for index, count in enumerate(unseen) if count)
            tight += found != tuple(mask & there for mask in masks)
    assert tight > 30  # what other slots need was taken from a slot
    assert possible_masks((), ()) == ()


@pytest.mark.parametrize(
    ("masks", "unseen", "ways"),
    [
        ((), (1, 2), ()),
        ((0b1,), (0,), ((0,),)),  # nothing fits: no way at all
        ((0b11, 0b11, 0b11), (1, 1), ((0, 0),) * 3),  # more slots than cards
        ((0b01, 0b01), (2, 5), ((2, 0), (2, 0))),
        ((0b11, 0b01), (1, 3), ((0, 3), (3, 0))),
    ],
)
def test_edges(masks: tuple[int, ...], unseen: tuple[int, ...], ways: tuple[tuple[int, ...], ...]) -> None:
    assert identity_ways(masks, unseen) == ways == brute_ways(masks, unseen)


def views(rules: Rules, player: Player, seed: int) -> list[View]:
    """The views of the player to move, before every turn of a game."""
    state, chance = State(Deal.from_seed(rules, seed)), SplitMix64(seed)
    seen = []
    while not state.is_over:
        seen.append(state.view(state.current))
        state.act(player(state, chance))
    return seen


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    "rules",
    [
        Rules(Variant.custom(2, copies=(2, 1, 1)), 2, 3, 3, 9),
        Rules(Variant.custom(2, copies=(2, 2, 1)), 3, 2, 4, 9),
        Rules(Variant.custom(1, copies=(3, 2, 2)), 1, 3, 4, 9),
    ],
    ids=["2 players", "3 players", "alone"],
)
def test_views_of_small_games(rules: Rules, player: Player) -> None:
    for view in (view for seed in range(4) for view in views(rules, player, seed)):
        masks = tuple(held.knowledge.possible_mask for held in view.my_hand)
        assert view.identity_ways == brute_ways(masks, view.unseen)
        assert possible_masks(masks, view.unseen) == masks_of(view.identity_ways)


@pytest.mark.parametrize("name", VARIANTS)
def test_views_of_whole_games(name: str) -> None:
    """In every real view: chances sum to 1, are 0 beyond the mask, and never rule out the true card."""
    rules = Rules(VARIANTS[name], 4)
    state, chance = State(Deal.from_seed(rules, 1)), SplitMix64(1)
    while not state.is_over:
        view = state.view(state.current)
        everything = rules.variant.all_mask
        for slot, card in enumerate(state.hand(view.me)):
            possible, ways = view.my_hand[slot].knowledge.possible_mask, view.identity_ways[slot]
            assert sum(ways) == sum(view.identity_ways[0])
            assert ways[card_index(rules.variant, card)] > 0
            assert isclose(view.chance(slot, possible), 1)
            assert view.chance(slot, everything ^ possible) == 0
            assert isclose(
                view.chance(slot, view.playable_mask) + view.chance(slot, ~view.playable_mask & everything), 1
            )
            assert isclose(view.single_card_chance(slot, possible), 1)
        state.act(cautious_player(state, chance))


def test_single_card_chance_is_the_weight_of_the_wanted() -> None:
    """Seed Bergh 2015, section 4.2: weight of K ∩ X over weight of K, the own other cards ignored."""
    assert single_card_chance(0b0111, 0b1101, (3, 0, 2, 9)) == 1
    assert single_card_chance(0b0011, 0b0001, (3, 1, 2, 9)) == 3 / 4
    assert single_card_chance(0b1111, 0b0100, (3, 1, 2, 4)) == 2 / 10
    assert single_card_chance(0b0010, 0b0010, (3, 0, 2, 9)) == 0


def test_joint_chance_uses_the_other_own_cards() -> None:
    """A hand with a known r1 leaves fewer r1s for the rest: 2 of 4 instead of 3 of 5."""
    masks, unseen = (0b01, 0b11), (3, 2)
    assert joint_chance(identity_ways(masks, unseen)[1], 0b01) == 2 / 4
    assert single_card_chance(masks[1], 0b01, unseen) == 3 / 5
    assert joint_chance((0, 0), 0b11) == 0


def test_one_card_alone_has_the_single_chance() -> None:
    for view in views(Rules(Variant.custom(2, copies=(2, 2, 1)), 3, 1, 3, 5), cautious_player, 3):
        if view.my_hand:
            assert isclose(view.chance(0, view.playable_mask), view.single_card_chance(0, view.playable_mask))
