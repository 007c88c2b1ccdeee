"""The bot `conventions`: each rule in a small position, common knowledge that is common and true, and its strength."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from handful._records import words_of
from handful.bots import player_named
from handful.bots.conventions import WEIGHTS, compiled, weight_table
from handful.bots.conventions.conventions_kernel import NUM_TOKENS, choose_action
from handful.bots.conventions.conventions_kernel import WEIGHTS as WEIGHTS_TYPE
from handful.bots.conventions.notes_kernel import NO_SLOT, NOTES, PAPER, begin, narrow_by_hint
from handful.bots.conventions.words import ConventionsExplainer
from handful.bots.seats import CompiledSeat
from handful.bots.table import seat_bots, tell
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import (
    VARIANTS,
    Action,
    Deal,
    Discard,
    HintSuit,
    HintValue,
    Play,
    Rules,
    State,
    card_index,
    rules_from_text,
)
from handful.hanabi.kernels.bridge import game_from_state, game_from_view
from handful.hanabi.kernels.layout import rulebook_of
from tests.bots.conformance import assert_blind_to_hidden_cards, assert_legal_and_repeatable
from tests.positions import arrange

TWO = Rules(players=2)
RED, YELLOW, GREEN, BLUE, PURPLE = range(5)
ALICE, BOB = 0, 1
TABLES = {
    "hanab-live": TWO,
    "thesis": rules_from_text("thesis", 2),
    "four cards": Rules(players=2, hand_size=4),
    "one card": Rules(players=2, hand_size=1),
    "6 Suits": Rules(VARIANTS["6 Suits"], 2),
    "Rainbow": Rules(VARIANTS["Rainbow (6 Suits)"], 2),
    "Black": Rules(VARIANTS["Black (6 Suits)"], 2),
    "White": Rules(VARIANTS["White (6 Suits)"], 2),
    "Pink": Rules(VARIANTS["Pink (6 Suits)"], 2),
    "Brown": Rules(VARIANTS["Brown (6 Suits)"], 2),
}
maker = player_named("conventions").plain


def told(state: State, *actions: Action) -> list[str]:
    """What the last of these actions tells, where nothing but the table is known before the first."""
    explainer = ConventionsExplainer(state.rules, ("Alice", "Bob"))
    explainer.start_from(state)
    words: list[str] = []
    for action in actions:
        words = explainer.explain(state, state.act(action))
    return words


# The rules, numbered as in the bot's description.


def test_1_a_value_hint_on_the_chop_says_playable_or_critical() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "y2 r3 g4 b3 p3"), (1, 0, 0, 0, 0), discards="y2")
    assert told(state, HintValue(BOB, 2)) == ["Bob: your chop (slot a) is playable or critical"]
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "y5 r3 g4 b3 p3"))
    assert told(state, HintValue(BOB, 5)) == ["Bob: your chop (slot a) is critical"]


def test_1_a_suit_hint_on_the_chop_says_playable() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "y1 r3 y4 b3 p3"))
    assert told(state, HintSuit(BOB, YELLOW)) == ["Bob: your chop (slot a) is playable"]


def test_1_playable_is_also_what_will_be_so_soon() -> None:
    # Both know that Alice's slot a is the red 1: so the red 2 will be playable.
    state = arrange(TWO, ("r1 y3 g3 b3 p3", "r2 r3 y4 b3 p3"))
    hints = (HintValue(BOB, 4), HintValue(ALICE, 1), HintValue(BOB, 4), HintSuit(ALICE, RED), HintValue(BOB, 2))
    assert told(state, *hints)[0] == "Bob: your chop (slot a) is playable now or soon"


def test_2_the_newest_card_touched_for_the_first_time_is_playable() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r3 g4 r1 p3"))
    assert told(state, HintSuit(BOB, RED))[0] == "Bob: slot d is playable"


def test_2_a_card_that_cannot_be_playable_is_passed_over() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r1 g4 r3 p3"))
    paper, table = np.zeros(1, PAPER)[0], rulebook_of(TWO)
    begin(game_from_state(state)[0], table[0], paper)
    paper["masks"][BOB, 3] &= ~paper["playable"]
    assert narrow_by_hint(paper, table[0], BOB, RED, 0b01010) == 1
    assert paper["after"][1] == 1  # the red 1, by its index
    paper["masks"][BOB, 1] &= ~paper["playable"]
    assert narrow_by_hint(paper, table[0], BOB, RED, 0b01010) == NO_SLOT


def test_3_a_hint_on_touched_cards_says_that_the_newest_is_playable() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r2 y2 b3 p3"), (1, 0, 0, 0, 0))
    paper, table = np.zeros(1, PAPER)[0], rulebook_of(TWO)
    state.act(HintSuit(BOB, RED))
    begin(game_from_state(state)[0], table[0], paper)
    assert narrow_by_hint(paper, table[0], BOB, RED, 0b00010) == 1
    assert paper["after"][1] == paper["playable"] & 0b11111


def test_5a_of_two_sure_plays_the_second_says_that_the_chop_is_critical() -> None:
    hands = ("r5 y3 g3 b3 p3", "p4 r1 g1 b3 p3")
    second = told(arrange(TWO, hands), HintValue(BOB, 1), Play(2))
    assert second == ["Alice: your chop (slot a) is critical"]
    first = told(arrange(TWO, hands), HintValue(BOB, 1), Play(1))
    assert first == ["Alice: your chop (slot a) is not critical"]


def test_5a_three_sure_plays_answer_two_questions() -> None:
    hands = ("r3 y1 g3 b3 p1", "p4 r1 g1 b1 p3")
    answers = [told(arrange(TWO, hands), HintValue(BOB, 1), Play(slot)) for slot in (1, 2, 3)]
    critical, play = "your chop (slot a) is", "slot e is"
    assert answers[0] == [f"Alice: {critical} not critical", f"Alice: {play} not playable"]
    assert answers[1] == [f"Alice: {critical} critical"]
    assert answers[2] == [f"Alice: {critical} not critical", f"Alice: {play} playable"]


def test_5b_of_two_sure_trash_cards_the_newer_says_that_the_chop_is_critical() -> None:
    state = arrange(TWO, ("r5 y3 g3 b3 p3", "p4 r1 g1 b3 p3"), (1, 1, 1, 1, 1), hints=1)
    assert told(state, HintValue(BOB, 1), Discard(2)) == ["Alice: your chop (slot a) is critical"]
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r1 g1 b3 p3"), (1, 1, 1, 1, 1), hints=1)
    assert told(state, HintValue(BOB, 1), Discard(1)) == ["Alice: your chop (slot a) is not critical"]


def test_5c_with_one_trash_card_to_discard_the_chop_says_that_the_partners_is_critical() -> None:
    hands = ("r5 y3 g3 b3 p3", "p4 r1 g4 b3 p3")
    for slot, words in ((0, "critical"), (1, "not critical")):
        state = arrange(TWO, hands, (1, 1, 1, 1, 1), hints=1)
        assert told(state, HintValue(BOB, 1), Discard(slot)) == [f"Alice: your chop (slot a) is {words}"]


def test_5d_without_trash_to_discard_the_next_chop_says_that_the_partners_is_critical() -> None:
    hands = ("p4 y3 g3 b3 p3", "r5 r3 g4 b3 p2")
    for slot, words in ((0, ["not critical"]), (1, ["critical"]), (2, [])):
        state = arrange(TWO, hands, hints=0)
        assert told(state, Discard(slot)) == [f"Bob: your chop (slot a) is {word}" for word in words]


def test_5e_to_discard_despite_a_sure_play_says_that_the_chop_is_critical() -> None:
    state = arrange(TWO, ("r5 y3 g3 b3 p3", "p4 r1 g4 b3 p3"), hints=2)
    assert told(state, HintValue(BOB, 1), Discard(0)) == ["Alice: your chop (slot a) is critical"]


def test_6_whoever_is_left_without_a_play_has_no_critical_chop() -> None:
    state = arrange(TWO, ("r4 y3 g3 b3 p3", "p4 r1 g4 b3 p3"), hints=4)
    assert told(state, HintValue(BOB, 1), Play(1)) == ["Alice: your chop (slot a) is not critical"]
    # A 4 cannot be playable yet: the hint says no more than it shows, but for the promise.
    for hints, words in ((4, ["Bob: your chop (slot a) is not critical"]), (8, [])):
        state = arrange(TWO, ("r4 y3 g3 b3 p3", "p3 r3 g4 b3 y3"), hints=hints)
        assert told(state, HintValue(BOB, 4)) == words


def test_7_whoever_discards_with_a_token_left_sees_no_play() -> None:
    state = arrange(TWO, ("p4 y3 g3 b3 p3", "r4 r3 g4 b3 p2"), hints=1)
    assert told(state, Discard(0)) == ["Bob: your chop (slot a) is not critical", "Bob: none of your cards is playable"]


# Common knowledge.


def notes_of(row: npt.NDArray[np.int64]) -> Any:
    """The notes in a row of memory."""
    words: Any = row[: words_of(NOTES)]
    return words.view(NOTES)[0]


def assert_common_and_true(rules: Rules, seed: int) -> None:
    """After every turn both seats know the same, and it is true: every mask has the card that is there."""
    state = State(Deal.from_seed(rules, seed))
    seats = seat_bots(rules, [maker] * 2, seed)
    assert isinstance(seats[0], CompiledSeat)
    assert isinstance(seats[1], CompiledSeat)
    while not state.is_over:
        seat = state.current
        tell(state, seats, state.act(seats[seat].choose(state.view(seat))))
        first, second = (notes_of(bot._memory[bot.seat]) for bot in (seats[0], seats[1]))
        assert first == second
        for player in range(2):
            for slot, card in enumerate(state.hand(player)):
                assert first["masks"][player, slot] >> card_index(rules.variant, card) & 1


@pytest.mark.parametrize("name", TABLES)
def test_common_knowledge_is_common_and_true(name: str) -> None:
    for seed in range(3):
        assert_common_and_true(TABLES[name], seed)


@pytest.mark.parametrize("name", TABLES)
def test_it_is_legal_repeatable_and_blind(name: str) -> None:
    assert_legal_and_repeatable(TABLES[name], maker, seed=5)
    assert_blind_to_hidden_cards(TABLES[name], maker, seed=6)


@pytest.mark.parametrize("partner", ["random", "rules"])
def test_a_partner_without_conventions_is_no_reason_to_break_the_rules(partner: str) -> None:
    for rules in (TWO, TABLES["thesis"], TABLES["Black"]):
        other = player_named(partner).compile(rules)
        assert other is not None
        for seats in ([compiled(rules), other], [other, compiled(rules)]):
            results = CompiledTable(rules, seats).play(seed=9, first=0, count=100)  # refuses illegal actions
            assert len(results.scores) == 100


def test_it_joins_a_game_in_the_middle() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r1 g4 b3 p3"), (0, 2, 1, 0, 0), discards="y5", hints=3)
    seats = seat_bots(TWO, [maker] * 2, 0)
    while not state.is_over:
        tell(state, seats, state.act(seats[state.current].choose(state.view(state.current))))
    assert state.score >= 5


# Choices.


def choice(state: State) -> Action:
    bot = maker(state.rules, state.current, seat_bots(state.rules, [maker] * 2, 0)[0].chance)
    return bot.choose(state.view(state.current))


def test_it_tells_of_a_play() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "p4 r1 g4 b3 p3"))
    assert choice(state) in (HintSuit(BOB, RED), HintValue(BOB, 1))


def test_it_saves_a_critical_chop() -> None:
    state = arrange(TWO, ("r3 y3 g3 b3 p3", "y5 r3 g4 b3 p3"), hints=2)
    assert choice(state) in (HintValue(BOB, 5), Discard(1))


def test_it_never_says_what_is_not_so() -> None:
    # Bob's chop is critical: to discard the own chop would say that it is not.
    state = arrange(TWO, ("p4 y3 g3 b3 p3", "r5 r3 g4 b3 p2"), hints=0)
    assert choice(state) != Discard(0)


def test_the_weights_are_those_that_the_kernel_reads() -> None:
    *names, tokens = WEIGHTS_TYPE.names or ()
    assert tokens == "tokens"
    assert list(WEIGHTS) == [*names, *(f"token_{number}" for number in range(1, NUM_TOKENS + 1))]
    table = weight_table(TWO).view(WEIGHTS_TYPE)
    assert len(table) == 41
    for row, numbers in zip(table[[40, 0]], zip(*WEIGHTS.values(), strict=True), strict=True):
        assert np.allclose([*(row[name] for name in names), *row["tokens"]], numbers)


@pytest.mark.kernel
def test_a_few_turns() -> None:
    rules, words = rulebook_of(TWO), words_of(PAPER)
    state = State(Deal.from_seed(TWO, 1))
    bots = [compiled(TWO)] * 2
    memory, parameters = np.zeros((6, words), np.int64), np.tile(weight_table(TWO), (6, 1))
    for _ in range(8):
        seat = state.current
        view = game_from_view(state.view(seat))
        paper: Any = memory[seat].copy()
        action = choose_action(view[0], rules[0], paper.view(PAPER)[0], seat, parameters[seat])
        assert bots[0].choose(view, 0, rules, seat, memory, parameters, np.zeros(6, np.uint64)) == action
        state.act(actions(state)[int(action)])
        for other in range(2):
            observe = bots[0].observe
            assert observe is not None
            observe(game_from_view(state.view(other)), 0, rules, other, memory, parameters)
        assert notes_of(memory[0]) == notes_of(memory[1])


def actions(state: State) -> dict[int, Action]:
    from handful.hanabi.actions import action_index

    return {action_index(state.rules, state.current, action): action for action in state.legal_actions()}


# Strength.


def perfect_games(rules: Rules, games: int, seed: int) -> tuple[float, float]:
    results = CompiledTable(rules, [compiled(rules)] * 2).play(seed, 0, games)
    share = float((results.scores == rules.variant.max_score).mean())
    return share, sqrt(share * (1 - share) / games)


def test_it_wins_more_than_half_of_its_games() -> None:
    share, error = perfect_games(TWO, 1500, seed=4242)
    assert share > 0.57 - 4 * error


def words_of_a_game(seed: int) -> Sequence[str]:
    state = State(Deal.from_seed(TWO, seed))
    seats = seat_bots(TWO, [maker] * 2, seed)
    explainer = player_named("conventions").explainer(TWO, ("Alice", "Bob"))
    assert explainer is not None
    words: list[str] = []
    while not state.is_over:
        turn = state.act(seats[state.current].choose(state.view(state.current)))
        told_now = explainer.explain(state, turn)
        assert all(sentence.startswith(("Bob: ", "Alice: ")[turn.actor]) for sentence in told_now)
        words += told_now
        tell(state, seats, turn)
    return words


def test_every_turn_of_a_game_can_be_explained() -> None:
    words = " ".join(words_of_a_game(seed=7))
    assert "is playable" in words
    assert "your chop (slot" in words
