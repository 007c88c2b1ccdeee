"""The generator and the bit sets inside kernels give what their plain forms give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful import _bits as bits
from handful import splitmix_jit
from handful.hanabi import Deal, Rules, card_index
from handful.hanabi.kernels.batch import Batch
from handful.splitmix import SplitMix64, stream_start

pytestmark = pytest.mark.kernel


@given(st.integers(0, 2**63 - 1), st.lists(st.integers(0, 2**40), max_size=4))
def test_streams_start_where_the_plain_ones_do(seed: int, keys: list[int]) -> None:
    counter = splitmix_jit.seed_key(seed)
    for key in keys:
        counter = splitmix_jit.add_key(np.uint64(counter), key)
    assert int(counter) == stream_start(seed, *keys)


@given(st.integers(0, 2**63 - 1), st.integers(1, 2**31))
def test_numbers_are_the_plain_ones(seed: int, n: int) -> None:
    plain = SplitMix64(seed, 5)
    chance = np.array([0, plain.counter], np.uint64)
    for _ in range(5):
        assert splitmix_jit.below(chance, 1, n) == plain.below(n)
    assert splitmix_jit.unit(chance, 1) == plain.unit()
    assert int(splitmix_jit.next_bits(chance, 1)) == plain.next()


@given(st.integers(1, 2**63 - 1), st.data())
def test_members_of_a_mask(mask: int, data: st.DataObject) -> None:
    members = [position for position in range(63) if mask >> position & 1]
    assert bits.popcount(mask) == len(members)
    assert bits.lowest_bit(mask) == members[0]
    n = data.draw(st.integers(0, len(members) - 1))
    assert bits.nth_bit(mask, n) == members[n]


@pytest.mark.parametrize("seed", [0, 1, 2**62])
def test_deals_of_kernels_are_those_of_the_plain_rules(seed: int) -> None:
    rules = Rules(players=2)
    batch = Batch.from_seed(rules, seed, count=3, first=10)
    for game in range(3):
        deal = Deal.from_seed(rules, seed, 10 + game)
        assert list(batch.decks[game][:50]) == [card_index(rules.variant, card) for card in deal.deck]
