"""A round of Gin on records: the same rules as `gin.round`, compiled. Nothing is checked: actions must be legal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.rummy.gin.actions import BIG_GIN, DRAW, KNOCK, PASS, TAKE
from handful.rummy.gin.kernels.deadwood import (
    NO_CARD,
    best_sets,
    card_points,
    deadwood,
    defended,
    in_runs,
)
from handful.rummy.gin.kernels.layout import Rounds, Rulebook, Views
from handful.rummy.gin.round import DRAWING, FIRST_UPCARD, OVER, THROWING, WALL
from handful.rummy.gin.rules import HAND_SIZE, MOST_TAKES
from handful.splitmix_jit import Chance, add_key, below, seed_key

VOID, KNOCKED, UNDERCUT, GIN, BIG = range(5)
STOCK_START = 2 * HAND_SIZE + 1


@inlined_kernel
def deal_deck(rounds: Rounds, i: int, chance: Chance, seed: int, game: int, number: int) -> None:
    """Put the deck of a round in its order; the last stream of `chance` is used up for it."""
    stream = len(chance) - 1
    chance[stream] = add_key(add_key(add_key(seed_key(seed), 0), game), number)
    deck = rounds[i]["deck"]
    for place in range(52):
        deck[place] = place
    for place in range(51):
        other = place + below(chance, stream, 52 - place)
        deck[place], deck[other] = deck[other], deck[place]


@inlined_kernel
def start_round(rounds: Rounds, i: int, rules: Rulebook, starter: int) -> None:
    """Deal the cards of a deck that is in order; scores stay as they are."""
    r = rounds[i]
    for player in range(2):
        mask = 0
        for place in range(player * HAND_SIZE, (player + 1) * HAND_SIZE):
            mask |= 1 << wide(r["deck"][place])
        r["hands"][starter ^ player] = mask
        r["known"][player] = 0
        r["refused"][player] = 0
    first = wide(r["deck"][2 * HAND_SIZE])
    r["pile"] = 0
    r["next_card"] = STOCK_START
    r["upcard"] = first
    r["last_upcard"] = NO_CARD
    r["taken"] = NO_CARD
    r["current"] = starter
    r["starter"] = starter
    r["phase"] = FIRST_UPCARD
    r["passes"] = 0
    r["takes"] = 0
    r["repeated"] = 0
    r["num_turns"] = 0
    r["first_player"] = starter
    r["ending"] = VOID
    r["winner"] = -1
    r["points"] = 0
    r["factor"] = 1
    r["knock_limit"] = rules[0]["knock_limit"]
    if rules[0]["oklahoma"]:
        value = card_points(first)
        r["knock_limit"] = 0 if value == 1 else value
        if rules[0]["spades_double"] and first >= 39:
            r["factor"] = 2


@inlined_kernel
def forbidden_card(taken: int, rules: Rulebook) -> int:
    """Return the mask of the card that may not be thrown."""
    return 0 if taken == NO_CARD or rules[0]["throw_taken"] else 1 << taken


@inlined_kernel
def act(rounds: Rounds, i: int, rules: Rulebook, action: int) -> None:
    """Do what the player to move asks for."""
    r = rounds[i]
    current = r["current"]
    if action == TAKE:
        if r["phase"] == DRAWING:
            r["takes"] += 1
            if r["takes"] == MOST_TAKES:
                r["phase"] = OVER
                return
        r["hands"][current] |= 1 << r["upcard"]
        r["known"][current] |= 1 << r["upcard"]
        r["taken"] = r["upcard"]
        r["last_upcard"] = r["upcard"]
        r["upcard"] = NO_CARD
        r["phase"] = THROWING
    elif action == DRAW:
        if r["phase"] == DRAWING:
            r["refused"][current] |= 1 << r["upcard"]
        r["pile"] |= 1 << r["upcard"]
        r["last_upcard"] = r["upcard"]
        r["upcard"] = NO_CARD
        r["taken"] = NO_CARD
        r["hands"][current] |= 1 << wide(r["deck"][r["next_card"]])
        r["next_card"] += 1
        r["phase"] = THROWING
    elif action == PASS:
        if r["phase"] == WALL:
            r["phase"] = OVER
        else:
            r["refused"][current] |= 1 << r["upcard"]
            r["passes"] += 1
            r["current"] = 1 - current
    elif action >= KNOCK:
        _knock(rounds, i, rules, action)
    else:
        _throw(rounds, i, rules, action)


@inlined_kernel
def _throw(rounds: Rounds, i: int, rules: Rulebook, card: int) -> None:
    r = rounds[i]
    current = r["current"]
    r["hands"][current] &= ~(1 << card)
    r["known"][current] &= ~(1 << card)
    if r["num_turns"] == 0:
        r["first_player"] = current
    r["took"][r["num_turns"]] = r["taken"]
    r["threw"][r["num_turns"]] = card
    r["num_turns"] += 1
    r["upcard"] = card
    r["current"] = 1 - current
    is_same = card == r["last_upcard"]
    if is_same and r["repeated"]:
        r["phase"] = OVER
        return
    r["repeated"] = 1 if is_same else 0
    r["taken"] = NO_CARD
    r["phase"] = DRAWING
    if 52 - r["next_card"] == rules[0]["wall"]:
        r["phase"] = WALL if rules[0]["wall_knock"] else OVER


@kernel
def _knock(rounds: Rounds, i: int, rules: Rulebook, action: int) -> None:
    r = rounds[i]
    current = r["current"]
    if r["phase"] == WALL:
        r["hands"][current] |= 1 << r["upcard"]
        r["upcard"] = NO_CARD
    if action != BIG_GIN:
        r["hands"][current] &= ~(1 << (action - KNOCK))
        r["pile"] |= 1 << (action - KNOCK)
    worth = knock_worth(r["hands"][current], r["hands"][1 - current], rules)
    r["points"] = abs(worth) * r["factor"]
    r["winner"] = -1 if worth == 0 else current if worth > 0 else 1 - current
    r["ending"] = UNDERCUT if worth < 0 else KNOCKED
    if deadwood(r["hands"][current]) == 0:
        r["ending"] = BIG if popcount(r["hands"][current]) > HAND_SIZE else GIN
    r["phase"] = OVER


@kernel
def knock_worth(knocker: int, defender: int, rules: Rulebook) -> int:
    """Return the points that a knock brings, negative if it is undercut; both lay out their hands best."""
    left = deadwood(knocker)
    if left == 0:
        bonus = rules[0]["big_gin_bonus"] if popcount(knocker) > HAND_SIZE else rules[0]["gin_bonus"]
        return deadwood(defender) + wide(bonus)
    sets = best_sets(knocker)
    runs = in_runs(knocker & ~sets)
    difference = defended(defender, sets, runs, rules[0]["lays_off_first"] != 0) - left
    if difference < 0 or (difference == 0 and rules[0]["equal_is_undercut"]):
        return difference - wide(rules[0]["undercut_bonus"])
    return difference


@kernel
def legal_mask(view_hand: int, forbidden: int, knock_limit: int) -> tuple[int, int]:
    """Return the cards of an eleven-card hand that may be thrown, and those with which one may knock."""
    throws, knocks = view_hand & ~forbidden, 0
    left = throws
    if deadwood(view_hand) > knock_limit + 10:  # no throw saves more than ten points
        return throws, 0
    while left:
        card = left & -left
        left ^= card
        if deadwood(view_hand & ~card) <= knock_limit:
            knocks |= card
    return throws, knocks


@kernel
def legal_actions(rounds: Rounds, i: int, rules: Rulebook, legal: npt.NDArray[np.bool_]) -> None:
    """Mark the legal actions in a row of booleans."""
    r = rounds[i]
    legal[:] = False
    if r["phase"] == FIRST_UPCARD:
        legal[TAKE] = legal[PASS] = r["passes"] < 2
        legal[DRAW] = r["passes"] >= 2
    elif r["phase"] == DRAWING:
        legal[TAKE] = legal[DRAW] = True
    elif r["phase"] == THROWING or r["phase"] == WALL:
        hand = r["hands"][r["current"]]
        if r["phase"] == WALL:
            hand |= 1 << r["upcard"]
            legal[PASS] = True
        throws, knocks = legal_mask(hand, forbidden_card(r["taken"], rules), r["knock_limit"])
        while knocks:
            legal[KNOCK + lowest_bit(knocks)] = True
            knocks &= knocks - 1
        while throws and r["phase"] == THROWING:
            legal[lowest_bit(throws)] = True
            throws &= throws - 1
        if r["phase"] == THROWING and rules[0]["big_gin_bonus"] and deadwood(hand) == 0:
            legal[BIG_GIN] = True


@inlined_kernel
def show_place(rounds: Rounds, i: int, views: Views, v: int, player: int) -> None:
    """Write what a player sees into a view, but for who took and threw what in which turn."""
    r, w = rounds[i], views[v]
    other = 1 - player
    w["hand"] = r["hands"][player]
    w["pile"] = r["pile"]
    w["known"] = r["known"][other]
    w["own_known"] = r["known"][player]
    w["refused"] = r["refused"][other]
    w["stock"] = 52 - r["next_card"]
    w["upcard"] = r["upcard"]
    w["last_upcard"] = r["last_upcard"]
    w["taken"] = r["taken"]
    w["phase"] = r["phase"]
    w["is_starter"] = 1 if r["starter"] == player else 0
    w["passes"] = r["passes"]
    w["takes"] = r["takes"]
    w["repeated"] = r["repeated"]
    w["knock_limit"] = r["knock_limit"]
    w["factor"] = r["factor"]
    w["own_score"] = r["scores"][player]
    w["score"] = r["scores"][other]
    w["num_turns"] = r["num_turns"]
    w["has_first"] = 1 if r["first_player"] == player else 0


@inlined_kernel
def show(rounds: Rounds, i: int, views: Views, v: int, player: int) -> None:
    """Write what a player sees into a view."""
    show_place(rounds, i, views, v, player)
    r, w = rounds[i], views[v]
    for turn in range(r["num_turns"]):
        w["took"][turn] = r["took"][turn]
        w["threw"][turn] = r["threw"][turn]
