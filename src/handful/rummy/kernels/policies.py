"""How players choose: which card they throw, and whether they take what the opponent threw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handful._bits import nth_bit, popcount, wide
from handful._jit import kernel
from handful.rummy.kernels.distribution import TIE
from handful.rummy.kernels.hand_index import Floats, Hands, Ints, mask_index
from handful.splitmix_jit import Chance, below

RANDOM, TABLE, GREEDY = 0, 1, 2
SHARED_CARD = float(1 << 30)  # what a card shared with a rummy counts, against rummies that share as many


class Rules(NamedTuple):
    """The game that is played: `rummies`, int64, are the indices of the hands that meld whole, in order."""

    hands: Hands
    rummies: Ints


class Policy(NamedTuple):
    """A player. `kind[0]` is RANDOM, TABLE (`hands` and `values` of a solved game) or GREEDY (`masks` of rummies)."""

    kind: Ints
    hands: Hands
    values: Floats
    masks: Ints


@kernel
def is_rummy(rules: Rules, mask: int) -> bool:
    """Return whether all of a hand melds (a binary search)."""
    index = mask_index(rules.hands, mask)
    low, high = 0, len(rules.rummies)
    while low < high:
        middle = low + high >> 1
        if rules.rummies[middle] < index:
            low = middle + 1
        else:
            high = middle
    return low < len(rules.rummies) and rules.rummies[low] == index


@kernel
def judge(policy: Policy, mask: int) -> tuple[float, int]:
    """Return how bad a hand is for a player, and what orders hands that are equally bad.

    By a table: the expected turns, and the index. Greedy: the fewer cards it shares with some rummy the worse, and of
    equals, the fewer rummies share so many.
    """
    if policy.kind[0] == TABLE:
        index = mask_index(policy.hands, mask)
        return policy.values[index], index
    if policy.kind[0] == GREEDY:
        most, ways = 0, 0
        for i in range(len(policy.masks)):
            shared = popcount(mask & policy.masks[i])
            if shared > most:
                most, ways = shared, 0
            if shared == most:
                ways += 1
        return -most * SHARED_CARD - ways, 0
    return 0.0, 0


@kernel
def winning_throw(rules: Rules, mask: int, kept_mask: int) -> int:
    """Return a card whose throw leaves a rummy, as a mask, or 0; cards of `kept_mask` may not be thrown."""
    rest = mask & ~kept_mask
    while rest:
        thrown = rest & -rest
        rest ^= thrown
        if is_rummy(rules, mask ^ thrown):
            return thrown
    return wide(0)


@kernel
def choose_card(policy: Policy, mask: int, drawn: int, kept_mask: int, chance: Chance) -> tuple[int, float]:
    """Return the card that a player throws, as a mask, and how bad the hand is that is left.

    Of equally good throws, that of the drawn card; otherwise that of the least index, or of the lowest card.
    """
    free = mask & ~kept_mask
    if policy.kind[0] == RANDOM:
        return wide(1) << nth_bit(free, below(chance, 0, popcount(free))), 0.0
    best, least, order = wide(0), np.inf, wide(0)
    if drawn & free:
        best = drawn
        least, order = judge(policy, mask ^ drawn)
        order = wide(-1)
    rest = free & ~drawn
    while rest:
        thrown = rest & -rest
        rest ^= thrown
        value, index = judge(policy, mask ^ thrown)
        if value < least - TIE or (value <= least + TIE and index < order):
            best, least, order = thrown, value, index
    return best, least


@kernel
def wants(policy: Policy, hand: int, offered: int, chance: Chance) -> bool:
    """Return whether a player takes a card that lies open instead of drawing.

    By a table: if what is left after the best throw is better than after a draw, which on average is E − 1 (Finkle
    2017, section 2.3). Greedy: if more cards are shared with a rummy. At random: every other time.
    """
    if policy.kind[0] == RANDOM:
        return below(chance, 0, 2) == 0
    own, _ = judge(policy, hand)
    _, least = choose_card(policy, hand | offered, wide(0), offered, chance)
    if policy.kind[0] == TABLE:
        return least < own - 1.0 - TIE
    return bool(np.ceil(least / SHARED_CARD) < np.ceil(own / SHARED_CARD))
