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

HIDDEN = -1  # a card that cannot be seen: not yet drawn, or one's own
NO_CARD = -1  # no card was played, discarded or drawn
NOT_YET = -1  # the last round has not begun
UNLIMITED = 1 << 20  # hint tokens or strikes without limit

# How a game ended. The numbers are those of `ENDINGS`.
ONGOING, PERFECT, STRIKES, DECK, STUCK = range(5)
ENDINGS = (None, "perfect", "strikes", "deck", "stuck")

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
    has_last_round: Annotated[int, np.int32]
    copies: Annotated[Bytes, np.int8, MAX_TYPES]
    sorted_deck: Annotated[Bytes, np.int8, MAX_DECK]
    value_of: Annotated[Bytes, np.int8, MAX_TYPES]  # by card index: value, from 1
    suit_of: Annotated[Bytes, np.int8, MAX_TYPES]
    hint_of: Annotated[Bytes, np.int8, MAX_ACTIONS]  # by action number of a hint: its hint number
    ahead_of: Annotated[Bytes, np.int8, MAX_ACTIONS]  # by action number of a hint: how many seats ahead it goes


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
    row["empty_hints"], row["bonus_hint"] = rules.empty_hints, rules.bonus_hint
    row["discard_at_max"] = rules.discard_at_max or rules.players == 1
    row["has_last_round"] = rules.end_of_deck == "last-round"
    row["sorted_deck"][: variant.num_cards] = [card_index(variant, card) for card in sorted_deck(variant)]
    for number in range(2 * rules.hand_size, rules.num_actions):
        match action_at(rules, 0, number):
            case HintSuit(player, suit):
                row["ahead_of"][number], row["hint_of"][number] = player, suit
            case HintValue(player, value):
                row["ahead_of"][number] = player
                row["hint_of"][number] = variant.num_suit_hints + variant.value_hints.index(value)
    return record
