"""The bot `rules`, compiled. `rules_of_thumb` says what it does."""

from __future__ import annotations

import numpy as np

from handful._bits import nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Annotated, Bytes, Floats, Ints, TypedDict, record_type
from handful._records_jit import record_in
from handful.bots.kernel_types import CHOOSE
from handful.bots.register import REGISTER
from handful.bots.settings import Parameter, Settings, settings_type
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import MAX_DECK, MAX_HAND_CARDS, Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.special import without_deck
from handful.hanabi.kernels.worth import playable_mask, unique_mask, worthless_mask
from handful.splitmix_jit import Chance, below, unit

# The copies of a card follow from the game.
PARAMETERS = (*REGISTER["rules"].parameters, Parameter("most_copies", 3, "copies that there are of a card, at most"))
RULES = settings_type(PARAMETERS)


class Notes(TypedDict):
    """Where the own cards are."""

    places: Annotated[Bytes, np.int8, MAX_HAND_CARDS]  # the card's order + 1, or 0 for an empty place


class Paper(Notes):
    """The notes, and scratch paper behind them."""

    planes: Annotated[Ints, np.int64, MAX_DECK]  # plane c has the cards with more than c copies unseen


NOTES, PAPER = record_type(Notes), record_type(Paper)

TOLERANCE = 1e-9  # of a probability that is compared with a threshold
NONE = -1  # no action found


@inlined_kernel
def note_slots(game: Game, rulebook: Rulebook, seat: int, paper: Paper) -> None:
    """Keep the own cards in fixed places: a new card takes the place of the one that left (ties go to the first place).

    paper["places"][place] is the card's order + 1, or 0 for an empty place.
    """
    size = wide(rulebook["hand_size"])
    first = seat * size
    length = wide(game["lengths"][seat])
    kept, is_newest_known = 0, False
    newest = wide(game["orders"][first + length - 1]) + 1
    for place in range(size):
        kept += paper["places"][place] != 0
        is_newest_known = is_newest_known or paper["places"][place] == newest
    if is_newest_known and kept == length:
        return  # the last own turn was a hint: nothing has changed
    for place in range(size):
        is_held = False
        for slot in range(length):
            is_held = is_held or paper["places"][place] == game["orders"][first + slot] + 1
        if not is_held:
            paper["places"][place] = 0
    for slot in range(length):
        order = wide(game["orders"][first + slot]) + 1
        free = NONE
        for place in range(size - 1, -1, -1):
            if paper["places"][place] == order:
                free = NONE
                break
            if paper["places"][place] == 0:
                free = place
        if free != NONE:
            paper["places"][free] = order


@kernel
def weigh_unseen(game: Game, rulebook: Rulebook, seat: int, paper: Paper, most_copies: int) -> None:
    """Write the copies that this seat cannot see as bit planes: plane c has the cards with more than c unseen copies.

    So the weight of a mask is the sum over the planes of popcount(mask & plane).
    """
    size = wide(rulebook["hand_size"])
    for copy in range(most_copies):
        plane = 0
        for card in range(rulebook["types"]):
            plane |= wide(game["left"][card] > copy) << card
        paper["planes"][copy] = plane
    for other in range(rulebook["players"]):
        if other != seat:
            for place in range(other * size, other * size + game["lengths"][other]):
                bit = wide(1) << game["cards"][game["orders"][place]]
                copy = most_copies - 1
                while not paper["planes"][copy] & bit:
                    copy -= 1
                paper["planes"][copy] ^= bit


@inlined_kernel
def weight(mask: int, paper: Paper, most_copies: int) -> int:
    """Return how many unseen cards are of a mask."""
    total = 0
    for copy in range(most_copies):
        total += popcount(mask & paper["planes"][copy])
    return total


@inlined_kernel
def slot_chance(
    game: Game, rulebook: Rulebook, seat: int, paper: Paper, settings: Settings, slot: int, mask: int
) -> float:
    """Return the probability that the card in an own slot is of a mask, the card taken for itself."""
    size, most_copies = wide(rulebook["hand_size"]), wide(settings["most_copies"])
    possible = game["possible"][seat * size + slot]
    total = weight(possible, paper, most_copies)
    return weight(possible & mask, paper, most_copies) / total if total else 0.0


@kernel
def slots_at_least(
    game: Game, rulebook: Rulebook, seat: int, paper: Paper, settings: Settings, mask: int, threshold: float
) -> int:
    """Return the own slots whose card is of a mask with at least this probability, as a mask of slots."""
    size = wide(rulebook["hand_size"])
    unseen = paper["planes"][0]  # plane 0: the cards of which at least one copy is unseen
    slots = 0
    for slot in range(game["lengths"][seat]):
        if threshold == 1.0:
            # The weight of the wanted cards is all of the weight: no other card is possible and unseen.
            possible = game["possible"][seat * size + slot] & unseen
            slots |= wide(possible != 0 and not possible & ~mask) << slot
        elif slot_chance(game, rulebook, seat, paper, settings, slot, mask) >= threshold - TOLERANCE:
            slots |= 1 << slot
    return slots


@kernel
def best_slot(
    game: Game, rulebook: Rulebook, seat: int, paper: Paper, settings: Settings, mask: int, sign: float
) -> int:
    """Return the own slot most (sign 1) or least (sign −1) likely to be of a mask; ties go to the first place."""
    first = seat * wide(rulebook["hand_size"])
    best, chosen = -2.0, 0
    for place in range(rulebook["hand_size"]):
        for slot in range(game["lengths"][seat]):
            if paper["places"][place] == game["orders"][first + slot] + 1:
                value = sign * slot_chance(game, rulebook, seat, paper, settings, slot, mask)
                if value > best + TOLERANCE:
                    best, chosen = value, slot
    return chosen


@kernel
def choose_discard(
    game: Game, rulebook: Rulebook, seat: int, paper: Paper, settings: Settings, chance: Chance, worthless: int
) -> int:
    """Return the slot to discard, by the discard rule."""
    rule = settings["discard"]
    if rule == 1.0:
        return below(chance, seat, wide(game["lengths"][seat]))
    if rule == 2.0:
        return best_slot(game, rulebook, seat, paper, settings, worthless, 1.0)
    if rule == 3.0:
        return 0
    return best_slot(game, rulebook, seat, paper, settings, unique_mask(game, rulebook), -1.0)


@inlined_kernel
def hint_number(rulebook: Rulebook, ahead: int, hint: int) -> int:
    """Return the action number of a hint to the player so many seats ahead."""
    suits, values, players = wide(rulebook["suit_hints"]), wide(rulebook["value_hints"]), wide(rulebook["players"])
    start = 2 * wide(rulebook["hand_size"])
    if hint < suits:
        return start + (ahead - 1) * suits + hint
    return start + (players - 1) * suits + (ahead - 1) * values + hint - suits


@kernel
def choose_hint(
    game: Game, rulebook: Rulebook, seat: int, settings: Settings, chance: Chance, legal: int, worthless: int
) -> int:
    """Return a hint by the hint rule."""
    rule = settings["hint"]
    if rule == 1.0:
        return random_hint(rulebook, seat, chance, legal)
    action = NONE
    if rule >= 3.0:
        action = hint_on(game, rulebook, seat, playable_mask(game, rulebook), settings["reading"] == 1.0, legal)
    if rule == 4.0 and action == NONE:
        action = hint_on(game, rulebook, seat, worthless, settings["reading"] == 1.0, legal)
    return most_voluminous_hint(game, rulebook, seat, legal) if action == NONE else action


@kernel
def random_hint(rulebook: Rulebook, seat: int, chance: Chance, legal: int) -> int:
    """Return a hint to a uniform player, of a uniform kind, with a uniform index (rule 1); again, until it is legal."""
    while True:
        ahead = 1 + below(chance, seat, wide(rulebook["players"]) - 1)
        if below(chance, seat, 2):
            if rulebook["value_hints"] == 0:
                continue
            hint = wide(rulebook["suit_hints"]) + below(chance, seat, wide(rulebook["value_hints"]))
        elif rulebook["suit_hints"]:
            hint = below(chance, seat, wide(rulebook["suit_hints"]))
        else:
            continue
        action = hint_number(rulebook, ahead, hint)
        if legal >> action & 1:
            return action


@kernel
def most_voluminous_hint(game: Game, rulebook: Rulebook, seat: int, legal: int) -> int:
    """Return the hint that touches most cards which it had not touched before (rule 2).

    Ties go to the first in this order: the next player, the one after, …; values 1, 2, …, then suits.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    suits, values = wide(rulebook["suit_hints"]), wide(rulebook["value_hints"])
    most, chosen = -1, NONE
    for ahead in range(1, players):
        other = seat + ahead if seat + ahead < players else seat + ahead - players
        first, last = other * size, other * size + wide(game["lengths"][other])
        for turn in range(values + suits):
            hint = suits + turn if turn < values else turn - values
            told = 0
            for place in range(first, last):
                card = game["cards"][game["orders"][place]]
                told += (rulebook["touching"][card] & ~game["touched"][place]) >> hint & 1
            if told > most:
                action = hint_number(rulebook, ahead, hint)
                if legal >> action & 1:
                    most, chosen = told, action
    return chosen


@kernel
def hint_on(game: Game, rulebook: Rulebook, seat: int, mask: int, tells_suits: bool, legal: int) -> int:
    """Return the hint on the first card of a mask that has something left to tell (rules 3 and 4), or NONE.

    Cards are looked at in turn order, and in a hand by ascending value. The value comes first, then (if
    `tells_suits`) the suit.
    """
    size, players, suits = wide(rulebook["hand_size"]), wide(rulebook["players"]), wide(rulebook["suit_hints"])
    if not rulebook["usual_hints"]:
        return any_hint_on(game, rulebook, seat, mask, tells_suits, legal)
    for ahead in range(1, players):
        other = (seat + ahead) % players
        for value in range(1, rulebook["values"] + 1):
            for place in range(other * size, other * size + game["lengths"][other]):
                card = game["cards"][game["orders"][place]]
                if rulebook["value_of"][card] == value and mask >> card & 1:
                    hint = suits + value - 1
                    action = hint_number(rulebook, ahead, hint)
                    if not game["touched"][place] >> hint & 1 and legal >> action & 1:
                        return action
                    hint = wide(rulebook["suit_of"][card])
                    if tells_suits and hint < suits and not game["touched"][place] >> hint & 1:
                        return hint_number(rulebook, ahead, hint)
    return NONE


@kernel
def any_hint_on(game: Game, rulebook: Rulebook, seat: int, mask: int, tells_suits: bool, legal: int) -> int:
    """Return what `hint_on` does, where hints are not one of each suit and value: any hint that touches the card."""
    size, players, suits = wide(rulebook["hand_size"]), wide(rulebook["players"]), wide(rulebook["suit_hints"])
    values = wide(rulebook["value_hints"])
    for ahead in range(1, players):
        other = (seat + ahead) % players
        for value in range(1, rulebook["values"] + 1):
            for place in range(other * size, other * size + game["lengths"][other]):
                card = game["cards"][game["orders"][place]]
                if rulebook["value_of"][card] == value and mask >> card & 1:
                    for number in range(values + (suits if tells_suits or values == 0 else 0)):
                        hint = suits + number if number < values else number - values
                        action = hint_number(rulebook, ahead, hint)
                        is_new = rulebook["touching"][card] & ~game["touched"][place]
                        if is_new >> hint & 1 and legal >> action & 1:
                            return action
    return NONE


@kernel
def choose_by_rules(game: Game, rulebook: Rulebook, seat: int, paper: Paper, settings: Settings, chance: Chance) -> int:
    """Return an action by the rules of thumb."""
    size = wide(rulebook["hand_size"])
    legal = without_deck(rulebook, legal_mask(game, rulebook))
    if legal == 0:
        return wide(rulebook["deck_action"])
    note_slots(game, rulebook, seat, paper)
    weigh_unseen(game, rulebook, seat, paper, wide(settings["most_copies"]))

    # a. play
    threshold = settings["omega_p"]
    if settings["omega_s"] == 1.0 and game["strikes"] == rulebook["max_strikes"] - 1:
        threshold = 1.0
    slots = slots_at_least(game, rulebook, seat, paper, settings, playable_mask(game, rulebook), threshold)
    if slots:
        return size + nth_bit(slots, below(chance, seat, popcount(slots)))

    # b. discard what is worthless
    can_discard = legal & ((1 << size) - 1)
    worthless = worthless_mask(game, rulebook)
    if can_discard:
        slots = slots_at_least(game, rulebook, seat, paper, settings, worthless, settings["omega_d"])
        if slots:
            return nth_bit(slots, below(chance, seat, popcount(slots)))

    # c. hint; also where the game allows nothing else
    can_hint = legal >> (2 * size)
    if can_hint and (unit(chance, seat) < settings["omega_h"] or not can_discard):
        return choose_hint(game, rulebook, seat, settings, chance, legal, worthless)

    # d. discard by the rule
    if can_discard:
        return choose_discard(game, rulebook, seat, paper, settings, chance, worthless)
    return size + best_slot(game, rulebook, seat, paper, settings, playable_mask(game, rulebook), 1.0)


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, parameters: Floats, chance: Chance
) -> int:
    """Return an action by the rules of thumb, from a row of memory and of settings."""
    paper, settings = record_in(memory[seat], 0, PAPER), record_in(parameters[seat], 0, RULES)
    return choose_by_rules(games[g], rulebooks[0], seat, paper, settings, chance)
