"""Rummy from the definitions: no kernels, no canonical indices, exact fractions. Slow, and plainly right."""

from __future__ import annotations

import heapq
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

# A card is (rank, suit), rank 0 the ace; a hand is a sorted tuple of cards.
Cards = tuple[tuple[int, int], ...]
DECK: Cards = tuple((rank, suit) for rank in range(13) for suit in range(4))


def is_meld(cards: Cards, aces: str) -> bool:
    """Return whether cards are a set or a run, by trying all starts and lengths."""
    if len(cards) < 3:
        return False
    ranks, suits = {rank for rank, _ in cards}, {suit for _, suit in cards}
    if len(ranks) == 1:
        return True
    if len(suits) > 1:
        return False
    last_start = {"low": 13 - len(cards), "high": 14 - len(cards), "wrap": 12}[aces]
    return any({(start + i) % 13 for i in range(len(cards))} == ranks for start in range(last_start + 1))


def is_rummy(cards: Cards, aces: str) -> bool:
    """Return whether cards can be cut into melds: some meld holds the first card, and the rest is a rummy."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    for size in range(2, len(rest) + 1):
        for others in combinations(rest, size):
            if is_meld((first, *others), aces) and is_rummy(tuple(c for c in rest if c not in others), aces):
                return True
    return False


def symmetries(aces: str) -> list[dict[tuple[int, int], tuple[int, int]]]:
    """Return all maps of the deck that exchange suits and map runs to runs."""
    if aces == "low":
        ranks = [list(range(13)), [12 - rank for rank in range(13)]]
    elif aces == "high":
        ranks = [list(range(13)), [(13 - rank) % 13 for rank in range(13)]]
    else:
        ranks = [[(sign * rank + shift) % 13 for rank in range(13)] for sign in (1, -1) for shift in range(13)]
    return [
        {(rank, suit): (images[rank], suits[suit]) for rank, suit in DECK}
        for images in ranks
        for suits in permutations(range(4))
    ]


@cache
def _maps(aces: str) -> list[dict[tuple[int, int], tuple[int, int]]]:
    return symmetries(aces)


def canonical(cards: Cards, aces: str) -> Cards:
    """Return the first of all hands that are alike."""
    return min(tuple(sorted(each[card] for card in cards)) for each in _maps(aces))


def solve(aces: str) -> dict[Cards, Fraction]:
    """Return the expected turns of every hand of three cards that is the first of those alike to it.

    The procedure of Finkle 2017, section 2.6: lock in the hand with the least E_hyp, one by one.
    """
    kind: dict[Cards, Cards] = dict.fromkeys(combinations(DECK, 3), ())
    for hand in kind:
        if not kind[hand]:
            for each in _maps(aces):
                kind[tuple(sorted(each[card] for card in hand))] = hand
    hands = sorted(set(kind.values()))
    # reached_from[h]: the pairs (hand, draw) after which some throw leaves a hand alike to h
    reached_from: dict[Cards, set[tuple[Cards, tuple[int, int]]]] = defaultdict(set)
    for hand in hands:
        for draw in set(DECK) - set(hand):
            held = tuple(sorted((*hand, draw)))
            for throw in held:
                if throw != draw:
                    reached_from[kind[tuple(card for card in held if card != throw)]].add((hand, draw))
    sums = {hand: Fraction(49) for hand in hands}
    known_draws: dict[Cards, set[tuple[int, int]]] = {hand: set() for hand in hands}
    locked: dict[Cards, Fraction] = {}
    queue = [(Fraction(0), hand) for hand in hands if is_rummy(hand, aces)]
    while queue:
        value, hand = heapq.heappop(queue)
        if hand in locked:
            continue
        locked[hand] = value
        changed = set()
        for other, draw in reached_from[hand]:
            if other not in locked and draw not in known_draws[other]:
                known_draws[other].add(draw)
                sums[other] += value
                changed.add(other)
        for other in changed:
            heapq.heappush(queue, (sums[other] / len(known_draws[other]), other))
    return locked
