"""Nonsense is refused with a sentence that names what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from handful.errors import DealError, HandfulError, IllegalActionError, NotationError, RulesError, UnknownNameError
from handful.hanabi import (
    NO_VARIANT,
    Action,
    Card,
    CardKnowledge,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    Suit,
    Variant,
    action_at,
    parse_card,
    parse_cards,
    rules_from_text,
    variant_named,
)
from handful.hanabi.cards import sorted_deck
from handful.hanabi.variants import BLUE, GREEN, RAINBOW, RED, variant_with_live_id

TINY = Rules(Variant.custom(1, copies=(2, 1, 1)), 2, 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"players": 0}, "0 players: expected 1 to 6"),
        ({"players": 7}, "7 players: expected 1 to 6"),
        ({"players": -1}, "-1 players"),
        ({"hand_size": -1}, "hand_size is -1"),
        ({"players": 6, "hand_size": 9}, "6 hands of 9 cards are 54, but No Variant has 50 cards"),
        ({"max_hints": -1}, "max_hints is -1"),
        ({"max_strikes": 0}, "max_strikes is 0"),
        ({"strike_score": "half"}, "strike_score is 'half': expected zero or keep or keep-on-last-turn"),
        ({"end_of_deck": "soon"}, "end_of_deck is 'soon': expected last-round or never"),
    ],
)
def test_rules(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Rules(**settings)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("thesiss", UnknownNameError, "no rules preset or option 'thesiss'. Did you mean 'thesis'?"),
        ("empty_hint=yes", UnknownNameError, "no rules option 'empty_hint'. Did you mean 'empty_hints'?"),
        ("empty_hints=maybe", NotationError, "empty_hints=maybe: expected yes or no"),
        ("hand_size=five", NotationError, "hand_size=five: expected a whole number"),
        ("hand_size=none", NotationError, "hand_size=none: expected a whole number"),
        ("max_hints=-3", NotationError, "max_hints=-3: expected a whole number"),
        ("max_hints=٣", NotationError, "expected a whole number"),
        ("hand_size=1000000000", NotationError, "expected a whole number"),
        ("hand_size=30", RulesError, "2 hands of 30 cards are 60"),
        ("strike_score", RulesError, "strike_score is 'yes'"),
        ("empty_hints, thesis", NotationError, "the preset 'thesis' must come first"),
        ("thesis, variant=6", UnknownNameError, "no rules option 'variant'"),
    ],
)
def test_rules_text(text: str, error: type[HandfulError], words: str) -> None:
    with pytest.raises(error) as caught:
        rules_from_text(text, players=2)
    assert words in str(caught.value)


def test_rules_text_of_a_small_deck() -> None:
    """The usual hand would not fit; the one asked for does."""
    rules = rules_from_text("thesis, hand_size=2", players=2, variant=TINY.variant)
    assert rules.hand_size == 2
    assert rules_from_text(rules.options_text(), players=2, variant=TINY.variant) == rules


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Suit("Red", "R"), "the letter is 'R'"),
        (lambda: Suit("Red", "re"), "the letter is 're'"),
        (lambda: Suit("Red", "1"), "the letter is '1'"),
        (lambda: Suit("Red", "r", copies=()), r"copies are \(\)"),
        (lambda: Suit("Red", "r", copies=(3, 0)), r"copies are \(3, 0\)"),
        (lambda: Suit("Red", "r", suit_hints="every"), "touched by that hint alone"),
        (lambda: Suit("Red", "r", hintable=False), "no suit hint of its own"),
        (lambda: Suit("Red", "r", value_hints="some"), "hints touch 'some' of it, expected own or every or none"),  # type: ignore[arg-type]
        (lambda: Variant("Void", ()), "'Void' has no suits"),
        (lambda: Variant("Odd", (RED, Suit("Gold", "o", (1,)))), r"different numbers of values: \[1, 5\]"),
        (lambda: Variant("Twice", (RED, RED)), "two suits share a letter: r r"),
        (lambda: Variant.custom(suits=0), "0 suits: expected 1 to 26"),
        (lambda: Variant.custom(suits=27), "27 suits: expected 1 to 26"),
        (lambda: Variant.custom(values=0), "0 values: expected 1 to"),
        (lambda: Variant.custom(copies=()), r"copies are \(\)"),
        (lambda: Variant.custom(copies=(1001,)), "1001 copies of a card: expected at most 1000"),
        (lambda: Variant.custom(copies=(-1,)), r"copies are \(-1,\)"),
    ],
)
def test_variants(make: Callable[[], object], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        make()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Rainbow (6 Suit)", "Did you mean 'Rainbow (6 Suits)'?"),
        ("", "there is no variant ''"),
        ("Custom (2 suits)", "there is no variant 'Custom (2 suits)'"),
        ("Custom (2 suits, copies )", "there is no variant"),
        ("Custom (00002 suits, copies 1)", "there is no variant"),
        ("Custom (2 suits, copies 0000012)", "there is no variant"),
    ],
)
def test_variant_names(name: str, words: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        variant_named(name)
    assert words in str(caught.value)


def test_variant_numbers() -> None:
    with pytest.raises(UnknownNameError, match=r"'9999'\. Expected: 0 to 2425"):
        variant_with_live_id(9999)


@pytest.mark.parametrize(
    "text", ["", "r", "r0", "r6", "x1", "1r", "rr1", "r-1", "r1 ", "r٣", "r0000019", "r" + "9" * 5000]
)
def test_cards(text: str) -> None:
    with pytest.raises(
        NotationError, match=r"is not a card of No Variant: expected a suit of r y g b p and a value of 1 to 5"
    ):
        parse_card(NO_VARIANT, text)


def test_several_cards_name_the_wrong_one() -> None:
    with pytest.raises(NotationError, match="'q3' is not a card"):
        parse_cards(NO_VARIANT, "r1, q3 y2")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("r1 r1 r2", "1 of 4 cards are missing: r3"),
        ("", "4 of 4 cards are missing: r1 r1 r2 r3"),
        ("r1 r1 r2 r2", r"card 4 is r2 again: Custom \(1 suit, copies 2 1 1\) has 1 of it"),
        ("r1 r1 r2 r3 r3", "card 5 is r3 again"),
        ([Card(1, 1)], r"card 1 is \(1, 1\), which is not in Custom"),
        ([Card(0, 1), Card(0, 4)], r"card 2 is \(0, 4\), which is not in"),
        ([Card(-1, 1)], r"card 1 is \(-1, 1\)"),
    ],
)
def test_deals(cards: str | list[Card], words: str) -> None:
    with pytest.raises(DealError, match=words):
        Deal.from_cards(TINY, cards)


def test_deal_seeds_and_starters() -> None:
    with pytest.raises(DealError, match=r"seed -1: expected a number of 0 to 2\^63 − 1"):
        Deal.from_seed(TINY, -1)
    with pytest.raises(DealError, match="seed 9223372036854775808: expected"):
        Deal.from_seed(TINY, 1 << 63)
    with pytest.raises(DealError, match="game -2: expected"):
        Deal.from_seed(TINY, 0, -2)
    with pytest.raises(DealError, match="player 2 is to start: expected 0 to 1"):
        Deal(TINY, tuple(sorted_deck(TINY.variant)), starter=2)


ONE, TWO, THREE = (Card(0, value) for value in (1, 2, 3))
UNKNOWN = CardKnowledge(0b111)
ENDLESS = replace(TINY, max_hints=None, max_strikes=None, end_of_deck="never")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hands": [[ONE]]}, "1 hands for 2 players"),
        ({"hands": [[ONE, ONE], [TWO]]}, "a hand has 2 cards: expected at most 1"),
        ({"hands": [[ONE], []]}, "1 of 4 cards are missing: r2"),
        ({"stacks": (4,)}, r"stacks are \(4,\): expected 1 heights of 0 to 3"),
        ({"stacks": (-1,)}, r"stacks are \(-1,\)"),
        ({"stacks": (0, 0)}, r"stacks are \(0, 0\)"),
        ({"stacks": (1,)}, "r1 again"),
        ({"discards": [THREE]}, "r3 again"),
        ({"hints": 9}, "9 hint tokens: expected 0 to 8"),
        ({"hints": -1}, "-1 hint tokens"),
        ({"hints": 3, "rules": ENDLESS}, "3 hint tokens: expected none"),
        ({"strikes": 4}, "4 strikes: expected 0 to 3"),
        ({"strikes": -1}, "-1 strikes"),
        ({"current": 2}, "player 2 is to move: expected 0 to 1"),
        ({"turns_left": 1}, "turns_left is 1: expected none, for 2 cards are left to draw"),
        ({"turns_left": 3, "deck": [], "discards": [ONE, THREE]}, "turns_left is 3: expected 0 to 2"),
        ({"turns_left": -1, "deck": [], "discards": [ONE, THREE]}, "turns_left is -1: expected 0 to 2"),
        ({"turns_left": 1, "deck": [], "discards": [ONE, THREE], "rules": ENDLESS}, "the rules have no last round"),
        ({"knowledge": [[UNKNOWN]]}, "knowledge of 1 hands for 2 players"),
        ({"knowledge": [[UNKNOWN], [UNKNOWN, UNKNOWN]]}, "player 1 has 1 cards, but knowledge of 2"),
        ({"knowledge": [[UNKNOWN], [CardKnowledge(0b101)]]}, "player 1, slot 0: the card is not among those"),
    ],
)
def test_arrangements(changes: dict[str, Any], words: str) -> None:
    settings: dict[str, Any] = {"rules": TINY, "hands": [[ONE], [TWO]], "deck": [ONE, THREE]}
    State.arrange(**settings)
    with pytest.raises(DealError, match=words):
        State.arrange(**settings | changes)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Play(5), "slot 5 is not in the hand, which has 5 cards"),
        (Play(-1), "slot -1 is not in the hand"),
        (Discard(9), "slot 9 is not in the hand"),
        (Discard(0), "all 8 hint tokens are there"),
        (HintSuit(0, 0), "nobody may give a hint to themselves"),
        (HintSuit(3, 0), "there is no player 3: expected 0 to 2"),
        (HintValue(-1, 1), "there is no player -1"),
        (HintSuit(1, 5), "there is no suit hint 5: expected 0 to 4"),
        (HintSuit(1, -1), "there is no suit hint -1"),
        (HintValue(1, 0), "there is no value 0: expected 1 to 5"),
        (HintValue(1, 6), "there is no value 6"),
    ],
)
def test_actions(action: Action, words: str) -> None:
    state = State(Deal.from_seed(Rules(players=3), 0))
    with pytest.raises(IllegalActionError, match="turn 1, player 0: .* is illegal: " + words):
        state.act(action)
    assert not state.is_legal(action)
    assert not state.view(0).is_legal(action)
    assert state.turn_number == 1


def test_nobody_says_rainbow() -> None:
    rules = Rules(Variant("Small Rainbow", (RED, GREEN, BLUE, RAINBOW)))
    with pytest.raises(IllegalActionError, match="there is no suit hint 3: expected 0 to 2"):
        State(Deal.from_seed(rules, 0)).act(HintSuit(1, 3))


@pytest.mark.parametrize("index", [-1, 20])
def test_action_numbers(index: int) -> None:
    with pytest.raises(NotationError, match=f"action number {index}: expected 0 to 19"):
        action_at(Rules(), 0, index)


def test_nothing_to_undo() -> None:
    with pytest.raises(IllegalActionError, match="there is no action to take back"):
        State(Deal.from_seed(Rules(), 0)).undo()
