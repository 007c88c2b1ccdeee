"""Random hands of ten and of eleven cards in lockstep with OpenSpiel's deadwood.

There, of eleven cards the best arrangement is taken and the highest loose card dropped. That is not always the least
that a throw leaves: where the two differ, OpenSpiel must say just that much too much, and the places are counted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from handful._bits import lowest_bit
from handful._jit import kernel
from handful.rummy.cards import cards_of
from handful.rummy.gin.deadwood import best_arrangements, card_points
from handful.rummy.gin.kernels import deadwood as masks
from handful.rummy.gin.kernels.worlds import drawn_hand
from handful.splitmix_jit import Chance

pyspiel = pytest.importorskip("pyspiel")

SEED, AT_ONCE = 41, 50_000
SIX_RANKS = masks.COLUMN * 0b111111  # aces to sixes: hands full of melds
THEIRS = np.array([(number // 13 + 1) % 4 * 13 + number % 13 for number in range(52)])  # spades first


@kernel
def draw_and_judge(
    pool: int, chance: Chance, hands: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], found: npt.NDArray[np.int64]
) -> None:
    """Draw hands of so many cards as a row of `cards` has; write the cards, and the least deadwood of ten."""
    size = cards.shape[1]
    for place in range(len(hands)):
        hands[place] = drawn_hand(pool, size, chance, 0)
        found[place] = masks.deadwood(hands[place]) if size == 10 else masks.least_after_throw(hands[place])
        left = hands[place]
        for column in range(size):
            cards[place, column] = lowest_bit(left)
            left &= left - 1


def judged(count: int, size: int, pool: int) -> Iterator[tuple[int, int, int]]:
    """Yield hands as masks, their least deadwood, and what OpenSpiel says."""
    judge, chance = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood, np.array([SEED + size], np.uint64)
    for first in range(0, count, AT_ONCE):
        number = min(AT_ONCE, count - first)
        hands, cards, found = np.zeros(number, np.int64), np.zeros((number, size), np.int64), np.zeros(number, np.int64)
        draw_and_judge(pool, chance, hands, cards, found)
        yield from zip(hands.tolist(), found.tolist(), map(judge, THEIRS[cards].tolist()), strict=True)


def count_differences(count: int, size: int, pool: int) -> int:
    """Return in how many hands of eleven cards OpenSpiel says too much; every other difference is an error."""
    different = 0
    for hand, ours, theirs in judged(count, size, pool):
        if ours == theirs:
            continue
        assert size == 11
        assert ours < theirs
        best = best_arrangements(cards_of(hand))
        assert theirs in {way.deadwood - max(map(card_points, way.loose), default=0) for way in best}
        different += 1
    return different


def test_deadwood_is_the_same() -> None:
    assert [count_differences(5_000, size, masks.DECK) for size in (10, 11)] == [0, 0]
    assert count_differences(5_000, 10, SIX_RANKS) == 0
    assert 0 < count_differences(20_000, 11, SIX_RANKS) < 100


@pytest.mark.full
def test_deadwood_of_many_hands_is_the_same() -> None:
    """As many hands of each kind as HANDFUL_GIN_HANDS says."""
    hands = int(os.environ.get("HANDFUL_GIN_HANDS", "1000000"))
    assert count_differences(hands, 10, masks.DECK) == 0
    found = count_differences(hands, 11, masks.DECK), count_differences(hands, 11, SIX_RANKS)
    print(f"of {hands:,} hands of eleven: {found[0]} too high, of six ranks {found[1]:,}")
    assert count_differences(hands, 10, SIX_RANKS) == 0
    assert found[0] <= hands // 100_000
    assert 0 < found[1] <= hands // 200
