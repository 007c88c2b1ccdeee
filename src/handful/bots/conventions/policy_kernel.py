"""Which honest action the bot `conventions` chooses: the one with the best outlook one turn ahead.

An action is scored by what it does to the table, and by the partner's hand as the partner will then know it.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import kernel
from handful.bots.conventions.meaning_kernel import narrow_by_action
from handful.bots.conventions.state_kernel import (
    AFTER,
    CRITICAL,
    FACES,
    HAND,
    LEFT,
    LENGTH,
    MASKS,
    NO_SLOT,
    OWN,
    PLAYABLE,
    PLAYS,
    TOUCHED,
    TURN,
    UNSEEN,
    WORTHLESS,
    Ints,
    begin,
    begin_deal,
    is_first_turn,
    weight,
)
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import NOT_YET, Game, Rulebook

Weights: TypeAlias = npt.NDArray[np.float64]

# The weights of the scores, in points of no particular size.
(
    PLAY,  # a card played,
    PLAY_VALUE,  # less this for each of its value
    STRIKE,  # the first strike, the second, the last
    SECOND_STRIKE,
    LAST_STRIKE,
    FIRST_PLAY,  # the partner has a sure play; for each further one
    MORE_PLAYS,
    HAS_TRASH,  # the partner has sure trash
    UNSURE,  # per doubling of the cards that a useful one may be, if it is playable; factors if it is one or more off
    ONE_AWAY,
    FURTHER_AWAY,
    PROTECTED,  # a critical card that is touched or known to be critical
    LOSE_CRITICAL,  # a card lost: critical, playable, any other, or one that is seen elsewhere
    LOSE_PLAYABLE,
    LOSE_USEFUL,
    LOSE_SEEN,
    DANGER_PLAY,  # of the loss of the partner's chop, if there is a sure play, sure trash, neither, nor a token
    DANGER_TRASH,
    DANGER,
    DANGER_NO_TOKEN,
    NO_SLACK,  # a discard when no more can be afforded; one; two or three
    SLACK_1,
    SLACK_3,
    TOKEN_1,  # the first token, the second, …
) = range(24)
NUM_TOKENS = 8
NUM_WEIGHTS = TOKEN_1 + NUM_TOKENS

NONE = -1
DISHONEST = -1e9


@kernel
def take_copy(state: Ints, card: int) -> None:
    """Take a copy of a card out of the unseen ones."""
    bit = wide(1) << card
    for plane in range(UNSEEN + 3, UNSEEN - 1, -1):
        if state[plane] & bit:
            state[plane] ^= bit
            return


@kernel
def note_view(game: Game, rulebook: Rulebook, state: Ints, seat: int) -> None:
    """Write what a seat sees: the partner's cards, the copies unseen, and the own masks without what is all seen."""
    size, partner = wide(rulebook["hand_size"]), 1 - seat
    for plane in range(4):
        state[UNSEEN + plane] = state[LEFT + plane]
    for slot in range(state[LENGTH + partner]):
        card = wide(game["cards"][game["orders"][partner * size + slot]])
        state[FACES + slot] = card
        take_copy(state, card)
    for slot in range(state[LENGTH + seat]):
        mask = state[MASKS + seat * HAND + slot]
        state[OWN + slot] = mask
        if mask & (mask - 1) == 0:
            take_copy(state, lowest_bit(mask))
    for _ in range(2):
        for slot in range(state[LENGTH + seat]):
            mask = state[OWN + slot]
            if mask & (mask - 1):
                if mask & state[UNSEEN]:
                    mask &= state[UNSEEN]
                else:
                    mask = game["possible"][seat * size + slot]  # the partner meant something else
                state[OWN + slot] = mask
                if mask & (mask - 1) == 0:
                    take_copy(state, lowest_bit(mask))


@kernel
def seen_elsewhere(state: Ints, seat: int, own_slot: int, partner_slot: int) -> int:
    """Return the cards that the player to move sees or can name, but for an own slot and a slot of the partner."""
    seen = wide(0)
    for slot in range(state[LENGTH + 1 - seat]):
        if slot != partner_slot:
            seen |= wide(1) << state[FACES + slot]
    for slot in range(state[LENGTH + seat]):
        mask = state[OWN + slot]
        if slot != own_slot and mask & (mask - 1) == 0:
            seen |= mask
    return seen


@kernel
def loss(state: Ints, mask: int, seen: int, weights: Weights) -> float:
    """Return what it costs to lose a card of a mask; `seen`: the cards of which another copy is seen."""
    total = 1
    if mask & (mask - 1):
        total = weight(mask, state, UNSEEN)
    if total == 0:
        return 0.0
    mask &= ~state[WORTHLESS]
    if mask == 0:
        return 0.0
    critical = mask & state[CRITICAL]
    others = mask & ~critical & ~seen
    if total == 1 and mask & (mask - 1) == 0:
        if critical:
            return float(weights[LOSE_CRITICAL])
        if not others:
            return float(weights[LOSE_SEEN])
        return float(weights[LOSE_PLAYABLE] if others & state[PLAYABLE] else weights[LOSE_USEFUL])
    cost = weights[LOSE_CRITICAL] * weight(critical, state, UNSEEN)
    cost += weights[LOSE_SEEN] * weight(mask & ~critical & seen, state, UNSEEN)
    cost += weights[LOSE_PLAYABLE] * weight(others & state[PLAYABLE], state, UNSEEN)
    cost += weights[LOSE_USEFUL] * weight(others & ~state[PLAYABLE], state, UNSEEN)
    return float(cost / total)


@kernel
def outlook(state: Ints, values: int, seat: int, touched: int, hints: int, weights: Weights) -> float:
    """Return how good the partner's hand is, by the masks of state[AFTER], these slots touched, and these tokens."""
    partner = 1 - seat
    playable, worthless, critical = state[PLAYABLE], state[WORTHLESS], state[CRITICAL]
    plays, num_plays, has_trash, chop = wide(0), 0, False, NO_SLOT
    score = 0.0
    for slot in range(state[LENGTH + partner]):
        mask, card = state[AFTER + slot], state[FACES + slot]
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
                score += weights[PROTECTED]
            if not worthless & bit:
                doublings = weights[UNSURE] * np.log2(weight(mask, state, LEFT))
                if playable & bit:
                    score -= doublings
                elif card % values and playable & bit >> 1:
                    score -= weights[ONE_AWAY] * doublings
                else:
                    score -= weights[FURTHER_AWAY] * doublings
    if num_plays:
        score += weights[FIRST_PLAY] + weights[MORE_PLAYS] * (num_plays - 1)
    if has_trash:
        score += weights[HAS_TRASH]
    if chop != NO_SLOT:
        danger = weights[DANGER] if hints else weights[DANGER_NO_TOKEN]
        if num_plays:
            danger = weights[DANGER_PLAY]
        elif has_trash:
            danger = weights[DANGER_TRASH]
        score -= danger * loss(state, wide(1) << state[FACES + chop], seen_elsewhere(state, seat, -1, chop), weights)
    return score


@kernel
def play_score(game: Game, rulebook: Rulebook, state: Ints, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of playing an own slot; state[AFTER] has what it tells."""
    mask, playable, worthless = state[OWN + slot], state[PLAYABLE], state[WORTHLESS]
    values, hints, touched = wide(rulebook["values"]), wide(game["hints"]), state[TOUCHED + 1 - seat]
    value = lowest_bit(mask) % values + 1
    chance = 1.0
    if mask & ~playable:
        total = weight(mask, state, UNSEEN)
        chance = weight(mask & playable, state, UNSEEN) / total if total else 0.0
    elif mask & (mask - 1) == 0:
        # The card is known: the partner's hand is judged by the stacks after it.
        state[PLAYABLE] ^= mask
        state[WORTHLESS] |= mask
        if value < values:
            state[PLAYABLE] |= mask << 1
    score = outlook(state, values, seat, touched, hints, weights)
    state[PLAYABLE], state[WORTHLESS] = playable, worthless
    score += chance * (weights[PLAY] - weights[PLAY_VALUE] * value)
    left = wide(rulebook["max_strikes"]) - wide(game["strikes"])
    if chance < 1.0 and (game["turns_left"] == NOT_YET or left == 1):
        cost = weights[LAST_STRIKE] if left == 1 else (weights[SECOND_STRIKE] if left == 2 else weights[STRIKE])
        cost += loss(state, mask & ~playable, seen_elsewhere(state, seat, slot, -1), weights)
        if slack(game, rulebook) <= 0:
            cost += weights[NO_SLACK]
        score -= (1.0 - chance) * cost
    return float(score)


@kernel
def slack(game: Game, rulebook: Rulebook) -> int:
    """Return how many cards can be discarded before there are too few turns for the points that are missing."""
    turns = wide(game["turns_left"])
    if turns == NOT_YET:
        turns = wide(rulebook["deck_size"]) - wide(game["drawn"]) + 2
    return wide(game["points"]) + turns - wide(rulebook["max_score"])


@kernel
def discard_score(game: Game, rulebook: Rulebook, state: Ints, seat: int, slot: int, weights: Weights) -> float:
    """Return the score of discarding an own slot; state[AFTER] has what it tells."""
    hints = wide(game["hints"])
    score = outlook(state, wide(rulebook["values"]), seat, state[TOUCHED + 1 - seat], hints + 1, weights)
    if hints < rulebook["max_hints"]:
        score += weights[TOKEN_1 + min(hints, NUM_TOKENS - 1)]
    score -= loss(state, state[OWN + slot], seen_elsewhere(state, seat, slot, -1), weights)
    spare = slack(game, rulebook)
    if spare <= 0 or game["turns_left"] != NOT_YET:
        score -= weights[NO_SLACK]
    elif spare == 1:
        score -= weights[SLACK_1]
    elif spare <= 3:
        score -= weights[SLACK_3]
    return float(score)


@kernel
def score_of(game: Game, rulebook: Rulebook, state: Ints, seat: int, action: int, weights: Weights) -> float:
    """Return the score of an action; DISHONEST if the partner's cards are not what it says."""
    size, partner = wide(rulebook["hand_size"]), 1 - seat
    touched = wide(0)
    if action >= 2 * size:
        mask = rulebook["hint_masks"][rulebook["hint_of"][action]]
        for slot in range(state[LENGTH + partner]):
            touched |= (mask >> state[FACES + slot] & 1) << slot
    narrow_by_action(state, rulebook, seat, action, touched)
    for slot in range(state[LENGTH + partner]):
        if not state[AFTER + slot] >> state[FACES + slot] & 1:
            return DISHONEST
    if action < size:
        return discard_score(game, rulebook, state, seat, action, weights)
    if action < 2 * size:
        return play_score(game, rulebook, state, seat, action - size, weights)
    hints = wide(game["hints"])
    score = outlook(state, wide(rulebook["values"]), seat, touched | state[TOUCHED + partner], hints - 1, weights)
    return float(score - weights[TOKEN_1 + min(hints, NUM_TOKENS) - 1])


@kernel
def choose_action(game: Game, rulebook: Rulebook, state: Ints, seat: int, all_weights: Weights) -> int:
    """Return the number of the best honest action; if there is none, of the way out.

    `all_weights`: the weights when the deck is empty, when it has one card, ….
    """
    if state[TURN] == 0:
        if is_first_turn(game, rulebook):
            begin_deal(rulebook, state)
        else:
            begin(game, rulebook, state)
    note_view(game, rulebook, state, seat)
    in_deck = wide(rulebook["deck_size"]) - max(wide(game["drawn"]), 2 * wide(rulebook["hand_size"]))
    weights = all_weights[in_deck * NUM_WEIGHTS : (in_deck + 1) * NUM_WEIGHTS]
    size = wide(rulebook["hand_size"])
    rest = legal_mask(game, rulebook)
    best, chosen = 2.0 * DISHONEST, NONE
    while rest:
        action = lowest_bit(rest)
        rest &= rest - 1
        if size <= action < 2 * size and not state[OWN + action - size] & state[PLAYABLE]:
            continue
        score = score_of(game, rulebook, state, seat, action, weights)
        if score > best and score > DISHONEST:
            best, chosen = score, action
    return chosen if chosen != NONE else way_out(game, rulebook, state, seat)


@kernel
def way_out(game: Game, rulebook: Rulebook, state: Ints, seat: int) -> int:
    """Return the number of the likeliest play that means nothing; of any play, if a strike would be the last."""
    most, chosen = -1.0, 0
    is_last = wide(game["strikes"]) == wide(rulebook["max_strikes"]) - 1
    for slot in range(state[LENGTH + seat]):
        if state[PLAYS + seat] >> slot & 1 and not is_last:
            continue
        total = weight(state[OWN + slot], state, UNSEEN)
        chance = weight(state[OWN + slot] & state[PLAYABLE], state, UNSEEN) / total if total else 0.0
        if chance > most:
            most, chosen = chance, slot
    return wide(rulebook["hand_size"]) + chosen
