"""The bot `search` on top of `learned`, compiled: a few turns are played out, and then the network judges.

A network that judges is right about luck that is still to come, which play-outs to the end would have to average. So a
play-out is short, and its value is a chance: few worlds are enough to tell two actions apart.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handful._bits import popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Bytes, Floats, Ints, words_of
from handful._records_jit import record_in
from handful.bots.conventions.notes_kernel import HAND, PAPER, Paper, note_turn
from handful.bots.kernel_types import CHOOSE
from handful.bots.learned.choice_kernel import (
    NOTHING_HONEST,
    Desk,
    Mind,
    choose_action,
    choose_candidate,
    clear_sums,
    judge,
    mind_in,
    set_desk,
)
from handful.bots.search.conventions_kernel import (
    ENOUGH,
    GOLDEN_SHARE,
    HOPELESS,
    LOG,
    LOG_AT,
    NOTES_WORDS,
    Log,
    Past,
    read_hand,
    replay,
)
from handful.bots.search.race_kernel import SEARCH, Scene, enter_world, is_time_up, is_worthwhile, set_scene
from handful.bots.search.worlds_kernel import gather_hidden, lay_world, list_all_worlds, shuffle_rest
from handful.bots.shared.lost_kernel import is_lost
from handful.bots.shared.worlds_kernel import WORLD, draw_hand
from handful.hanabi.kernels.game import act, note_hintable
from handful.hanabi.kernels.layout import ONGOING, PERFECT, Games, Rulebooks
from handful.splitmix_jit import Chance, next_bits, unit

SEARCH_WORDS = words_of(SEARCH)
CHUNK = 8  # worlds that are tried before what is clearly worse is given up
LONGEST = 200  # turns of a play-out that goes to the end


class Contest(NamedTuple):
    """Actions that are compared: the blueprint's first."""

    actions: Ints
    chances: Floats  # of a perfect game, as the network sees it without a search
    values: Floats  # per action and world
    quick: Mind  # who plays the play-outs
    depth: int  # turns until the network judges


@kernel
def list_contenders(desk: Desk, chosen: int, most: int, gap: float, contest: Contest) -> int:
    """Write the candidates that are nearly as good as the best; return how many."""
    count = 1
    contest.actions[0] = desk.actions[chosen]
    contest.chances[0] = 1.0 / (1.0 + math.exp(-desk.odds[chosen]))
    for i in range(desk.number[0]):
        if i != chosen and desk.odds[i] >= desk.odds[chosen] - gap:
            at = count
            chance = 1.0 / (1.0 + math.exp(-desk.odds[i]))
            while at > 1 and contest.chances[at - 1] < chance:
                contest.actions[at], contest.chances[at] = contest.actions[at - 1], contest.chances[at - 1]
                at -= 1
            contest.actions[at], contest.chances[at] = desk.actions[i], chance
            count += 1
    return min(count, most)


@kernel
def fit_of(desk: Desk, action: int, chosen: int, settings: Floats) -> float:
    """Return how well an action fits what the partner would choose; settings: `unfit`, and the softness.

    An action that looks nearly as good as the best one is what a partner who searches may well prefer.
    """
    if chosen == NOTHING_HONEST or desk.number[0] == 1:
        return 1.0
    for i in range(desk.number[0]):
        if desk.actions[i] == action:
            return float(settings[0] + (1.0 - settings[0]) * math.exp((desk.odds[i] - desk.odds[chosen]) / settings[1]))
    return float(settings[0])


@kernel
def likelihood(scene: Scene, past: Past, hand: Bytes, desk: Desk, mind: Mind, fit: Floats) -> float:
    """Return how well a hand fits the partner's last actions."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    seat, size = wide(game["current"]), wide(rulebook["hand_size"])
    likely = 1.0
    for i in range(past.found[0] - 1, -1, -1):
        then = past.games[i]
        for slot in range(game["lengths"][seat]):
            then["cards"][game["orders"][seat * size + slot]] = hand[slot]
        note_hintable(then, rulebook, seat)
        chosen = choose_candidate(desk, then, rulebook, past.papers[i], mind)
        likely *= fit_of(desk, past.actions[i], chosen, fit)
        if likely < HOPELESS:
            return likely
    return likely


@kernel
def draw_likely_worlds(scene: Scene, paper: Paper, log: Log, desk: Desk, mind: Mind, fit: Floats, most: int) -> int:
    """Draw so many worlds, with hands as likely as they are by the partner's last actions; return how many."""
    game, rulebook = scene.games[1], scene.rulebooks[0]
    num_hands = wide(scene.settings[0]["hands"])
    worlds, sums = np.zeros(num_hands, WORLD), np.zeros(num_hands + 1)
    if not draw_hand(scene.unseen[0], scene.stream, 0):
        return 0
    past = replay(scene, paper, log, scene.unseen[0]["hand"])
    drawn = wide(0)
    while drawn < num_hands and sums[drawn] < ENOUGH * most:
        if drawn > 0:
            draw_hand(scene.unseen[0], scene.stream, 0)
        worlds[drawn] = scene.unseen[0]
        sums[drawn + 1] = sums[drawn] + likelihood(scene, past, worlds[drawn]["hand"], desk, mind, fit)
        drawn += 1
    share = unit(scene.stream, 0)
    for number in range(most):
        # The hand in whose part of the sum of all weights this share of it falls.
        share += GOLDEN_SHARE
        if share >= 1.0:
            share -= 1.0
        chosen = min(np.searchsorted(sums[1 : drawn + 1], share * sums[drawn], side="right"), drawn - 1)
        lay_world(scene, worlds[chosen], number)
        shuffle_rest(rulebook, scene.decks[number], wide(game["drawn"]), scene.stream)
    return most


@kernel
def weigh_worlds(scene: Scene, paper: Paper, log: Log, desk: Desk, mind: Mind, fit: Floats, worlds: int) -> None:
    """Write how likely each world is by the partner's last actions."""
    hand = np.zeros(HAND, np.int8)
    read_hand(scene, 0, hand)
    past = replay(scene, paper, log, hand)
    for world in range(worlds):
        read_hand(scene, world, hand)
        scene.weights[world] = likelihood(scene, past, hand, desk, mind, fit)


@kernel
def value_in(scene: Scene, contest: Contest, desk: Desk, number: int, world: int) -> float:
    """Return what an action is worth in a world: the chance after some turns, or whether the game was perfect."""
    enter_world(scene, world, NOTES_WORDS)
    game, rulebook, paper = scene.games[0], scene.rulebooks[0], record_in(scene.memory[0], 0, PAPER)
    deck, action = scene.decks[world], contest.actions[number]
    for turn in range(contest.depth + 1):
        act(game, rulebook, deck, action)
        if game["ending"] == PERFECT:
            return 1.0
        if game["ending"] != ONGOING or is_lost(game, rulebook):
            return 0.0
        note_turn(game, rulebook, paper)
        if turn < contest.depth:
            action = choose_action(desk, game, rulebook, paper, contest.quick)
    desk.games[0], desk.papers[0] = game, paper
    return judge(desk, rulebook, contest.quick.network)


@kernel
def lead_over(scene: Scene, contest: Contest, leader: int, other: int, tried: int, trust: float) -> tuple[float, float]:
    """Return by how much one action is better than another over the worlds tried, and the standard error of that."""
    total, squares, weights = trust * (contest.chances[leader] - contest.chances[other]), 0.0, trust
    for world in range(tried):
        d = scene.weights[world] * (contest.values[leader, world] - contest.values[other, world])
        total += d
        squares += d * d
        weights += scene.weights[world]
    return total / weights, math.sqrt(squares) / weights


@kernel
def run_contest(scene: Scene, contest: Contest, desk: Desk, count: int, worlds: int, trust: float) -> int:
    """Try actions in more and more worlds, give up what is clearly worse, and return the best; `trust` is in worlds."""
    alive, leader, tried = (wide(1) << count) - 1, wide(0), wide(0)
    z = scene.settings[0]["z"]
    while tried < worlds and popcount(alive) > 1:
        until = min(worlds, tried + CHUNK)
        for world in range(tried, until):
            for number in range(count):
                if alive >> number & 1:
                    contest.values[number, world] = value_in(scene, contest, desk, number, world)
        tried = until
        for number in range(count):
            if alive >> number & 1 and lead_over(scene, contest, leader, number, tried, trust)[0] < 0.0:
                leader = wide(number)
        for number in range(count):
            if alive >> number & 1 and number != leader:
                lead, error = lead_over(scene, contest, leader, number, tried, trust)
                if lead > z * error and tried >= 2 * CHUNK:
                    alive ^= wide(1) << number
        if is_time_up(scene):
            break
    return wide(contest.actions[leader])


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return the action of the blueprint, or one that is better in the worlds that the seat thinks possible."""
    game, rulebook, paper = games[g], rulebooks[0], record_in(memory[seat], 0, PAPER)
    settings = record_in(parameters[seat], 0, SEARCH)
    mind = mind_in(parameters[seat, SEARCH_WORDS:], rulebook)
    desk = set_desk(mind.network)
    is_new = paper["turn"] == 0
    chosen = choose_candidate(desk, game, rulebook, paper, mind)
    if chosen == NOTHING_HONEST or desk.number[0] == 1 or not is_worthwhile(game, rulebook, settings):
        action = choose_action(desk, game, rulebook, paper, mind)
        if is_new:
            paper["turn"] = 0
        return action
    most = wide(settings["contenders"])
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    scene = set_scene(games, g, rulebooks, memory[seat], NOTES_WORDS, settings, parameters[seat, :0])
    quick = Mind(mind.scores, mind.network, wide(settings["replies"]), mind.margin, mind.prior)
    contest = Contest(
        np.zeros(len(desk.actions), np.int64),
        np.zeros(len(desk.actions)),
        np.zeros((most, len(scene.weights))),
        quick,
        wide(LONGEST if deck <= settings["play_out_deck"] else settings["depth"]),
    )
    count = list_contenders(desk, chosen, most, settings["gap"], contest)
    if is_new:
        paper["turn"] = 0
    if count == 1:
        return wide(contest.actions[0])
    scene.stream[0] = next_bits(chance, seat)
    masks = paper["own"][: paper["length"][seat]]
    if not gather_hidden(scene, paper["unseen"], masks):
        return wide(contest.actions[0])  # the partner means something else
    log, fit = record_in(memory[seat], LOG_AT, LOG), np.array([settings["unfit"], settings["softness"]])
    clear_sums(desk, mind.network)
    worlds = list_all_worlds(scene, masks, wide(settings["exact_deals"]))
    reader = Mind(mind.scores, mind.network, wide(settings["readings"]), mind.margin, mind.prior)
    if worlds > 0:
        weigh_worlds(scene, paper, log, desk, reader, fit, worlds)
    else:
        worlds = draw_likely_worlds(scene, paper, log, desk, reader, fit, wide(settings["worlds"]))
    return run_contest(scene, contest, desk, count, worlds, settings["trust"])
