"""The bot `hat-2018`, compiled. `hat_2018` says what it does.

After a hint, everybody but its giver waits to carry out an instruction. The players of one hint sit side by side, those
of the next hint right after them, so the hints not yet carried out are a queue, and the players of each hint a block.

Row `seat` of the memory is what that seat has noted; its places are named below. The *scene* is the table as it will be
when the players who wait have acted: stacks, tokens, cards drawn, copies left.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful.bots.hat.notes_kernel import NONE, seat_after
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import MAX_SUITS, MAX_TYPES, NO_CARD, Game, Games, Rulebook, Rulebooks

Row: TypeAlias = npt.NDArray[np.int64]

# Instructions: play slot s is s, discard slot s is DISCARD + s.
SLOTS = 4  # slots that can be named
DISCARD, HINT = 4, 8
CODES = 9  # values of a hint
PATIENCE = 500  # turns; where hints cost nothing, one could go on for ever

# The memory of a seat.
WAITING = 0  # hints in the queue
IS_READ = 1  # whether the instructions of the first hint in the queue have been worked out
IN_QUEUE = 2  # 1 + place in the queue of the hint with my instruction; 0: none
REST = 3  # the value of that hint, less the instructions of the others in its block
FIRST, SIZE, VALUE = 4, 10, 16  # of each hint in the queue: who acts next, how many have still to act, its value
TOLD = 22  # by seat: the instruction of those after me in my block
MEANT = 28  # by seat: what the hint that I am about to give means for them
MEANT_FIRST, MEANT_SIZE = 34, 35  # whom it is for: the first of them, and how many
SCENE = 36  # tokens, cards drawn, points, stacks, copies left
TOKENS, DRAWN, POINTS, STACKS = SCENE, SCENE + 1, SCENE + 2, SCENE + 3
LEFT = STACKS + MAX_SUITS
MEMORY_WORDS = LEFT + MAX_TYPES


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
def set_scene(game: Game, rulebook: Rulebook, row: Row) -> None:
    """Set the scene as the table is now."""
    row[TOKENS], row[DRAWN], row[POINTS] = game["hints"], game["drawn"], game["points"]
    for suit in range(rulebook["suits"]):
        row[STACKS + suit] = game["stacks"][suit]
    for card in range(rulebook["types"]):
        row[LEFT + card] = game["left"][card]


@inlined_kernel
def is_playable(rulebook: Rulebook, row: Row, card: int) -> bool:
    """Whether a card extends a stack of the scene."""
    return bool(row[STACKS + rulebook["suit_of"][card]] == rulebook["value_of"][card] - 1)


@inlined_kernel
def is_played(rulebook: Rulebook, row: Row, card: int) -> bool:
    """Whether a card lies on a stack of the scene."""
    return bool(row[STACKS + rulebook["suit_of"][card]] >= rulebook["value_of"][card])


@inlined_kernel
def is_deck_nearly_out(rulebook: Rulebook, row: Row) -> bool:
    """Whether d − u < (h − 1) / 3: d cards in the deck, u still to be played, h tokens."""
    return bool(3 * (rulebook["deck_size"] - row[DRAWN] - (rulebook["max_score"] - row[POINTS])) < row[TOKENS] - 1)


@kernel
def easy_discard(game: Game, rulebook: Rulebook, row: Row, player: int, later: int) -> int:
    """Return the slot to discard by rules 4 to 6 of the standard action, or NONE. `later`: what later players play."""
    length = min(wide(game["lengths"][player]), SLOTS)
    for slot in range(length):
        if is_played(rulebook, row, card_at_slot(game, rulebook, player, slot)):
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
def standard_play(game: Game, rulebook: Rulebook, row: Row, player: int, later: int) -> int:
    """Return the slot to play by rule 1 of the standard action, or NONE."""
    best, chosen = wide(rulebook["values"]) + 1, NONE
    for slot in range(min(wide(game["lengths"][player]), SLOTS)):
        card = card_at_slot(game, rulebook, player, slot)
        if is_playable(rulebook, row, card) and not later >> card & 1 and rulebook["value_of"][card] < best:
            best, chosen = wide(rulebook["value_of"][card]), slot
    return chosen


@kernel
def standard_action(game: Game, rulebook: Rulebook, row: Row, player: int, later: int) -> int:
    """Return the standard action of a player in the scene; `later` is the mask of the cards that later players play."""
    slot = standard_play(game, rulebook, row, player, later)
    if slot != NONE:
        return slot
    if row[TOKENS] >= 6 or is_deck_nearly_out(rulebook, row):
        return HINT
    slot = easy_discard(game, rulebook, row, player, later)
    return DISCARD + slot if slot != NONE else HINT


@kernel
def tell_block(game: Game, rulebook: Rulebook, row: Row, first: int, size: int, place: int) -> int:
    """Write the standard actions of a block, last player first, to row[place + seat]; return the cards they play."""
    later = wide(0)
    for ahead in range(size - 1, -1, -1):
        player = seat_after(rulebook, first, ahead)
        told = standard_action(game, rulebook, row, player, later)
        row[place + player] = told
        if told < DISCARD:
            later |= wide(1) << card_at_slot(game, rulebook, player, told)
    return later


@inlined_kernel
def can_discard(rulebook: Rulebook, row: Row) -> bool:
    """Whether a discard is legal in the scene."""
    return bool(rulebook["discard_at_max"] or row[TOKENS] < rulebook["max_hints"])


@inlined_kernel
def gain_token(rulebook: Rulebook, row: Row) -> None:
    """Give a token back in the scene."""
    if row[TOKENS] < rulebook["max_hints"]:
        row[TOKENS] += 1


@kernel
def foresee(game: Game, rulebook: Rulebook, row: Row, player: int, told: int) -> None:
    """Let a player carry out an instruction in the scene: what cannot be carried out becomes what is done instead."""
    length = wide(game["lengths"][player])
    if told == HINT or (told >= DISCARD and not can_discard(rulebook, row)):
        if row[TOKENS] > 0:
            row[TOKENS] -= 1
            return
        told = DISCARD + length - 1
    slot = told - DISCARD if told >= DISCARD else told
    if slot < 0 or slot >= length:
        return
    card = card_at_slot(game, rulebook, player, slot)
    row[LEFT + card] -= 1
    if row[DRAWN] < rulebook["deck_size"]:
        row[DRAWN] += 1
    if told >= DISCARD:
        gain_token(rulebook, row)
    elif is_playable(rulebook, row, card):
        row[STACKS + rulebook["suit_of"][card]] += 1
        row[POINTS] += 1
        if rulebook["bonus_hint"] and rulebook["value_of"][card] == rulebook["values"]:
            gain_token(rulebook, row)


@kernel
def token_trouble(game: Game, rulebook: Rulebook, row: Row, first: int, size: int) -> int:
    """Return what goes wrong if a block does as it is told: bit 0, a hint without token; bit 1, a discard at 8."""
    tokens, trouble = row[TOKENS], 0
    for ahead in range(size):
        player = seat_after(rulebook, first, ahead)
        told = row[MEANT + player]
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
def hard_discard(game: Game, rulebook: Rulebook, row: Row, player: int) -> int:
    """Return the first slot whose card has another copy left, or NONE."""
    for slot in range(min(wide(game["lengths"][player]), SLOTS)):
        if row[LEFT + card_at_slot(game, rulebook, player, slot)] > 1:
            return slot
    return NONE


@kernel
def modified_action(
    game: Game, rulebook: Rulebook, row: Row, first: int, size: int, later: int, is_anyone_busy: bool
) -> int:
    """Return the modified action of the first player of a block, whose standard actions are in row[MEANT + seat].

    `later` is what the others of the block play; `is_anyone_busy` says whether anybody before them plays or discards.
    """
    told = row[MEANT + first]
    trouble = token_trouble(game, rulebook, row, first, size)
    if trouble & 1:
        for slot in range(min(wide(game["lengths"][first]), SLOTS)):
            card = card_at_slot(game, rulebook, first, slot)
            if (
                rulebook["value_of"][card] == rulebook["values"]
                and is_playable(rulebook, row, card)
                and not later >> card & 1
            ):
                return slot
    if told < DISCARD:
        return wide(told)
    if trouble & 2 or not can_discard(rulebook, row):
        return HINT
    for ahead in range(size):
        is_anyone_busy = is_anyone_busy or row[MEANT + seat_after(rulebook, first, ahead)] != HINT
    if not trouble & 1 and is_anyone_busy:
        return wide(told)
    slot = easy_discard(game, rulebook, row, first, later)
    if slot == NONE:
        slot = hard_discard(game, rulebook, row, first)
    return DISCARD + slot if slot != NONE else HINT


@kernel
def mean(game: Game, rulebook: Rulebook, row: Row, seat: int) -> int:
    """Work out the hint that a seat gives now; return its value, modulo CODES.

    Writes what it means for whom to MEANT, MEANT_FIRST and MEANT_SIZE, and leaves the scene in which that holds. The
    seat is the first in the queue, or nobody waits.
    """
    set_scene(game, rulebook, row)
    row[TOKENS] -= 1
    players = wide(rulebook["players"])
    is_anyone_busy = False
    ahead, entry = 1, 0
    if row[WAITING] and row[FIRST] == seat:
        for _ in range(row[SIZE] - 1):  # the rest of my own block
            player = seat_after(rulebook, seat, ahead)
            is_anyone_busy = is_anyone_busy or row[TOLD + player] != HINT
            foresee(game, rulebook, row, player, row[TOLD + player])
            ahead += 1
        entry = 1
    for number in range(entry, row[WAITING]):
        first, size = row[FIRST + number], row[SIZE + number]
        tell_block(game, rulebook, row, first, size, MEANT)
        rest = row[VALUE + number]
        for place in range(1, size):
            rest -= row[MEANT + seat_after(rulebook, first, place)]
        row[MEANT + first] = rest % CODES
        for place in range(size):
            player = seat_after(rulebook, first, place)
            is_anyone_busy = is_anyone_busy or row[MEANT + player] != HINT
            foresee(game, rulebook, row, player, row[MEANT + player])
            ahead += 1
    first, size = seat_after(rulebook, seat, ahead % players), players - ahead
    later = tell_block(game, rulebook, row, first, size, MEANT)
    if row[MEANT + first] < DISCARD:
        later &= ~(wide(1) << card_at_slot(game, rulebook, first, row[MEANT + first]))
    row[MEANT + first] = modified_action(game, rulebook, row, first, size, later, is_anyone_busy)
    row[MEANT_FIRST], row[MEANT_SIZE] = first, size
    value = wide(0)
    for place in range(size):
        value += row[MEANT + seat_after(rulebook, first, place)]
    return value % CODES


@kernel
def explain_hint(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Row, action: int) -> None:
    """Write what a hint, any hint, tells whom to MEANT, MEANT_FIRST and MEANT_SIZE, from before it was given."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    value = mean(game, rulebook, row, seat)
    first = row[MEANT_FIRST]
    row[MEANT + first] = (row[MEANT + first] + value_of_hint(game, rulebook, seat, action) - value) % CODES


@kernel
def give_hint(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int) -> int:
    """Return the hint to give, or NONE if none is legal.

    If no hint has the value that is meant, the first player of the block gets another instruction, for no one else
    builds on it: to hint, or else to discard something of which there is another copy, or else whatever there is.
    """
    value = mean(game, rulebook, row, seat)
    action = hint_with_value(game, rulebook, seat, value, legal)
    if action != NONE:
        return action
    first = row[MEANT_FIRST]
    meant = row[MEANT + first]
    for attempt in range(3):
        for other in range(CODES - 1, -1, -1):
            is_harmless = other == HINT
            if attempt == 1 and other >= DISCARD and other - DISCARD < game["lengths"][first] and other != HINT:
                is_harmless = row[LEFT + card_at_slot(game, rulebook, first, other - DISCARD)] > 1
            if is_harmless or attempt == 2:
                action = hint_with_value(game, rulebook, seat, (value - meant + other) % CODES, legal)
                if action != NONE:
                    row[MEANT + first] = other
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
def instruction_behind(game: Game, rulebook: Rulebook, row: Row, seat: int, actor: int, is_first: bool) -> int:
    """Return which instruction the last action carried out, as a seat behind the actor in its block reads it.

    Mostly the action itself. With no token a hint cannot be given: the newest card is discarded in its place, so a
    discard of the newest card is a hint, unless the card was useless. With all tokens a discard cannot be made.
    """
    size = wide(rulebook["hand_size"])
    action = wide(game["last_action"])
    if action >= 2 * size:
        if is_first or game["hints"] != rulebook["max_hints"] - 1 or rulebook["discard_at_max"]:
            return HINT
        return wide(row[TOLD + actor])
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
def leave_queue(game: Game, rulebook: Rulebook, row: Row, seat: int, actor: int) -> None:
    """Note that the first of the queue has acted: who waits in the same block subtracts the instruction."""
    if row[IN_QUEUE] == 1 and actor != seat:
        row[REST] = (row[REST] - instruction_behind(game, rulebook, row, seat, actor, row[IS_READ] == 1)) % CODES
    row[IS_READ] = 2
    row[FIRST] = seat_after(rulebook, actor, 1)
    row[SIZE] -= 1
    if actor == seat:
        row[IN_QUEUE] = 0
    if row[SIZE] == 0:
        for number in range(1, row[WAITING]):
            row[FIRST + number - 1] = row[FIRST + number]
            row[SIZE + number - 1] = row[SIZE + number]
            row[VALUE + number - 1] = row[VALUE + number]
        row[WAITING] -= 1
        row[IN_QUEUE] = max(row[IN_QUEUE] - 1, 0)
        row[IS_READ] = 0


@kernel
def join_queue(game: Game, rulebook: Rulebook, row: Row, seat: int, actor: int) -> None:
    """Note a hint: it is for all who do not wait yet."""
    players = wide(rulebook["players"])
    waiting = wide(0)
    for number in range(row[WAITING]):
        waiting += row[SIZE + number]
    number, size = row[WAITING], players - 1 - waiting
    if size <= 0:
        return
    row[FIRST + number] = seat_after(rulebook, actor, 1 + waiting)
    row[SIZE + number] = size
    row[VALUE + number] = value_given(game, rulebook)
    row[WAITING] += 1
    behind = (seat - actor + players) % players
    if behind > waiting:
        row[IN_QUEUE] = row[WAITING]
        row[REST] = row[VALUE + number]


@kernel
def read_hint(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Work out the instructions of those after me in the first block: all who act before that block have acted."""
    set_scene(game, rulebook, row)
    first, size = row[FIRST], row[SIZE]
    players = wide(rulebook["players"])
    place = (seat - first + players) % players
    row[IS_READ] = 1
    if place >= size:
        return
    tell_block(game, rulebook, row, seat_after(rulebook, seat, 1), size - place - 1, TOLD)
    for ahead in range(1, size - place):
        row[REST] -= row[TOLD + seat_after(rulebook, seat, ahead)]
    row[REST] %= CODES
    # Those before me: what they are told, if it is not a play; needed only where they cannot do it.
    for ahead in range(1, place):
        player = seat_after(rulebook, first, ahead)
        is_easy = row[TOKENS] < 6 and not is_deck_nearly_out(rulebook, row)
        slot = easy_discard(game, rulebook, row, player, wide(0)) if is_easy else NONE
        row[TOLD + player] = DISCARD + slot if slot != NONE else HINT


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Row, _settings: object) -> None:
    """Note the last turn."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    actor = wide(game["last_actor"])
    if row[WAITING] and row[FIRST] == actor:
        leave_queue(game, rulebook, row, seat, actor)
    if game["last_action"] >= 2 * rulebook["hand_size"]:
        join_queue(game, rulebook, row, seat, actor)
    if row[WAITING] and not row[IS_READ] and row[FIRST] == game["current"]:
        read_hint(game, rulebook, row, seat)


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Row, _settings: object, _chance: object
) -> int:
    """Return the action of "a player's turn"."""
    game, rulebook, row = games[g], rulebooks[0], memory[seat]
    size, length = wide(rulebook["hand_size"]), wide(game["lengths"][seat])
    legal = legal_mask(game, rulebook)
    can_hint = legal >> 2 * size != 0 and (game["turn"] < PATIENCE or length == 0)
    told = HINT
    if row[IN_QUEUE] == 1:
        told = row[REST]
        if told < DISCARD and told < length:
            return size + wide(told)
        if told >= DISCARD and told != HINT and told - DISCARD < length and legal >> (told - DISCARD) & 1:
            is_next_free = row[WAITING] == 1 and row[SIZE] == 1
            if not (can_hint and is_next_free and sees_playable(game, rulebook, seat_after(rulebook, seat, 1))):
                return wide(told - DISCARD)
    action = give_hint(game, rulebook, row, seat, legal) if can_hint else NONE
    if action != NONE:
        return action
    return length - 1 if legal >> (length - 1) & 1 else size + length - 1
