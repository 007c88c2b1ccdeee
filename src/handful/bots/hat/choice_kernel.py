"""How the bot `hat` chooses by rules; `hat` has them in words."""

from __future__ import annotations

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.hat.belief_kernel import (
    LOSS,
    NONE,
    PLAYABLE,
    UNIQUE,
    UNSEEN,
    WORTHLESS,
    Row,
    belief,
    is_within,
    own_belief,
    weight,
)
from handful.bots.hat.tell_kernel import coded_hint
from handful.hanabi.kernels.layout import Game, Rulebook

SPARE_TURNS = 4  # discards are made while there are more turns to spare
SPARE_TOKENS = 3  # hints that help nobody at once are given while there are more tokens
LOSS_OF_UNIQUE = 5.0
MOST_LOSS = 0.5  # rather than lose more, hint
PATIENCE = 500  # turns; where hints cost nothing, one could go on for ever


@inlined_kernel
def seen_elsewhere(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the mask of the cards seen in other hands."""
    mask = wide(0)
    for other in range(rulebook["players"]):
        if other != seat:
            first = other * wide(rulebook["hand_size"])
            for place in range(first, first + game["lengths"][other]):
                mask |= wide(1) << game["cards"][game["orders"][place]]
    return mask


@kernel
def least_loss(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the slot whose discard is expected to cost least; LOSS gets how much, in thousandths."""
    elsewhere = seen_elsewhere(game, rulebook, seat)
    useful = ~row[WORTHLESS] & ~row[UNIQUE]
    least, chosen = 1e9, 0
    for slot in range(game["lengths"][seat]):
        mask = own_belief(game, rulebook, row, seat, slot)
        loss = LOSS_OF_UNIQUE * weight(row, wide(UNSEEN), mask & row[UNIQUE])
        loss += 1.0 * weight(row, wide(UNSEEN), mask & useful & ~elsewhere)
        loss += 0.1 * weight(row, wide(UNSEEN), mask & useful & elsewhere)
        loss += 0.3 * weight(row, wide(UNSEEN), mask & row[PLAYABLE])
        loss /= max(weight(row, wide(UNSEEN), mask), 1)
        if loss < least:
            least, chosen = loss, slot
    row[LOSS] = wide(1000 * min(least, 1000.0))
    return chosen


@inlined_kernel
def sure_play(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the slot of the sure play of lowest value (the lowest that it can be), the oldest of equals, or NONE."""
    best, chosen = wide(rulebook["values"]) + 1, NONE
    for slot in range(game["lengths"][seat]):
        mask = own_belief(game, rulebook, row, seat, slot)
        if is_within(mask, row[PLAYABLE]):
            lowest = wide(rulebook["values"])
            for card in range(rulebook["types"]):
                if mask >> card & 1:
                    lowest = min(lowest, wide(rulebook["value_of"][card]))
            if lowest < best:
                best, chosen = lowest, slot
    return chosen


@inlined_kernel
def risky_play(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return a slot that is playable with more than 3/4 and otherwise worthless, or NONE; with a strike to spare."""
    if game["strikes"] >= rulebook["max_strikes"] - 1:
        return NONE
    for slot in range(game["lengths"][seat]):
        mask = own_belief(game, rulebook, row, seat, slot)
        playable = weight(row, wide(UNSEEN), mask & row[PLAYABLE])
        if is_within(mask, row[PLAYABLE] | row[WORTHLESS]) and 4 * playable > 3 * weight(row, wide(UNSEEN), mask):
            return slot
    return NONE


@inlined_kernel
def sure_discard(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the oldest slot that is surely worthless, or NONE."""
    for slot in range(game["lengths"][seat]):
        if is_within(own_belief(game, rulebook, row, seat, slot), row[WORTHLESS]):
            return slot
    return NONE


@inlined_kernel
def count_players(game: Game, rulebook: Rulebook, row: Row, seat: int) -> tuple[int, int]:
    """Return how many others have a playable card, and how many of them do not know of any."""
    able, unaware = 0, 0
    for other in range(rulebook["players"]):
        if other != seat:
            first = other * wide(rulebook["hand_size"])
            is_able, is_aware = False, False
            for place in range(first, first + game["lengths"][other]):
                is_able = is_able or row[PLAYABLE] >> game["cards"][game["orders"][place]] & 1 != 0
                is_aware = is_aware or is_within(belief(game, row, place), row[PLAYABLE])
            able += wide(is_able)
            unaware += wide(is_able and not is_aware)
    return able, unaware


@inlined_kernel
def turns_to_spare(game: Game, rulebook: Rulebook) -> int:
    """Return how many cards can still be used without a point: cards to draw and a last turn each, less the points."""
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"])
    return deck + wide(rulebook["players"]) - (wide(rulebook["max_score"]) - wide(game["points"]))


@kernel
def choose_by_rules(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int) -> int:
    """Return what the rules say."""
    size = wide(rulebook["hand_size"])
    slot = sure_play(game, rulebook, row, seat)
    if slot == NONE:
        slot = risky_play(game, rulebook, row, seat)
    if slot != NONE:
        return size + slot
    can_discard = legal & 1 != 0
    if can_discard and game["turn"] >= PATIENCE:
        return least_loss(game, rulebook, row, seat)
    hint = coded_hint(game, rulebook, row, seat, legal) if legal >> 2 * size else NONE
    able, unaware = count_players(game, rulebook, row, seat)
    if hint != NONE and (unaware or not can_discard):
        return hint
    useless = sure_discard(game, rulebook, row, seat)
    spare = turns_to_spare(game, rulebook)
    if useless != NONE and can_discard and spare > SPARE_TURNS:
        return useless
    if hint != NONE and (able or game["hints"] > SPARE_TOKENS or spare <= 0):
        return hint
    slot = least_loss(game, rulebook, row, seat)
    if can_discard and (hint == NONE or row[LOSS] <= 1000 * MOST_LOSS):
        return slot
    if hint != NONE:
        return hint
    if game["lengths"][seat] == 0:
        return 2 * size + lowest_bit(legal >> 2 * size)
    # All tokens are there and no hint says the sum: a strike costs less than a lie.
    return size + (useless if useless != NONE else slot)
