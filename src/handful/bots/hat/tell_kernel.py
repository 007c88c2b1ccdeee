"""How the bot `hat` tells: it says the sum of all hats with a hint, or with the choice among cards equally good."""

from __future__ import annotations

from handful._bits import nth_bit, popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.bots.hat.belief_kernel import (
    LEFT,
    NONE,
    PLAYABLE,
    RULED_OUT,
    SOON_PLAYABLE,
    SOON_WORTHLESS,
    WORTHLESS,
    Row,
    belief,
    foresee_play,
    is_within,
    seat_after,
)
from handful.bots.hat.code_kernel import num_codes, number_of
from handful.bots.hat.question_kernel import hat, learn
from handful.hanabi.kernels.game import hint_target
from handful.hanabi.kernels.layout import NO_CARD, Game, Rulebook

CODED_PLAYS = 20  # while the deck has so many cards, the choice among playable cards tells something


@kernel
def sum_of_hats(game: Game, rulebook: Rulebook, row: Row, teller: int, seat: int, cells: int, is_learning: int) -> int:
    """Return the sum of the hats of all but the teller and this seat; learn them, if `is_learning` (1, not 0).

    What is playable when the turn of this seat comes is left in SOON_PLAYABLE and SOON_WORTHLESS.
    """
    total = wide(0)
    row[SOON_PLAYABLE], row[SOON_WORTHLESS] = row[PLAYABLE], row[WORTHLESS]
    playable, worthless = row[PLAYABLE], row[WORTHLESS]
    for ahead in range(1, rulebook["players"]):
        player = seat_after(rulebook, teller, ahead)
        if player == seat:
            playable, worthless = row[SOON_PLAYABLE], row[SOON_WORTHLESS]
        else:
            total += hat(game, rulebook, row, player, cells, wide(NONE))
        foresee_play(game, rulebook, row, player)  # by what was known before: the teller did so, too
        if player != seat and is_learning:
            learn(game, rulebook, row, player)
    row[SOON_PLAYABLE], row[SOON_WORTHLESS] = playable, worthless
    return total


@kernel
def listen(game: Game, rulebook: Rulebook, row: Row, teller: int, seat: int, cells: int, said: int) -> None:
    """Learn everybody's hat from the sum that was said: those of the others by sight, the own one by subtraction."""
    total = sum_of_hats(game, rulebook, row, teller, seat, cells, wide(1))
    if seat != teller:
        hat(game, rulebook, row, seat, cells, (said - total) % cells)
        learn(game, rulebook, row, seat)


@kernel
def looked_at(game: Game, rulebook: Rulebook, row: Row, player: int) -> int:
    """Return the slot that matters for the value of a hint: that of which least is known, the newest of equals."""
    first = player * wide(rulebook["hand_size"])
    most, chosen = -1, 0
    for slot in range(game["lengths"][player]):
        width = popcount(belief(game, row, first + slot))
        if width >= most:
            most, chosen = width, slot
    return chosen


@inlined_kernel
def listen_to_hint(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Learn what the hint of the last turn told."""
    giver, action = wide(game["last_actor"]), wide(game["last_action"])
    slot = looked_at(game, rulebook, row, hint_target(rulebook, giver, action))
    said = number_of(rulebook, action, game["last_touched"] >> slot & 1 != 0)
    listen(game, rulebook, row, giver, seat, num_codes(rulebook), said)


@inlined_kernel
def shown_by(game: Game, rulebook: Rulebook, row: Row, target: int, hint: int) -> int:
    """Return how much a hint shows by touching: cards ruled out, and 10 for each card that is then known."""
    first = target * wide(rulebook["hand_size"])
    worth = 0
    for place in range(first, first + game["lengths"][target]):
        touched = rulebook["hint_masks"][hint]
        if not touched >> game["cards"][game["orders"][place]] & 1:
            touched = ~touched
        before = popcount(belief(game, row, place))
        after = popcount(belief(game, row, place) & touched)
        worth += before - after + 10 * wide(before > 1 and after == 1)
    return worth


@kernel
def coded_hint(game: Game, rulebook: Rulebook, row: Row, seat: int, legal: int) -> int:
    """Return the hint that says the sum of all hats, of several the one that shows most; NONE if there is none."""
    said = sum_of_hats(game, rulebook, row, seat, seat, num_codes(rulebook), wide(0)) % num_codes(rulebook)
    most, chosen = -1, NONE
    for action in range(2 * wide(rulebook["hand_size"]), wide(rulebook["num_actions"])):
        if legal >> action & 1:
            target, hint = hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action])
            touches = False
            if game["lengths"][target] > 0:
                place = target * wide(rulebook["hand_size"]) + looked_at(game, rulebook, row, target)
                touches = rulebook["touching"][game["cards"][game["orders"][place]]] >> hint & 1 != 0
            if number_of(rulebook, action, touches) == said:
                worth = shown_by(game, rulebook, row, target, hint)
                if worth > most:
                    most, chosen = worth, action
    return chosen


@inlined_kernel
def order_before(game: Game, rulebook: Rulebook, slot: int) -> int:
    """Return the place in the deck of the card that the last actor had in a slot before using one."""
    first, used = wide(game["last_actor"]) * wide(rulebook["hand_size"]), wide(game["last_slot"])
    if slot == used:
        return wide(game["last_order"])
    return wide(game["orders"][first + (slot if slot < used else slot - 1)])


@inlined_kernel
def is_coded(rulebook: Rulebook, is_play: bool, drawn: int) -> bool:
    """Whether the choice among equally good cards tells something: of discards always, of plays early in the game."""
    return not is_play or rulebook["deck_size"] - drawn >= CODED_PLAYS


@inlined_kernel
def listen_to_choice(game: Game, rulebook: Rulebook, row: Row, seat: int) -> None:
    """Learn from which of several cards was used on the last turn. The masks of the row are those before it."""
    is_play = game["last_action"] >= rulebook["hand_size"]
    drew = wide(game["last_drew"] != NO_CARD)
    if not is_coded(rulebook, is_play, wide(game["drawn"]) - drew):
        return
    wanted = row[PLAYABLE] if is_play else row[WORTHLESS]
    count, said = wide(0), wide(NONE)
    for slot in range(wide(game["lengths"][game["last_actor"]]) + 1 - drew):
        if is_within(row[LEFT] & ~row[RULED_OUT + order_before(game, rulebook, slot)], wanted):
            if slot == game["last_slot"]:
                said = count
            count += 1
    if count > 1 and said != NONE:
        listen(game, rulebook, row, wide(game["last_actor"]), seat, count, said)


@inlined_kernel
def coded_choice(game: Game, rulebook: Rulebook, row: Row, seat: int, action: int) -> int:
    """Return the action with the slot that says the sum of all hats, if others are as good for all that is known."""
    size = wide(rulebook["hand_size"])
    is_play = action >= size
    if action >= 2 * size or not is_coded(rulebook, is_play, wide(game["drawn"])):
        return action
    slots = wide(0)
    for slot in range(game["lengths"][seat]):
        wanted = row[PLAYABLE] if is_play else row[WORTHLESS]
        slots |= wide(is_within(belief(game, row, seat * size + slot), wanted)) << slot
    count = popcount(slots)
    kind = size if is_play else 0
    if count < 2 or not slots >> (action - kind) & 1:
        return action
    return kind + nth_bit(slots, sum_of_hats(game, rulebook, row, seat, seat, count, wide(0)) % count)
