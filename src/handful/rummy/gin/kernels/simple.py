"""Two players from their descriptions: `random`, and `simple`, the yardstick of the EAAI challenge of 2021."""

from __future__ import annotations

from handful._bits import nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.actions import BIG_GIN, DRAW, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import COLUMN, deadwood, in_runs
from handful.rummy.gin.kernels.layout import Rulebook, Views
from handful.rummy.gin.kernels.round import forbidden_card, legal_mask
from handful.rummy.gin.round import DRAWING, FIRST_UPCARD, WALL
from handful.splitmix_jit import Chance, below


@inlined_kernel
def can_meld(hand: int, card: int) -> bool:
    """Return whether a card is part of some meld together with a hand."""
    whole = hand | 1 << card
    return in_runs(whole) >> card & 1 == 1 or popcount(whole & (COLUMN << (card % 13))) >= 3


@inlined_kernel
def refusal(views: Views, v: int) -> int:
    """Return how the upcard is refused: by passing, or by drawing."""
    w = views[v]
    return PASS if w["phase"] == FIRST_UPCARD and w["passes"] < 2 else DRAW


@inlined_kernel
def is_drawing(views: Views, v: int) -> bool:
    """Return whether it is about the upcard."""
    phase = wide(views[v]["phase"])
    return phase in (FIRST_UPCARD, DRAWING)


@inlined_kernel
def may_take(views: Views, v: int) -> bool:
    """Return whether the upcard may be taken."""
    return wide(views[v]["phase"]) == DRAWING or wide(views[v]["passes"]) < 2


@kernel
def least_throws(hand: int, forbidden: int) -> tuple[int, int]:
    """Return the least deadwood that a throw leaves, and the mask of the throws that leave it.

    Without card c it is at least d(hand) − points(c): from the highest card down, what cannot be better is not tried.
    """
    whole = deadwood(hand)
    least, best = 1000, 0
    for value in range(10, 0, -1):
        if whole - value > least:
            break
        left = hand & ~forbidden & (COLUMN << (value - 1) if value < 10 else COLUMN * 0b1111 << 9)
        while left:
            card = left & -left
            left ^= card
            now = deadwood(hand & ~card)
            if now < least:
                least, best = now, card
            elif now == least:
                best |= card
    return least, best


@kernel
def choose_simple(views: Views, v: int, rules: Rulebook, chance: Chance, stream: int) -> int:
    """Take what melds; throw a card that leaves least deadwood, any of them; knock as soon as possible."""
    w = views[v]
    if is_drawing(views, v):
        return TAKE if may_take(views, v) and can_meld(w["hand"], w["upcard"]) else refusal(views, v)
    hand = w["hand"]
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
    least, best = least_throws(hand, forbidden_card(w["taken"], rules))
    if w["phase"] == WALL and least > w["knock_limit"]:
        return PASS
    if rules[0]["big_gin_bonus"] and w["phase"] != WALL and deadwood(hand) == 0:
        return BIG_GIN
    card = nth_bit(best, below(chance, stream, popcount(best)))
    return KNOCK + card if least <= w["knock_limit"] else card


@kernel
def choose_random(views: Views, v: int, rules: Rulebook, chance: Chance, stream: int) -> int:
    """Do anything that is legal, each equally likely."""
    w = views[v]
    if is_drawing(views, v):
        return TAKE if may_take(views, v) and below(chance, stream, 2) == 0 else refusal(views, v)
    hand = w["hand"]
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
    throws, knocks = legal_mask(hand, forbidden_card(w["taken"], rules), w["knock_limit"])
    if w["phase"] == WALL:
        number = below(chance, stream, popcount(knocks) + 1)
        return PASS if number == popcount(knocks) else KNOCK + nth_bit(knocks, number)
    number = below(chance, stream, popcount(throws) + popcount(knocks))
    if number < popcount(throws):
        return nth_bit(throws, number)
    return KNOCK + nth_bit(knocks, number - popcount(throws))
