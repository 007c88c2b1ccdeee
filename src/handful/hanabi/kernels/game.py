"""The rules of Hanabi on records: deal, list the legal actions, act. `hanabi.state` says the same in plain words.

Nothing here checks an action: a caller passes only members of `legal_mask`.
"""

from __future__ import annotations

from handful._bits import wide
from handful._jit import inlined_kernel
from handful.hanabi.kernels.hands import draw_card, hint_target, legal_hints, note_hintable, remove_card
from handful.hanabi.kernels.layout import (
    DECK,
    HIDDEN,
    KEEP,
    KEEP_ON_LAST_TURN,
    MAX_DECK,
    MAX_SUITS,
    MAX_TYPES,
    NO_CARD,
    NOT_YET,
    ONGOING,
    PERFECT,
    STRIKES,
    STUCK,
    UNLIMITED,
    Decks,
    Game,
    Rulebook,
)
from handful.hanabi.kernels.special import act_specially, is_for_nothing, legal_mask_specially, start_specially
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix import BOT_STREAM, DEAL_STREAM
from handful.splitmix_jit import Chance, add_key, below, seed_key

__all__ = [
    "act",
    "hint_target",
    "legal_mask",
    "note_hintable",
    "pace",
    "score",
    "seat_chance",
    "shuffle_deck",
    "start",
]


@inlined_kernel
def shuffle_deck(deck: Decks, rulebook: Rulebook, seed: int, number: int, chance: Chance) -> None:
    """Lay deal `number` of a seed into `deck`, int8 of length MAX_DECK. `chance` is scratch."""
    chance[0] = add_key(add_key(seed_key(seed), DEAL_STREAM), number)
    size = rulebook["deck_size"]
    for i in range(size):
        deck[i] = rulebook["sorted_deck"][i]
    for i in range(size - 1):
        j = i + below(chance, 0, size - i)
        deck[i], deck[j] = deck[j], deck[i]


@inlined_kernel
def seat_chance(chance: Chance, seed: int, number: int, repeat: int) -> None:
    """Give every seat its own stream of chance for a game: (seed, BOT_STREAM, number, repeat, seat)."""
    key = add_key(add_key(add_key(seed_key(seed), BOT_STREAM), number), repeat)
    for seat in range(MAX_PLAYERS):
        chance[seat] = add_key(key, seat)


@inlined_kernel
def start(game: Game, rulebook: Rulebook, deck: Decks, starter: int) -> None:
    """Deal the hands of a new game."""
    if rulebook["is_special"]:
        start_specially(game, rulebook)
    game["turn"] = 0
    game["hints"] = rulebook["max_hints"]
    game["strikes"] = 0
    game["points"] = 0
    game["ending"] = ONGOING
    game["current"] = starter
    game["last_action"] = NO_CARD
    game["last_actor"] = NO_CARD
    game["last_order"] = NO_CARD
    game["last_slot"] = NO_CARD
    game["last_drew"] = NO_CARD
    game["last_touched"] = 0
    game["last_is_strike"] = 0
    for suit in range(MAX_SUITS):
        game["stacks"][suit] = 0
    for index in range(MAX_TYPES):
        game["left"][index] = rulebook["copies"][index]
    for order in range(MAX_DECK):
        game["cards"][order] = HIDDEN
    game["drawn"] = 0
    for seat in range(rulebook["players"]):
        game["lengths"][seat] = 0
        for _ in range(rulebook["hand_size"]):
            draw_card(game, rulebook, deck, seat)
        note_hintable(game, rulebook, seat)
    is_last_round = game["drawn"] == rulebook["deck_size"] and rulebook["has_last_round"]
    game["turns_left"] = rulebook["players"] if is_last_round else NOT_YET


@inlined_kernel
def legal_mask(game: Game, rulebook: Rulebook) -> int:
    """Return the mask of the action numbers that the seat to move may choose; 0 if the game is over."""
    if game["ending"] != ONGOING:
        return 0
    if rulebook["is_special"]:
        return legal_mask_specially(game, rulebook)
    size = wide(rulebook["hand_size"])
    seat = wide(game["current"])
    own = (wide(1) << game["lengths"][seat]) - 1
    mask: int = own << size
    if rulebook["discard_at_max"] or game["hints"] == UNLIMITED or game["hints"] < rulebook["max_hints"]:
        mask |= own
    if game["hints"] > 0:
        mask |= legal_hints(game, rulebook, seat)
    return mask


@inlined_kernel
def act(game: Game, rulebook: Rulebook, deck: Decks, action: int) -> None:
    """Carry out a legal action of the seat to move."""
    if rulebook["is_special"]:
        act_specially(game, rulebook, deck, action)
        return
    seat = wide(game["current"])
    size = wide(rulebook["hand_size"])
    game["last_action"] = action
    game["last_actor"] = seat
    game["last_is_strike"] = 0
    if action < 2 * size:
        _use_card(game, rulebook, deck, seat, action - size if action >= size else action, action >= size)
    else:
        _give_hint(game, rulebook, hint_target(rulebook, seat, action), rulebook["hint_of"][action])
    game["turn"] += 1
    if game["turns_left"] != NOT_YET:
        game["turns_left"] -= 1
    elif game["drawn"] == rulebook["deck_size"] and rulebook["has_last_round"]:
        game["turns_left"] = rulebook["players"]
    game["current"] = seat + 1 if seat + 1 < rulebook["players"] else 0
    game["ending"] = _ending(game, rulebook)


@inlined_kernel
def _give_hint(game: Game, rulebook: Rulebook, target: int, hint: int) -> None:
    mask = rulebook["hint_masks"][hint]
    first = target * wide(rulebook["hand_size"])
    pointed = 0
    for slot in range(game["lengths"][target]):
        place = first + slot
        # is_touched: possible &= mask, else possible &= ~mask; without a branch, which the processor could not foresee
        is_touched = mask >> game["cards"][game["orders"][place]] & 1
        game["possible"][place] &= ~(mask ^ -is_touched)
        game["touched"][place] |= is_touched << hint
        pointed |= is_touched << slot
    if game["hints"] != UNLIMITED:
        game["hints"] -= 1
    game["last_touched"] = pointed
    game["last_order"] = NO_CARD
    game["last_slot"] = NO_CARD
    game["last_drew"] = NO_CARD


@inlined_kernel
def _use_card(game: Game, rulebook: Rulebook, deck: Decks, seat: int, slot: int, is_play: bool) -> None:
    first = seat * wide(rulebook["hand_size"])
    order = wide(game["orders"][first + slot])
    card = wide(game["cards"][order])
    suit, value = rulebook["suit_of"][card], rulebook["value_of"][card]
    game["left"][card] -= 1
    gains_hint = not is_play
    if is_play and game["stacks"][suit] == value - 1:
        game["stacks"][suit] = value
        game["points"] += 1
        gains_hint = rulebook["bonus_hint"] != 0 and value == rulebook["values"]
    elif is_play:
        game["strikes"] += 1
        game["last_is_strike"] = 1
    if gains_hint and game["hints"] < rulebook["max_hints"]:
        game["hints"] += 1
    remove_card(game, first, slot, seat)
    game["last_touched"] = 0
    game["last_order"] = order
    game["last_slot"] = slot
    game["last_drew"] = NO_CARD
    if game["drawn"] < rulebook["deck_size"]:
        game["last_drew"] = game["drawn"]
        draw_card(game, rulebook, deck, seat)
    note_hintable(game, rulebook, seat)


@inlined_kernel
def _ending(game: Game, rulebook: Rulebook) -> int:
    if game["strikes"] >= rulebook["max_strikes"]:
        return STRIKES
    if game["points"] == rulebook["max_score"]:
        return PERFECT
    if game["turns_left"] == 0:
        return DECK
    if game["lengths"][game["current"]] == 0 and (
        game["hints"] == 0 or legal_hints(game, rulebook, wide(game["current"])) == 0
    ):
        return STUCK
    return ONGOING


@inlined_kernel
def score(game: Game, rulebook: Rulebook) -> int:
    """Return the score if the game ended now."""
    if rulebook["is_special"] and is_for_nothing(game, rulebook):
        return 0
    keeps = rulebook["strike_score"] == KEEP or (
        rulebook["strike_score"] == KEEP_ON_LAST_TURN and game["turns_left"] == 0
    )
    return 0 if game["ending"] == STRIKES and not keeps else wide(game["points"])


@inlined_kernel
def pace(game: Game, rulebook: Rulebook) -> int:
    """Return how many turns may pass without a point: those that can still use a card, less the points missing.

    These turns are one for each card of the deck and a last one for each player; in the last round, those left.
    """
    turns = wide(rulebook["deck_size"]) - wide(game["drawn"]) + wide(rulebook["players"])
    if game["turns_left"] != NOT_YET:
        turns = wide(game["turns_left"])
    return turns - (wide(rulebook["max_score"]) - wide(game["points"]))
