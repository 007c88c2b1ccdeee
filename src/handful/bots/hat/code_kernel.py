"""The code of the bots `hat` and `information`: which hints, plays and discards say a number, and what all learn of it.

The number said is the sum of the answers (see `questions_kernel`) about all hands but the teller's, modulo as many
numbers as the action can say. Who sees all those hands but the own one subtracts, and has the own answer. Nothing is
read into the choice of the kind of action: whatever a player's reasons to hint, to play or to discard, decoding stays
right, as long as

- a hint says the sum modulo as many numbers as hints can say;
- who plays one of several slots that everybody knows to be playable, while the deck is large, plays the one that says
  the sum modulo their number;
- who discards one of several slots that everybody knows to be useless discards the one that says the sum.
"""

from __future__ import annotations

import numpy as np

from handful._bits import lowest_bit, nth_bit, popcount, wide
from handful._jit import kernel, kernel_of_type
from handful._records import Annotated, Floats, Ints, record_type, words_of
from handful._records_jit import record_in
from handful.bots.hat.notes_kernel import (
    MOST_COPIES,
    NONE,
    NOTES,
    Notes,
    apply_turn,
    begin,
    begin_new_game,
    is_new_game,
    is_single,
    is_within,
    seat_after,
    weight,
)
from handful.bots.hat.questions_kernel import SETTINGS, Question, ask, take_up_hand
from handful.bots.kernel_types import OBSERVE
from handful.bots.settings import Settings
from handful.hanabi.kernels.game import hint_target
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, NO_CARD, Game, Games, Rulebook, Rulebooks
from handful.hanabi.rules import MAX_PLAYERS


class Paper(Question):
    """Scratch paper of a turn: the questions, the code, and what the own cards can be for who sees the other hands."""

    own_playable: Annotated[int, np.int64]  # types that are playable on the reader's turn, as far as all can foresee
    own_dead: Annotated[int, np.int64]
    after: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per place: the types that the card can be after the answers
    designated: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: the designated slot
    suits: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: how many numbers suit hints can say
    values: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: how many numbers value hints can say
    unseen: Annotated[Ints, np.int64, MOST_COPIES]  # planes: copies that the seat cannot see
    seen: Annotated[int, np.int64]  # types that are in another hand
    own: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per own slot: types that the card can be, for who sees the others
    own_known: Annotated[int, np.int64]  # own slots whose cards are not among the unseen any more, as a mask
    sure: Annotated[int, np.int64]  # candidates of `information`: sure plays that the code allows, as a mask of slots
    useless: Annotated[int, np.int64]  # the useless discard, as an action, or NONE
    hint: Annotated[int, np.int64]  # the hint, as an action, or NONE


PAPER = record_type(Paper)
# A row of memory begins with the notes; a word says whether the seat has planned in this game; then comes the paper.
HAS_PLANNED = words_of(NOTES)
NOTES_WORDS = HAS_PLANNED + 1
PAPER_AT = NOTES_WORDS

PLAIN_WEIGHT = 1 << 10  # more than any hand weighs


# Hints as numbers.


@kernel
def designated_slot(rulebook: Rulebook, notes: Notes, seat: int, settings: Settings) -> int:
    """Return the slot of a hand that is the most uncertain; of equal ones the newest.

    In a fixed code that is the one that can be most types. Otherwise slots that are surely touched by one suit hint and
    one value hint only come before others, and the heaviest ones first.
    """
    first = seat * wide(rulebook["hand_size"])
    plain = notes["plain_suit"] & notes["plain_value"]
    chosen, most = wide(0), wide(-1)
    for slot in range(notes["lengths"][seat]):
        mask = notes["masks"][first + slot]
        if settings["is_code_fixed"] > 0:
            heavy = popcount(mask)
        else:
            heavy = wide(0) if is_single(mask) else weight(notes["free"], mask)
            heavy += PLAIN_WEIGHT * wide(mask & ~plain == 0)
        if heavy >= most:
            chosen, most = wide(slot), heavy
    return chosen


@kernel
def has_rainbow(rulebook: Rulebook) -> bool:
    """Return whether a suit is touched by all suit hints. Such suits come last."""
    suit_hints = (wide(1) << rulebook["suit_hints"]) - 1
    return popcount(rulebook["touching"][rulebook["types"] - 1] & suit_hints) > 1


@kernel
def count_numbers(rulebook: Rulebook, notes: Notes, paper: Paper, teller: int, settings: Settings) -> int:
    """Return how many numbers a hint of the teller can say; write the designated slots, and what is said of each hand.

    Of a hand of several cards suit hints say two numbers, and value hints two: the designated slot is touched or not. A
    single card is always touched; and a card that every suit hint may touch, or none, tells nothing; the same for
    values. A fixed code has four numbers for each hand, or with a rainbow suit three and one more.
    """
    size = wide(rulebook["hand_size"])
    total = wide(0)
    for seat in range(rulebook["players"]):
        length = notes["lengths"][seat]
        slot, suits, values = wide(0), wide(0), wide(0)
        if seat != teller and length > 0:
            slot = designated_slot(rulebook, notes, seat, settings)
            mask = notes["masks"][seat * size + slot]
            suits = 1 + wide(length > 1 and mask & ~notes["plain_suit"] == 0)
            values = 1 + wide(length > 1 and mask & ~notes["plain_value"] == 0)
        paper["designated"][seat], paper["suits"][seat], paper["values"][seat] = slot, suits, values
        total += suits + values
    if settings["is_code_fixed"] > 0:
        others = wide(rulebook["players"]) - 1
        return 3 * others + 1 if has_rainbow(rulebook) else 4 * others
    return total


@kernel
def fixed_number(rulebook: Rulebook, action: int, touches: int) -> int:
    """Return the number that a hint says in the fixed code; `touches` is 1 if it touches the designated slot, or 0.

    Each target has four numbers: suit or value, on the slot or past it. Past a rainbow card there is no suit hint, so
    in games with such a suit all suit hints past the designated slot, whoever gets them, say the same.
    """
    ahead, is_value = wide(rulebook["ahead_of"][action]), wide(rulebook["hint_of"][action] >= rulebook["suit_hints"])
    if not has_rainbow(rulebook):
        return 4 * (ahead - 1) + 2 * touches + is_value
    if not is_value and not touches:
        return 3 * (wide(rulebook["players"]) - 1)
    return 3 * (ahead - 1) + is_value * (1 + touches)


@kernel
def number_of_hint(rulebook: Rulebook, paper: Paper, teller: int, action: int, touched: int, settings: Settings) -> int:
    """Return the number that a hint says, after `count_numbers`; `touched` is the mask of the slots that it touches."""
    target = hint_target(rulebook, teller, action)
    touches = touched >> paper["designated"][target] & 1
    if settings["is_code_fixed"] > 0:
        return fixed_number(rulebook, action, touches)
    number = wide(0)
    for nearer in range(1, rulebook["ahead_of"][action]):
        seat = seat_after(rulebook, teller, nearer)
        number += paper["suits"][seat] + paper["values"][seat]
    numbers = paper["suits"][target]
    if rulebook["hint_of"][action] >= rulebook["suit_hints"]:
        number += numbers
        numbers = paper["values"][target]
    return number + touches if numbers > 1 else number


@kernel
def touched_slots(game: Game, rulebook: Rulebook, seat: int, hint: int) -> int:
    """Return the slots of a hand in sight that a hint touches, as a mask."""
    first = seat * wide(rulebook["hand_size"])
    touched = wide(0)
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][first + slot]])
        touched |= (rulebook["hint_masks"][hint] >> card & 1) << slot
    return touched


@kernel
def hints_that_say_it(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, legal: int, settings: Settings
) -> int:
    """Return the hints that say the sum of the answers, as a mask of actions; leave in `after` what all know then."""
    hints = legal >> 2 * wide(rulebook["hand_size"]) << 2 * wide(rulebook["hand_size"])
    cells = count_numbers(rulebook, notes, paper, seat, settings)
    if cells == 0 or hints == 0:
        return wide(0)
    number = sum_answers(game, rulebook, notes, paper, seat, seat, cells, settings) % cells
    said = wide(0)
    while hints:
        action = lowest_bit(hints)
        touched = touched_slots(game, rulebook, hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action]))
        if number_of_hint(rulebook, paper, seat, action, touched, settings) == number:
            said |= hints & -hints
        hints &= hints - 1
    return said


# Slots among which a choice says a number.


@kernel
def useless_slots(rulebook: Rulebook, notes: Notes, seat: int) -> int:
    """Return the slots that everybody knows to be useless, as a mask: dead, or a copy of a card known elsewhere."""
    first = seat * wide(rulebook["hand_size"])
    slots = wide(0)
    for slot in range(notes["lengths"][seat]):
        mask = notes["masks"][first + slot]
        spare = notes["dead"] | (notes["twice"] if is_single(mask) else notes["known"])
        slots |= wide(is_within(mask, spare)) << slot
    return slots


@kernel
def playable_slots(rulebook: Rulebook, notes: Notes, seat: int) -> int:
    """Return the slots that everybody knows to be playable, as a mask."""
    first = seat * wide(rulebook["hand_size"])
    slots = wide(0)
    for slot in range(notes["lengths"][seat]):
        slots |= wide(is_within(notes["masks"][first + slot], notes["playable"])) << slot
    return slots


@kernel
def plays_are_coded(game: Game, rulebook: Rulebook, settings: Settings, drew: int) -> bool:
    """Return whether the choice among playable slots says something, with `drew` cards drawn since."""
    return bool(wide(rulebook["deck_size"]) - wide(game["drawn"]) + drew >= settings["coded_deck"])


@kernel
def coded_slot(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, seat: int, slots: int, settings: Settings
) -> int:
    """Return the one of some slots that says what the seat must say by it, or NONE if there are none."""
    count = popcount(slots)
    if count <= 1:
        return lowest_bit(slots) if count else wide(NONE)
    return nth_bit(slots, sum_answers(game, rulebook, notes, paper, seat, seat, count, settings) % count)


# Sums of answers.


@kernel
def foreseen_play(rulebook: Rulebook, notes: Notes, seat: int, playable: int, settings: Settings) -> int:
    """Return the known card that a seat can play then, as a mask, or 0: of the lowest value, or the oldest."""
    first = seat * wide(rulebook["hand_size"])
    best, lowest = wide(0), wide(rulebook["values"]) + 1
    for place in range(first, first + notes["lengths"][seat]):
        mask = notes["masks"][place]
        if mask & playable and is_single(mask):
            value = wide(rulebook["value_of"][lowest_bit(mask)])
            if value < lowest:
                best, lowest = mask, value if settings["foresees_lowest"] > 0 else wide(0)
    return best


@kernel
def sum_answers(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, teller: int, reader: int, cells: int, settings: Settings
) -> int:
    """Return the sum of the answers about all hands but the teller's and the reader's.

    Write what these hands can be after them to `after`. Each hand is asked about with what is playable and dead on its
    turn, if everybody before plays what they are known to have.
    """
    size = wide(rulebook["hand_size"])
    playable, dead = notes["playable"], notes["dead"]
    paper["one"] = wide(1) << wide(settings["chance_bits"])
    for copy in range(MOST_COPIES):
        paper["copies"][copy] = notes["free"][copy]
    total = wide(0)
    for ahead in range(1, rulebook["players"]):
        seat = seat_after(rulebook, teller, ahead)
        if seat == reader:
            paper["own_playable"], paper["own_dead"] = playable, dead
        else:
            first, length = seat * size, notes["lengths"][seat]
            take_up_hand(notes, paper, first, length)
            paper["playable"], paper["dead"] = playable, dead
            total += ask(game, paper, cells, wide(NONE), settings)
            for slot in range(length):
                paper["after"][first + slot] = paper["hand"][slot]
        play = foreseen_play(rulebook, notes, seat, playable, settings)
        if play:
            # The stack grows: this card is dead then, and the next one of its suit playable.
            playable &= ~play
            dead |= play
            if rulebook["value_of"][lowest_bit(play)] < rulebook["values"]:
                playable |= play << 1 & ~dead
    return total


@kernel
def hear(
    game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, reader: int, cells: int, number: int, settings: Settings
) -> None:
    """Take up a number below `cells` that was said in the last turn."""
    teller, size = wide(game["last_actor"]), wide(rulebook["hand_size"])
    answer = (number - sum_answers(game, rulebook, notes, paper, teller, reader, cells, settings)) % cells
    if reader != teller:
        first, length = reader * size, notes["lengths"][reader]
        take_up_hand(notes, paper, first, length)
        paper["playable"], paper["dead"] = paper["own_playable"], paper["own_dead"]
        ask(game, paper, cells, answer, settings)
        for slot in range(length):
            paper["after"][first + slot] = paper["hand"][slot]
    for seat in range(rulebook["players"]):
        if seat != teller:
            for place in range(seat * size, seat * size + notes["lengths"][seat]):
                notes["masks"][place] = paper["after"][place]


@kernel
def decode(game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, reader: int, settings: Settings) -> None:
    """Take up what the last turn said; the notes are as they were before that turn."""
    actor, action = wide(game["last_actor"]), wide(game["last_action"])
    cells, number = wide(0), wide(0)
    if game["last_slot"] == NO_CARD:
        cells = count_numbers(rulebook, notes, paper, actor, settings)
        number = number_of_hint(rulebook, paper, actor, action, wide(game["last_touched"]), settings)
    else:
        slots = wide(0)
        if action < rulebook["hand_size"]:
            slots = useless_slots(rulebook, notes, actor)
        elif plays_are_coded(game, rulebook, settings, wide(game["last_drew"] != NO_CARD)):
            slots = playable_slots(rulebook, notes, actor)
        if slots >> game["last_slot"] & 1:
            cells = popcount(slots)
            number = popcount(slots & ((wide(1) << game["last_slot"]) - 1))
    if cells > 1:
        hear(game, rulebook, notes, paper, reader, cells, number, settings)


@kernel
def follow(game: Game, rulebook: Rulebook, notes: Notes, paper: Paper, reader: int, settings: Settings) -> None:
    """Bring the notes of a reader from before the last turn to after it."""
    is_followed = notes["followed"] == game["turn"]
    if game["turn"] == 1:
        is_followed = is_new_game(game, rulebook)
        if is_followed and notes["followed"] == 0:
            begin_new_game(game, rulebook, notes, settings)
    if is_followed:
        decode(game, rulebook, notes, paper, reader, settings)
        apply_turn(game, rulebook, notes, settings)
    else:  # this seat was taken in the middle of a game, or the game began there
        begin(game, rulebook, notes, settings)


@kernel
def begin_if_new(game: Game, rulebook: Rulebook, notes: Notes, settings: Settings) -> None:
    """Start the notes of a seat that is to move, if it has not followed the game."""
    if notes["followed"] != game["turn"] + 1:
        begin(game, rulebook, notes, settings)
        if game["turn"] > 0:  # in the middle of a game: nobody can know what this turn will say
            notes["followed"] = 0


@kernel_of_type(OBSERVE)
def observe(games: Games, g: int, rulebooks: Rulebooks, seat: int, memory: Ints, settings: Floats) -> None:
    """Follow the last turn."""
    row = memory[seat]
    notes, paper = record_in(row, 0, NOTES), record_in(row, PAPER_AT, PAPER)
    follow(games[g], rulebooks[0], notes, paper, seat, record_in(settings[seat], 0, SETTINGS))
