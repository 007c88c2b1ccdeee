"""The choices that a place has, worlds that fit it, and rounds played out by the quick judgement."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount
from handful._jit import kernel
from handful.rummy.gin.actions import BIG_GIN, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import deadwood
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.layout import Rounds, Rulebook, Views
from handful.rummy.gin.kernels.quick_player import choose_quick
from handful.rummy.gin.kernels.round import act, forbidden_card, show_place
from handful.rummy.gin.kernels.simple import is_drawing, least_throws, may_take, refusal
from handful.rummy.gin.kernels.worlds import hidden_cards
from handful.rummy.gin.round import OVER, WALL
from handful.splitmix_jit import Chance, below

MOST_CHOICES = 24

Choices: TypeAlias = npt.NDArray[np.int64]


@kernel
def list_choices(views: Views, v: int, rules: Rulebook, choices: Choices) -> int:
    """Write all choices worth a thought: of the knocks, one with the least deadwood; return how many there are."""
    w = views[v]
    if is_drawing(views, v):
        choices[0] = refusal(views, v)
        if not may_take(views, v):
            return 1
        choices[1] = TAKE
        return 2
    hand, number = w["hand"], 0
    forbidden = forbidden_card(w["taken"], rules)
    if w["phase"] == WALL:
        hand |= 1 << w["upcard"]
        choices[0] = PASS
        number = 1
    else:
        left = hand & ~forbidden
        while left:
            choices[number] = lowest_bit(left)
            left &= left - 1
            number += 1
        if rules[0]["big_gin_bonus"] and deadwood(hand) == 0:
            choices[number] = BIG_GIN
            number += 1
    least, best = least_throws(hand, forbidden)
    if least <= w["knock_limit"]:
        choices[number] = KNOCK + lowest_bit(best)
        number += 1
    return number


@kernel
def make_world(views: Views, v: int, opponent: int, rounds: Rounds, chance: Chance, stream: int) -> None:
    """Write the round of a view in which the opponent has a hand, and the stock is in some order. The player is 0."""
    r, w = rounds[0], views[v]
    stock = hidden_cards(views, v) & ~opponent
    size = popcount(stock)
    deck = r["deck"]
    for place in range(52 - size, 52):
        deck[place] = lowest_bit(stock)
        stock &= stock - 1
    for place in range(52 - size, 51):
        other = place + below(chance, stream, 52 - place)
        deck[place], deck[other] = deck[other], deck[place]
    r["next_card"] = 52 - size
    r["hands"][0] = w["hand"]
    r["hands"][1] = opponent
    r["known"][0] = w["own_known"]
    r["known"][1] = w["known"]
    r["refused"][0] = 0
    r["refused"][1] = w["refused"]
    r["pile"] = w["pile"]
    r["upcard"] = w["upcard"]
    r["last_upcard"] = w["last_upcard"]
    r["taken"] = w["taken"]
    r["current"] = 0
    r["starter"] = 0 if w["is_starter"] else 1
    r["phase"] = w["phase"]
    r["passes"] = w["passes"]
    r["takes"] = w["takes"]
    r["repeated"] = w["repeated"]
    r["knock_limit"] = w["knock_limit"]
    r["factor"] = w["factor"]
    r["scores"][0] = w["own_score"]
    r["scores"][1] = w["score"]
    r["num_turns"] = w["num_turns"]
    r["first_player"] = 0 if w["has_first"] else 1
    r["ending"] = 0
    r["winner"] = -1
    r["points"] = 0


@kernel
def play_out(rounds: Rounds, i: int, views: Views, rules: Rulebook, weights: Weights, features: Features) -> None:
    """Play a round to its end, both by the quick judgement."""
    while rounds[i]["phase"] != OVER:
        show_place(rounds, i, views, 0, rounds[i]["current"])
        act(rounds, i, rules, choose_quick(views, 0, rules, weights, features))
