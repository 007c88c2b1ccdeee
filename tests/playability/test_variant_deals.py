"""The solver of deals against brute force on tiny games of every modifier, and real deals of special variants."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from handful.hanabi import Deal, Play, Record, Rules, State, Suit, Variant, record_from_link, variant_named
from handful.hanabi.cards import parse_cards
from handful.hanabi.modifiers import NO_MODIFIERS, Modifiers
from handful.playability import Solution, analyse, solve
from handful.playability.deals.sat import decide
from handful.playability.deals.solve import MERGED, _lost_free_game, quick_methods
from handful.splitmix import SplitMix64
from tests.playability.brute_force_variants import START, Face, VariantBox, VariantTable, can_win

LETTERS = "ryg"


@dataclass(frozen=True)
class Kind:
    """A kind of tiny games: what is special about the suits and the rules, for us and for the brute force."""

    name: str
    modifiers: Modifiers = NO_MODIFIERS
    suit: dict[str, Any] = field(default_factory=dict)  # of the last suit; none is an ordinary one
    rules: dict[str, Any] = field(default_factory=dict)
    box: dict[str, Any] = field(default_factory=dict)
    copies: tuple[tuple[int, ...], ...] = ((2, 2, 1), (2, 1, 1), (1, 1, 1))


WITHOUT_HINTS = {"hintable": False, "suit_hints": "none", "value_hints": "none"}
KINDS = (
    Kind("reversed", suit={"is_reversed": True}, copies=((1, 2, 2), (1, 1, 2))),
    Kind("up or down", Modifiers(up_or_down=True), box={"up_or_down": True}, copies=((1, 2, 1, 1), (1, 1, 1, 1, 1))),
    Kind("sudoku", Modifiers(sudoku=True), box={"sudoku": True}, copies=((2, 2, 2), (1, 1, 1))),
    Kind("clue starved", Modifiers(clue_starved=True), box={"starved": True}),
    Kind("hole", Modifiers(hole=True), box={"hole": True}),
    Kind("orange", suit={"is_played_by_discarding": True}, box={"orange_suits": frozenset({0})}),
    Kind("alternating", Modifiers(alternating=True), box={"alternating": True}),
    Kind("alternating null", Modifiers(alternating=True), suit=WITHOUT_HINTS, box={"alternating": True}),
    Kind("null", suit=WITHOUT_HINTS),
    Kind("mute", Modifiers(suit_mute=True), suit={"hintable": True, "value_hints": "none"}),
    Kind("blind", Modifiers(totally_blind=True), box={"empty_hints": True}),
    Kind("deck plays", rules={"deck_plays": True}, box={"deck_plays": True}),
    Kind("all or nothing", rules={"all_or_nothing": True}, box={"all_or_nothing": True}),
    Kind(
        "all of it",
        Modifiers(clue_starved=True, sudoku=True),
        suit={"is_played_by_discarding": True},
        rules={"all_or_nothing": True, "deck_plays": True},
        box={
            "starved": True,
            "sudoku": True,
            "orange_suits": frozenset({0}),
            "all_or_nothing": True,
            "deck_plays": True,
        },
        copies=((2, 2), (2, 2, 2)),
    ),
    Kind(
        "orange deck",
        suit={"is_played_by_discarding": True},
        rules={"deck_plays": True},
        box={"orange_suits": frozenset({0}), "deck_plays": True},
    ),
)


def tiny_game(kind: Kind, number: int) -> tuple[State, VariantBox]:
    """A random tiny game of a kind, and what is in its box."""
    chance = SplitMix64(number)
    copies = chance.choice(list(kind.copies))
    suits = chance.choice([1, 2, 2, 3]) if len(copies) == 3 else chance.choice([1, 2])
    made = [Suit(f"Suit {letter}", letter, copies) for letter in LETTERS[:suits]]
    made[-1] = replace(made[-1], **kind.suit)
    variant = Variant("tiny", tuple(made), modifiers=kind.modifiers)
    players, hand_size = chance.choice([(2, 1), (2, 2), (3, 1), (1, 2), (2, 3)])
    while players * hand_size > variant.num_cards:
        hand_size = 1
    hints, strikes = chance.choice([0, 1, 2, 2, 3]), chance.choice([1, 2])
    rules = Rules(variant, players, hand_size, hints, strikes, **kind.rules)
    return State(Deal.from_seed(rules, 11, number)), box_of(kind, rules)


def box_of(kind: Kind, rules: Rules) -> VariantBox:
    """What is in the box: the special suit is the last."""
    variant, special = rules.variant, len(rules.variant.suits) - 1
    faces = {(suit, value) for suit in range(variant.num_suits) for value in range(variant.num_values + 1)}
    odd = {face for face in faces if face[0] == special} if kind.suit else set()
    is_null, is_brown = kind.suit == WITHOUT_HINTS, kind.suit.get("value_hints") == "none"
    given = dict(kind.box)
    if "orange_suits" in given:
        given["orange_suits"] = frozenset({special})
    return VariantBox(
        *(variant.num_suits, variant.stack_size, rules.players, rules.hand_size),
        *(rules.max_hints or 0, rules.max_strikes or 99),
        reversed_suits=frozenset({special}) if kind.suit.get("is_reversed") else frozenset(),
        touched_by_suit=frozenset(set() if kind.modifiers.suit_mute else faces - (odd if is_null else set())),
        touched_by_value=frozenset(faces - (odd if is_null or is_brown else set())),
        **given,
    )


def faces_of(box: VariantBox, cards: tuple[Any, ...]) -> tuple[Face, ...]:
    start = box.values + 1 if box.up_or_down else -1
    return tuple((card.suit, START if card.value == start else card.value) for card in cards)


def table_of(state: State, box: VariantBox) -> VariantTable:
    """A position as the brute force has it. The values on a stack are those that were played, in their order."""
    stacks: list[list[int]] = [[] for _ in range(box.suits)]
    points = 0
    for turn in state.history:
        if turn.points > points and turn.card is not None:
            suit, value = faces_of(box, (turn.card,))[0]
            stacks[suit].append(value)
        points = turn.points
    return VariantTable(
        tuple(map(tuple, stacks)),
        tuple(tuple(sorted(faces_of(box, state.hand(player)))) for player in range(box.players)),
        len(state.deal.deck) - state.deck_size,
        state.current,
        2 * (state.hints or 0) + state.half_token,
        state.strikes,
        state.turns_left,
        state.last_hint or "",
    )


def assert_right(state: State, box: VariantBox) -> Solution:
    """Check an answer against the brute force, and its line by the plain rules and through its link."""
    found, truth = solve(state), can_win(box, faces_of(box, state.deal.deck), table_of(state, box))
    if found.winnable is not None:
        assert found.winnable == truth, (state.rules, state.deal.text(), state.history)
    if found.winnable:
        after = state.copy()
        for action in found.line:
            after.act(action)
        assert (after.ending, after.score) == ("perfect", state.rules.max_score)
    return found


def assert_proofs_agree(state: State, truth: bool | None) -> None:
    """Check what else decides a position: the formula alone, and the free game."""
    if not state.is_over:
        assert decide(state).winnable in (truth, None)
        if _lost_free_game(state):
            assert truth is False


def check_kind(kind: Kind, numbers: range, nth: int = 1) -> Counter[bool | None]:
    """Check tiny games of a kind, every n-th of them by all proofs."""
    answers: Counter[bool | None] = Counter()
    for number in numbers:
        state, box = tiny_game(kind, number)
        chance = SplitMix64(number, 1)
        for _ in range(chance.choice([0, 0, 0, 1, 3, 6])):
            if not state.is_over:
                state.act(chance.choice(state.legal_actions()))
        found = assert_right(state, box)
        answers[found.winnable] += 1
        if number % nth == 0:
            assert_proofs_agree(state, found.winnable)
    return answers


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_tiny_games_of_every_modifier(kind: Kind) -> None:
    answers = check_kind(kind, range(12), nth=6)
    assert answers[True]
    assert answers[False]
    assert not answers[None]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_many_tiny_games_of_every_modifier(kind: Kind) -> None:
    answers = check_kind(kind, range(12, 1000))
    assert answers[None] <= 2


# Real deals


@pytest.mark.parametrize(
    "name",
    ["Reversed (5 Suits)", "Up or Down (5 Suits)", "Sudoku (5 Suits)", "Clue Starved (5 Suits)", "Orange (5 Suits)"],
)
def test_lines_of_real_deals_replay_through_their_links(name: str) -> None:
    found = solve(Deal.from_seed(Rules(variant_named(name), players=3), seed=1))
    assert found.winnable
    assert record_from_link(found.link()).replay().score == found.finished.rules.max_score


def test_deals_decided_together_are_decided_as_one_by_one() -> None:
    rules = Rules(variant_named("Up or Down (5 Suits)"), players=2)
    methods = quick_methods(rules, 1, 5, 10)
    assert methods == [solve(Deal.from_seed(rules, 1, game)).method for game in range(5, 15)]


# Reasons in words


def suits_of(count: int, copies: tuple[int, ...], modifiers: Modifiers = NO_MODIFIERS, **suit: Any) -> Variant:
    made = tuple(Suit(f"Suit {letter}", letter, copies, **suit) for letter in LETTERS[:count])
    return Variant("tiny", made, modifiers=modifiers)


def test_a_reversed_deal_is_lost_with_its_own_cards_in_the_reason() -> None:
    rules = Rules(suits_of(1, (1, 1, 2), is_reversed=True), players=1, hand_size=1)
    found = solve(Deal.from_cards(rules, "r2 r3 r1 r3"))
    assert (found.winnable, found.method) == (False, MERGED)
    assert found.reason == (
        "capacity: nothing can be played, and the only card held is needed and the last of its kind (r2): "
        "a discard loses it"
    )


def test_up_or_down_names_the_orders_of_the_best_choice() -> None:
    rules = Rules(suits_of(1, (1, 1, 1, 1, 1), Modifiers(up_or_down=True)), players=1, hand_size=1)
    found = solve(Deal.from_cards(rules, "r2 r3 r1 r4 rS"))
    assert (found.winnable, found.upper_bound) == (False, 3)
    kind, _, words = found.reason.partition(": ")
    assert kind in ("capacity", "pace")
    assert words.startswith("in whatever order the suits are built; with r ")


def test_a_suit_that_can_be_completed_neither_way_is_named() -> None:
    rules = Rules(suits_of(1, (1, 1, 1, 1, 1), Modifiers(up_or_down=True)), players=2, hand_size=1)
    state = State(Deal.from_cards(rules, "r2 r3 r1 r4 rS"))
    state.act(Play(0))
    found = solve(state)
    assert found.winnable is False
    assert found.reason == "lost card: no r2 is left"
    hands, deck = [parse_cards(rules.variant, card) for card in ("r2", "r3")], parse_cards(rules.variant, "r1")
    ends = State.arrange(rules, hands, deck, discards=parse_cards(rules.variant, "rS r4"))
    assert solve(ends).reason == "lost card: Suit r cannot be completed, up or down, without r4 rS"


def test_analyse_finds_the_turn_that_lost_a_clue_starved_game() -> None:
    rules = Rules(variant_named("Clue Starved (5 Suits)"), players=3)
    state = State(Deal.from_seed(rules, 1))
    while not state.is_over:
        state.act(Play(0))
    found = analyse(Record.from_state(state))
    assert found.lost_at_turn is not None
    assert found.reason
