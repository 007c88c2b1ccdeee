"""What one seat knows beyond what everybody knows, since it sees the other hands; and what it may lose by a discard."""

from __future__ import annotations

import math

from handful._bits import lowest_bit, popcount, wide
from handful._jit import kernel
from handful.bots.hat.code_kernel import Paper, hints_that_say_it, playable_slots, touched_slots
from handful.bots.hat.notes_kernel import MOST_COPIES, NONE, Notes, is_single, is_within, take_copy, weight
from handful.bots.settings import Settings
from handful.hanabi.kernels.game import hint_target
from handful.hanabi.kernels.layout import Game, Rulebook


@kernel
def look_around(game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, settings: Settings) -> None:
    """Write what the own cards can be for who sees the other hands, and the copies that are not in sight.

    With the setting `concludes`, own cards that are known count as seen.
    """
    size = wide(rulebook["hand_size"])
    unseen, own = paper["unseen"], paper["own"]
    for copy in range(MOST_COPIES):
        unseen[copy] = notes["left"][copy]
    seen = wide(0)
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                bit = wide(1) << game["cards"][game["orders"][place]]
                seen |= bit
                take_copy(unseen, bit)
    paper["seen"] = seen
    first, length = seat * size, notes["lengths"][seat]
    concludes = settings["concludes"] > 0
    for slot in range(length):
        own[slot] = notes["masks"][first + slot]
    taken = wide(0)  # slots that are known
    is_settled = False
    while not is_settled:
        is_settled = True
        for slot in range(length):
            if not taken >> slot & 1:
                mask = own[slot] & unseen[0]
                if mask == 0:  # somebody does not keep to the code: only what hints have shown counts
                    mask = game["possible"][first + slot]
                    if not concludes:
                        mask = mask & unseen[0] if mask & unseen[0] else unseen[0]
                own[slot] = mask
                if concludes and is_single(mask):
                    take_copy(unseen, mask)
                    taken |= wide(1) << slot
                    is_settled = False
    paper["own_known"] = taken


@kernel
def own_chance(paper: Paper, slot: int, wanted: int) -> float:
    """Return how likely an own card is of the wanted types."""
    mask = paper["own"][slot]
    if mask & wanted == 0:
        return 0.0
    if mask & ~wanted == 0:
        return 1.0
    return float(weight(paper["unseen"], mask & wanted) / max(1, weight(paper["unseen"], mask)))


@kernel
def critical_types(notes: Notes) -> int:
    """Return the types of which the last copy is still needed, as a mask."""
    return wide(notes["left"][0] & ~notes["left"][1] & ~notes["dead"])


@kernel
def expected_loss(notes: Notes, paper: Paper, slot: int, settings: Settings) -> float:
    """Return what the discard of an own slot is expected to cost: the sum of chances times losses.

    With `loss_by_weight` copies are added up, and divided at the end: the last digit may differ, and so may the choice
    among equals.
    """
    critical = critical_types(notes)
    needed = ~notes["dead"] & ~critical
    by_weight, mask = settings["loss_by_weight"] > 0, paper["own"][slot]
    loss = 0.0
    for wanted, cost in (
        (critical, settings["loss_critical"]),
        (needed & ~paper["seen"], settings["loss_unseen"]),
        (needed & paper["seen"], settings["loss_seen"]),
        (notes["playable"], settings["loss_playable"]),
    ):
        loss += cost * (weight(paper["unseen"], mask & wanted) if by_weight else own_chance(paper, slot, wanted))
    return loss / max(weight(paper["unseen"], mask), 1) if by_weight else loss


@kernel
def least_loss(notes: Notes, paper: Paper, seat: int, kept: int, settings: Settings) -> int:
    """Return the slot whose discard costs least, as far as can be expected, or NONE; none of the mask `kept`."""
    chosen, least = wide(NONE), 1e9
    for slot in range(notes["lengths"][seat]):
        if not kept >> slot & 1:
            loss = expected_loss(notes, paper, slot, settings)
            if loss < least:
                chosen, least = wide(slot), loss
    return chosen


@kernel
def lowest_value(rulebook: Rulebook, mask: int) -> int:
    """Return the lowest value among the types of a mask."""
    value = wide(rulebook["values"])
    while mask:
        value = min(value, wide(rulebook["value_of"][lowest_bit(mask)]))
        mask &= mask - 1
    return value


@kernel
def needs_telling(game: Game, rulebook: Rulebook, notes: Notes, seat: int) -> int:
    """Return 2 if somebody in sight has a playable card and knows none, 1 if somebody has one, else 0."""
    size = wide(rulebook["hand_size"])
    need = 0
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                if notes["playable"] >> game["cards"][game["orders"][place]] & 1:
                    need = max(need, 1 if playable_slots(rulebook, notes, other) else 2)
    return need


@kernel
def is_bold_play(game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, slot: int, settings: Settings) -> bool:
    """Return whether an own slot is likely playable and dead otherwise, and a strike would do no harm."""
    if game["strikes"] + 1 >= rulebook["max_strikes"]:
        return False
    is_no_loss = is_within(paper["own"][slot], notes["playable"] | notes["dead"])
    return is_no_loss and own_chance(paper, slot, notes["playable"]) > settings["bold"]


@kernel
def hint_gain(rulebook: Rulebook, notes: Notes, paper: Paper, target: int, touched: int, hint: int) -> float:
    """Return what a hint tells by itself, beyond what it says in the code.

    For each card the logarithm of how much it narrows what it can be, and 1 if it is known then, dead or playable.
    """
    first = target * wide(rulebook["hand_size"])
    mask = rulebook["hint_masks"][hint]
    gain = 0.0
    for slot in range(notes["lengths"][target]):
        before = paper["after"][first + slot]
        after = before & (mask if touched >> slot & 1 else ~mask)
        if after != before and not is_single(before):
            gain += math.log(weight(notes["free"], before) / max(1, weight(notes["free"], after)))
            gain += is_single(after) or after & ~notes["dead"] == 0
            gain += (after & ~notes["playable"] == 0) and (before & ~notes["playable"] != 0)
    return gain


@kernel
def types_ruled_out(rulebook: Rulebook, notes: Notes, target: int, touched: int, hint: int) -> int:
    """Return how many types a hint rules out by touching or not, and 10 more for each card that is then known."""
    first = target * wide(rulebook["hand_size"])
    mask = rulebook["hint_masks"][hint]
    gain = wide(0)
    for place in range(first, first + notes["lengths"][target]):
        before = popcount(notes["masks"][place])
        after = popcount(notes["masks"][place] & (mask if touched >> (place - first) & 1 else ~mask))
        gain += before - after + 10 * wide(before > 1 and after == 1)
    return gain


@kernel
def best_hint(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return the hint that says the sum and tells most by itself, or NONE if no hint says it."""
    hints = hints_that_say_it(game, rulebook, notes, paper, seat, legal, settings)
    chosen, most = wide(NONE), -1.0
    while hints:
        action = lowest_bit(hints)
        hints &= hints - 1
        target, hint = hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action])
        touched = touched_slots(game, rulebook, target, hint)
        if settings["counts_types"] > 0:
            gain = float(types_ruled_out(rulebook, notes, target, touched, hint))
        else:
            gain = hint_gain(rulebook, notes, paper, target, touched, hint)
        if gain > most:
            chosen, most = action, gain
    return chosen
