"""Variants as data: every one of hanab.live's, what hints touch in each, and how they are named."""

from __future__ import annotations

import hashlib
import re

import pytest

from handful.errors import RulesError, UnknownNameError
from handful.hanabi import Rules, Variant, deal_from_live_seed, parse_card, variant_named
from handful.hanabi.cards import card_at, card_text
from handful.hanabi.listing import live_variants, name_of_code, nearest_names, search
from handful.hanabi.suits import SUITS, Suit
from handful.hanabi.variants import VARIANTS, variant_from_code, variant_with_live_id
from tests.hanabi.listed import every_code, rows_beside, sample_codes

# Of all lines "number,code,name" and of the names of the variants in which hints work as usual.
LISTING_HASH = "9ca01073fa06d053a6375da73fc785b431e5c94c0a5796aa35cf2587f7579dc1"
USUAL_HASH = "6f8e137ad52a666469107e653ddb6b7712b40749f0a203501de2fe5b9e7caf04"


def test_the_listing_is_the_one_that_was_checked() -> None:
    lines = "\n".join(f"{live_id},{code},{name}" for name, code, live_id in live_variants())
    assert hashlib.sha256(lines.encode()).hexdigest() == LISTING_HASH
    assert len(live_variants()) == 2426


def test_every_variant_of_the_site_is_built() -> None:
    rows = rows_beside("hanab_live_variants.csv")
    assert len(rows) == len(live_variants())
    for row in rows:
        variant = variant_with_live_id(int(row["id"]))
        assert (variant.name, variant.code, variant.live_id) == (row["name"], row["code"], int(row["id"]))
        assert variant_named(row["name"].upper()) is variant
        assert variant_named(row["code"]) is variant
        assert variant_named(f"id:{row['id']}") is variant
        assert variant_from_code(row["code"], row["name"], int(row["id"])) == variant
        assert name_of_code(row["code"]) == row["name"]


def test_every_suit_of_the_site_is_there() -> None:
    rows = rows_beside("hanab_live_suits.csv")
    assert [row["code"] for row in rows] == [*SUITS] or {row["code"] for row in rows} == {*SUITS}
    for row in rows:
        suit = SUITS[row["code"]]
        own = "+".join(suit.own_hints)
        assert suit.name == row["name"]
        assert {"every": "all", "none": "none", "by value": "by value", "own": own}[suit.suit_hints] == row[
            "suit_hints"
        ]
        assert {"every": "all"}.get(suit.value_hints, suit.value_hints) == row["value_hints"]
        assert ("one of each" if set(suit.copies) == {1} else "normal") == row["copies"]
        assert suit.is_played_by_discarding == (row["played_by_discarding"] == "yes")


def test_every_suit_can_be_drawn() -> None:
    for suit in SUITS.values():
        assert suit.fill
        assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in suit.fill)


# What hints touch, read a second time from the words of the rules


def touched_by_the_words(code: str) -> tuple[list[list[bool]], list[list[bool]]]:
    """Return, for each suit hint and each value hint, which cards it touches: card by card, by a table of the words."""
    suits_code, *modifiers = code.split(",")
    suits = [SUITS[each.split(":")[0]] for each in suits_code.split("+")]
    special = next((each for each in modifiers if re.fullmatch("[RPWBONMLD][1-9]", each)), None)
    size = 4 if "Su" in modifiers and len(suits) == 4 else 5
    values = [*range(1, size + 1), *(["START"] if "UD" in modifiers else [])]
    colours: list[str] = []
    for suit in suits:
        colours += [colour for colour in suit.own_hints if colour not in colours]
    # Of a special value: which suit hints touch it, which value hints.
    ways = {
        "R": "*=",
        "P": "=*",
        "W": "0=",
        "B": "=0",
        "O": "**",
        "N": "00",
        "M": "*0",
        "L": "0*",
        "D": "=?",
        None: "==",
    }
    way = ways[special[0] if special else None]
    by_suit, by_value = way[0], way[1]
    special_value = int(special[1]) if special else None
    spoken = [value for value in range(1, size + 1) if by_value == "=" or value != special_value]
    if "OE" in modifiers:
        spoken = [1, 2]

    def of_value(value: object) -> int:
        return len(colours) - 1 if value == "START" else (int(str(value)) - 1) % len(colours)

    def suit_hint(suit: Suit, value: object, hint: int) -> bool:
        if {"CB", "TB"} & {*modifiers}:
            return False
        if suit.suit_hints == "every":
            return True
        if suit.suit_hints == "none":
            return False
        answers = []
        if "Sy" in modifiers and suit.value_hints != "none":
            answers.append(of_value(value) == hint)
            if answers[-1]:
                return True
        if value == special_value and by_suit != "=":
            return by_suit == "*"
        if suit.suit_hints == "by value":
            return of_value(value) == hint
        return colours[hint] in suit.own_hints

    def value_hint(number: int, suit: Suit, value: object, hint: int) -> bool:
        if {"NB", "TB"} & {*modifiers} or suit.value_hints == "none":
            return False
        if suit.value_hints == "every":
            return True
        if "Fu" in modifiers:
            return value in range(1, hint + 1)
        if "Ch" in modifiers:
            return value in range(hint, size + 1)
        if "OE" in modifiers:
            return value in ([1, 3, 5] if hint == 1 else [2, 4])
        if value == special_value and by_value == "?":
            return spoken.index(hint) == number % len(spoken)
        if value == special_value and by_value != "=":
            return by_value == "*"
        return value == hint

    cards = [(number, suit, value) for number, suit in enumerate(suits) for value in values]
    suit_hints = [] if "CM" in modifiers else range(len(colours))
    value_hints = [] if "NM" in modifiers else spoken
    return (
        [[suit_hint(suit, value, hint) for _number, suit, value in cards] for hint in suit_hints],
        [[value_hint(number, suit, value, hint) for number, suit, value in cards] for hint in value_hints],
    )


def assert_touches_agree(codes: list[str]) -> None:
    for code in codes:
        variant = variant_named(code)
        masks = (variant.suit_hint_masks, variant.value_hint_masks)
        for ours, theirs in zip(masks, touched_by_the_words(code), strict=True):
            read = [[bool(mask >> index & 1) for index in range(variant.num_types)] for mask in ours]
            assert read == theirs, code


def test_hints_touch_what_the_words_say() -> None:
    assert_touches_agree([*sample_codes(), *every_code()[::5]])


@pytest.mark.full
def test_hints_touch_what_the_words_say_in_every_variant() -> None:
    assert_touches_agree(every_code())


@pytest.mark.parametrize(
    ("code", "hint", "touched"),
    [
        ("R+Y+G+B+Pr", 0, "r1 r2 r3 r4 r5 s1 s5"),  # Prism: value v by colour (v − 1) mod 4
        ("R+Y+G+B+Pr,UD", 3, "b1 b2 b3 b4 b5 bS s4 sS"),  # START by the last colour
        ("R+Y+G+B+P,W1", 0, "r2 r3 r4 r5"),
        ("R+G+B,NM,Sy", 1, "r2 r5 g1 g2 g3 g4 g5 b2 b5"),
        ("R+G+B+Br,NM,Sy", 3, "r4 g4 b4 n1 n2 n3 n4 n5"),
        ("AR1+AR2+AB1+AB2", 0, "t1 t2 t3 t4 t5 m1 m2 m3 m4 m5"),
    ],
)
def test_suit_hints(code: str, hint: int, touched: str) -> None:
    assert cards_of(variant_named(code), variant_named(code).suit_hint_masks[hint]) == touched


@pytest.mark.parametrize(
    ("code", "value", "touched"),
    [
        ("R+G+B,D1", 2, "r1 r2 g2 b2"),  # suit 0: the first value that can be hinted, 2
        ("R+G+B,D5", 3, "r3 g3 b3 b5"),  # suit 2: the third of 1 2 3 4
        ("R+G+B,P5", 4, "r4 r5 g4 g5 b4 b5"),
        ("R+G+B,Fu", 2, "r1 r2 g1 g2 b1 b2"),
        ("R+G+B,Ch", 4, "r4 r5 g4 g5 b4 b5"),
        ("R+G+B,OE", 1, "r1 r3 r5 g1 g3 g5 b1 b3 b5"),
        ("R+G+B+Br,P1", 2, "r1 r2 g1 g2 b1 b2"),  # what the suit says wins
    ],
)
def test_value_hints(code: str, value: int, touched: str) -> None:
    variant = variant_named(code)
    assert cards_of(variant, variant.value_hint_masks[variant.value_hints.index(value)]) == touched


def cards_of(variant: Variant, mask: int) -> str:
    return " ".join(
        card_text(variant, card_at(variant, index)) for index in range(variant.num_types) if mask >> index & 1
    )


# Copies, letters, names


@pytest.mark.parametrize(
    ("code", "copies"),
    [
        ("R+G+B:R", (1, 2, 2, 2, 3)),
        ("R+G+B+Bk:R", (1, 1, 1, 1, 1)),
        ("R+Y+G+B+P,UD", (1, 2, 2, 2, 1, 1)),
        ("R+Y+G+B+P+Bk,UD", (1, 1, 1, 1, 1, 1)),
        ("R+Y+G+B,Su", (2, 2, 2, 2)),
        ("R+Y+G+B+P,Su", (2, 2, 2, 2, 2)),
        ("R+Y+G+B+P,C4", (3, 2, 2, 1, 1)),
        ("R+Y+G+B+P,S1", (2, 2, 2, 2, 1)),
    ],
)
def test_copies(code: str, copies: tuple[int, ...]) -> None:
    assert variant_named(code).suits[-1].copies == copies


def test_letters_are_unique_and_cards_can_be_read() -> None:
    for code in every_code():
        variant = variant_named(code)
        assert len({suit.letter for suit in variant.suits}) == variant.num_suits
        assert len({hint.letter for hint in variant.suit_hints}) == variant.num_suit_hints
    for code in sample_codes():
        variant = variant_named(code)
        for index in range(variant.num_types):
            card = card_at(variant, index)
            assert parse_card(variant, card_text(variant, card)) == card


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("rainbow and omni", "Rainbow & Omni (6 Suits)"),
        ("up or dwn (5 suits)", "Up or Down (5 Suits)"),
        ("Sudoku", "Sudoku (5 Suits)"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(text: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=re.escape(nearest)):
        variant_named(text)
    assert nearest in nearest_names(text)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("R+Y+Zz", "'Zz' is not a suit"),
        ("R+Y+G:L", "'G:L' is not a suit"),
        ("R+Y,Q1", "modifier 'Q1' of a variant: expected one of"),
        ("R+Y,R1,P5", "one value can be special, not two"),
        ("R+Y,R9", "there is no value 9"),
        ("R+Y+G+B+P+T,Su", "6 suits need as many values, not 5"),
        ("R+Y+G+B:R,UD", "a reversed suit cannot be built up or down"),
        ("Wh+Pr", "no suit has one"),
        ("R+R", "two suits share a letter"),
        ("R+Y,Fu,Ch", "one way for value hints"),
    ],
)
def test_codes_that_mean_nothing(code: str, words: str) -> None:
    with pytest.raises(RulesError, match=re.escape(words)):
        variant_from_code(code)


def test_any_code_is_a_variant() -> None:
    variant = variant_named("R+Y+G+B+Or, TH, CS")
    assert (variant.name, variant.live_id, variant.code) == ("R+Y+G+B+Or,TH,CS", None, "R+Y+G+B+Or,CS,TH")
    assert variant_named(variant.name) == variant


def test_searching_finds_all_words() -> None:
    assert [live_id for _name, _code, live_id in search(["duck"])] == [54, 55, 56, 57]
    assert [name for name, _code, _live_id in search(["id:1342"])] == ["Reversed (6 Suits)"]


def test_what_is_special_is_said() -> None:
    assert variant_named("No Variant").in_words == ""
    assert "orange" in variant_named("Orange (5 Suits)").in_words.lower()
    for code in sample_codes():
        variant = variant_named(code)
        assert variant.in_words or variant.name in ("No Variant", "6 Suits"), code
    assert "last card" in Rules(deck_plays=True).in_words


def test_well_known_variants_are_those_of_their_codes() -> None:
    for variant in VARIANTS.values():
        if variant.code:
            assert variant_from_code(variant.code, variant.name, variant.live_id) == variant
            assert variant.has_usual_hints


def test_hints_work_as_usual_in_a_closed_list() -> None:
    usual = [name for name, code, _live_id in live_variants() if variant_named(code).has_usual_hints]
    assert len(usual) == 268
    assert hashlib.sha256("\n".join(usual).encode()).hexdigest() == USUAL_HASH


def test_seeds_of_every_variant() -> None:
    deal = deal_from_live_seed("p3v2070s5")
    assert deal.rules.variant.name == "Valentine Mix (6 Suits)"
    assert deal_from_live_seed("p2v24s1").rules.variant.start_value == 6
