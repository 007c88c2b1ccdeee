"""What each choice of a place is worth: play-outs in worlds that fit the view, and the race of the choices.

All choices are played out in the same worlds (the opponent's hand and the order of the stock), so that what the cards
bring is the same for all, and their differences are known sooner than their values.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel
from handful._records import Annotated, TypedDict, record_type
from handful.rummy.gin.actions import BIG_GIN, DRAW, KNOCK, TAKE
from handful.rummy.gin.kernels.deadwood import deadwood
from handful.rummy.gin.kernels.judgement import Features, Weights
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rounds, Rulebook, Views
from handful.rummy.gin.kernels.marjj import own_turn
from handful.rummy.gin.kernels.open_hands import (
    BINS_AT,
    NUM_BINS,
    PAPER_SIZE,
    Network,
    Paper,
    bin_of,
    describe_both,
    run_network,
    stock_of,
)
from handful.rummy.gin.kernels.places import MOST_CHOICES, Choices, list_choices, make_world
from handful.rummy.gin.kernels.quick import thrown_worth
from handful.rummy.gin.kernels.quick_player import choose_quick
from handful.rummy.gin.kernels.round import act, show_place
from handful.rummy.gin.kernels.simple import can_meld, is_drawing, refusal
from handful.rummy.gin.kernels.win_chance import WinChances, chance_after
from handful.rummy.gin.kernels.worlds import Habits, Hands, draw_worlds
from handful.rummy.gin.round import OVER, THROWING
from handful.splitmix_jit import Chance

Outcomes: TypeAlias = npt.NDArray[np.float64]  # win chance (0) and points (1), by choice and world
LAST_DRAWS = 4  # with no more left, rounds are played to their end


class SearchSettingsFields(TypedDict):
    """How long to think."""

    tried: Annotated[int, np.int64]  # pasts that are invented to begin with
    burn: Annotated[int, np.int64]  # steps before the first world
    steps: Annotated[int, np.int64]  # from one world to the next
    worlds: Annotated[int, np.int64]  # at most
    batch: Annotated[int, np.int64]  # worlds, after each of which choices may fall out
    choices: Annotated[int, np.int64]  # throws that are played out at most
    depth: Annotated[int, np.int64]  # draws from the stock before open hands are judged; −1: to the end
    margin: Annotated[float, np.float64]  # points that a throw may seem worse by the quick judgement
    sure: Annotated[float, np.float64]  # standard errors by which a choice must be behind to fall out
    last: Annotated[int, np.int64]  # times as many worlds, and all throws, when the last draws have come


SEARCH_SETTINGS = record_type(SearchSettingsFields)
SearchSettings: TypeAlias = npt.NDArray[np.void]


class Model(NamedTuple):
    """What is known beforehand: the judgements, habits of players, win chances of scores, points of rounds."""

    weights: Weights
    habits: Habits
    solved: WinChances
    network: Network
    found: npt.NDArray[np.float64]


@kernel
def try_choices(
    views: Views,
    rules: Rulebook,
    choices: Choices,
    opponents: Hands,
    model: Model,
    depth: int,
    chance: Chance,
    outcomes: Outcomes,
) -> None:
    """Play each choice out in each world to a depth, and write its win chance and its points in `outcomes`.

    A choice of −1 has fallen out. The order of the stocks is drawn from stream 0.
    """
    rounds, seen, features = np.zeros(2, ROUND), np.zeros(1, VIEW), np.zeros(model.weights.shape[2])
    paper, stakes = np.zeros(PAPER_SIZE), np.zeros((2, NUM_BINS))
    weigh_bins(views, model, stakes)
    w = views[0]
    for world in range(len(opponents)):
        make_world(views, 0, opponents[world], rounds, chance, 0)
        for k in range(len(choices)):
            if choices[k] < 0:
                continue
            rounds[1] = rounds[0]
            if play_on(rounds, 1, seen, rules, model, choices[k], depth, features):
                judge_open(rounds, 1, rules, model.network, paper)
                sign = 1 if rounds[1]["current"] == 0 else -1
                for place in range(NUM_BINS):
                    share = paper[BINS_AT + (place if sign == 1 else NUM_BINS - 1 - place)]
                    outcomes[0, k, world] += share * stakes[0, place]
                    outcomes[1, k, world] += share * stakes[1, place]
            else:
                result = result_of(rounds, 1)
                outcomes[0, k, world] = chance_after(model.solved, w["own_score"], w["score"], w["is_starter"], result)
                outcomes[1, k, world] = result


@inlined_kernel
def result_of(rounds: Rounds, i: int) -> int:
    """Return the points that a round brought player 0; negative: player 1."""
    r = rounds[i]
    return 0 if r["winner"] < 0 else r["points"] if r["winner"] == 0 else -r["points"]


@kernel
def weigh_bins(views: Views, model: Model, stakes: npt.NDArray[np.float64]) -> None:
    """Write what each bin of points is worth: the win chance of the game afterwards, and the points."""
    w = views[0]
    middle, mass = len(model.found) // 2, np.zeros(NUM_BINS)
    for points in range(-middle, middle + 1):
        often = model.found[middle + points] + model.found[middle - points] + 1e-9
        scored = points * w["factor"]
        place = bin_of(points)
        mass[place] += often
        stakes[0, place] += often * chance_after(model.solved, w["own_score"], w["score"], w["is_starter"], scored)
        stakes[1, place] += often * scored
    stakes /= mass


@kernel
def judge_open(rounds: Rounds, i: int, rules: Rulebook, network: Network, paper: Paper) -> None:
    """Write the chances of the bins, for the player who is about to draw."""
    r = rounds[i]
    player = r["current"]
    draws = draws_left(rounds, i, rules)
    describe_both(r["hands"][player], r["hands"][1 - player], stock_of(rounds, i), r["knock_limit"], draws, paper)
    run_network(network, paper)


@inlined_kernel
def draws_left(rounds: Rounds, i: int, rules: Rulebook) -> int:
    """Return how many cards can still be drawn before the wall."""
    return wide(52 - rounds[i]["next_card"] - rules[0]["wall"])


@kernel
def play_on(
    rounds: Rounds,
    i: int,
    views: Views,
    rules: Rulebook,
    model: Model,
    action: int,
    depth: int,
    features: Features,
) -> bool:
    """Do an action and play on by the quick judgement; return whether the round stopped at a draw, to be judged.

    It stops at the first draw from the stock after `depth` draws, if more than a few are left; `depth` −1: never.
    """
    r, drawn = rounds[i], 0
    while True:
        if action == DRAW:
            if 0 <= depth <= drawn and draws_left(rounds, i, rules) > LAST_DRAWS:
                return True
            drawn += 1
        act(rounds, i, rules, action)
        if r["phase"] == OVER:
            return False
        show_place(rounds, i, views, 0, r["current"])
        action = choose_quick(views, 0, rules, model.weights, features)


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
        ahead = 0
        if choices[k] < TAKE:
            for other in range(number):
                ahead += seeming[other] > seeming[k] or (seeming[other] == seeming[k] and other < k)
        if choices[k] >= TAKE or (ahead < settings[0]["choices"] and seeming[k] >= best - settings[0]["margin"]):
            choices[kept] = choices[k]  # places before k are not needed any more
            kept += 1
    return kept


@kernel
def choose_montecarlo(views: Views, rules: Rulebook, model: Model, settings: SearchSettings, chance: Chance) -> int:
    """Return the choice that wins the game most often, as far as play-outs tell."""
    w, s = views[0], settings[0]
    is_late = s["last"] > 1 and w["stock"] - rules[0]["wall"] <= LAST_DRAWS
    effort = s["last"] if is_late else 1
    if is_drawing(views, 0) and not can_meld(w["hand"], w["upcard"]):
        return refusal(views, 0)
    choices = np.zeros(MOST_CHOICES, np.int64)
    number = list_choices(views, 0, rules, choices)
    if w["phase"] == THROWING:
        if choices[number - 1] >= KNOCK and wins_at_once(w["hand"], choices[number - 1]):
            return wide(choices[number - 1])
        if not is_late:
            number = prune_throws(views, choices, number, settings, model)
    if number == 1:
        return wide(choices[0])
    original = choices[:number].copy()
    running = choices[:number]
    num_worlds, batch = s["worlds"] * effort, s["batch"] * effort
    opponents = np.zeros(num_worlds, np.int64)
    draw_worlds(views, rules, model.habits, model.weights, (s["tried"], s["burn"], s["steps"]), chance, opponents)
    outcomes = np.zeros((2, number, num_worlds))
    best, first = 0, 0
    while first < num_worlds:
        last = min(first + batch, num_worlds)
        try_choices(views, rules, running, opponents[first:last], model, s["depth"], chance, outcomes[:, :, first:last])
        best = drop_the_beaten(running, outcomes[0], last, s["sure"])
        if best < 0:
            return wide(original[-1 - best])
        first = last
    return wide(original[best])


@inlined_kernel
def wins_at_once(hand: int, action: int) -> bool:
    """Return whether a knock is gin."""
    from_hand = hand if action == BIG_GIN else hand & ~(1 << (action - KNOCK))
    return deadwood(from_hand) == 0
