"""What each choice of a place is worth: play-outs in worlds that fit the view, and the race of the choices.

All choices are played out in the same worlds (the opponent's hand and the order of the stock), so that what the cards
bring is the same for all, and their differences are known sooner than their values.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, TypedDict, record_type
from handful.rummy.gin.actions import BIG_GIN, KNOCK, TAKE
from handful.rummy.gin.kernels.deadwood import deadwood
from handful.rummy.gin.kernels.judgement import Weights
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rulebook, Views
from handful.rummy.gin.kernels.marjj import own_turn
from handful.rummy.gin.kernels.quick import thrown_worth
from handful.rummy.gin.kernels.round import UNDERCUT, act
from handful.rummy.gin.kernels.search import MOST_CHOICES, Choices, list_choices, make_world, play_out
from handful.rummy.gin.kernels.simple import can_meld, is_drawing, refusal
from handful.rummy.gin.kernels.win_chance import WinChances, chance_after
from handful.rummy.gin.kernels.worlds import Habits, Hands, draw_worlds
from handful.rummy.gin.round import THROWING
from handful.splitmix_jit import Chance


class TallyFields(TypedDict):
    """What the play-outs of a choice came to."""

    worlds: Annotated[int, np.int64]
    chance: Annotated[float, np.float64]  # sums: of win chances, and their squares
    chance_squares: Annotated[float, np.float64]
    points: Annotated[float, np.float64]
    points_squares: Annotated[float, np.float64]
    won: Annotated[int, np.int64]  # rounds
    lost: Annotated[int, np.int64]
    undercut: Annotated[int, np.int64]  # of this player's knocks
    gin: Annotated[int, np.int64]  # by this player
    turns: Annotated[int, np.int64]  # of both, until the end


TALLY = record_type(TallyFields)
Tallies: TypeAlias = npt.NDArray[np.void]
Outcomes: TypeAlias = npt.NDArray[np.float64]  # by choice and world: the win chance of the game afterwards


class SearchSettingsFields(TypedDict):
    """How long to think."""

    tried: Annotated[int, np.int64]  # hands of the opponent that are weighed
    worlds: Annotated[int, np.int64]  # at most
    batch: Annotated[int, np.int64]  # worlds, after each of which choices may fall out
    choices: Annotated[int, np.int64]  # throws that are played out at most
    margin: Annotated[float, np.float64]  # points that a throw may seem worse by the quick judgement
    sure: Annotated[float, np.float64]  # standard errors by which a choice must be behind to fall out


SEARCH_SETTINGS = record_type(SearchSettingsFields)
SearchSettings: TypeAlias = npt.NDArray[np.void]


class Model(NamedTuple):
    """What is known beforehand: the quick judgement, the habits of players, the win chance of scores."""

    weights: Weights
    habits: Habits
    solved: WinChances


@kernel
def try_choices(
    views: Views,
    rules: Rulebook,
    choices: Choices,
    opponents: Hands,
    model: Model,
    chance: Chance,
    outcomes: Outcomes,
    tallies: Tallies,
) -> None:
    """Play each choice out in each world; write its win chance in `outcomes`, and add to `tallies`.

    A choice of −1 has fallen out. The order of the stocks is drawn from stream 0.
    """
    rounds, seen, features = np.zeros(2, ROUND), np.zeros(1, VIEW), np.zeros(model.weights.shape[2])
    w = views[0]
    for world in range(len(opponents)):
        make_world(views, 0, opponents[world], rounds, chance, 0)
        for k in range(len(choices)):
            if choices[k] < 0:
                continue
            rounds[1] = rounds[0]
            act(rounds, 1, rules, choices[k])
            play_out(rounds, 1, seen, rules, model.weights, features)
            r, t = rounds[1], tallies[k]
            result = 0 if r["winner"] < 0 else r["points"] if r["winner"] == 0 else -r["points"]
            value = chance_after(model.solved, w["own_score"], w["score"], w["is_starter"], result)
            outcomes[k, world] = value
            t["worlds"] += 1
            t["chance"] += value
            t["chance_squares"] += value * value
            t["points"] += result
            t["points_squares"] += result * result
            t["won"] += result > 0
            t["lost"] += result < 0
            t["undercut"] += r["ending"] == UNDERCUT and r["winner"] == 1
            t["gin"] += r["ending"] > UNDERCUT and r["winner"] == 0
            t["turns"] += r["num_turns"] - rounds[0]["num_turns"] + (r["ending"] > 0)


@kernel
def drop_the_beaten(choices: Choices, outcomes: Outcomes, worlds: int, sure: float) -> int:
    """Let choices fall out that are behind the best by so many standard errors; return the place of the best.

    What is compared are differences in the same worlds: d = mean of (best − other), s² their variance / worlds.
    """
    best, most, left = 0, -1.0, 0
    for k in range(len(choices)):
        if choices[k] >= 0:
            mean = outcomes[k, :worlds].mean()
            if mean > most:
                best, most = k, mean
    for k in range(len(choices)):
        if choices[k] < 0 or k == best:
            continue
        total, squares = 0.0, 0.0
        for world in range(worlds):
            difference = outcomes[best, world] - outcomes[k, world]
            total += difference
            squares += difference * difference
        mean = total / worlds
        error = math.sqrt(max(squares / worlds - mean * mean, 1e-12) / worlds)
        if mean > sure * error:
            choices[k] = -1
        else:
            left += 1
    return best if left else -1 - best


@kernel
def prune_throws(views: Views, choices: Choices, number: int, settings: SearchSettings, model: Model) -> int:
    """Keep, of the throws, those that seem best by the quick judgement, and all else; return how many are left."""
    w, features = views[0], np.zeros(model.weights.shape[2])
    turn = own_turn(views, 0)
    seeming = np.full(number, -1e9)
    best = -1e9
    for k in range(number):
        if choices[k] < TAKE:
            seeming[k] = thrown_worth(
                w["hand"], choices[k], w["known"], w["pile"], w["knock_limit"], turn, model.weights, features
            )
            best = max(best, seeming[k])
    kept = 0
    for k in range(number):
        if choices[k] < TAKE:
            ahead = 0
            for other in range(number):
                ahead += seeming[other] > seeming[k] or (seeming[other] == seeming[k] and other < k)
            if ahead >= settings[0]["choices"] or seeming[k] < best - settings[0]["margin"]:
                seeming[k] = -2e9
    for k in range(number):
        if seeming[k] > -2e9:
            choices[kept] = choices[k]
            kept += 1
    return kept


@kernel
def choose_montecarlo(views: Views, rules: Rulebook, model: Model, settings: SearchSettings, chance: Chance) -> int:
    """Return the choice that wins the game most often, as far as play-outs tell."""
    w, s = views[0], settings[0]
    if is_drawing(views, 0) and not can_meld(w["hand"], w["upcard"]):
        return refusal(views, 0)
    choices = np.zeros(MOST_CHOICES, np.int64)
    number = list_choices(views, 0, rules, choices)
    if w["phase"] == THROWING:
        if choices[number - 1] > KNOCK and wins_at_once(w["hand"], choices[number - 1]):
            return choices[number - 1]
        number = prune_throws(views, choices, number, settings, model)
    if number == 1:
        return choices[0]
    original = choices[:number].copy()
    running = choices[:number]
    tried, opponents = np.zeros(s["tried"], np.int64), np.zeros(s["worlds"], np.int64)
    draw_worlds(views, 0, rules, model.weights, model.habits, chance, 0, tried, opponents)
    outcomes, tallies = np.zeros((number, s["worlds"])), np.zeros(number, TALLY)
    best, first = 0, 0
    while first < s["worlds"]:
        last = min(first + s["batch"], s["worlds"])
        try_choices(views, rules, running, opponents[first:last], model, chance, outcomes[:, first:last], tallies)
        best = drop_the_beaten(running, outcomes, last, s["sure"])
        if best < 0:
            return original[-1 - best]
        first = last
    return original[best]


@inlined_kernel
def wins_at_once(hand: int, action: int) -> bool:
    """Return whether a knock is gin."""
    from_hand = hand if action == BIG_GIN else hand & ~(1 << (action - KNOCK))
    return deadwood(from_hand) == 0
