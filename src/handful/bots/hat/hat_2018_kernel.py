"""The bot `hat-2018`, compiled. `hat_2018` says what it does.

After a hint, everybody but its giver waits to carry out an instruction. The players of one hint sit side by side, those
of the next hint right after them, so the hints not yet carried out are a queue, and the players of each hint a block.

The *scene* is the table as it will be when the players who wait have acted: stacks, tokens, cards drawn, copies left.
"""

from __future__ import annotations

import numpy as np

from handful._bits import wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Annotated, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.notes_kernel import NONE, seat_after
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import MAX_SUITS, MAX_TYPES, NO_CARD, Game, Games, Rulebook, Rulebooks
from handful.hanabi.rules import MAX_PLAYERS

# Instructions: play slot s is s, discard slot s is DISCARD + s.
SLOTS = 4  # slots that can be named
DISCARD, HINT = 4, 8
CODES = 9  # values of a hint
PATIENCE = 500  # turns; where hints cost nothing, one could go on for ever


class Queue(TypedDict):
    """What a seat has noted: the hints not yet carried out, and what they tell whom; and the scene."""

    waiting: Annotated[int, np.int64]  # hints in the queue
    is_read: Annotated[int, np.int64]  # whether the instructions of the first hint in the queue have been worked out
    in_queue: Annotated[int, np.int64]  # 1 + place in the queue of the hint with my instruction; 0: none
    rest: Annotated[int, np.int64]  # the value of that hint, less the instructions of the others in its block
    first: Annotated[Ints, np.int64, MAX_PLAYERS]  # by hint in the queue: who acts next,
    size: Annotated[Ints, np.int64, MAX_PLAYERS]  # how many have still to act,
    value: Annotated[Ints, np.int64, MAX_PLAYERS]  # and its value
    told: Annotated[Ints, np.int64, MAX_PLAYERS]  # by seat: the instruction of those after me in my block
    meant: Annotated[Ints, np.int64, MAX_PLAYERS]  # by seat: what the hint that I am about to give means for them
    meant_first: Annotated[int, np.int64]  # whom it is for: the first of them,
    meant_size: Annotated[int, np.int64]  # and how many
    tokens: Annotated[int, np.int64]  # the scene: tokens, cards drawn, points, stacks, copies left
    drawn: Annotated[int, np.int64]
    points: Annotated[int, np.int64]
    stacks: Annotated[Ints, np.int64, MAX_SUITS]
    left: Annotated[Ints, np.int64, MAX_TYPES]


QUEUE = record_type(Queue)
MEMORY_WORDS = words_of(QUEUE)


def queue_of(row: Ints) -> Queue:
    """Return what a seat has noted in its row of memory, for those outside of kernels."""
    queue: Queue = row[:MEMORY_WORDS].view(QUEUE)[0]
    return queue


@inlined_kernel
def code_of(rulebook: Rulebook, action: int, touches_newest: bool) -> int:
    """Return the value of a hint (van Doorn 2019, "Clue encoding").

    Four players: three values for each target (suit or value on the newest card, or past it). Five: two for each
    target, and the last for a hint past the newest card of anybody.
    """
    ahead, is_value = wide(rulebook["ahead_of"][action]), wide(rulebook["hint_of"][action] >= rulebook["suit_hints"])
    if rulebook["players"] >= 5:
        return (2 * (ahead - 1) + is_value if touches_newest else CODES - 1) % CODES
    return 3 * (ahead - 1) + (is_value if touches_newest else 2)


@kernel
def value_of_hint(game: Game, rulebook: Rulebook, seat: int, action: int) -> int:
    """Return the value of a hint that a seat may give: its target's hand is seen."""
    target = hint_target(rulebook, seat, action)
    length = wide(game["lengths"][target])
    touches = False
    if length > 0:
        newest = game["cards"][game["orders"][target * wide(rulebook["hand_size"]) + length - 1]]
        touches = rulebook["touching"][newest] >> rulebook["hint_of"][action] & 1 != 0
    return code_of(rulebook, action, touches)


@kernel
def value_given(game: Game, rulebook: Rulebook) -> int:
    """Return the value of the hint of the last turn, by what everybody saw of it."""
    action = wide(game["last_action"])
    length = wide(game["lengths"][hint_target(rulebook, wide(game["last_actor"]), action)])
    touches = length > 0 and game["last_touched"] >> (length - 1) & 1 != 0
    return code_of(rulebook, action, touches)


@kernel
def hint_with_value(game: Game, rulebook: Rulebook, seat: int, value: int, legal: int) -> int:
    """Return the first legal hint of a value, or NONE."""
    for action in range(2 * wide(rulebook["hand_size"]), wide(rulebook["num_actions"])):
        if legal >> action & 1 and value_of_hint(game, rulebook, seat, action) == value:
            return action
    return NONE


@inlined_kernel
def card_at_slot(game: Game, rulebook: Rulebook, seat: int, slot: int) -> int:
    """Return the card in a slot of a hand that is seen."""
    return wide(game["cards"][game["orders"][seat * wide(rulebook["hand_size"]) + slot]])


@kernel
def set_scene(game: Game, rulebook: Rulebook, queue: Queue) -> None:
    """Set the scene as the table is now."""
    queue["tokens"], queue["drawn"], queue["points"] = game["hints"], game["drawn"], game["points"]
    for suit in range(rulebook["suits"]):
        queue["stacks"][suit] = game["stacks"][suit]
    for card in range(rulebook["types"]):
        queue["left"][card] = game["left"][card]


@inlined_kernel
def is_playable(rulebook: Rulebook, queue: Queue, card: int) -> bool:
    """Whether a card extends a stack of the scene."""
    return bool(queue["stacks"][rulebook["suit_of"][card]] == rulebook["value_of"][card] - 1)


@inlined_kernel
def is_played(rulebook: Rulebook, queue: Queue, card: int) -> bool:
    """Whether a card lies on a stack of the scene."""
    return bool(queue["stacks"][rulebook["suit_of"][card]] >= rulebook["value_of"][card])


@inlined_kernel
def is_deck_nearly_out(rulebook: Rulebook, queue: Queue) -> bool:
    """Whether d − u < (h − 1) / 3: d cards in the deck, u still to be played, h tokens."""
    return bool(
        3 * (rulebook["deck_size"] - queue["drawn"] - (rulebook["max_score"] - queue["points"])) < queue["tokens"] - 1
    )


@kernel
def easy_discard(game: Game, rulebook: Rulebook, queue: Queue, player: int, later: int) -> int:
    """Return the slot to discard by rules 4 to 6 of the standard action, or NONE. `later`: what later players play."""
    length = min(wide(game["lengths"][player]), SLOTS)
    for slot in range(length):
        if is_played(rulebook, queue, card_at_slot(game, rulebook, player, slot)):
            return slot
    for slot in range(length):
        for other in range(slot + 1, length):
            if card_at_slot(game, rulebook, player, slot) == card_at_slot(game, rulebook, player, other):
                return slot
    for slot in range(length):
        if later >> card_at_slot(game, rulebook, player, slot) & 1:
            return slot
    return NONE


@kernel
def standard_play(game: Game, rulebook: Rulebook, queue: Queue, player: int, later: int) -> int:
    """Return the slot to play by rule 1 of the standard action, or NONE."""
    best, chosen = wide(rulebook["values"]) + 1, NONE
    for slot in range(min(wide(game["lengths"][player]), SLOTS)):
        card = card_at_slot(game, rulebook, player, slot)
        if is_playable(rulebook, queue, card) and not later >> card & 1 and rulebook["value_of"][card] < best:
            best, chosen = wide(rulebook["value_of"][card]), slot
    return chosen


@kernel
def standard_action(game: Game, rulebook: Rulebook, queue: Queue, player: int, later: int) -> int:
    """Return the standard action of a player in the scene; `later` is the mask of the cards that later players play."""
    slot = standard_play(game, rulebook, queue, player, later)
    if slot != NONE:
        return slot
    if queue["tokens"] >= 6 or is_deck_nearly_out(rulebook, queue):
        return HINT
    slot = easy_discard(game, rulebook, queue, player, later)
    return DISCARD + slot if slot != NONE else HINT


@kernel
def tell_block(game: Game, rulebook: Rulebook, queue: Queue, first: int, size: int, told_to: Ints) -> int:
    """Write the standard actions of a block, last player first, by seat; return the cards they play."""
    later = wide(0)
    for ahead in range(size - 1, -1, -1):
        player = seat_after(rulebook, first, ahead)
        told = standard_action(game, rulebook, queue, player, later)
        told_to[player] = told
        if told < DISCARD:
            later |= wide(1) << card_at_slot(game, rulebook, player, told)
    return later


@inlined_kernel
def can_discard(rulebook: Rulebook, queue: Queue) -> bool:
    """Whether a discard is legal in the scene."""
    return bool(rulebook["discard_at_max"] or queue["tokens"] < rulebook["max_hints"])


@inlined_kernel
def gain_token(rulebook: Rulebook, queue: Queue) -> None:
    """Give a token back in the scene."""
    if queue["tokens"] < rulebook["max_hints"]:
        queue["tokens"] += 1


@kernel
def foresee(game: Game, rulebook: Rulebook, queue: Queue, player: int, told: int) -> None:
    """Let a player carry out an instruction in the scene: what cannot be carried out becomes what is done instead."""
    length = wide(game["lengths"][player])
    if told == HINT or (told >= DISCARD and not can_discard(rulebook, queue)):
        if queue["tokens"] > 0:
            queue["tokens"] -= 1
            return
        told = DISCARD + length - 1
    slot = told - DISCARD if told >= DISCARD else told
    if slot < 0 or slot >= length:
        return
    card = card_at_slot(game, rulebook, player, slot)
    queue["left"][card] -= 1
    if queue["drawn"] < rulebook["deck_size"]:
        queue["drawn"] += 1
    if told >= DISCARD:
        gain_token(rulebook, queue)
    elif is_playable(rulebook, queue, card):
        queue["stacks"][rulebook["suit_of"][card]] += 1
        queue["points"] += 1
        if rulebook["bonus_hint"] and rulebook["value_of"][card] == rulebook["values"]:
            gain_token(rulebook, queue)


@kernel
def token_trouble(game: Game, rulebook: Rulebook, queue: Queue, first: int, size: int) -> int:
    """Return what goes wrong if a block does as it is told: bit 0, a hint without token; bit 1, a discard at 8."""
    tokens, trouble = queue["tokens"], 0
    for ahead in range(size):
        player = seat_after(rulebook, first, ahead)
        told = queue["meant"][player]
        if told == HINT:
            trouble |= wide(tokens == 0)
            tokens = max(tokens - 1, 0)
        elif told >= DISCARD:
            if tokens == rulebook["max_hints"] and not rulebook["discard_at_max"]:
                trouble |= 2
            tokens = min(tokens + 1, wide(rulebook["max_hints"]))
        elif (
            rulebook["value_of"][card_at_slot(game, rulebook, player, told)] == rulebook["values"]
            and rulebook["bonus_hint"]
        ):
            tokens = min(tokens + 1, wide(rulebook["max_hints"]))
    return trouble


@kernel
def hard_discard(game: Game, rulebook: Rulebook, queue: Queue, player: int) -> int:
    """Return the first slot whose card has another copy left, or NONE."""
    for slot in range(min(wide(game["lengths"][player]), SLOTS)):
        if queue["left"][card_at_slot(game, rulebook, player, slot)] > 1:
            return slot
    return NONE


@kernel
def modified_action(
    game: Game, rulebook: Rulebook, queue: Queue, first: int, size: int, later: int, is_anyone_busy: bool
) -> int:
    """Return the modified action of the first player of a block, whose standard actions are in queue["meant"][seat].

    `later` is what the others of the block play; `is_anyone_busy` says whether anybody before them plays or discards.
    """
    told = queue["meant"][first]
    trouble = token_trouble(game, rulebook, queue, first, size)
    if trouble & 1:
        for slot in range(min(wide(game["lengths"][first]), SLOTS)):
            card = card_at_slot(game, rulebook, first, slot)
            if (
                rulebook["value_of"][card] == rulebook["values"]
                and is_playable(rulebook, queue, card)
                and not later >> card & 1
            ):
                return slot
    if told < DISCARD:
        return wide(told)
    if trouble & 2 or not can_discard(rulebook, queue):
        return HINT
    for ahead in range(size):
        is_anyone_busy = is_anyone_busy or queue["meant"][seat_after(rulebook, first, ahead)] != HINT
    if not trouble & 1 and is_anyone_busy:
        return wide(told)
    slot = easy_discard(game, rulebook, queue, first, later)
    if slot == NONE:
        slot = hard_discard(game, rulebook, queue, first)
    return DISCARD + slot if slot != NONE else HINT


@kernel
def hint_to_give(game: Game, rulebook: Rulebook, queue: Queue, seat: int) -> int:
    """Work out the hint that a seat gives now; return its value, modulo CODES.

    Writes what it means for whom to `meant`, `meant_first` and `meant_size`, and leaves the scene in which that holds.
    The seat is the first in the queue, or nobody waits.
    """
    set_scene(game, rulebook, queue)
    queue["tokens"] -= 1
    players = wide(rulebook["players"])
    is_anyone_busy = False
    ahead, entry = 1, 0
    if queue["waiting"] and queue["first"][0] == seat:
        for _ in range(queue["size"][0] - 1):  # the rest of my own block
            player = seat_after(rulebook, seat, ahead)
            is_anyone_busy = is_anyone_busy or queue["told"][player] != HINT
            foresee(game, rulebook, queue, player, queue["told"][player])
            ahead += 1
        entry = 1
    for number in range(entry, queue["waiting"]):
        first, size = queue["first"][number], queue["size"][number]
        tell_block(game, rulebook, queue, first, size, queue["meant"])
        rest = queue["value"][number]
        for place in range(1, size):
            rest -= queue["meant"][seat_after(rulebook, first, place)]
        queue["meant"][first] = rest % CODES
        for place in range(size):
            player = seat_after(rulebook, first, place)
            is_anyone_busy = is_anyone_busy or queue["meant"][player] != HINT
            foresee(game, rulebook, queue, player, queue["meant"][player])
            ahead += 1
    first, size = seat_after(rulebook, seat, ahead % players), players - ahead
    later = tell_block(game, rulebook, queue, first, size, queue["meant"])
    if queue["meant"][first] < DISCARD:
        later &= ~(wide(1) << card_at_slot(game, rulebook, first, queue["meant"][first]))
    queue["meant"][first] = modified_action(game, rulebook, queue, first, size, later, is_anyone_busy)
    queue["meant_first"], queue["meant_size"] = first, size
    value = wide(0)
    for place in range(size):
        value += queue["meant"][seat_after(rulebook, first, place)]
    return value % CODES


@kernel
def explain_hint(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, action: int) -> None:
    """Write what a hint, any hint, tells whom to `meant`, `meant_first` and `meant_size`, from before it was given."""
    game, rulebook, queue = games[g], rulebooks[0], record_in(memory[seat], 0, QUEUE)
    value = hint_to_give(game, rulebook, queue, seat)
    first = queue["meant_first"]
    queue["meant"][first] = (queue["meant"][first] + value_of_hint(game, rulebook, seat, action) - value) % CODES


@kernel
def give_hint(game: Game, rulebook: Rulebook, queue: Queue, seat: int, legal: int) -> int:
    """Return the hint to give, or NONE if none is legal.

    If no hint has the value that is meant, the first player of the block gets another instruction, for no one else
    builds on it: to hint, or else to discard something of which there is another copy, or else whatever there is.
    """
    value = hint_to_give(game, rulebook, queue, seat)
    action = hint_with_value(game, rulebook, seat, value, legal)
    if action != NONE:
        return action
    first = queue["meant_first"]
    meant = queue["meant"][first]
    for attempt in range(3):
        for other in range(CODES - 1, -1, -1):
            is_harmless = other == HINT
            if attempt == 1 and other >= DISCARD and other - DISCARD < game["lengths"][first] and other != HINT:
                is_harmless = queue["left"][card_at_slot(game, rulebook, first, other - DISCARD)] > 1
            if is_harmless or attempt == 2:
                action = hint_with_value(game, rulebook, seat, (value - meant + other) % CODES, legal)
                if action != NONE:
                    queue["meant"][first] = other
                    return action
    return NONE


@inlined_kernel
def sees_playable(game: Game, rulebook: Rulebook, player: int) -> bool:
    """Whether a player has a playable card now."""
    is_any = False
    for slot in range(game["lengths"][player]):
        card = card_at_slot(game, rulebook, player, slot)
        is_any = is_any or game["stacks"][rulebook["suit_of"][card]] == rulebook["value_of"][card] - 1
    return is_any


@kernel
def instruction_behind(game: Game, rulebook: Rulebook, queue: Queue, actor: int, is_first: bool) -> int:
    """Return which instruction the last action carried out, as a seat behind the actor in its block reads it.

    Mostly the action itself. With no token a hint cannot be given: the newest card is discarded in its place, so a
    discard of the newest card is a hint, unless the card was useless. With all tokens a discard cannot be made.
    """
    size = wide(rulebook["hand_size"])
    action = wide(game["last_action"])
    if action >= 2 * size:
        if is_first or game["hints"] != rulebook["max_hints"] - 1 or rulebook["discard_at_max"]:
            return HINT
        return wide(queue["told"][actor])
    slot = wide(game["last_slot"])
    if action >= size:
        return min(slot, SLOTS - 1)
    newest = wide(game["lengths"][actor]) - wide(game["last_drew"] != NO_CARD)
    if game["hints"] == 1 and slot == newest:
        card = wide(game["cards"][game["last_order"]])
        is_useless = game["stacks"][rulebook["suit_of"][card]] >= rulebook["value_of"][card]
        for other in range(newest):
            is_useless = is_useless or card_at_slot(game, rulebook, actor, other) == card
        if not is_useless:
            return HINT
    return DISCARD + min(slot, SLOTS - 1)


@kernel
def leave_queue(game: Game, rulebook: Rulebook, queue: Queue, seat: int, actor: int) -> None:
    """Note that the first of the queue has acted: who waits in the same block subtracts the instruction."""
    if queue["in_queue"] == 1 and actor != seat:
        carried_out = instruction_behind(game, rulebook, queue, actor, queue["is_read"] == 1)
        queue["rest"] = (queue["rest"] - carried_out) % CODES
    queue["is_read"] = 2
    queue["first"][0] = seat_after(rulebook, actor, 1)
    queue["size"][0] -= 1
    if actor == seat:
        queue["in_queue"] = 0
    if queue["size"][0] == 0:
        for number in range(1, queue["waiting"]):
            queue["first"][number - 1] = queue["first"][number]
            queue["size"][number - 1] = queue["size"][number]
            queue["value"][number - 1] = queue["value"][number]
        queue["waiting"] -= 1
        queue["in_queue"] = max(queue["in_queue"] - 1, 0)
        queue["is_read"] = 0


@kernel
def join_queue(game: Game, rulebook: Rulebook, queue: Queue, seat: int, actor: int) -> None:
    """Note a hint: it is for all who do not wait yet."""
    players = wide(rulebook["players"])
    waiting = wide(0)
    for number in range(queue["waiting"]):
        waiting += queue["size"][number]
    number, size = queue["waiting"], players - 1 - waiting
    if size <= 0:
        return
    queue["first"][number] = seat_after(rulebook, actor, 1 + waiting)
    queue["size"][number] = size
    queue["value"][number] = value_given(game, rulebook)
    queue["waiting"] += 1
    behind = (seat - actor + players) % players
    if behind > waiting:
        queue["in_queue"] = queue["waiting"]
        queue["rest"] = queue["value"][number]


@kernel
def read_hint(game: Game, rulebook: Rulebook, queue: Queue, seat: int) -> None:
    """Work out the instructions of those after me in the first block: all who act before that block have acted."""
    set_scene(game, rulebook, queue)
    first, size = queue["first"][0], queue["size"][0]
    players = wide(rulebook["players"])
    place = (seat - first + players) % players
    queue["is_read"] = 1
    if place >= size:
        return
    tell_block(game, rulebook, queue, seat_after(rulebook, seat, 1), size - place - 1, queue["told"])
    for ahead in range(1, size - place):
        queue["rest"] -= queue["told"][seat_after(rulebook, seat, ahead)]
    queue["rest"] %= CODES
    # Those before me: what they are told, if it is not a play; needed only where they cannot do it.
    for ahead in range(1, place):
        player = seat_after(rulebook, first, ahead)
        is_easy = queue["tokens"] < 6 and not is_deck_nearly_out(rulebook, queue)
        slot = easy_discard(game, rulebook, queue, player, wide(0)) if is_easy else NONE
        queue["told"][player] = DISCARD + slot if slot != NONE else HINT


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _settings: object) -> None:
    """Note the last turn."""
    game, rulebook, queue = games[g], rulebooks[0], record_in(memory[seat], 0, QUEUE)
    actor = wide(game["last_actor"])
    if queue["waiting"] and queue["first"][0] == actor:
        leave_queue(game, rulebook, queue, seat, actor)
    if game["last_action"] >= 2 * rulebook["hand_size"]:
        join_queue(game, rulebook, queue, seat, actor)
    if queue["waiting"] and not queue["is_read"] and queue["first"][0] == game["current"]:
        read_hint(game, rulebook, queue, seat)


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, _settings: object, _chance: object
) -> int:
    """Return the action of "a player's turn"."""
    game, rulebook, queue = games[g], rulebooks[0], record_in(memory[seat], 0, QUEUE)
    size, length = wide(rulebook["hand_size"]), wide(game["lengths"][seat])
    legal = legal_mask(game, rulebook)
    can_hint = legal >> 2 * size != 0 and (game["turn"] < PATIENCE or length == 0)
    told = HINT
    if queue["in_queue"] == 1:
        told = queue["rest"]
        if told < DISCARD and told < length:
            return size + wide(told)
        if told >= DISCARD and told != HINT and told - DISCARD < length and legal >> (told - DISCARD) & 1:
            is_next_free = queue["waiting"] == 1 and queue["size"][0] == 1
            if not (can_hint and is_next_free and sees_playable(game, rulebook, seat_after(rulebook, seat, 1))):
                return wide(told - DISCARD)
    action = give_hint(game, rulebook, queue, seat, legal) if can_hint else NONE
    if action != NONE:
        return action
    return length - 1 if legal >> (length - 1) & 1 else size + length - 1
