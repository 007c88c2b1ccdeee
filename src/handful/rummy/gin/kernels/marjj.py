"""`marjj`: in the style of the winner of the EAAI challenge of 2021, from a description of it.

It takes the upcard only if that melds and lowers the deadwood. Of the throws that leave at most 5 points more than the
least, it makes that of the least sum of: the deadwood; 18 · 0.9^(turn − 1) times the mean of the seven lowest
deadwoods that one more unseen card could give; and a danger: how many equals and neighbours of the card are gone (−),
and how many the opponent took (+). It knocks in its first three turns only; afterwards it plays for gin alone.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, popcount
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.actions import BIG_GIN, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import COLUMN, DECK, NOT_ACES, NOT_KINGS, deadwood, least_after_throw
from handful.rummy.gin.kernels.layout import Rulebook, Views
from handful.rummy.gin.kernels.round import forbidden_card
from handful.rummy.gin.kernels.simple import can_meld, is_drawing, least_throws, may_take, refusal
from handful.rummy.gin.round import WALL

BEST_CARDS = 7
MARGIN = 5
PATIENCE_TURNS = 3
OUTLOOK_WEIGHT, OUTLOOK_DECAY = 18.0, 0.9


@inlined_kernel
def own_turn(views: Views, v: int) -> int:
    """Return the number of the turn that a player takes, from 1."""
    w = views[v]
    return (w["num_turns"] + w["has_first"]) // 2 + 1 if w["num_turns"] else 1


@inlined_kernel
def relatives(card: int) -> int:
    """Return the cards of the same rank, and the neighbours in the suit."""
    bit = 1 << card
    return ((COLUMN << (card % 13)) & ~bit) | (bit & NOT_KINGS) << 1 | (bit & NOT_ACES) >> 1


@kernel
def outlook(hand: int, unseen: int) -> float:
    """Return the mean of the seven least deadwoods that one more unseen card could give to ten."""
    counts, total, level = 0, 0, 0
    found = np.zeros(100, np.int64)
    left = unseen
    while left:
        card = left & -left
        left ^= card
        found[least_after_throw(hand | card)] += 1
    while counts < BEST_CARDS and level < 100:
        number = min(found[level], BEST_CARDS - counts)
        counts += number
        total += number * level
        level += 1
    return total / max(1, counts)


@kernel
def choose_marjj(views: Views, v: int, rules: Rulebook) -> int:
    """Return what this player does."""
    w = views[v]
    hand = w["hand"]
    if is_drawing(views, v):
        is_taken = (
            may_take(views, v)
            and can_meld(hand, w["upcard"])
            and least_throws(hand | 1 << w["upcard"], forbidden_card(w["upcard"], rules))[0] < deadwood(hand)
        )
        return TAKE if is_taken else refusal(views, v)
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
    least, best = least_throws(hand, forbidden_card(w["taken"], rules))
    if w["phase"] == WALL:
        return KNOCK + lowest_bit(best) if least <= w["knock_limit"] else PASS
    if rules[0]["big_gin_bonus"] and deadwood(hand) == 0:
        return BIG_GIN
    turn = own_turn(views, v)
    throw = _best_throw(views, v, rules, least, turn)
    if least == 0 or (least <= w["knock_limit"] and turn <= PATIENCE_TURNS):
        return KNOCK + lowest_bit(best)
    return throw


@kernel
def _best_throw(views: Views, v: int, rules: Rulebook, least: int, turn: int) -> int:
    w = views[v]
    hand = w["hand"]
    unseen = DECK & ~hand & ~w["pile"] & ~w["known"]
    weight = OUTLOOK_WEIGHT * OUTLOOK_DECAY ** (turn - 1)
    chosen, best = -1, 1e9
    left = hand & ~forbidden_card(w["taken"], rules)
    while left:
        card = lowest_bit(left)
        left &= left - 1
        kept = hand & ~(1 << card)
        now = deadwood(kept)
        if now <= least + MARGIN:
            near = relatives(card)
            danger = popcount(near & w["known"]) - popcount(near & (w["pile"] | hand))
            score = now + weight * outlook(kept, unseen) + danger
            if score < best:
                chosen, best = card, score
    return chosen
