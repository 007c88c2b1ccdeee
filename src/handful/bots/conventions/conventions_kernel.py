"""Which honest action the bot `conventions` chooses: the one with the best outlook one turn ahead.

An action is scored by what it does to the table, and by the partner's hand as the partner will then know it.
`conventions` says what actions mean.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Annotated, Floats, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.conventions.notes_kernel import (
    NO_SLOT,
    NUM_PLANES,
    PAPER,
    Paper,
    begin,
    begin_deal,
    is_first_turn,
    narrow_by_action,
    note_turn,
    weight,
)
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.game import legal_mask, pace
from handful.hanabi.kernels.layout import NOT_YET, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance

NUM_TOKENS = 8
NONE = -1
DISHONEST = -1e9


class Weights(TypedDict):
    """The weights of the scores, in points of no particular size. `conventions.WEIGHTS` has the numbers."""

    play: Annotated[float, np.float64]  # a card played,
    play_value: Annotated[float, np.float64]  # less this for each of its value
    strike: Annotated[float, np.float64]  # the first strike, the second, the last
    second_strike: Annotated[float, np.float64]
    last_strike: Annotated[float, np.float64]
    first_play: Annotated[float, np.float64]  # the partner has a sure play; for each further one
    more_plays: Annotated[float, np.float64]
    has_trash: Annotated[float, np.float64]  # the partner has sure trash
    unsure: Annotated[float, np.float64]  # per doubling of the cards that a useful one may be, if it is playable;
    one_away: Annotated[float, np.float64]  # factors if it is one or more off
    further_away: Annotated[float, np.float64]
    protected: Annotated[float, np.float64]  # a critical card that is touched or known to be critical
    lose_critical: Annotated[float, np.float64]  # a card lost: critical, playable, any other, or one seen elsewhere
    lose_playable: Annotated[float, np.float64]
    lose_useful: Annotated[float, np.float64]
    lose_seen: Annotated[float, np.float64]
    danger_play: Annotated[float, np.float64]  # of the loss of the partner's chop, if there is a sure play, sure trash,
    danger_trash: Annotated[float, np.float64]
    danger: Annotated[float, np.float64]  # neither, nor a token
    danger_no_token: Annotated[float, np.float64]
    no_slack: Annotated[float, np.float64]  # a discard when no more can be afforded; one; two or three
    slack_1: Annotated[float, np.float64]
    slack_3: Annotated[float, np.float64]
    tokens: Annotated[Floats, np.float64, NUM_TOKENS]  # the first token, the second, …


WEIGHTS = record_type(Weights)
NUM_WEIGHTS = words_of(WEIGHTS)


@kernel
def take_copy(paper: Paper, card: int) -> None:
    """Take a copy of a card out of the unseen ones."""
    bit = wide(1) << card
    for plane in range(NUM_PLANES - 1, -1, -1):
        if paper["unseen"][plane] & bit:
            paper["unseen"][plane] ^= bit
            return


@kernel
def note_view(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> None:
    """Write what a seat sees: the partner's cards, the copies unseen, and the own masks without what is all seen."""
    size, partner = wide(rulebook["hand_size"]), 1 - seat
    for plane in range(NUM_PLANES):
        paper["unseen"][plane] = paper["left"][plane]
    for slot in range(paper["length"][partner]):
        card = wide(game["cards"][game["orders"][partner * size + slot]])
        paper["faces"][slot] = card
        take_copy(paper, card)
    for slot in range(paper["length"][seat]):
        mask = paper["masks"][seat, slot]
        paper["own"][slot] = mask
        if mask & (mask - 1) == 0:
            take_copy(paper, lowest_bit(mask))
    for _ in range(2):
        for slot in range(paper["length"][seat]):
            mask = paper["own"][slot]
            if mask & (mask - 1):
                if mask & paper["unseen"][0]:
                    mask &= paper["unseen"][0]
                else:
                    mask = game["possible"][seat * size + slot]  # the partner meant something else
                paper["own"][slot] = mask
                if mask & (mask - 1) == 0:
                    take_copy(paper, lowest_bit(mask))


@kernel
def seen_elsewhere(paper: Paper, seat: int, own_slot: int, partner_slot: int) -> int:
    """Return the cards that the player to move sees or can name, but for an own slot and a slot of the partner."""
    seen = wide(0)
    for slot in range(paper["length"][1 - seat]):
        if slot != partner_slot:
            seen |= wide(1) << paper["faces"][slot]
    for slot in range(paper["length"][seat]):
        mask = paper["own"][slot]
        if slot != own_slot and mask & (mask - 1) == 0:
            seen |= mask
    return seen


@kernel
def loss(paper: Paper, mask: int, seen: int, weights: Weights) -> float:
    """Return what it costs to lose a card of a mask; `seen`: the cards of which another copy is seen."""
    total = 1
    if mask & (mask - 1):
        total = weight(mask, paper["unseen"])
    if total == 0:
        return 0.0
    mask &= ~paper["worthless"]
    if mask == 0:
        return 0.0
    critical = mask & paper["critical"]
    others = mask & ~critical & ~seen
    if total == 1 and mask & (mask - 1) == 0:
        if critical:
            return float(weights["lose_critical"])
        if not others:
            return float(weights["lose_seen"])
        return float(weights["lose_playable"] if others & paper["playable"] else weights["lose_useful"])
    cost = weights["lose_critical"] * weight(critical, paper["unseen"])
    cost += weights["lose_seen"] * weight(mask & ~critical & seen, paper["unseen"])
    cost += weights["lose_playable"] * weight(others & paper["playable"], paper["unseen"])
    cost += weights["lose_useful"] * weight(others & ~paper["playable"], paper["unseen"])
    return float(cost / total)


@kernel
def outlook(paper: Paper, values: int, seat: int, touched: int, hints: int, weights: Weights) -> float:
    """Return how good the partner's hand is, by the masks of paper["after"], these slots touched, and these tokens."""
    partner = 1 - seat
    playable, worthless, critical = paper["playable"], paper["worthless"], paper["critical"]
    plays, num_plays, has_trash, chop = wide(0), 0, False, NO_SLOT
    score = 0.0
    for slot in range(paper["length"][partner]):
        mask, card = paper["after"][slot], paper["faces"][slot]
        bit = wide(1) << card
        if mask & ~playable == 0:
            num_plays += not plays & bit
            plays |= bit
        elif mask & ~worthless == 0:
            has_trash = True
        else:
            if not touched >> slot & 1 and mask & ~critical:
                if chop == NO_SLOT:
                    chop = slot
            elif critical & bit:
                score += weights["protected"]
            if not worthless & bit:
                doublings = weights["unsure"] * np.log2(weight(mask, paper["left"]))
                if playable & bit:
                    score -= doublings
                elif card % values and playable & bit >> 1:
                    score -= weights["one_away"] * doublings
                else:
                    score -= weights["further_away"] * doublings
    if num_plays:
        score += weights["first_play"] + weights["more_plays"] * (num_plays - 1)
    if has_trash:
        score += weights["has_trash"]
    if chop != NO_SLOT:
        danger = weights["danger"] if hints else weights["danger_no_token"]
        if num_plays:
            danger = weights["danger_play"]
        elif has_trash:
            danger = weights["danger_trash"]
        score -= danger * loss(paper, wide(1) << paper["faces"][chop], seen_elsewhere(paper, seat, -1, chop), weights)
    return score


@kernel
def play_score(game: Game, rulebook: Rulebook, paper: Paper, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of playing an own slot; paper["after"] has what it tells."""
    mask, playable, worthless = paper["own"][slot], paper["playable"], paper["worthless"]
    values, hints, touched = wide(rulebook["values"]), wide(game["hints"]), paper["touched"][1 - seat]
    value = lowest_bit(mask) % values + 1
    chance = 1.0
    if mask & ~playable:
        total = weight(mask, paper["unseen"])
        chance = weight(mask & playable, paper["unseen"]) / total if total else 0.0
    elif mask & (mask - 1) == 0:
        # The card is known: the partner's hand is judged by the stacks after it.
        paper["playable"] ^= mask
        paper["worthless"] |= mask
        if value < values:
            paper["playable"] |= mask << 1
    score = outlook(paper, values, seat, touched, hints, weights)
    paper["playable"], paper["worthless"] = playable, worthless
    score += chance * (weights["play"] - weights["play_value"] * value)
    left = wide(rulebook["max_strikes"]) - wide(game["strikes"])
    if chance < 1.0 and (game["turns_left"] == NOT_YET or left == 1):
        cost = weights["last_strike"] if left == 1 else (weights["second_strike"] if left == 2 else weights["strike"])
        cost += loss(paper, mask & ~playable, seen_elsewhere(paper, seat, slot, -1), weights)
        if pace(game, rulebook) <= 0:
            cost += weights["no_slack"]
        score -= (1.0 - chance) * cost
    return float(score)


@kernel
def discard_score(game: Game, rulebook: Rulebook, paper: Paper, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of discarding an own slot; paper["after"] has what it tells."""
    hints = wide(game["hints"])
    score = outlook(paper, wide(rulebook["values"]), seat, paper["touched"][1 - seat], hints + 1, weights)
    if hints < rulebook["max_hints"]:
        score += weights["tokens"][min(hints, NUM_TOKENS - 1)]
    score -= loss(paper, paper["own"][slot], seen_elsewhere(paper, seat, slot, -1), weights)
    spare = pace(game, rulebook)
    if spare <= 0 or game["turns_left"] != NOT_YET:
        score -= weights["no_slack"]
    elif spare == 1:
        score -= weights["slack_1"]
    elif spare <= 3:
        score -= weights["slack_3"]
    return float(score)


@kernel
def score_of(game: Game, rulebook: Rulebook, paper: Paper, seat: int, action: int, weights: Weights) -> float:
    """Return the score of an action; DISHONEST if the partner's cards are not what it says."""
    size, partner = wide(rulebook["hand_size"]), 1 - seat
    touched = wide(0)
    if action >= 2 * size:
        mask = rulebook["hint_masks"][rulebook["hint_of"][action]]
        for slot in range(paper["length"][partner]):
            touched |= (mask >> paper["faces"][slot] & 1) << slot
    narrow_by_action(paper, rulebook, seat, action, touched)
    for slot in range(paper["length"][partner]):
        if not paper["after"][slot] >> paper["faces"][slot] & 1:
            return DISHONEST
    if action < size:
        return discard_score(game, rulebook, paper, seat, action, weights)
    if action < 2 * size:
        return play_score(game, rulebook, paper, seat, action - size, weights)
    hints = wide(game["hints"])
    score = outlook(paper, wide(rulebook["values"]), seat, touched | paper["touched"][partner], hints - 1, weights)
    return float(score - weights["tokens"][min(hints, NUM_TOKENS) - 1])


@kernel
def first_weight(game: Game, rulebook: Rulebook) -> int:
    """Return where in a table the weights begin: those for an empty deck come first, then those for one card, ….

    Cards that are dealt at the start are not in the deck, even in a position that was set up before that.
    """
    in_deck = wide(rulebook["deck_size"]) - max(wide(game["drawn"]), 2 * wide(rulebook["hand_size"]))
    return in_deck * NUM_WEIGHTS


@kernel
def choose_action(game: Game, rulebook: Rulebook, paper: Paper, seat: int, table: Floats) -> int:
    """Return the number of the best honest action; if there is none, of the way out.

    `table` is a row with the weights for each size of the deck: see `first_weight`.
    """
    if paper["turn"] == 0:
        if is_first_turn(game, rulebook):
            begin_deal(rulebook, paper)
        else:
            begin(game, rulebook, paper)
    note_view(game, rulebook, paper, seat)
    weights = record_in(table, first_weight(game, rulebook), WEIGHTS)
    size = wide(rulebook["hand_size"])
    rest = legal_mask(game, rulebook)
    best, chosen = 2.0 * DISHONEST, NONE
    while rest:
        action = lowest_bit(rest)
        rest &= rest - 1
        if size <= action < 2 * size and not paper["own"][action - size] & paper["playable"]:
            continue
        score = score_of(game, rulebook, paper, seat, action, weights)
        if score > best and score > DISHONEST:
            best, chosen = score, action
    return chosen if chosen != NONE else way_out(game, rulebook, paper, seat)


@kernel
def way_out(game: Game, rulebook: Rulebook, paper: Paper, seat: int) -> int:
    """Return the number of the likeliest play that means nothing; of any play, if a strike would be the last."""
    most, chosen = -1.0, 0
    is_last = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1
    for slot in range(paper["length"][seat]):
        if paper["plays"][seat] >> slot & 1 and not is_last:
            continue
        total = weight(paper["own"][slot], paper["unseen"])
        chance = weight(paper["own"][slot] & paper["playable"], paper["unseen"]) / total if total else 0.0
        if chance > most:
            most, chosen = chance, slot
    return wide(rulebook["hand_size"]) + chosen


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _parameters: Floats) -> None:
    """Take note of what a turn meant."""
    note_turn(games[g], rulebooks[0], record_in(memory[seat], 0, PAPER))


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, _chance: Chance
) -> int:
    """Return the number of the action chosen."""
    paper = record_in(memory[seat], 0, PAPER)
    is_new = paper["turn"] == 0
    action = choose_action(games[g], rulebooks[0], paper, seat, parameters[seat])
    if is_new:
        paper["turn"] = 0  # a choice is not a turn: the first one is noted when it has happened
    return action
