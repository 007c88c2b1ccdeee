"""What the bot `information` does on its turn, before the endgame: `information` has the rules in words.

First the *candidates* are found: the sure plays that the code allows, the useless discard that says the sum, and of
the hints that say the sum the one that tells most by itself. Then the first rule that applies chooses.
"""

from __future__ import annotations

import math

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.information.coding_kernel import (
    AFTER,
    CODING_SETTINGS,
    CODING_WORDS,
    NONE,
    class_of_hint,
    coded_slot,
    count_classes,
    playable_slots,
    plays_are_coded,
    sum_answers,
    useless_slots,
)
from handful.bots.information.questions_kernel import Settings
from handful.bots.information.state_kernel import (
    DEAD,
    FREE,
    LEFT,
    LENGTHS,
    MASKS,
    MOST_COPIES,
    PLAYABLE,
    Row,
    is_single,
    take_copy,
    weight,
)
from handful.hanabi.kernels.game import hint_target, pace
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, Game, Rulebook

# Scratch paper of the policy.
UNSEEN = CODING_WORDS  # planes: copies that the seat cannot see and does not know to hold
SEEN = UNSEEN + MOST_COPIES  # types that are in another hand
OWN = SEEN + 1  # per own slot: the types that the card can be, for who sees the other hands
SURE = OWN + MAX_HAND_CARDS  # candidates: sure plays that the code allows, as a mask of slots
USELESS = SURE + 1  # the useless discard, as an action, or NONE
HINT = USELESS + 1  # the hint, as an action, or NONE
POLICY_WORDS = HINT + 1

# Settings of the rules: hints kept in reserve; the chance to be playable for rule 2; what a discard may cost.
RESERVE = CODING_SETTINGS
BOLD = RESERVE + 1
LOSS_CRITICAL, LOSS_UNSEEN, LOSS_SEEN, LOSS_PLAYABLE = range(BOLD + 1, BOLD + 5)
CALM, CALM_HINTS = BOLD + 5, BOLD + 6
POLICY_SETTINGS = BOLD + 7


@kernel
def look_around(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Write what the own cards can be for who sees the other hands, and the copies that are not in sight."""
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    for copy in range(MOST_COPIES):
        row[UNSEEN + copy] = row[LEFT + copy]
    seen = wide(0)
    for other in range(players):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                bit = wide(1) << game["cards"][game["orders"][place]]
                seen |= bit
                take_copy(row, UNSEEN, bit)
    row[SEEN] = seen
    length = row[LENGTHS + seat]
    taken = wide(0)  # slots that are known
    for slot in range(length):
        row[OWN + slot] = row[MASKS + seat * size + slot]
    is_settled = False
    while not is_settled:
        is_settled = True
        for slot in range(length):
            if not taken >> slot & 1:
                mask = row[OWN + slot] & row[UNSEEN]
                if mask == 0:  # somebody does not keep to the code
                    mask = game["possible"][seat * size + slot]
                row[OWN + slot] = mask
                if is_single(mask):
                    take_copy(row, UNSEEN, mask)
                    taken |= wide(1) << slot
                    is_settled = False


@kernel
def own_chance(row: Row, slot: int, wanted: int) -> float:
    """Return how likely an own card is of the wanted types."""
    mask = row[OWN + slot]
    if mask & wanted == 0:
        return 0.0
    if mask & ~wanted == 0:
        return 1.0
    return weight(row, UNSEEN, mask & wanted) / max(1, weight(row, UNSEEN, mask))


@kernel
def hint_gain(rulebook: Rulebook, row: Row, target: int, touched: int, hint: int) -> float:
    """Return what a hint tells by itself, beyond what it says in the code.

    For each card the logarithm of how much it narrows what it can be, and 1 if it is known then, dead or playable.
    """
    first = AFTER + target * wide(rulebook["hand_size"])
    mask = rulebook["hint_masks"][hint]
    gain = 0.0
    for slot in range(row[LENGTHS + target]):
        before = row[first + slot]
        after = before & (mask if touched >> slot & 1 else ~mask)
        if after != before and not is_single(before):
            gain += math.log(weight(row, FREE, before) / max(1, weight(row, FREE, after)))
            gain += is_single(after) or after & ~row[DEAD] == 0
            gain += (after & ~row[PLAYABLE] == 0) and (before & ~row[PLAYABLE] != 0)
    return gain


@inlined_kernel
def best_hint(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, settings: Settings) -> int:
    """Return the hint that says the sum and tells most by itself, or NONE if no hint says it."""
    size = wide(rulebook["hand_size"])
    cells = count_classes(rulebook, row, seat)
    if cells == 0 or legal >> 2 * size == 0:
        return NONE
    number = sum_answers(game, rulebook, row, seat, seat, cells, AFTER, settings) % cells
    chosen, most = NONE, -1.0
    for action in range(2 * size, rulebook["num_actions"]):
        if legal >> action & 1:
            target, hint = hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action])
            touched = wide(0)
            for slot in range(row[LENGTHS + target]):
                card = wide(game["cards"][game["orders"][target * size + slot]])
                touched |= (rulebook["hint_masks"][hint] >> card & 1) << slot
            if class_of_hint(rulebook, row, seat, wide(rulebook["ahead_of"][action]), hint, touched) == number:
                gain = hint_gain(rulebook, row, target, touched, hint)
                if gain > most:
                    chosen, most = action, gain
    return chosen


@inlined_kernel
def find_candidates(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, settings: Settings) -> None:
    """Write the candidates: sure plays, the useless discard, the best hint. The last leaves `AFTER` as it would be."""
    size, length = wide(rulebook["hand_size"]), row[LENGTHS + seat]
    look_around(game, rulebook, row, seat)
    sure, dead = wide(0), wide(0)
    for slot in range(length):
        sure |= wide(row[OWN + slot] & ~row[PLAYABLE] == 0) << slot
        dead |= wide(row[OWN + slot] & ~row[DEAD] == 0) << slot
    public = playable_slots(rulebook, row, seat)
    if popcount(public) > 1 and plays_are_coded(game, rulebook, settings, 0):
        sure = sure & ~public | wide(1) << coded_slot(game, rulebook, row, seat, public, settings)
    row[SURE] = sure
    row[USELESS] = NONE
    if legal & ((1 << size) - 1):
        useless = useless_slots(rulebook, row, seat)
        row[USELESS] = coded_slot(game, rulebook, row, seat, useless, settings)
        if useless == 0 and dead:
            row[USELESS] = popcount((dead & -dead) - 1)
    row[HINT] = best_hint(game, rulebook, row, seat, legal, settings)


@kernel
def best_play(game: Game, rulebook: Rulebook, row: Row, slots: int) -> int:
    """Return the slot of a sure play that should come first: low values, and cards that few hands hold."""
    chosen, most = NONE, -1.0
    for slot in range(wide(rulebook["hand_size"])):
        if slots >> slot & 1:
            mask = row[OWN + slot]
            value = wide(rulebook["values"])
            types = mask
            while types:
                value = min(value, wide(rulebook["value_of"][popcount((types & -types) - 1)]))
                types &= types - 1
            holders = 1.0
            if is_single(mask) and mask & row[SEEN]:
                holders += holders_of(game, rulebook, popcount(mask - 1))
            worth = (2 * wide(rulebook["values"]) - value) / holders
            if worth > most:
                chosen, most = slot, worth
    return chosen


@kernel
def holders_of(game: Game, rulebook: Rulebook, card: int) -> int:
    """Return how many of the hands in sight hold a card."""
    size = wide(rulebook["hand_size"])
    holders = 0
    for seat in range(rulebook["players"]):
        holds = False
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            holds |= game["cards"][game["orders"][place]] == card
        holders += holds
    return holders


@kernel
def least_loss(rulebook: Rulebook, row: Row, seat: int, settings: Settings) -> int:
    """Return the slot whose discard costs least, as far as can be expected; nothing that would say a wrong sum."""
    critical = row[LEFT] & ~row[LEFT + 1] & ~row[DEAD]
    seen = row[SEEN] & ~row[DEAD] & ~critical
    unseen = ~row[SEEN] & ~row[DEAD] & ~critical
    useless = useless_slots(rulebook, row, seat)
    chosen, least = NONE, 1e9
    for slot in range(row[LENGTHS + seat]):
        if not useless >> slot & 1:
            loss = settings[LOSS_CRITICAL] * own_chance(row, slot, critical)
            loss += settings[LOSS_UNSEEN] * own_chance(row, slot, unseen)
            loss += settings[LOSS_SEEN] * own_chance(row, slot, seen)
            loss += settings[LOSS_PLAYABLE] * own_chance(row, slot, row[PLAYABLE])
            if loss < least:
                chosen, least = slot, loss
    return chosen


@kernel
def needs_telling(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return 2 if somebody in sight has a playable card and knows none, 1 if somebody has one, else 0."""
    size = wide(rulebook["hand_size"])
    need = 0
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                if row[PLAYABLE] >> game["cards"][game["orders"][place]] & 1:
                    need = max(need, 1 if playable_slots(rulebook, row, other) else 2)
    return need


@inlined_kernel
def policy(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, settings: Settings) -> int:
    """Return the action of the first rule that applies. The candidates are found."""
    size, length = wide(rulebook["hand_size"]), row[LENGTHS + seat]
    to_spare, hints = pace(game, rulebook), row[HINT] != NONE
    is_calm = to_spare >= settings[CALM]
    if game["hints"] < settings[CALM_HINTS]:
        is_calm |= to_spare > 1
    if row[SURE]:
        return size + best_play(game, rulebook, row, row[SURE])
    may_be_playable = False
    for slot in range(length):
        chance = own_chance(row, slot, row[PLAYABLE])
        may_be_playable |= chance > 0
        is_no_loss = row[OWN + slot] & ~(row[PLAYABLE] | row[DEAD]) == 0
        if is_no_loss and chance > settings[BOLD] and game["strikes"] + 1 < rulebook["max_strikes"] and is_calm:
            return size + slot
    need = needs_telling(game, rulebook, row, seat)
    if row[USELESS] != NONE and need == 0 and not may_be_playable and to_spare > 0:
        return wide(row[USELESS])
    if hints and (need == 2 or game["hints"] >= rulebook["max_hints"]):
        return wide(row[HINT])
    if row[USELESS] != NONE and is_calm:
        return wide(row[USELESS])
    if hints and (need == 1 or game["hints"] > settings[RESERVE]):
        return wide(row[HINT])
    if row[USELESS] != NONE:
        return wide(row[USELESS])
    return last_resort(game, rulebook, row, seat, legal, settings)


@inlined_kernel
def last_resort(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int, settings: Settings) -> int:
    """Return the discard that costs least; else a hint; else, with no hint that says the sum, the likeliest play."""
    size = wide(rulebook["hand_size"])
    slot = least_loss(rulebook, row, seat, settings)
    if slot != NONE and legal >> slot & 1:
        return slot
    if row[HINT] != NONE:
        return wide(row[HINT])
    chosen, most = NONE, -1.0
    for own_slot in range(row[LENGTHS + seat]):
        chance = own_chance(row, own_slot, row[PLAYABLE]) + 0.1 * own_chance(row, own_slot, row[DEAD])
        if chance > most:
            chosen, most = own_slot, chance
    if chosen == NONE or (game["strikes"] + 1 >= rulebook["max_strikes"] and legal >> 2 * size):
        return 2 * size + popcount((legal >> 2 * size & -(legal >> 2 * size)) - 1)  # a hint that says something false
    return size + chosen
