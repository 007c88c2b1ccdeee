"""`quick`: the quick judgement as a player."""

from __future__ import annotations

from handful._bits import lowest_bit
from handful._jit import kernel
from handful.rummy.gin.actions import BIG_GIN, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import deadwood
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.layout import Rulebook, Views
from handful.rummy.gin.kernels.marjj import own_turn
from handful.rummy.gin.kernels.quick import quick_draw, quick_knock, quick_throw
from handful.rummy.gin.kernels.round import forbidden_card
from handful.rummy.gin.kernels.simple import can_meld, is_drawing, least_throws, may_take, refusal
from handful.rummy.gin.round import WALL


@kernel
def choose_quick(views: Views, v: int, rules: Rulebook, weights: Weights, features: Features) -> int:
    """Return what is worth most by the quick judgement."""
    w = views[v]
    turn, limit, pile, known = own_turn(views, v), w["knock_limit"], w["pile"], w["known"]
    if is_drawing(views, v):
        if not may_take(views, v) or not can_meld(w["hand"], w["upcard"]):
            return refusal(views, v)
        hand = w["hand"] | 1 << w["upcard"]
        forbidden = forbidden_card(w["upcard"], rules)
        _, taking = quick_throw(hand, forbidden, known, pile, limit, turn, weights, features)
        least, _ = least_throws(hand, forbidden)
        if least <= limit:
            taking = max(taking, quick_knock(least, known, turn, weights, features))
        drawing = quick_draw(w["hand"], w["upcard"], known, pile, limit, turn, weights, features)
        return TAKE if taking > drawing else refusal(views, v)
    hand = w["hand"]
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
    forbidden = forbidden_card(w["taken"], rules)
    least, best = least_throws(hand, forbidden)
    if w["phase"] == WALL:
        return KNOCK + lowest_bit(best) if least <= limit else PASS
    if rules[0]["big_gin_bonus"] and deadwood(hand) == 0:
        return BIG_GIN
    if least == 0:
        return KNOCK + lowest_bit(best)
    throw, value = quick_throw(hand, forbidden, known, pile, limit, turn, weights, features)
    if w["stock"] == rules[0]["wall"] and not rules[0]["wall_knock"]:
        value = 0.0  # after this throw nobody gets anything
    if least <= limit and quick_knock(least, known, turn, weights, features) > value:
        return KNOCK + lowest_bit(best)
    return throw
