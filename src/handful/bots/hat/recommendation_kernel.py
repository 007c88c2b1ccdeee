"""The bot `recommendation`, compiled. `recommendation` says what it does."""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Annotated, Floats, Ints, TypedDict, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.notes_kernel import NONE
from handful.bots.hat.recommendation import CODE
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.settings import Settings, settings_type
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.worth import playable_mask, unique_mask, worthless_mask
from handful.splitmix_jit import Chance


class Told(TypedDict):
    """What a seat was told last."""

    number: Annotated[int, np.int64]  # the newest recommendation + 1; 0 if there is none
    played: Annotated[int, np.int64]  # cards laid on stacks since


TOLD = record_type(Told)
MEMORY_WORDS = words_of(TOLD)
SETTINGS = settings_type(CODE)


@kernel
def best_play(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the slot to play: a playable 5, else the playable card of lowest value; ties to the oldest; or NONE."""
    first = seat * wide(rulebook["hand_size"])
    playable = playable_mask(game, rulebook)
    lowest, chosen = wide(rulebook["values"]) + 1, NONE
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][first + slot]])
        if playable >> card & 1:
            value = wide(rulebook["value_of"][card])
            if value == rulebook["values"]:
                return slot
            if value < lowest:
                lowest, chosen = value, slot
    return chosen


@kernel
def best_discard(game: Game, rulebook: Rulebook, seat: int, most: int) -> int:
    """Return which of the `most` oldest slots to discard.

    The oldest worthless card; else the card of highest value that is not unique, the oldest of them; else the oldest.
    """
    first = seat * wide(rulebook["hand_size"])
    worthless, unique = worthless_mask(game, rulebook), unique_mask(game, rulebook)
    highest, chosen = 0, 0
    for slot in range(min(wide(game["lengths"][seat]), most)):
        card = wide(game["cards"][game["orders"][first + slot]])
        if worthless >> card & 1:
            return slot
        if not unique >> card & 1 and rulebook["value_of"][card] > highest:
            highest, chosen = wide(rulebook["value_of"][card]), slot
    return chosen


@kernel
def recommended(game: Game, rulebook: Rulebook, seat: int, numbers: int) -> int:
    """Return the recommendation for a hand that is seen: 0 … h − 1 play a slot, h, h + 1, … discard slot 0, 1, …"""
    size = wide(rulebook["hand_size"])
    slot = best_play(game, rulebook, seat)
    return slot if slot != NONE else size + best_discard(game, rulebook, seat, numbers - size)


@kernel
def sum_of_others(game: Game, rulebook: Rulebook, giver: int, reader: int, numbers: int) -> int:
    """Return the sum of the recommendations for all but the giver of a hint and its reader."""
    total = 0
    for seat in range(rulebook["players"]):
        if seat not in (giver, reader):
            total += recommended(game, rulebook, seat, numbers)
    return total


@inlined_kernel
def number_of_hint(rulebook: Rulebook, action: int, misses_newest: bool, code: Settings) -> int:
    """Return the number that a hint stands for: by its kind, and by how many seats ahead it goes."""
    others = wide(rulebook["players"]) - 1
    is_value = action >= 2 * rulebook["hand_size"] + others * rulebook["suit_hints"]
    kind = 2 if misses_newest and code["kinds"] == 3.0 else wide(is_value)
    return (kind * others + wide(rulebook["ahead_of"][action]) - 1) % wide(code["numbers"])


@kernel
def find_hint(game: Game, rulebook: Rulebook, seat: int, legal: int, code: Settings) -> int:
    """Return the first legal hint that stands for the sum of the others' recommendations, or NONE."""
    size, numbers = wide(rulebook["hand_size"]), wide(code["numbers"])
    if not legal >> (2 * size):
        return NONE
    wanted = sum_of_others(game, rulebook, seat, seat, numbers) % numbers
    for action in range(2 * size, rulebook["num_actions"]):
        if legal >> action & 1:
            target = hint_target(rulebook, seat, action)
            length = wide(game["lengths"][target])
            misses = True
            if length:
                newest = wide(game["cards"][game["orders"][target * size + length - 1]])
                misses = not rulebook["hint_masks"][rulebook["hint_of"][action]] >> newest & 1
            if number_of_hint(rulebook, action, misses, code) == wanted:
                return action
    return NONE


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats, _chance: Chance
) -> int:
    """Return what the newest recommendation and the tokens say."""
    game, rulebook = games[g], rulebooks[0]
    size, length = wide(rulebook["hand_size"]), wide(game["lengths"][seat])
    notes = record_in(memory[seat], 0, TOLD)
    told, played = wide(notes["number"]) - 1, notes["played"]
    is_bearable = game["strikes"] < rulebook["max_strikes"] - 1
    if 0 <= told < length and (played == 0 or (played == 1 and is_bearable)):
        return size + told
    legal = legal_mask(game, rulebook)
    hint = find_hint(game, rulebook, seat, legal, record_in(settings[seat], 0, SETTINGS))
    if hint != NONE:
        return hint
    if legal & ((1 << size) - 1):
        return told - size if size <= told < size + length else 0
    # All tokens are there and no hint stands for the sum: rather a strike than a hint that misleads everybody.
    return size if length else lowest_bit(legal)


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats) -> None:
    """Note the own recommendation: what a hint stands for, less what the other hands ask for."""
    game, rulebook = games[g], rulebooks[0]
    notes, code = record_in(memory[seat], 0, TOLD), record_in(settings[seat], 0, SETTINGS)
    size, numbers = wide(rulebook["hand_size"]), wide(code["numbers"])
    actor, action = wide(game["last_actor"]), wide(game["last_action"])
    if action < 2 * size:
        notes["played"] += action >= size and not game["last_is_strike"]
        if actor == seat:
            notes["number"] = 0  # the slots have moved
    elif actor != seat:
        newest = wide(game["lengths"][hint_target(rulebook, actor, action)]) - 1
        misses = newest < 0 or not game["last_touched"] >> newest & 1
        number = number_of_hint(rulebook, action, misses, code)
        notes["number"] = (number - sum_of_others(game, rulebook, actor, seat, numbers)) % numbers + 1
        notes["played"] = 0
