"""The bot `recommendation`: its rules one by one, its kernel beside plain Python, its figures beside the published."""

from __future__ import annotations

import pytest

from handful.bots import play_game, player_named
from handful.bots.hat.recommendation import hint_code, number_of_hint, recommendation_text, recommended
from handful.bots.hat.recommendation_kernel import TOLD
from handful.bots.seats import CompiledSeat
from handful.bots.table import seat_bots, take_turn
from handful.bots.table_kernel import CompiledTable
from handful.errors import RulesError
from handful.hanabi import VARIANTS, Deal, HintSuit, HintValue, Rules, State, parse_cards
from handful.hanabi.kernels.layout import ENDINGS
from handful.lab import simulate
from tests.bots.recommendation_oracle import RecommendationOracle
from tests.positions import arrange

FIVE = Rules(players=5)
PUBLISHED = 23.00


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ("b1 g1 r5 p5", "play c"),  # the playable 5 first
        ("r3 y2 b1 g1", "play c"),  # the playable card of lowest value, the oldest of them
        ("r3 g2 y2 p4", "play c"),  # g2 is not playable
        ("p3 b3 r1 y1", "discard c"),  # worthless cards: the oldest
        ("y5 p4 b3 p4", "discard b"),  # the highest that is not unique: of the p4s the oldest
        ("y5 b4 g2 y3", "discard c"),  # b4 and y3 are unique: the others were thrown
        ("y5 b4 g5 p5", "discard a"),  # all are unique: the oldest
    ],
)
def test_the_first_recommendation_that_applies(hand: str, told: str) -> None:
    state = arrange(FIVE, [hand, "", "", "", ""], (4, 1, 0, 0, 0), discards="b4 y3")
    number = recommended(state.common_knowledge(), parse_cards(FIVE.variant, hand), 8)
    assert recommendation_text(FIVE, number) == told


def test_where_numbers_are_few_only_the_oldest_slots_are_discarded() -> None:
    table = arrange(FIVE, ["b4 b3 y1 y3", "", "", "", ""], (0, 1, 0, 0, 0)).common_knowledge()
    hand = parse_cards(FIVE.variant, "b4 b3 y1 y3")
    assert [recommended(table, hand, numbers) for numbers in (8, 7, 6, 5)] == [6, 6, 4, 4]


def test_the_code_has_a_number_for_everything_it_can() -> None:
    assert hint_code(FIVE) == (8, 2)
    assert hint_code(Rules(players=4)) == (8, 3)
    assert hint_code(Rules(players=4, hand_size=3)) == (6, 2)
    assert hint_code(Rules(players=5, hand_size=5)) == (10, 3)
    assert hint_code(Rules(players=4, hand_size=5)) == (9, 3)
    assert hint_code(Rules(VARIANTS["White (6 Suits)"], 4)) == (6, 2)
    assert hint_code(Rules(VARIANTS["Brown (6 Suits)"], 4)) == (6, 2)
    assert hint_code(Rules(VARIANTS["Rainbow (6 Suits)"], 4)) == (8, 3)


def test_every_number_has_a_hint() -> None:
    for players in (4, 5):
        rules = Rules(players=players)
        for seed in range(20):
            state = State(Deal.from_seed(rules, seed))
            hints = [action for action in state.legal_actions() if isinstance(action, HintSuit | HintValue)]
            found = {
                number_of_hint(rules, 0, hint, rules.hand_size - 1 not in state.touched_slots(hint)) for hint in hints
            }
            assert found == set(range(8))


TABLES = [
    FIVE,
    Rules(players=4),
    Rules(players=5, hand_size=3),
    Rules(players=4, hand_size=5),
    Rules(players=5, hand_size=5, max_strikes=1),
    Rules(players=4, max_strikes=None, discard_at_max=True, empty_hints=True),
    Rules(players=5, end_of_deck="never"),
    *(Rules(VARIANTS[name], players) for name in VARIANTS if "(6 Suits)" in name for players in (4, 5)),
]


def assert_same_games(rules: Rules, count: int) -> None:
    compiled = player_named("recommendation").compile(rules)
    assert compiled is not None
    results = CompiledTable(rules, [compiled] * rules.players).play(seed=3, first=0, count=count)
    for game in range(count):
        state = play_game(Deal.from_seed(rules, 3, game), [RecommendationOracle] * rules.players, 3, game)
        assert (results.turns[game], results.scores[game]) == (len(state.history), state.score)
        assert ENDINGS[results.endings[game]] == state.ending


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.variant.name}, {rules.players}")
def test_the_kernel_plays_as_the_description_says(rules: Rules) -> None:
    assert_same_games(rules, count=3)


@pytest.mark.kernel
def test_a_small_game() -> None:
    assert_same_games(Rules(VARIANTS["3 Suits"], 4, hand_size=3), count=2)


@pytest.mark.parametrize("players", [4, 5])
def test_everybody_decodes_what_the_giver_sees(players: int) -> None:
    """After every hint each seat's own note is the recommendation for its hand, which it has never seen."""
    rules = Rules(players=players)
    numbers = hint_code(rules).numbers
    decoded = 0
    for seed in range(5):
        state = State(Deal.from_seed(rules, seed))
        bots = seat_bots(rules, [player_named("recommendation").plain] * players, seed)
        while not state.is_over:
            turn = take_turn(state, bots)
            if isinstance(turn.action, HintSuit | HintValue):
                for seat, bot in enumerate(bots):
                    if seat != turn.actor:
                        assert isinstance(bot, CompiledSeat)
                        noted = int(bot._memory[seat].view(TOLD)[0]["number"]) - 1
                        assert noted == recommended(state.common_knowledge(), state.hand(seat), numbers)
                        decoded += 1
    assert decoded > 300


def test_the_published_average_nearly_comes_out_where_the_fourth_strike_is_the_last() -> None:
    found = simulate("recommendation", players=5, games=20_000, seed=1000, rules="max_strikes=4")
    assert found.mean == pytest.approx(PUBLISHED, abs=0.06)


@pytest.mark.parametrize(("players", "mean", "perfect"), [(4, 22.98, 0.255), (5, 22.39, 0.127)])
def test_its_own_averages_under_the_usual_rules(players: int, mean: float, perfect: float) -> None:
    found = simulate("recommendation", players=players, games=10_000, seed=2000)
    assert found.mean == pytest.approx(mean, abs=0.08)
    assert found.perfect == pytest.approx(perfect, abs=0.015)
    assert found.strikeouts == 0  # strikes happen by design, but never the last one


def test_it_plays_with_4_or_5() -> None:
    for players in (1, 2, 3, 6):
        with pytest.raises(RulesError, match="plays with 4 or 5 players"):
            player_named("recommendation").compile(Rules(players=players))


def test_what_the_explainer_says() -> None:
    rules = FIVE
    names = ("Alice", "Bob", "Cathy", "Donald", "Emily")
    explainer = player_named("recommendation").explainer(rules, names)
    assert explainer is not None
    said: list[list[str]] = []
    play_game(
        Deal.from_seed(rules, 7),
        [player_named("recommendation").plain] * 5,
        7,
        on_turn=lambda state, turn: said.append(explainer.explain(state, turn)),
    )
    assert said[0] == [
        "For the others: Bob 5, discard b; Cathy 6, discard c; Donald 1, play b; Emily 4, discard a.",
        "5 + 6 + 1 + 4 = 16, modulo 8 that is 0; a suit hint for Bob stands for 0.",
        "Bob subtracts: 0 − 6 − 1 − 4 = −11, modulo 8 that is 5, discard b.",
        "Cathy subtracts: 0 − 5 − 1 − 4 = −10, modulo 8 that is 6, discard c.",
        "Donald subtracts: 0 − 5 − 6 − 4 = −15, modulo 8 that is 1, play b.",
        "Emily subtracts: 0 − 5 − 6 − 1 = −12, modulo 8 that is 4, discard a.",
    ]
    assert said[3] == ["Donald was told by Cathy on turn 3: play b; no card has been laid since."]
    everything = " ".join(line for lines in said for line in lines)
    for words in ("one card has been laid since", "discard"):
        assert words in everything
