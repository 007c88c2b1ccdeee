"""Turns of games that are not played as usual, on records: `kernels.game` comes here where a rulebook is special.

Suits that are built in other orders, Orange, half tokens, hints that alternate or are not heard, plays that lie face
down, a card played from the deck, all or nothing. `hanabi.state` says the same in plain words.
"""

from __future__ import annotations

from handful._bits import wide
from handful._jit import kernel
from handful.hanabi.kernels.hands import draw_card, hint_target, note_hintable, remove_card
from handful.hanabi.kernels.layout import (
    DECK,
    HEARD,
    HEARD_MOO,
    HEARD_OINK,
    HIDDEN,
    LOST,
    MAX_ORDERED_VALUES,
    MAX_ORDERS,
    MAX_SUITS,
    MOO,
    NO_CARD,
    NO_HINT,
    NOT_YET,
    ONGOING,
    PERFECT,
    STRIKES,
    STUCK,
    SUIT_HINT,
    UNHEARD,
    UNLIMITED,
    VALUE_HINT,
    Decks,
    Game,
    Rulebook,
)
from handful.hanabi.kernels.worth import is_perfect_possible
from handful.hanabi.rules import MAX_PLAYERS


@kernel
def start_specially(game: Game, rulebook: Rulebook) -> None:
    """Clear what only special games use, before the hands of a new game are dealt."""
    game["half_token"] = 0
    game["last_hint"] = NO_HINT
    for suit in range(MAX_SUITS):
        game["open_orders"][suit] = rulebook["start_orders"][suit]
    for seat in range(MAX_PLAYERS):
        game["hole"][seat] = 0


@kernel
def legal_mask_specially(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the action numbers that the seat to move may choose, while the game goes on."""
    size, seat = wide(rulebook["hand_size"]), wide(game["current"])
    own = (wide(1) << game["lengths"][seat]) - 1
    mask: int = own << size
    if rulebook["discard_at_max"] or game["hints"] == UNLIMITED or game["hints"] < rulebook["max_hints"]:
        mask |= own
    if game["hints"] > 0:
        mask |= _legal_hints(game, rulebook, seat)
    if _can_play_deck(game, rulebook):
        mask |= wide(1) << rulebook["deck_action"]
    return mask


@kernel
def _can_play_deck(game: Game, rulebook: Rulebook) -> bool:
    return bool(rulebook["deck_action"] != NO_CARD and game["drawn"] == rulebook["deck_size"] - 1)


@kernel
def without_deck(rulebook: Rulebook, legal: int) -> int:
    """Return a mask of actions without the one that plays the last card of the deck: for players that never do."""
    return legal & ~(wide(1) << rulebook["deck_action"]) if rulebook["deck_action"] != NO_CARD else legal


@kernel
def _legal_hints(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the mask of the action numbers of the hints that a seat may give: some kinds may always be empty."""
    players = wide(rulebook["players"])
    suits, values = wide(rulebook["suit_hints"]), wide(rulebook["value_hints"])
    suit_hints = (wide(1) << suits) - 1
    spoken = (wide(1) << (suits + values)) - 1
    if rulebook["alternating"] and game["last_hint"] != NO_HINT:
        spoken = spoken & ~suit_hints if game["last_hint"] == SUIT_HINT else suit_hints
    first = 2 * wide(rulebook["hand_size"])
    mask, other = wide(0), seat
    for ahead in range(players - 1):
        other = other + 1 if other + 1 < players else wide(0)
        hints = (wide(game["hintable"][other]) | rulebook["free_hints"]) & spoken
        mask |= (hints & suit_hints) << (first + ahead * suits)
        mask |= (hints >> suits) << (first + (players - 1) * suits + ahead * values)
    return mask


@kernel
def is_for_nothing(game: Game, rulebook: Rulebook) -> bool:
    """Return whether a game of all or nothing has ended without all points."""
    return bool(rulebook["all_or_nothing"] and game["ending"] != ONGOING and game["ending"] != PERFECT)


@kernel
def act_specially(game: Game, rulebook: Rulebook, deck: Decks, action: int) -> None:
    """Carry out a legal action of the seat to move."""
    seat, size = wide(game["current"]), wide(rulebook["hand_size"])
    game["last_action"] = action
    game["last_actor"] = seat
    game["last_is_strike"] = 0
    if action < 2 * size or action == rulebook["deck_action"]:
        _use_card(game, rulebook, deck, seat, action)
    else:
        _give_hint(game, rulebook, hint_target(rulebook, seat, action), wide(rulebook["hint_of"][action]))
    game["turn"] += 1
    if game["turns_left"] != NOT_YET:
        game["turns_left"] -= 1
    elif game["drawn"] == rulebook["deck_size"] and rulebook["has_last_round"]:
        game["turns_left"] = rulebook["players"]
    game["current"] = seat + 1 if seat + 1 < rulebook["players"] else 0
    game["ending"] = _ending(game, rulebook)


# Cards


@kernel
def _use_card(game: Game, rulebook: Rulebook, deck: Decks, seat: int, action: int) -> None:
    """Play or discard a card; of a suit that is played by discarding, what is asked for is exchanged."""
    size = wide(rulebook["hand_size"])
    is_from_deck = action == rulebook["deck_action"]
    slot = wide(NO_CARD) if is_from_deck else action % size
    if is_from_deck:
        order = wide(game["drawn"])
        game["cards"][order] = deck[order]
        game["drawn"] = order + 1
    else:
        order = wide(game["orders"][seat * size + slot])
    card = wide(game["cards"][order])
    is_discard = action < size
    is_play = is_discard == (rulebook["orange_mask"] >> card & 1 == 1)
    game["left"][card] -= 1
    opened = orders_opened(game, rulebook, card) if is_play else wide(0)
    if opened:
        _lay_on_stack(game, rulebook, card, opened)
    elif is_play:
        game["strikes"] += 1
        game["last_is_strike"] = 1
    else:
        _gain_token(game, rulebook)
    if is_play and rulebook["face_down"]:
        game["hole"][seat] |= wide(1) << order
    game["last_touched"] = 0
    game["last_order"] = order
    game["last_slot"] = slot
    game["last_drew"] = NO_CARD
    if not is_from_deck:
        remove_card(game, seat * size, slot, seat)
        if game["drawn"] < rulebook["deck_size"]:
            game["last_drew"] = game["drawn"]
            draw_card(game, rulebook, deck, seat)
        note_hintable(game, rulebook, seat)


@kernel
def orders_opened(game: Game, rulebook: Rulebook, card: int) -> int:
    """Return the mask of the orders still open to a suit once a card lies on its stack; 0 if it does not fit."""
    suit, value = wide(rulebook["suit_of"][card]), wide(rulebook["value_of"][card])
    height = wide(game["stacks"][suit])
    if rulebook["is_ascending"]:
        return wide(height + 1 == value)
    opened = wide(0)
    if height < rulebook["stack_size"]:
        for order in range(MAX_ORDERS):
            is_next = rulebook["order_values"][(suit * MAX_ORDERS + order) * MAX_ORDERED_VALUES + height] == value
            if is_next and wide(game["open_orders"][suit]) >> order & 1:
                opened |= wide(1) << order
    return opened


@kernel
def _lay_on_stack(game: Game, rulebook: Rulebook, card: int, opened: int) -> None:
    """Lay a card that fits on its stack, close the orders that it rules out, and take what a full stack gives."""
    suit = wide(rulebook["suit_of"][card])
    if rulebook["sudoku"] and game["stacks"][suit] == 0:
        for other in range(rulebook["suits"]):
            game["open_orders"][other] &= ~opened
    game["open_orders"][suit] = opened
    game["stacks"][suit] += 1
    game["points"] += 1
    if game["stacks"][suit] == rulebook["stack_size"] and rulebook["bonus_hint"]:
        _gain_token(game, rulebook)


@kernel
def _gain_token(game: Game, rulebook: Rulebook) -> None:
    """Take a hint token back, or half of one in Clue Starved, unless all are there."""
    if game["hints"] >= rulebook["max_hints"]:
        return
    if rulebook["starved"] and not game["half_token"]:
        game["half_token"] = 1
    else:
        game["half_token"] = 0
        game["hints"] += 1


# Hints


@kernel
def _give_hint(game: Game, rulebook: Rulebook, target: int, hint: int) -> None:
    mask, first = rulebook["hint_masks"][hint], target * wide(rulebook["hand_size"])
    pointed = wide(0)
    for slot in range(game["lengths"][target]):
        pointed |= (mask >> game["cards"][game["orders"][first + slot]] & 1) << slot
    if rulebook["heard"] == HEARD:
        for slot in range(game["lengths"][target]):
            is_touched = pointed >> slot & 1
            game["possible"][first + slot] &= mask if is_touched else ~mask
            game["touched"][first + slot] |= is_touched << hint
    else:
        _note_unheard(game, rulebook, target, pointed, hint)
    if game["hints"] != UNLIMITED:
        game["hints"] -= 1
    if rulebook["alternating"]:
        game["last_hint"] = SUIT_HINT if hint < rulebook["suit_hints"] else VALUE_HINT
    game["last_touched"] = pointed
    game["last_order"] = NO_CARD
    game["last_slot"] = NO_CARD
    game["last_drew"] = NO_CARD


@kernel
def _note_unheard(game: Game, rulebook: Rulebook, target: int, pointed: int, hint: int) -> None:
    """Note what a hint tells that was not heard: every meaning that fits all cards is possible."""
    suits = wide(rulebook["suit_hints"])
    low, high = wide(0), suits + wide(rulebook["value_hints"])
    if rulebook["heard"] == MOO:
        low, high = (wide(0), suits) if hint < suits else (suits, high)
    meanings = wide(0)
    for meant in range(low, high):
        meanings |= wide(_fits(game, rulebook, target, pointed, meant)) << meant
    first = target * wide(rulebook["hand_size"])
    for slot in range(game["lengths"][target]):
        is_touched, possible = pointed >> slot & 1, wide(0)
        for meant in range(low, high):
            if meanings >> meant & 1:
                mask = rulebook["hint_masks"][meant]
                possible |= mask if is_touched else ~mask
        game["possible"][first + slot] &= possible
        game["touched"][first + slot] |= is_touched << UNHEARD


@kernel
def _fits(game: Game, rulebook: Rulebook, target: int, pointed: int, meant: int) -> bool:
    """Return whether a hint that touches just these slots can have had this meaning, by what is known of the cards."""
    mask, first = rulebook["hint_masks"][meant], target * wide(rulebook["hand_size"])
    for slot in range(game["lengths"][target]):
        if not game["possible"][first + slot] & (mask if pointed >> slot & 1 else ~mask):
            return False
    return True


# The end


@kernel
def _ending(game: Game, rulebook: Rulebook) -> int:
    if game["strikes"] >= rulebook["max_strikes"]:
        return STRIKES
    if game["points"] == rulebook["max_score"]:
        return PERFECT
    if rulebook["all_or_nothing"] and not is_perfect_possible(game, rulebook):
        return LOST
    if game["turns_left"] == 0:
        return DECK
    seat = wide(game["current"])
    has_hint = game["hints"] > 0 and _legal_hints(game, rulebook, seat) != 0
    if game["lengths"][seat] == 0 and not _can_play_deck(game, rulebook) and not has_hint:
        return STUCK
    return ONGOING


# What the table does not show


@kernel
def _last_target(game: Game, rulebook: Rulebook) -> int:
    """Return whom the hint of the last turn was for."""
    return hint_target(rulebook, wide(game["last_actor"]), wide(game["last_action"]))


@kernel
def cover(game: Game, rulebook: Rulebook, seat: int) -> None:
    """Turn face down, in a copy of a game for one seat, what nobody sees, and what this seat does not hear."""
    if game["ending"] != ONGOING:
        return
    is_hint = game["last_actor"] != NO_CARD and game["last_order"] == NO_CARD
    if rulebook["heard"] != HEARD and is_hint and _last_target(game, rulebook) == seat:
        is_suit_hint = rulebook["hint_of"][game["last_action"]] < rulebook["suit_hints"]
        game["last_action"] = NO_CARD if rulebook["heard"] != MOO else HEARD_MOO if is_suit_hint else HEARD_OINK
    if not rulebook["face_down"]:
        return
    game["points"] = 0
    game["strikes"] = 0
    game["last_is_strike"] = 0
    for suit in range(MAX_SUITS):
        game["stacks"][suit] = 0
        game["open_orders"][suit] = rulebook["start_orders"][suit]
    for player in range(rulebook["players"]):
        for order in range(rulebook["deck_size"]):
            if game["hole"][player] >> order & 1:
                game["left"][game["cards"][order]] += 1
                if player == seat:
                    game["cards"][order] = HIDDEN
