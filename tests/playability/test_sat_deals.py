"""The SAT decision against a brute force, on every deal of tiny games and on samples of small ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from handful.errors import DealError, RulesError
from handful.hanabi import Card, Deal, Rules, State, Variant
from handful.hanabi.cards import sorted_deck
from handful.playability.deals.sat import SatVerdict, decide
from tests.playability import brute_force
from tests.playability.brute_force import Box, Table


def box_of(rules: Rules) -> Box:
    return Box(
        rules.variant.num_suits,
        rules.variant.num_values,
        rules.players,
        rules.hand_size,
        rules.max_hints,
        rules.max_strikes,
        rules.bonus_hint,
        rules.discard_at_max,
    )


def table_of(state: State) -> Table:
    hands = tuple(
        tuple(sorted((card.suit, card.value) for card in state.hand(player))) for player in range(state.rules.players)
    )
    drawn = len(state.deal.deck) - state.deck_size
    return Table(state.stacks, hands, drawn, state.current, state.hints, state.strikes, state.turns_left)


def agree(state: State) -> bool:
    """Check the SAT decision of a position against the brute force, and its line by the plain rules."""
    deck = tuple((card.suit, card.value) for card in state.deal.deck)
    expected = brute_force.can_win(box_of(state.rules), deck, table_of(state))
    verdict = decide(state)
    assert verdict.winnable is expected, (state.rules, state.deal.text(), state.history)
    if expected:
        assert replayed(state, verdict).score == state.rules.max_score
    else:
        assert verdict.moves == ()
    return expected


def replayed(state: State, verdict: SatVerdict) -> State:
    state = state.copy()
    for action in verdict.moves:
        state.act(action)
    return state


def distinct_orders(left: dict[Card, int]) -> Iterator[tuple[Card, ...]]:
    """Yield every different order of the cards."""
    if not any(left.values()):
        yield ()
        return
    for card in [card for card, count in left.items() if count]:
        for rest in distinct_orders({**left, card: left[card] - 1}):
            yield (card, *rest)


def every_deal(rules: Rules) -> Iterator[Deal]:
    """Yield every deal that begins with suit 0: the others are the same with the suits exchanged."""
    counts = {card: rules.variant.suits[card.suit].copies[card.value - 1] for card in sorted_deck(rules.variant)}
    for deck in distinct_orders(counts):
        if deck[0].suit == 0:
            yield Deal.from_cards(rules, deck)


def tiny_rules(copies: tuple[int, ...], suits: int = 2, **options: Any) -> list[Rules]:
    """The rules of tiny games: 2 and 3 players, hands of 1 and 2, few tokens and strikes."""
    variant = Variant.custom(suits=suits, copies=copies)
    return [
        Rules(variant, players, hand_size, hints, strikes, **options)
        for players, hand_size, hints, strikes in product((2, 3), (1, 2), (0, 1, 2), (1, 2))
        if players * hand_size <= variant.num_cards
    ]


def check_every_deal(all_rules: list[Rules]) -> None:
    outcomes = {agree(State(deal)) for rules in all_rules for deal in every_deal(rules)}
    assert outcomes == {True, False}


def test_every_deal_with_one_copy_of_each_card() -> None:
    check_every_deal(tiny_rules((1, 1)))


def test_every_deal_of_one_suit_of_three_values() -> None:
    check_every_deal(tiny_rules((2, 1, 1), suits=1))


@pytest.mark.parametrize("copies", [(2, 1), (1, 2)])
def test_every_deal_with_two_copies_of_a_value(copies: tuple[int, int]) -> None:
    check_every_deal(tiny_rules(copies))


@pytest.mark.full
def test_every_deal_of_one_suit_with_copies() -> None:
    for copies in ((2, 2), (2, 2, 1), (2, 1, 2), (3, 2, 1), (1, 1, 1, 1), (2, 2, 2)):
        check_every_deal(tiny_rules(copies, suits=1))


@pytest.mark.full
def test_every_deal_with_two_copies_of_every_card() -> None:
    check_every_deal([rules for rules in tiny_rules((2, 2)) if rules.max_hints == 1])


OPTIONS: tuple[dict[str, int | None], ...] = (
    {},
    {"bonus_hint": False},
    {"discard_at_max": True},
    {"max_hints": None},
    {"max_strikes": None},
    {"empty_hints": True},
)


def random_rules(chance: random.Random, most_cards: int) -> Rules:
    """The rules of a small game of at most so many cards."""
    suits = chance.choice((1, 2, 2, 3))
    copies = tuple(chance.choice((1, 1, 2, 2, 3)) for _ in range(chance.choice((2, 3, 3))))
    variant = Variant.custom(suits=suits, copies=copies)
    players, size = chance.choice((1, 2, 2, 3, 3, 4)), chance.choice((1, 2, 3))
    if not players * size <= variant.num_cards <= most_cards:
        return random_rules(chance, most_cards)
    settings: dict[str, Any] = {"max_hints": chance.choice((0, 1, 1, 2, 3)), "max_strikes": chance.choice((1, 1, 2, 3))}
    return Rules(variant, players, size, **{**settings, **chance.choice(OPTIONS)})


def random_position(chance: random.Random, rules: Rules) -> State:
    """A position after a few actions, most of them plays of cards that can be played."""
    deck = sorted_deck(rules.variant)
    chance.shuffle(deck)
    state = State(Deal(rules, tuple(deck), starter=chance.randrange(rules.players)))
    for _ in range(chance.choice((0, 0, 1, 2, 4, 8))):
        actions = state.legal_actions()
        if not actions:
            break
        state.act(chance.choice(actions))
        if state.is_over:
            state.undo()
            break
    return state


def check_random_positions(seed: int, number: int, most_cards: int) -> None:
    chance = random.Random(seed)
    outcomes = [agree(random_position(chance, random_rules(chance, most_cards))) for _ in range(number)]
    assert number // 5 < sum(outcomes) < number * 4 // 5


def test_hundreds_of_small_positions() -> None:
    check_random_positions(seed=4, number=400, most_cards=10)


@pytest.mark.full
def test_thousands_of_small_positions() -> None:
    check_random_positions(seed=5, number=3000, most_cards=12)


def agree_with_free_hints(state: State) -> tuple[bool, bool]:
    """Check the decision with free hints against the brute force of hints without limit, and that it is no harder."""
    deck = tuple((card.suit, card.value) for card in state.deal.deck)
    box, table = box_of(state.rules), table_of(state)
    expected = brute_force.can_win(replace(box, max_hints=None), deck, replace(table, hints=None))
    is_winnable = brute_force.can_win(box, deck, table)
    verdict = decide(state, free_hints=True)
    assert verdict.winnable is expected, (state.rules, state.deal.text(), state.history)
    assert expected or not is_winnable
    assert bool(verdict.moves) is (expected and not state.is_over)
    return is_winnable, expected


def test_free_hints_are_a_relaxation_of_every_tiny_deal() -> None:
    outcomes = {agree_with_free_hints(State(deal)) for rules in tiny_rules((1, 1)) for deal in every_deal(rules)}
    assert outcomes == {(True, True), (False, True), (False, False)}


def test_free_hints_are_a_relaxation_of_small_positions() -> None:
    chance = random.Random(6)
    outcomes = {agree_with_free_hints(random_position(chance, random_rules(chance, 9))) for _ in range(200)}
    assert outcomes == {(True, True), (False, True), (False, False)}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_real_deal_is_won(players: int) -> None:
    state = State(Deal.from_seed(Rules(players=players), seed=1))
    verdict = decide(state)
    assert verdict.winnable
    assert replayed(state, verdict).score == 25
    assert verdict.variables > 0
    assert verdict.clauses > 0


def test_no_time_is_no_verdict() -> None:
    verdict = decide(State(Deal.from_seed(Rules(players=2), seed=1)), time_limit=0)
    assert verdict.winnable is None
    assert verdict.moves == ()


def test_a_real_deal_that_cannot_be_won() -> None:
    assert decide(State(Deal.from_seed(Rules(players=5), seed=1, game=275))).winnable is False


def test_what_the_formula_does_not_describe_is_refused() -> None:
    with pytest.raises(RulesError, match="end_of_deck"):
        decide(State(Deal.from_seed(Rules(players=2, end_of_deck="never"), seed=1)))
    rules = Rules(Variant.custom(suits=1, copies=(1, 1, 1)), players=2, hand_size=1)
    with pytest.raises(DealError, match="holds no cards"):
        decide(State.arrange(rules, [[Card(0, 1)], []], [Card(0, 2), Card(0, 3)]))
