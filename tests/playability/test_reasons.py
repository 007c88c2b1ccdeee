"""Reasons against literal searches: a player who holds all cards, and the brute force; and their claims, one by one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.errors import RulesError
from handful.hanabi import Card, Deal, Play, Rules, State, Variant
from handful.hanabi.cards import parse_card, parse_cards, sorted_deck
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.playability import solve
from handful.playability.deals.reasons import why_merged, why_refuted
from handful.playability.deals.sat import decide
from tests.playability import brute_force
from tests.playability.test_sat_deals import box_of, random_position, random_rules, table_of


class Alone(NamedTuple):
    """A position of the merged game, taken literally: one player with all cards, who plays or throws any of them."""

    stacks: tuple[int, ...]
    hand: tuple[Card, ...]
    drawn: int
    turns_left: int
    discards: int


def alone_at(state: State) -> Alone:
    players = range(state.rules.players)
    hand = sorted(card for player in players for card in state.hand(player))
    turns = state.deck_size + state.rules.players if state.turns_left is None else state.turns_left
    return Alone(state.stacks, tuple(hand), len(state.deal.deck) - state.deck_size, turns, 0)


def lines_alone(state: State) -> Iterator[Alone]:
    """Yield every position that a lone player can reach."""
    deck, first = state.deal.deck, alone_at(state)
    waiting, met = [first], {first}
    while waiting:
        now = waiting.pop()
        yield now
        for card in set(now.hand) if now.turns_left else ():
            hand = list(now.hand)
            hand.remove(card)
            hand += deck[now.drawn : now.drawn + 1]
            drawn, turns = min(now.drawn + 1, len(deck)), now.turns_left - 1
            thrown = Alone(now.stacks, tuple(sorted(hand)), drawn, turns, now.discards + 1)
            stacks = tuple(height + (suit == card.suit) for suit, height in enumerate(now.stacks))
            played = thrown._replace(stacks=stacks, discards=now.discards)
            for after in (thrown, played) if now.stacks[card.suit] == card.value - 1 else (thrown,):
                if after not in met:
                    met.add(after)
                    waiting.append(after)


def wins_alone(state: State) -> bool:
    return any(sum(now.stacks) == state.rules.max_score for now in lines_alone(state))


def has_all(state: State, now: Alone) -> bool:
    """Whether no card is lost: all that are missing are held or come."""
    there = {*now.hand, *state.deal.deck[now.drawn :]}
    return all(card in there or card.value <= now.stacks[card.suit] for card in set(sorted_deck(state.rules.variant)))


def playable_from(cards: Sequence[Card], stacks: Sequence[int]) -> tuple[int, ...]:
    """The highest stacks that can be built with these cards."""
    return tuple(
        next(value for value in range(height, 100) if Card(suit, value + 1) not in cards)
        for suit, height in enumerate(stacks)
    )


PACE = re.compile(
    r"pace: (?:the first (?P<first>\S+) comes|(?P<again>\S+) comes again only) as card (?P<place>\d+) of \d+; "
    r"until then at most (?P<points>\d+) points? can be made, so at least (?P<discards>\d+) (?:more )?discards?, "
    r"and (?P<affordable>\d+) (?:is|are) affordable"
)
CAPACITY = re.compile(
    r"capacity: (?:when card (?P<place>\d+) of (?:\d+) has come, )?nothing can be played, and .*"
    r"the last of (?:their|its) kind \((?P<last>.*)\): .*"
)
PACE_CHOICES = re.compile(
    r"pace: .* as card (?P<place>\d+) of \d+; .* whatever is thrown, at least (?P<discards>\d+) (?:more )?discards? "
    r"come before it(?: \(or a card is lost\))?, and (?P<affordable>\d+) (?:is|are) affordable"
)
CAPACITY_CHOICES = re.compile(
    r"capacity: whatever is thrown, a card is lost(?: or (?P<discards>\d+) (?:more )?discards? are made)?; "
    r"in the line that lasts longest, when card (?P<place>\d+) of \d+ has come, nothing can be played, and .*"
)


def check_claim(state: State, reason: str) -> str:
    """Check what a reason says, from the deck alone where there is no choice; return which form it has."""
    rules, deck = state.rules, state.deal.deck
    start = len(deck) - state.deck_size
    hands = [card for player in range(rules.players) for card in state.hand(player)]
    affordable = state.deck_size + rules.players - (rules.max_score - state.points)
    if match := PACE.fullmatch(reason):
        place, card = int(match["place"]), parse_card(rules.variant, match["first"] or match["again"])
        assert deck[place - 1] == card
        assert (card in deck[: place - 1]) is bool(match["again"])
        points = sum(playable_from([*hands, *deck[start : place - 1]], state.stacks))
        assert points == int(match["points"])
        assert int(match["discards"]) == place - start - (points - state.points)
        assert int(match["discards"]) > affordable == int(match["affordable"])
        return "pace"
    if match := CAPACITY.fullmatch(reason):
        place = int(match["place"] or start)
        stacks = playable_from([*hands, *deck[start:place]], state.stacks)
        last = parse_cards(rules.variant, match["last"])
        assert len(set(last)) == len(last) >= len(hands)
        assert all(card not in deck[place:] and card.value > stacks[card.suit] + 1 for card in last)
        return "capacity"
    if match := PACE_CHOICES.fullmatch(reason):
        assert int(match["discards"]) == affordable + 1 == int(match["affordable"]) + 1
        return "pace with choices"
    if match := CAPACITY_CHOICES.fullmatch(reason):
        return "capacity with choices"
    assert re.fullmatch(r"pace: \d+ points? (is|are) missing, and \d+ turns? (in which .*)?(is|are) left", reason)
    numbers = [int(number) for number in re.findall(r"\d+", reason)]
    assert numbers[0] == rules.max_score - state.points > numbers[1]
    return "turns"


def check_choices(state: State, reason: str) -> None:
    """Check what a reason says of all choices, against every line of a lone player."""
    affordable = state.deck_size + state.rules.players - (state.rules.max_score - state.points)
    lines = (now for now in lines_alone(state) if has_all(state, now))
    if match := PACE_CHOICES.fullmatch(reason):
        place = int(match["place"])
        assert not any(now.drawn >= place and now.discards <= affordable for now in lines)
    elif match := CAPACITY_CHOICES.fullmatch(reason):
        place = int(match["place"])
        most = affordable if match["discards"] else state.deck_size
        assert not any(now.drawn > place and now.discards <= most for now in lines)


def small_position(chance: random.Random) -> State:
    """A position that has lost no card."""
    while True:
        state = random_position(chance, random_rules(chance, most_cards=10))
        if has_all(state, alone_at(state)) and state.points < state.rules.max_score:
            return state


def test_small_positions_against_a_lone_player_and_the_brute_force() -> None:
    chance = random.Random(1)
    forms = set()
    for _ in range(400):
        state = small_position(chance)
        reason = why_merged(state)
        assert (reason is None) is wins_alone(state), (state.rules, state.deal.text(), state.history, reason)
        if reason is not None:
            forms.add(check_claim(state, reason))
            check_choices(state, reason)
            deck = tuple((card.suit, card.value) for card in state.deal.deck)
            assert not brute_force.can_win(box_of(state.rules), deck, table_of(state))
    assert forms >= {"pace", "capacity", "turns"}


# Games in which the hands are full of cards that come again.
CHOICES = Rules(Variant.custom(suits=2, copies=(1, 2, 2)), players=2, hand_size=1)


@given(st.permutations(sorted_deck(CHOICES.variant)), st.integers(1, 3), st.integers(1, 2))
def test_choices_against_a_lone_player(deck: list[Card], players: int, hand_size: int) -> None:
    state = State(Deal.from_cards(replace(CHOICES, players=players, hand_size=hand_size), deck))
    reason = why_merged(state)
    assert (reason is None) is wins_alone(state)
    if reason is not None:
        check_claim(state, reason)
        check_choices(state, reason)


def test_reasons_with_choices_say_what_is_so() -> None:
    chance, deck = random.Random(2), sorted_deck(CHOICES.variant)
    forms = []
    for _ in range(500):
        chance.shuffle(deck)
        state = State(Deal.from_cards(CHOICES, list(deck)))
        reason = why_merged(state)
        if reason is not None and (form := check_claim(state, reason)).endswith("choices"):
            assert not wins_alone(state)
            check_choices(state, reason)
            forms.append(form)
    assert set(forms) == {"pace with choices", "capacity with choices"}
    assert len(forms) > 10


ALL_HELD = "nothing can be played, and both cards held are needed and the last of their kind"
SENTENCES = [
    # suits, copies, players, hand size, deck, reason
    (
        2,
        (1, 1, 1),
        2,
        2,
        "r3 y1 y3 r1 y2 r2",
        "pace: 6 points are missing, and 4 turns in which a card can be used are left",
    ),
    (
        *(1, (4, 1, 1), 1, 2, "r1 r3 r1 r1 r1 r2"),
        "pace: the first r2 comes as card 6 of 6; until then at most 1 point can be made, so at least 3 discards, "
        "and 2 are affordable",
    ),
    (2, (1, 1), 2, 1, "r2 y2 r1 y1", f"capacity: {ALL_HELD} (r2 y2): a discard loses one"),
    (
        *(2, (1, 2, 2), 2, 1, "y2 y3 y3 r2 y1 r1 r3 r3 r2 y2"),
        "pace: r2 comes again only as card 9 of 10; the hands cannot keep all until then, and whatever is thrown, "
        "at least 5 discards come before it, and 4 are affordable",
    ),
    (
        *(2, (1, 2, 2), 2, 1, "y2 r3 y3 r2 y1 r2 r3 r1 y2 y3"),
        "pace: the first r1 comes as card 8 of 10; the hands cannot keep all until then, and whatever is thrown, "
        "at least 5 discards come before it (or a card is lost), and 4 are affordable",
    ),
    (
        *(2, (1, 2, 2), 2, 1, "y3 y2 y2 r2 r1 y3 y1 r3 r2 r3"),
        "capacity: whatever is thrown, a card is lost; in the line that lasts longest, when card 6 of 10 has come, "
        f"{ALL_HELD} (y2 y3): a discard loses one",
    ),
    (
        *(2, (1, 2, 2, 1), 1, 2, "y2 y3 r2 r1 y3 r3 r4 y1 y4 r2 y2 r3"),
        "capacity: whatever is thrown, a card is lost or 4 discards are made; in the line that lasts longest, "
        f"when card 9 of 12 has come, {ALL_HELD} (y3 y4): a discard loses one",
    ),
]


@pytest.mark.parametrize(("suits", "copies", "players", "hand_size", "deck", "expected"), SENTENCES)
def test_the_sentences(
    suits: int, copies: tuple[int, ...], players: int, hand_size: int, deck: str, expected: str
) -> None:
    rules = Rules(Variant.custom(suits, copies=copies), players, hand_size)
    state = State(Deal.from_cards(rules, deck))
    reason = why_merged(state)
    assert reason == expected
    check_claim(state, reason)
    check_choices(state, reason)


def test_games_that_have_begun_count_more_discards() -> None:
    rules = Rules(Variant.custom(1, copies=(3, 2, 1)), players=1, hand_size=2)
    hands, deck = [parse_cards(rules.variant, "r3 r1")], parse_cards(rules.variant, "r1 r2")
    state = State.arrange(rules, hands, deck, stacks=(1,), discards=[Card(0, 2)])
    assert why_merged(state) == (
        "pace: r2 comes again only as card 6 of 6; until then at most 1 point can be made, "
        "so at least 2 more discards, and 1 is affordable"
    )


def test_the_last_round_counts_its_turns() -> None:
    rules = Rules(Variant.custom(1, copies=(1, 1, 1)), players=2, hand_size=1)
    last = State.arrange(rules, [[Card(0, 2)], [Card(0, 3)]], [], stacks=(1,), turns_left=1)
    assert why_merged(last) == "pace: 2 points are missing, and 1 turn is left"
    assert why_merged(State.arrange(rules, [[Card(0, 2)], [Card(0, 3)]], [], stacks=(1,), turns_left=2)) is None
    assert why_merged(State.arrange(rules, [[], []], [], stacks=(3,), turns_left=1)) is None


def test_a_lost_card_is_named() -> None:
    rules = Rules(Variant.custom(1, copies=(1, 1, 1)), players=2, hand_size=1)
    state = State(Deal.from_cards(rules, "r2 r1 r3"))
    state.act(Play(0))
    assert why_merged(state) == "lost card: no r2 is left"


def test_games_without_an_end_are_refused() -> None:
    with pytest.raises(RulesError, match="end_of_deck"):
        why_merged(State(Deal.from_seed(Rules(end_of_deck="never"), 0)))


def test_a_deal_of_hanab_live() -> None:
    state = State(deal_from_live_seed("p2v0s40"))
    reason = why_merged(state)
    assert reason == (
        "capacity: when card 31 of 50 has come, nothing can be played, and all 10 cards held are needed and the last "
        "of their kind (r4 r5 y2 y3 y4 y5 g2 g3 g4 p3): a discard loses one"
    )
    assert check_claim(state, reason) == "capacity"


REAL = {
    36: "pace: the first b2 comes as card 49 of 50; until then at most 21 points can be made, so at least 18 discards, "
    "and 17 are affordable",
    233: "capacity: when card 26 of 50 has come, nothing can be played, and 11 cards are needed and the last of their "
    "kind (r2 r3 r4 r5 y5 g5 b3 b4 b5 p4 p5): the hands hold 10, so one is lost",
    1262: "pace: b3 comes again only as card 50 of 50; the hands cannot keep all until then, and whatever is thrown, "
    "at least 18 discards come before it, and 17 are affordable",
    1491: "pace: the first y3 comes as card 44 of 50; until then at most 15 points can be made, so at least 19 "
    "discards, and 17 are affordable",
    1871: "capacity: whatever is thrown, a card is lost; in the line that lasts longest, when card 32 of 50 has come, "
    "nothing can be played, and all 10 cards held are needed and the last of their kind (r2 r3 r4 r5 y4 y5 g4 g5 p3 "
    "p5): a discard loses one",
}


@pytest.mark.parametrize("number", REAL)
def test_real_deals(number: int) -> None:
    state = State(Deal.from_seed(Rules(players=2), 0, number))
    reason = why_merged(state)
    assert reason == REAL[number]
    check_claim(state, reason)
    assert solve(state).winnable is False


def test_the_same_deals_are_hopeless_for_the_solver() -> None:
    numbers = {*range(40), 233, 354, 422, 457, 577, 903, 933, 1094, 1145, 1224, 2100, 2360, 2785, 4617}
    hopeless = 0
    for number in sorted(numbers):
        state = State(Deal.from_seed(Rules(players=2), 0, number))
        reason, found = why_merged(state), solve(state)
        is_relaxed = found.winnable is False and found.reason.startswith(("pace", "capacity"))
        assert (reason is not None) is is_relaxed
        if reason is not None:
            check_claim(state, reason)
            hopeless += 1
    assert hopeless == 15


def test_with_too_many_choices_the_caller_is_trusted() -> None:
    state = State(Deal.from_seed(Rules(players=2), 0, 4617))
    assert why_merged(state, most_positions=100) == (
        "capacity: the hands hold 10 cards, too few to keep what is needed with 17 discards"
    )


# Refuted, although the merged game can be won


def test_the_causes_of_refuted_small_positions() -> None:
    chance = random.Random(3)
    causes: list[str] = []
    while len(causes) < 40:
        state = small_position(chance)
        verdict = decide(state)
        if verdict.winnable or state.is_over or why_merged(state) is not None:
            continue
        kind = why_refuted(state, None, verdict).split(":")[0]
        deck = tuple((card.suit, card.value) for card in state.deal.deck)
        box, table = replace(box_of(state.rules), max_hints=None), replace(table_of(state), hints=None)
        assert kind == ("tokens" if brute_force.can_win(box, deck, table) else "who holds what")
        causes.append(kind)
    assert set(causes) == {"tokens", "who holds what"}


def test_the_sentences_of_refuted_positions() -> None:
    rules = Rules(Variant.custom(2, copies=(1, 1)), players=2, hand_size=1, max_hints=1, max_strikes=1)
    tokens = State(Deal.from_cards(rules, "y2 r1 y1 r2"))
    sentence = (
        "tokens: with free hints it could be won, but every such line has a hint or a discard "
        "that the tokens do not allow"
    )
    assert why_refuted(tokens) == sentence
    verdict = decide(tokens)
    assert why_refuted(tokens, None, verdict).startswith(f"{sentence} ({verdict.variables} variables, ")
    hands = State(Deal.from_cards(rules, "r2 r1 y2 y1"))
    assert why_refuted(hands).startswith(
        "who holds what: even with free hints no order of plays fits the hands and the last round ("
    )
    last = Rules(Variant.custom(1, copies=(1, 1, 1)), players=3, hand_size=1)
    assert why_refuted(State(Deal.from_cards(last, "r2 r3 r1"))) == (
        "who holds what: even with free hints no order of plays fits the hands and the last round"
    )


def test_a_real_deal_that_fails_for_tokens() -> None:
    state = State(Deal.from_seed(Rules(players=5), seed=1, game=275))
    assert why_merged(state) is None
    assert why_refuted(state).startswith("tokens: ")
    assert why_refuted(state, time_limit=0).startswith("refuted: ")
