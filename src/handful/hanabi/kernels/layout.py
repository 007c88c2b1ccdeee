"""A game as one record of fixed size, and the rules as another: what kernels work on.

Shapes and sentinels of every field are given here. A hand's slot i of seat p is at ``p * hand_size + i`` in the
fields that are per slot. A *hint number* counts the suit hints first, then the value hints: hint h touches the cards
of `hint_masks[h]`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._records import Annotated, Bytes, Ints, SmallInts, TypedDict, record_type
from handful.errors import RulesError
from handful.hanabi.actions import HintSuit, HintValue, action_at
from handful.hanabi.cards import card_index, sorted_deck
from handful.hanabi.rules import MAX_PLAYERS, Rules

MAX_DECK = 64
MAX_TYPES = 62
MAX_SUITS = 16
MAX_HINT_NUMBERS = 30
MAX_HAND_CARDS = 32
MAX_ACTIONS = 63
# Of variants whose suits can be built in more ways than 1 2 3 …
MAX_ORDERS = 5
MAX_ORDERED_SUITS = 8
MAX_ORDERED_VALUES = 6

NO_HINT, SUIT_HINT, VALUE_HINT = range(3)  # what the last hint was about, where hints alternate
UNHEARD = 30  # the bit in `touched` of hints that were not heard
HEARD, MOO, QUACK = range(3)  # what is heard of a hint: all, of what kind it is, nothing
HEARD_MOO, HEARD_OINK = -2, -3  # instead of the number of a hint: it was of a suit, of a value; NO_CARD: it was a hint

HIDDEN = -1  # a card that cannot be seen: not yet drawn, or one's own
NO_CARD = -1  # no card was played, discarded or drawn
NOT_YET = -1  # the last round has not begun
UNLIMITED = 1 << 20  # hint tokens or strikes without limit

# How a game ended. The numbers are those of `ENDINGS`.
ONGOING, PERFECT, STRIKES, DECK, STUCK, LOST = range(6)
ENDINGS = (None, "perfect", "strikes", "deck", "stuck", "lost")

ZERO, KEEP, KEEP_ON_LAST_TURN = range(3)
_STRIKE_SCORES = ("zero", "keep", "keep-on-last-turn")


class Game(TypedDict):
    """A game, as the table knows it or as a seat sees it."""

    possible: Annotated[Ints, np.int64, MAX_HAND_CARDS]  # per slot: mask of the cards that the hints allow
    touched: Annotated[SmallInts, np.int32, MAX_HAND_CARDS]  # per slot: bit h is set if hint number h has pointed at it
    hintable: Annotated[SmallInts, np.int32, MAX_PLAYERS]  # per seat: bit h is set if hint number h would touch a card
    last_touched: Annotated[int, np.int32]  # slots touched by the hint of the last turn, as a mask
    hints: Annotated[int, np.int32]  # hint tokens left; UNLIMITED is never counted down
    turn: Annotated[int, np.int32]  # turns so far
    strikes: Annotated[int, np.int32]
    last_action: Annotated[int, np.int32]  # number of the action of the last turn
    orders: Annotated[Bytes, np.int8, MAX_HAND_CARDS]  # per slot: the card's place in the deck
    cards: Annotated[Bytes, np.int8, MAX_DECK]  # by place in the deck: card index, HIDDEN if not seen
    left: Annotated[Bytes, np.int8, MAX_TYPES]  # by card index: copies in the hands or in the deck
    stacks: Annotated[Bytes, np.int8, MAX_SUITS]
    lengths: Annotated[Bytes, np.int8, MAX_PLAYERS]  # per seat: cards held
    current: Annotated[int, np.int8]  # seat to move
    drawn: Annotated[int, np.int8]  # cards dealt and drawn so far
    turns_left: Annotated[int, np.int8]  # in the last round; NOT_YET before it
    points: Annotated[int, np.int8]
    ending: Annotated[int, np.int8]  # ONGOING, PERFECT, …
    last_actor: Annotated[int, np.int8]  # seat of the last turn; NO_CARD before the first
    last_order: Annotated[int, np.int8]  # place of the card played or discarded on the last turn; NO_CARD after a hint
    last_slot: Annotated[int, np.int8]  # the slot that it left; NO_CARD after a hint
    last_drew: Annotated[int, np.int8]  # place of the card drawn on the last turn, or NO_CARD
    last_is_strike: Annotated[int, np.int8]
    half_token: Annotated[int, np.int8]  # 1 if there is half a hint token beside the others
    last_hint: Annotated[int, np.int8]  # NO_HINT, SUIT_HINT or VALUE_HINT; NO_HINT where hints do not alternate
    open_orders: Annotated[Bytes, np.int8, MAX_SUITS]  # per suit: mask of the orders in which it can still be built
    hole: Annotated[Ints, np.int64, MAX_PLAYERS]  # per seat: places in the deck of its cards that lie face down


GAME = record_type(Game)


class Rulebook(TypedDict):
    """The rules of a game, with all that follows from them."""

    hint_masks: Annotated[Ints, np.int64, MAX_HINT_NUMBERS]  # by hint number: mask of the cards that it touches
    all_mask: Annotated[int, np.int64]
    touching: Annotated[SmallInts, np.int32, MAX_TYPES]  # by card index: mask of the hint numbers that touch it
    max_hints: Annotated[int, np.int32]
    max_strikes: Annotated[int, np.int32]
    num_actions: Annotated[int, np.int32]
    deck_size: Annotated[int, np.int32]
    players: Annotated[int, np.int32]
    hand_size: Annotated[int, np.int32]
    suits: Annotated[int, np.int32]
    values: Annotated[int, np.int32]
    suit_hints: Annotated[int, np.int32]
    types: Annotated[int, np.int32]
    max_score: Annotated[int, np.int32]
    strike_score: Annotated[int, np.int32]  # ZERO, KEEP or KEEP_ON_LAST_TURN
    empty_hints: Annotated[int, np.int32]
    discard_at_max: Annotated[int, np.int32]
    bonus_hint: Annotated[int, np.int32]
    is_special: Annotated[int, np.int32]  # whether turns are taken by `kernels.special`; all fields below are for that
    is_ascending: Annotated[int, np.int32]  # whether every suit is built 1 2 3 …, and in no other way
    has_last_round: Annotated[int, np.int32]
    copies: Annotated[Bytes, np.int8, MAX_TYPES]
    sorted_deck: Annotated[Bytes, np.int8, MAX_DECK]
    value_of: Annotated[Bytes, np.int8, MAX_TYPES]  # by card index: value, from 1
    suit_of: Annotated[Bytes, np.int8, MAX_TYPES]
    hint_of: Annotated[Bytes, np.int8, MAX_ACTIONS]  # by action number of a hint: its hint number
    ahead_of: Annotated[Bytes, np.int8, MAX_ACTIONS]  # by action number of a hint: how many seats ahead it goes
    free_hints: Annotated[int, np.int32]  # mask of the hint numbers that may touch no card
    value_hints: Annotated[int, np.int32]  # how many value hints there are
    stack_size: Annotated[int, np.int32]
    orange_mask: Annotated[int, np.int64]  # mask of the cards that are played by discarding
    alternating: Annotated[int, np.int32]
    starved: Annotated[int, np.int32]
    face_down: Annotated[int, np.int32]  # whether plays lie face down
    heard: Annotated[int, np.int32]  # HEARD, MOO or QUACK
    usual_hints: Annotated[int, np.int32]  # whether suit hint s is that of suit s, and value hint v − 1 that of v
    hides: Annotated[int, np.int32]  # whether the table shows less than usual: plays face down, hints not heard
    sudoku: Annotated[int, np.int32]
    all_or_nothing: Annotated[int, np.int32]
    deck_action: Annotated[int, np.int32]  # number of the action that plays the last card of the deck; NO_CARD if none
    start_orders: Annotated[Bytes, np.int8, MAX_SUITS]  # mask of the orders open to an empty stack
    # By suit, order and place in it: the value that comes there.
    order_values: Annotated[Bytes, np.int8, MAX_ORDERED_SUITS * MAX_ORDERS * MAX_ORDERED_VALUES]


RULES = record_type(Rulebook)

Games: TypeAlias = npt.NDArray[Any]
Rulebooks: TypeAlias = npt.NDArray[Any]  # one record: kernels that are called from outside take an array of it
Decks: TypeAlias = npt.NDArray[np.int8]


def why_too_large(rules: Rules) -> str | None:
    """Return why these rules do not fit into the records, or None if they do."""
    variant = rules.variant
    for what, size, most in (
        ("cards in the deck", variant.num_cards, MAX_DECK),
        ("different cards", variant.num_types, MAX_TYPES),
        ("suits", variant.num_suits, MAX_SUITS),
        ("different hints", variant.num_suit_hints + variant.num_value_hints, MAX_HINT_NUMBERS),
        ("cards in all hands", rules.players * rules.hand_size, MAX_HAND_CARDS),
        ("actions", rules.num_actions, MAX_ACTIONS),
        ("hint tokens", rules.max_hints or 0, UNLIMITED - 1),
        ("strikes", rules.max_strikes or 0, UNLIMITED - 1),
        *(() if variant.is_ascending else _sizes_of_orders(rules)),
    ):
        if size > most:
            return f"{size} {what}, while kernels hold {most}"
    return None


def rulebook_of(rules: Rules) -> Rulebooks:
    """Return the rules as an array of one record."""
    reason = why_too_large(rules)
    if reason is not None:
        raise RulesError(f"this game is too large for the compiled engine: {reason}")
    variant = rules.variant
    record = np.zeros(1, RULES)
    row = record[0]
    masks = (*variant.suit_hint_masks, *variant.value_hint_masks)
    row["hint_masks"][: len(masks)] = masks
    row["all_mask"] = variant.all_mask
    for index in range(variant.num_types):
        row["touching"][index] = sum(1 << hint for hint, mask in enumerate(masks) if mask >> index & 1)
        row["copies"][index] = variant.copies[index]
        row["suit_of"][index], row["value_of"][index] = index // variant.num_values, index % variant.num_values + 1
    row["max_hints"] = UNLIMITED if rules.max_hints is None else rules.max_hints
    row["max_strikes"] = UNLIMITED if rules.max_strikes is None else rules.max_strikes
    row["num_actions"], row["deck_size"] = rules.num_actions, variant.num_cards
    row["players"], row["hand_size"] = rules.players, rules.hand_size
    row["suits"], row["values"], row["suit_hints"] = variant.num_suits, variant.num_values, variant.num_suit_hints
    row["types"], row["max_score"] = variant.num_types, variant.max_score
    row["strike_score"] = _STRIKE_SCORES.index(rules.strike_score)
    row["empty_hints"], row["bonus_hint"] = rules.empty_hints, rules.completed_stack_gives
    row["discard_at_max"] = rules.discard_at_max or rules.players == 1
    row["has_last_round"] = rules.has_last_round
    _write_special(row, rules)
    row["sorted_deck"][: variant.num_cards] = [card_index(variant, card) for card in sorted_deck(variant)]
    for number in range(2 * rules.hand_size, rules.num_actions):
        match action_at(rules, 0, number):
            case HintSuit(player, suit):
                row["ahead_of"][number], row["hint_of"][number] = player, suit
            case HintValue(player, value):
                row["ahead_of"][number] = player
                row["hint_of"][number] = variant.num_suit_hints + variant.value_hints.index(value)
    return record


def _sizes_of_orders(rules: Rules) -> tuple[tuple[str, int, int], ...]:
    variant = rules.variant
    return (
        ("suits that are not built 1 2 3 …", variant.num_suits, MAX_ORDERED_SUITS),
        ("cards to a stack that is not built 1 2 3 …", variant.stack_size, MAX_ORDERED_VALUES),
        ("orders of a suit", max(map(len, variant.orders)), MAX_ORDERS),
    )


def is_special(rules: Rules) -> bool:
    """Return whether turns are taken by `kernels.special`: not where only the cards or their touches are special."""
    special = rules.variant.modifiers
    is_blind = special.are_suit_hints_blind or special.are_value_hints_blind
    return not rules.is_played_as_usual or special.hides_hints or is_blind


def _write_special(row: Rulebook, rules: Rules) -> None:
    """Write what is special about the variant and the options."""
    variant, special = rules.variant, rules.variant.modifiers
    suits, values = variant.num_suit_hints, variant.num_value_hints
    suit_hints, value_hints = (1 << suits) - 1, (1 << values) - 1 << suits
    if rules.empty_hints or special.are_suit_hints_blind:
        row["free_hints"] |= suit_hints
    if rules.empty_hints or special.are_value_hints_blind:
        row["free_hints"] |= value_hints
    row["value_hints"], row["stack_size"], row["orange_mask"] = values, variant.stack_size, variant.orange_mask
    row["alternating"], row["starved"], row["sudoku"] = special.alternating, special.clue_starved, special.sudoku
    row["face_down"], row["heard"] = special.hole, QUACK if special.duck else MOO if special.cow_and_pig else HEARD
    row["hides"] = special.hole or special.hides_hints
    row["all_or_nothing"] = rules.all_or_nothing
    row["deck_action"] = rules.num_actions - 1 if rules.deck_plays else NO_CARD
    row["usual_hints"] = variant.has_usual_hints
    row["is_ascending"] = variant.is_ascending
    row["is_special"] = is_special(rules)
    row["start_orders"][: variant.num_suits] = variant.open_orders
    if not variant.is_ascending:
        for suit, orders in enumerate(variant.orders):
            for number, order in enumerate(orders):
                place = (suit * MAX_ORDERS + number) * MAX_ORDERED_VALUES
                row["order_values"][place : place + len(order)] = order
