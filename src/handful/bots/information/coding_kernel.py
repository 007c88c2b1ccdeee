"""The code of the bot `information`: which hints, plays and discards say a number, and what everybody learns from it.

The number said is the sum of the answers (see `information_questions_kernel`) about all hands but the actor's, modulo
as many numbers as the action can say. Who sees all those hands but the own one subtracts, and has the own answer.
Nothing is read into the choice of the kind of action: whatever a player's reasons to hint, to play or to discard,
decoding stays right, as long as

- a hint says the sum modulo the number of hint classes;
- who plays one of several slots that everybody knows to be playable, while the deck is large, plays the one that says
  the sum modulo their number;
- who discards one of several slots that everybody knows to be useless discards the one that says the sum.
"""

from __future__ import annotations

from handful._bits import nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.information.questions_kernel import HAND, QUESTION_SETTINGS, QUESTION_WORDS, Settings, ask
from handful.bots.information.state_kernel import (
    DEAD,
    FOLLOWED,
    FREE,
    KNOWN,
    LENGTHS,
    MASKS,
    PLAIN_SUIT,
    PLAIN_VALUE,
    PLAYABLE,
    TWICE,
    Row,
    apply_turn,
    begin,
    begin_new_game,
    is_new_game,
    is_single,
    weight,
)
from handful.hanabi.kernels.layout import MAX_HAND_CARDS, NO_CARD, Game, Rulebook
from handful.hanabi.rules import MAX_PLAYERS

# Scratch paper of the code.
OWN_PLAYABLE = QUESTION_WORDS  # what is playable on the reader's turn, as far as everybody can foresee
OWN_DEAD = OWN_PLAYABLE + 1
AFTER = OWN_DEAD + 1  # per place: what the types would be after an answer
DESIGNATED = AFTER + MAX_HAND_CARDS  # per seat: the designated slot
SUITS = DESIGNATED + MAX_PLAYERS  # per seat: how many numbers suit hints can say
VALUES = SUITS + MAX_PLAYERS  # per seat: how many numbers value hints can say
CODING_WORDS = VALUES + MAX_PLAYERS

# Settings: plays are coded while the deck has at least so many cards.
CODED_DECK = QUESTION_SETTINGS
CODING_SETTINGS = CODED_DECK + 1

NONE = -1
PLAIN_WEIGHT = 1 << 10  # more than any hand weighs


@kernel
def designated_slot(rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the slot of a hand that is the most uncertain, by weight; of equal ones the newest.

    Slots that are surely touched by one suit hint and one value hint only come before others.
    """
    first = MASKS + seat * wide(rulebook["hand_size"])
    plain = row[PLAIN_SUIT] & row[PLAIN_VALUE]
    chosen, most = wide(0), wide(-1)
    for slot in range(row[LENGTHS + seat]):
        mask = row[first + slot]
        heavy = wide(0) if is_single(mask) else wide(weight(row, FREE, mask))
        if mask & ~plain == 0:
            heavy += PLAIN_WEIGHT
        if heavy >= most:
            chosen, most = wide(slot), heavy
    return chosen


@kernel
def count_classes(rulebook: Rulebook, row: Row, actor: int) -> int:
    """Return how many numbers a hint of the actor can say; write how many of them suits and values say of each hand.

    To a hand of several cards these are two and two: the designated slot is touched or not. A single card is always
    touched; and a card that every suit hint may touch, or none, tells nothing; the same for values.
    """
    size = wide(rulebook["hand_size"])
    total = wide(0)
    for seat in range(rulebook["players"]):
        length = row[LENGTHS + seat]
        if seat != actor and length > 0:
            slot = designated_slot(rulebook, row, seat)
            mask = row[MASKS + seat * size + slot]
            suits = 2 if length > 1 and mask & ~row[PLAIN_SUIT] == 0 else 1
            values = 2 if length > 1 and mask & ~row[PLAIN_VALUE] == 0 else 1
            row[DESIGNATED + seat], row[SUITS + seat], row[VALUES + seat] = slot, suits, values
            total += suits + values
        else:
            row[DESIGNATED + seat], row[SUITS + seat], row[VALUES + seat] = 0, 0, 0
    return total


@kernel
def class_of_hint(rulebook: Rulebook, row: Row, actor: int, ahead: int, hint: int, touched: int) -> int:
    """Return the number that a hint says, after `count_classes`; `touched` is the mask of the slots that it touches."""
    players = wide(rulebook["players"])
    number = wide(0)
    for nearer in range(1, ahead):
        seat = actor + nearer if actor + nearer < players else actor + nearer - players
        number += row[SUITS + seat] + row[VALUES + seat]
    target = actor + ahead if actor + ahead < players else actor + ahead - players
    classes = row[SUITS + target]
    if hint >= rulebook["suit_hints"]:
        number += classes
        classes = row[VALUES + target]
    if classes > 1:
        number += touched >> row[DESIGNATED + target] & 1
    return number


@kernel
def useless_slots(rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the slots that everybody knows to be useless, as a mask: dead, or a copy of a card known elsewhere."""
    first = MASKS + seat * wide(rulebook["hand_size"])
    slots = 0
    for slot in range(row[LENGTHS + seat]):
        mask = row[first + slot]
        spare = row[DEAD] | (row[TWICE] if is_single(mask) else row[KNOWN])
        slots |= wide(mask & ~spare == 0) << slot
    return slots


@kernel
def playable_slots(rulebook: Rulebook, row: Row, seat: int) -> int:
    """Return the slots that everybody knows to be playable, as a mask."""
    first = MASKS + seat * wide(rulebook["hand_size"])
    slots = 0
    for slot in range(row[LENGTHS + seat]):
        slots |= wide(row[first + slot] & ~row[PLAYABLE] == 0) << slot
    return slots


@kernel
def foreseen_play(rulebook: Rulebook, row: Row, seat: int, playable: int) -> int:
    """Return the known card of the lowest value that a seat can play then, as a mask, or 0."""
    first = MASKS + seat * wide(rulebook["hand_size"])
    best, lowest = wide(0), wide(rulebook["values"]) + 1
    for place in range(first, first + row[LENGTHS + seat]):
        mask = row[place]
        if mask & playable and is_single(mask):
            value = wide(rulebook["value_of"][popcount(mask - 1)])
            if value < lowest:
                best, lowest = mask, value
    return best


@kernel
def sum_answers(
    game: Game, rulebook: Rulebook, row: Row, actor: int, reader: int, cells: int, place_for: int, settings: Settings
) -> int:
    """Return the sum of the answers about all hands but the actor's and the reader's.

    Write what the hands can be after them from word `place_for` on: `MASKS`, or `AFTER`. Each hand is asked about with
    what is playable and dead on its turn, if everybody before plays what they are known to have.
    """
    size, players = wide(rulebook["hand_size"]), wide(rulebook["players"])
    playable, dead = row[PLAYABLE], row[DEAD]
    total = 0
    for ahead in range(1, players):
        seat = actor + ahead if actor + ahead < players else actor + ahead - players
        play = foreseen_play(rulebook, row, seat, playable)
        if seat == reader:
            row[OWN_PLAYABLE], row[OWN_DEAD] = playable, dead
        else:
            first, length = seat * size, row[LENGTHS + seat]
            for slot in range(length):
                row[HAND + slot] = row[MASKS + first + slot]
            total += ask(game, first, row, length, cells, playable, dead, NONE, settings)
            for slot in range(length):
                row[place_for + first + slot] = row[HAND + slot]
        if play:
            # The stack grows: this card is dead then, and the next one of its suit playable.
            playable &= ~play
            dead |= play
            if rulebook["value_of"][popcount(play - 1)] < rulebook["values"]:
                playable |= play << 1 & ~dead
    return total


@kernel
def coded_slot(game: Game, rulebook: Rulebook, row: Row, seat: int, slots: int, settings: Settings) -> int:
    """Return the one of some slots that says what the seat must say by it, or NONE if there are none."""
    count = popcount(slots)
    if count <= 1:
        return wide(popcount((slots & -slots) - 1)) if count else NONE
    return nth_bit(slots, sum_answers(game, rulebook, row, seat, seat, count, AFTER, settings) % count)


@kernel
def plays_are_coded(game: Game, rulebook: Rulebook, settings: Settings, drew: int) -> bool:
    """Return whether the choice among playable slots says something, with `drew` cards drawn since."""
    return bool(wide(rulebook["deck_size"]) - wide(game["drawn"]) + drew >= settings[CODED_DECK])


@inlined_kernel
def hear(game: Game, rulebook: Rulebook, row: Row, reader: int, cells: int, number: int, settings: Settings) -> None:
    """Take up a number below `cells` that was said in the last turn."""
    actor = wide(game["last_actor"])
    total = sum_answers(game, rulebook, row, actor, reader, cells, MASKS, settings)
    if reader != actor:
        first, length = reader * wide(rulebook["hand_size"]), row[LENGTHS + reader]
        for slot in range(length):
            row[HAND + slot] = row[MASKS + first + slot]
        answer = (number - total) % cells
        ask(game, first, row, length, cells, row[OWN_PLAYABLE], row[OWN_DEAD], answer, settings)
        for slot in range(length):
            row[MASKS + first + slot] = row[HAND + slot]


@inlined_kernel
def decode(game: Game, rulebook: Rulebook, row: Row, reader: int, settings: Settings) -> None:
    """Take up what the last turn said; the row is as it was before that turn."""
    size, actor, action = wide(rulebook["hand_size"]), wide(game["last_actor"]), wide(game["last_action"])
    cells, number = wide(0), wide(0)
    if game["last_slot"] == NO_CARD:
        ahead, hint = wide(rulebook["ahead_of"][action]), wide(rulebook["hint_of"][action])
        cells = count_classes(rulebook, row, actor)
        number = class_of_hint(rulebook, row, actor, ahead, hint, wide(game["last_touched"]))
    else:
        slots = wide(0)
        if action < size:
            slots = useless_slots(rulebook, row, actor)
        elif plays_are_coded(game, rulebook, settings, wide(game["last_drew"] != NO_CARD)):
            slots = playable_slots(rulebook, row, actor)
        if slots >> game["last_slot"] & 1:
            cells = popcount(slots)
            number = popcount(slots & ((wide(1) << game["last_slot"]) - 1))
    if cells > 1:
        hear(game, rulebook, row, reader, cells, number, settings)


@inlined_kernel
def follow(game: Game, rulebook: Rulebook, row: Row, reader: int, settings: Settings) -> None:
    """Bring the row of a reader from before the last turn to after it."""
    is_followed = row[FOLLOWED] == game["turn"]
    if game["turn"] == 1:
        is_followed = is_new_game(game, rulebook)
        if is_followed and row[FOLLOWED] == 0:
            begin_new_game(game, rulebook, row)
    if is_followed:
        decode(game, rulebook, row, reader, settings)
        apply_turn(game, rulebook, row)
    else:  # this seat was taken in the middle of a game, or the game began there
        begin(game, rulebook, row)
