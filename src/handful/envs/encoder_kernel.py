"""The observation of a game in a record, as `observation.encode` says it, compiled."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import borrowing_kernel, inlined_kernel, kernel
from handful.bots.table_kernel import Tables, cover_table, uncover_table
from handful.hanabi.kernels.game import hint_target, legal_mask
from handful.hanabi.kernels.layout import (
    HEARD,
    HEARD_MOO,
    LOST,
    MAX_ORDERS,
    NO_CARD,
    ONGOING,
    PERFECT,
    STRIKES,
    SUIT_HINT,
    UNHEARD,
    VALUE_HINT,
    Game,
    Games,
    Rulebook,
    Rulebooks,
)
from handful.hanabi.kernels.worth import card_in_order

Row = npt.NDArray[Any]

MOVE_TYPES = 4
NOBODY = -1


@borrowing_kernel
def encode(games: Games, g: int, rulebooks: Rulebooks, observer: int, has_regained: bool, row: Row) -> None:
    """Write what a seat sees of game g into a row, of any type of number and of the length of the observation.

    `has_regained` says whether the last turn, a play, brought a hint token back: the record does not keep it.
    """
    game, rulebook = games[g], rulebooks[0]
    row[:] = 0
    undrawn = _undrawn_seat(game)
    place = _encode_hands(game, rulebook, observer, undrawn, row)
    place = _encode_board(game, rulebook, undrawn, row, place)
    place = _encode_discards(game, rulebook, row, place)
    place = _encode_last_turn(game, rulebook, observer, has_regained, row, place)
    place = _encode_knowledge(game, rulebook, observer, undrawn, row, place)
    if rulebook["is_special"]:
        encode_special(game, rulebook, observer, undrawn, row, place)


@inlined_kernel
def observe(tables: Tables, g: int, seat: int, row: Row, legal: Row) -> None:
    """Write what a seat sees of game g, and which actions it has: none, if it is not to move."""
    game = tables.games[g]
    has_regained = game["hints"] > tables.hints_before[g]
    if tables.rulebooks[0]["hides"]:
        cover_table(tables, g, seat)
        encode(tables.games, g, tables.rulebooks, seat, has_regained, row)
        uncover_table(tables, g)
    else:
        encode(tables.games, g, tables.rulebooks, seat, has_regained, row)
    mask = legal_mask(game, tables.rulebooks[0]) if game["current"] == seat else 0
    for action in range(len(legal)):
        legal[action] = mask >> action & 1


@inlined_kernel
def _undrawn_seat(game: Game) -> int:
    """Return the seat whose newest card counts as not drawn, because its last turn ended the game; or NOBODY."""
    is_cut_short = game["ending"] == STRIKES or game["ending"] == PERFECT or game["ending"] == LOST
    return wide(game["last_actor"]) if is_cut_short and game["last_drew"] != NO_CARD else NOBODY


@inlined_kernel
def _seat_ahead(rulebook: Rulebook, observer: int, ahead: int) -> int:
    seat = observer + ahead
    return seat - wide(rulebook["players"]) if seat >= rulebook["players"] else seat


@inlined_kernel
def _ahead_of(rulebook: Rulebook, observer: int, seat: int) -> int:
    return seat - observer + wide(rulebook["players"]) if seat < observer else seat - observer


@inlined_kernel
def _encode_hands(game: Game, rulebook: Rulebook, observer: int, undrawn: int, row: Row) -> int:
    players, size, types = wide(rulebook["players"]), wide(rulebook["hand_size"]), wide(rulebook["types"])
    short = (players - 1) * size * types
    for ahead in range(players):
        seat = _seat_ahead(rulebook, observer, ahead)
        length = wide(game["lengths"][seat]) - (seat == undrawn)
        if length < size:
            row[short + ahead] = 1
        if ahead > 0:
            first = (ahead - 1) * size * types
            for slot in range(length):
                row[first + slot * types + game["cards"][game["orders"][seat * size + slot]]] = 1
    return short + players


@inlined_kernel
def _encode_board(game: Game, rulebook: Rulebook, undrawn: int, row: Row, place: int) -> int:
    values = wide(rulebook["values"])
    full_deck = wide(rulebook["deck_size"]) - wide(rulebook["players"]) * wide(rulebook["hand_size"])
    deck = wide(rulebook["deck_size"]) - wide(game["drawn"]) + (undrawn != NOBODY)
    row[place : place + deck] = 1
    place += full_deck
    for suit in range(rulebook["suits"]):
        if game["stacks"][suit] > 0:
            row[place + suit * values + top_value(game, rulebook, suit) - 1] = 1
    place += wide(rulebook["types"])
    row[place : place + game["hints"]] = 1
    place += wide(rulebook["max_hints"])
    row[place : place + rulebook["max_strikes"] - game["strikes"]] = 1
    return place + wide(rulebook["max_strikes"])


@inlined_kernel
def _encode_discards(game: Game, rulebook: Rulebook, row: Row, place: int) -> int:
    """Write how many copies of each card are neither left nor on a stack."""
    values = wide(rulebook["values"])
    for card in range(rulebook["types"]):
        is_played = is_stacked(game, rulebook, card // values, card % values + 1)
        thrown = wide(rulebook["copies"][card]) - wide(game["left"][card]) - is_played
        for i in range(thrown):
            row[place + i] = 1
        place += wide(rulebook["copies"][card])
    return place


@inlined_kernel
def _encode_last_turn(game: Game, rulebook: Rulebook, observer: int, has_regained: bool, row: Row, first: int) -> int:
    players, size, types = wide(rulebook["players"]), wide(rulebook["hand_size"]), wide(rulebook["types"])
    suits, values = suit_places(rulebook), wide(rulebook["values"])
    move = first + players
    target = move + MOVE_TYPES
    suit = target + players
    value = suit + suits
    touched = value + values
    slot = touched + size
    card = slot + size
    success = card + types
    action, actor = wide(game["last_action"]), wide(game["last_actor"])
    if actor >= 0:
        row[first + _ahead_of(rulebook, observer, actor)] = 1
    if 0 <= action < 2 * size or (action >= 0 and action == rulebook["deck_action"]):
        row[move + (1 if action < size else 0)] = 1
        if game["last_slot"] != NO_CARD:
            row[slot + game["last_slot"]] = 1
        used = wide(game["cards"][game["last_order"]])
        if used >= 0:
            row[card + used] = 1
        is_play = used >= 0 and (action < size) == (rulebook["orange_mask"] >> used & 1 == 1)
        is_hidden = rulebook["face_down"] and game["ending"] == ONGOING
        if is_play and not game["last_is_strike"] and not is_hidden:
            row[success] = 1
        if is_play and has_regained:
            row[success + 1] = 1
    elif action < 0 and actor >= 0:
        row[target] = 1  # a hint that was not heard: only who gets it does not hear it
        if action != NO_CARD:
            row[move + (2 if action == HEARD_MOO else 3)] = 1
        for i in range(size):
            row[touched + i] = game["last_touched"] >> i & 1
    elif action >= 0:
        hint, suit_hints = wide(rulebook["hint_of"][action]), wide(rulebook["suit_hints"])
        row[target + _ahead_of(rulebook, observer, hint_target(rulebook, actor, action))] = 1
        if hint < suit_hints:
            row[move + 2] = 1
            row[suit + hint] = 1
        else:
            row[move + 3] = 1
            row[value + hint - suit_hints] = 1
        for i in range(size):
            row[touched + i] = game["last_touched"] >> i & 1
    return success + 2


@inlined_kernel
def _encode_knowledge(game: Game, rulebook: Rulebook, observer: int, undrawn: int, row: Row, place: int) -> int:
    players, size, types = wide(rulebook["players"]), wide(rulebook["hand_size"]), wide(rulebook["types"])
    suits, values, suit_hints = suit_places(rulebook), wide(rulebook["values"]), wide(rulebook["suit_hints"])
    for ahead in range(players):
        seat = _seat_ahead(rulebook, observer, ahead)
        length = wide(game["lengths"][seat]) - (seat == undrawn)
        for slot in range(length):
            possible, told = wide(game["possible"][seat * size + slot]), wide(game["touched"][seat * size + slot])
            first = place + slot * (types + suits + values)
            for i in range(types):
                row[first + i] = possible >> i & 1
            if told:
                for i in range(suit_hints):
                    row[first + types + i] = told >> i & 1
                for i in range(rulebook["value_hints"]):
                    row[first + types + suits + i] = told >> (suit_hints + i) & 1
        place += size * (types + suits + values)
    return place


# What only special games have


@inlined_kernel
def suit_places(rulebook: Rulebook) -> int:
    """Return how many places there are for suits that are hinted."""
    return max(wide(rulebook["suits"]), wide(rulebook["suit_hints"]))


@inlined_kernel
def top_value(game: Game, rulebook: Rulebook, suit: int) -> int:
    """Return the value on top of a stack that is not empty."""
    height = wide(game["stacks"][suit])
    if rulebook["is_ascending"]:
        return height
    order = lowest_bit(wide(game["open_orders"][suit]))
    return card_in_order(rulebook, suit, order, height - 1) % wide(rulebook["values"]) + 1


@inlined_kernel
def is_stacked(game: Game, rulebook: Rulebook, suit: int, value: int) -> bool:
    """Whether a card lies on its stack."""
    height = wide(game["stacks"][suit])
    if rulebook["is_ascending"]:
        return height >= value
    if height == 0:
        return False
    order = lowest_bit(wide(game["open_orders"][suit]))
    for place in range(height):
        if card_in_order(rulebook, suit, order, place) == suit * wide(rulebook["values"]) + value - 1:
            return True
    return False


@kernel
def encode_special(game: Game, rulebook: Rulebook, observer: int, undrawn: int, row: Row, place: int) -> None:
    """Write the fields of the section `special`, as `observation.fields` lists them."""
    if not rulebook["is_ascending"]:
        for suit in range(rulebook["suits"]):
            for order in range(MAX_ORDERS):
                row[place + order] = wide(game["open_orders"][suit]) >> order & 1
            place += MAX_ORDERS
    if rulebook["starved"]:
        row[place] = game["half_token"]
        place += 1
    if rulebook["alternating"]:
        row[place] = game["last_hint"] == SUIT_HINT
        row[place + 1] = game["last_hint"] == VALUE_HINT
        place += 2
    if rulebook["heard"] != HEARD:
        size = wide(rulebook["hand_size"])
        for ahead in range(rulebook["players"]):
            seat = _seat_ahead(rulebook, observer, ahead)
            for slot in range(wide(game["lengths"][seat]) - (seat == undrawn)):
                row[place + ahead * size + slot] = game["touched"][seat * size + slot] >> UNHEARD & 1
