"""Which honest action the bot `learned` chooses: after which the network sees the best chance of a perfect game."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Bytes, Floats, Ints
from handful._records_jit import record_in
from handful.bots.conventions.conventions_kernel import (
    DISHONEST,
    NUM_WEIGHTS,
    WEIGHTS,
    first_weight,
    note_view,
    score_of,
    way_out,
)
from handful.bots.conventions.notes_kernel import PAPER, Paper, begin, begin_deal, is_first_turn, note_turn, weight
from handful.bots.kernel_types import CHOOSE
from handful.bots.learned.features_kernel import INPUTS, SUITS, Inputs, copies_of, describe
from handful.bots.learned.network_kernel import Network, add_changes, log_odds, network_in
from handful.bots.learned.settings import PARAMETERS
from handful.bots.settings import settings_type
from handful.bots.shared.lost_kernel import is_hopeless, is_lost
from handful.hanabi.kernels.game import act, legal_mask
from handful.hanabi.kernels.layout import (
    GAME,
    HIDDEN,
    MAX_ACTIONS,
    MAX_DECK,
    ONGOING,
    PERFECT,
    Game,
    Games,
    Rulebook,
    Rulebooks,
)
from handful.splitmix_jit import Chance

NOTHING_HONEST = -1
MOST_LOST = 3  # how many of the useful cards that a discard may lose are looked at
LEAST_CHANCE = 1e-9

SETTINGS = settings_type(PARAMETERS)
NUM_SETTINGS = len(PARAMETERS)


class Mind(NamedTuple):
    """What the bot goes by."""

    scores: Floats  # the weights of the linear score of `conventions`, for each size of the deck
    network: Network
    candidates: int  # so many of the honest actions are judged, those with the best scores,
    margin: float  # none of which is worse than the best one by more points than this
    prior: float  # what a point of the score counts, in log odds


class Desk(NamedTuple):
    """Where the bot thinks: one game and one paper, and what it works out from them."""

    games: Games
    papers: npt.NDArray[Any]  # records of type `Paper`
    deck: Bytes  # in which no card can be seen
    inputs: Inputs
    before: Inputs  # the inputs that `sums` stands for
    sums: Inputs
    deeper: Inputs
    places: Ints
    number: Ints  # one entry: how many candidates there are
    actions: Ints  # the candidates, by their scores
    scores: Floats  # of each
    odds: Floats  # of each, with what its score counts


@kernel
def mind_in(row: Floats, rulebook: Rulebook) -> Mind:
    """Return what a row of parameters says: settings, scores, network."""
    settings = record_in(row, 0, SETTINGS)
    end = NUM_SETTINGS + (wide(rulebook["deck_size"]) - 2 * wide(rulebook["hand_size"]) + 1) * NUM_WEIGHTS
    return Mind(
        row[NUM_SETTINGS:end],
        network_in(row[end:]),
        wide(settings["candidates"]),
        settings["margin"],
        settings["prior"],
    )


@kernel
def set_desk(network: Network) -> Desk:
    """Return an empty desk."""
    return Desk(
        np.zeros(1, GAME),
        np.zeros(1, PAPER),
        np.full(MAX_DECK, HIDDEN, np.int8),
        np.zeros(INPUTS, np.float32),
        np.zeros(INPUTS, np.float32),
        network.first[INPUTS].copy(),
        np.zeros(network.second.shape[1], np.float32),
        np.zeros(SUITS, np.int64),
        np.zeros(1, np.int64),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_ACTIONS),
        np.zeros(MAX_ACTIONS),
    )


@kernel
def clear_sums(desk: Desk, network: Network) -> None:
    """Let the sums stand for no inputs: they are the same again, whatever has been thought of before."""
    for i in range(INPUTS):
        desk.before[i] = 0.0
    for j in range(len(desk.sums)):
        desk.sums[j] = network.first[INPUTS, j]


@kernel
def judge(desk: Desk, rulebook: Rulebook, network: Network) -> float:
    """Return the chance of a perfect game as the player sees it who has just moved on the desk; the turn is noted."""
    game, paper = desk.games[0], desk.papers[0]
    mover = wide(game["last_actor"])
    note_view(game, rulebook, paper, mover)
    describe(game, rulebook, paper, mover, desk.places, desk.inputs)
    add_changes(network, desk.inputs, desk.before, desk.sums)
    return 1.0 / (1.0 + math.exp(-log_odds(network, desk.sums, desk.deeper)))


@kernel
def chance_with(
    desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, action: int, card: int, network: Network
) -> float:
    """Return the chance of a perfect game after an action; the card used turns out to be `card` (after a hint: any)."""
    desk.games[0] = game
    now, size = desk.games[0], wide(rulebook["hand_size"])
    if action < 2 * size:
        slot = action - size if action >= size else action
        now["cards"][now["orders"][wide(game["current"]) * size + slot]] = card
    act(now, rulebook, desk.deck, action)
    if now["ending"] == PERFECT:
        return 1.0
    if now["ending"] != ONGOING or is_lost(now, rulebook):
        return 0.0
    desk.papers[0] = paper
    note_turn(now, rulebook, desk.papers[0])
    return judge(desk, rulebook, network)


@kernel
def chance_of(desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, action: int, network: Network) -> float:
    """Return the chance of a perfect game after an action, over all that the card used may be.

    A card that is worthless is any such card; of useful ones that a discard may lose, a few are looked at.
    """
    size = wide(rulebook["hand_size"])
    if action >= 2 * size:
        return chance_with(desk, game, rulebook, paper, action, HIDDEN, network)
    is_play = action >= size
    mask, unseen = paper["own"][action - size if is_play else action], paper["unseen"]
    if mask == 0:
        return 0.0
    if mask & (mask - 1) == 0:
        return chance_with(desk, game, rulebook, paper, action, lowest_bit(mask), network)
    total = weight(mask, unseen)
    if total == 0:
        return 0.0
    mask &= unseen[0]
    good = mask & paper["playable"] if is_play else wide(0)
    rest = mask & ~good
    useless, useful = rest & paper["worthless"], rest & ~paper["worthless"] & ~paper["critical"]
    result = 0.0
    if good:
        result += weight(good, unseen) * mean_chance(desk, game, rulebook, paper, action, good, network)
    if useless:
        some = useless & -useless
        result += weight(useless, unseen) * mean_chance(desk, game, rulebook, paper, action, some, network)
    if useful:
        result += weight(useful, unseen) * mean_chance(desk, game, rulebook, paper, action, useful, network)
    return result / total


@kernel
def mean_chance(
    desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, action: int, cards: int, network: Network
) -> float:
    """Return the mean chance over the cards of a mask; if they are many, over a few of them, evenly spread."""
    count = popcount(cards)
    is_play = action >= wide(rulebook["hand_size"])
    every = 1 if is_play and cards & ~paper["playable"] == 0 else (count + MOST_LOST - 1) // MOST_LOST
    number, total, result = 0, 0, 0.0
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if number % every == every // 2 or count == 1:
            copies = copies_of(card, paper["unseen"])
            total += copies
            result += copies * chance_with(desk, game, rulebook, paper, action, card, network)
        number += 1
    return result / max(total, 1)


@kernel
def list_candidates(
    desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, table: Floats, most: int, margin: float
) -> int:
    """Write the best honest actions by their scores, at most so many, none worse by more than the margin.

    The paper must have the view of the player to move.
    """
    weights = record_in(table, first_weight(game, rulebook), WEIGHTS)
    seat, size = wide(game["current"]), wide(rulebook["hand_size"])
    actions, scores = desk.actions, desk.scores
    rest, count = legal_mask(game, rulebook), 0
    while rest:
        action = lowest_bit(rest)
        rest &= rest - 1
        if size <= action < 2 * size and not paper["own"][action - size] & paper["playable"]:
            continue
        score = score_of(game, rulebook, paper, seat, action, weights)
        if score <= DISHONEST:
            continue
        at = count
        while at > 0 and scores[at - 1] < score:
            scores[at], actions[at] = scores[at - 1], actions[at - 1]
            at -= 1
        scores[at], actions[at] = score, action
        count += 1
    while count > 1 and (count > most or scores[count - 1] < scores[0] - margin):
        count -= 1
    return count


@kernel
def log_odds_of(chance: float) -> float:
    """Return the log odds of a chance that is neither 0 nor 1."""
    chance = min(max(chance, LEAST_CHANCE), 1.0 - LEAST_CHANCE)
    return math.log(chance / (1.0 - chance))


@kernel
def choose_candidate(desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, mind: Mind) -> int:
    """Return the place of the best candidate, or NOTHING_HONEST. A game that cannot be perfect goes by the score."""
    seat = wide(game["current"])
    if paper["turn"] == 0:
        if is_first_turn(game, rulebook):
            begin_deal(rulebook, paper)
        else:
            begin(game, rulebook, paper)
    note_view(game, rulebook, paper, seat)
    count = list_candidates(desk, game, rulebook, paper, mind.scores, mind.candidates, mind.margin)
    desk.number[0] = count
    if count == 0:
        return NOTHING_HONEST
    desk.odds[0] = 0.0
    if count == 1 or is_hopeless(game, rulebook):
        return 0
    clear_sums(desk, mind.network)
    chosen = 0
    for i in range(count):
        chance = chance_of(desk, game, rulebook, paper, desk.actions[i], mind.network)
        desk.odds[i] = log_odds_of(chance) + mind.prior * (desk.scores[i] - desk.scores[0])
        if desk.odds[i] > desk.odds[chosen]:
            chosen = i
    return chosen


@kernel
def choose_action(desk: Desk, game: Game, rulebook: Rulebook, paper: Paper, mind: Mind) -> int:
    """Return the number of the action chosen; if there is no honest one, of the way out."""
    chosen = choose_candidate(desk, game, rulebook, paper, mind)
    if chosen == NOTHING_HONEST:
        return way_out(game, rulebook, paper, wide(game["current"]))
    return wide(desk.actions[chosen])


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, _chance: Chance
) -> int:
    """Return the number of the action chosen."""
    paper, mind = record_in(memory[seat], 0, PAPER), mind_in(parameters[seat], rulebooks[0])
    is_new = paper["turn"] == 0
    action = choose_action(set_desk(mind.network), games[g], rulebooks[0], paper, mind)
    if is_new:
        paper["turn"] = 0  # a choice is not a turn: the first one is noted when it has happened
    return action
