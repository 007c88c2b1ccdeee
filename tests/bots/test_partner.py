"""The bot `partner`: notes that are the same for all, hints that are true, no game lost by strikes, other partners."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from handful._records import words_of
from handful.bots import player_named
from handful.bots.partner import compiled, parameter_row
from handful.bots.partner.notes_kernel import NOTES
from handful.bots.partner.partner_kernel import NUM_TOKENS, WEIGHTS, WEIGHTS_AT
from handful.bots.partner.weights import weights_for
from handful.bots.seats import CompiledSeat
from handful.bots.table import seat_bots, tell
from handful.bots.table_kernel import CompiledTable
from handful.hanabi import VARIANTS, Action, Deal, HintSuit, HintValue, Rules, State, card_index
from handful.hanabi.kernels.layout import STRIKES
from tests.positions import arrange

RED, BOB = 0, 1
THREE = Rules(players=3)
TABLES = {
    **{f"{players} players": Rules(players=players) for players in range(2, 7)},
    "one card": Rules(players=3, hand_size=1),
    **{name: Rules(VARIANTS[name], 3) for name in ("Rainbow (6 Suits)", "Black (6 Suits)", "Brown (6 Suits)")},
}
LEVELS = (1, 2, 3)


def notes_of(row: npt.NDArray[np.int64]) -> Any:
    """The notes in a row of memory."""
    words: Any = row[: words_of(NOTES)]
    return words.view(NOTES)[0]


# Common knowledge.


def assert_common(rules: Rules, level: int, seed: int, *, is_true: bool) -> None:
    """After every turn all seats know the same; if it is true as well, every mask has the card that is there."""
    state = State(Deal.from_seed(rules, seed))
    maker = player_named(f"partner(level={level})").plain
    seats = seat_bots(rules, [maker] * rules.players, seed)
    while not state.is_over:
        tell(state, seats, state.act(seats[state.current].choose(state.view(state.current))))
        all_notes = []
        for bot in seats:
            assert isinstance(bot, CompiledSeat)
            all_notes.append(notes_of(bot._memory[bot.seat]))
        if any(notes[field].any() for notes in all_notes for field in ("literal", "plain", "quiet")):
            assert not is_true
            return  # who has seen that somebody does not keep to the conventions knows more than the others
        assert all(notes == all_notes[0] for notes in all_notes)
        for player in range(rules.players if is_true else 0):
            for slot, card in enumerate(state.hand(player)):
                mask = all_notes[0]["masks"][player * rules.hand_size + slot]
                assert mask >> card_index(rules.variant, card) & 1, (player, slot)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", TABLES)
def test_all_seats_have_the_same_notes(name: str, level: int) -> None:
    for seed in range(2):
        assert_common(TABLES[name], level, seed, is_true=False)


@pytest.mark.parametrize("name", TABLES)
def test_play_and_save_hints_are_read_as_they_are_meant(name: str) -> None:
    # With four players and more, levels 2 and 3 misread some prompts and finesses.
    for seed in range(4):
        assert_common(TABLES[name], 1, seed, is_true=True)


@pytest.mark.parametrize("level", [2, 3])
def test_three_players_read_prompts_and_finesses_as_they_are_meant(level: int) -> None:
    for seed in range(10):
        assert_common(THREE, level, seed, is_true=True)


# Strikes, and partners who mean something else.


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_no_game_is_lost_by_strikes(players: int, level: int) -> None:
    rules = Rules(players=players)
    results = CompiledTable(rules, [compiled(rules, level)] * players).play(seed=31, first=0, count=300)
    assert not (results.endings == STRIKES).any()


def mean_score(rules: Rules, names: list[str], games: int) -> float:
    """The mean of deals of one seed with these bots, each seat first in its turn."""
    means = []
    for first in range(rules.players):
        bots = [player_named(names[(first + seat) % rules.players]).compile(rules) for seat in range(rules.players)]
        assert all(bot is not None for bot in bots)
        means.append(float(CompiledTable(rules, [bot for bot in bots if bot]).play(53, 0, games).scores.mean()))
    return sum(means) / len(means)


@pytest.mark.parametrize(
    ("players", "name"), [*((players, "rules") for players in range(2, 6)), (2, "rules(reading=text)")]
)
def test_it_plays_with_those_who_hint_literally_at_least_as_well_as_they_do(players: int, name: str) -> None:
    rules = Rules(players=players)
    literal = [name] * (players - 1)
    assert mean_score(rules, ["partner", *literal], 400) >= mean_score(rules, [name, *literal], 400)


# Choices, and the numbers behind them.


def choice(state: State) -> Action:
    maker = player_named("partner").plain
    return seat_bots(state.rules, [maker] * state.rules.players, 0)[state.current].choose(state.view(state.current))


def test_it_tells_of_a_play() -> None:
    state = arrange(THREE, ("r3 y3 g3 b3 p3", "p4 r1 g4 b3 p3", "y4 g4 b4 p4 r4"))
    assert choice(state) in (HintSuit(BOB, RED), HintValue(BOB, 1))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_weights_are_those_that_the_kernel_reads(players: int) -> None:
    *names, tokens = WEIGHTS.names or ()
    assert tokens == "tokens"
    weights, rules = weights_for(players), Rules(players=players)
    assert list(weights) == [*names, *(f"token_{number}" for number in range(1, NUM_TOKENS + 1))]
    table = parameter_row(rules, 3, weights)[WEIGHTS_AT:].view(WEIGHTS)
    for row, numbers in zip(table[[-1, 0]], zip(*weights.values(), strict=True), strict=True):
        assert np.allclose([*(row[name] for name in names), *row["tokens"]], numbers)
