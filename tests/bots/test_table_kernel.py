"""The compiled table plays the games of the plain table, number for number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from handful._bits import wide
from handful._jit import kernel_of_type
from handful.bots import Bot, CompiledBot, play_game, player_named
from handful.bots.kernel_types import CHOOSE, OBSERVE
from handful.bots.seats import CompiledSeat
from handful.bots.table_kernel import CompiledTable
from handful.errors import IllegalActionError, RulesError
from handful.hanabi import VARIANTS, Deal, Rules, Variant
from handful.hanabi.kernels.layout import ENDINGS, HIDDEN, Games, Rulebooks
from handful.splitmix import SplitMix64
from handful.splitmix_jit import Chance
from tests.bots.budgets import SMALL, entry_of, quick_bots

Memory = npt.NDArray[np.int64]
Settings = npt.NDArray[np.float64]
pytestmark = pytest.mark.kernel

# All but the oracle, which has no compiled form, and `best`, which is another bot in every game.
COMPILED = [bot for bot in quick_bots() if bot != "oracle" and not entry_of(bot).is_alias]
SEATS = [
    (bot, players) for bot in COMPILED if bot not in SMALL.values() for players in entry_of(bot).players or (2, 3, 5)
]


@pytest.mark.parametrize(("bot", "players"), SEATS)
def test_both_tables_play_the_same_games(bot: str, players: int) -> None:
    for variant in ("No Variant", "Pink (6 Suits)"):
        rules = Rules(VARIANTS[variant], players, strike_score="keep")
        assert_tables_agree(rules, bot, games=3, repeats=2)


def assert_tables_agree(rules: Rules, bot: str, games: int, repeats: int) -> None:
    """Games 3, 4, … of seed 5 are the same at both tables."""
    player = player_named(bot)
    compiled = player.compile(rules)
    assert compiled is not None
    seats = [compiled] * rules.players
    results = CompiledTable(rules, seats).play(seed=5, first=3, count=games, repeats=repeats)
    for i in range(games * repeats):
        game, repeat = 3 + i // repeats, i % repeats
        state = play_game(Deal.from_seed(rules, 5, game), [player.plain] * rules.players, 5, game, repeat)
        assert results.scores[i] == state.score
        assert ENDINGS[results.endings[i]] == state.ending
        assert results.turns[i] == len(state.history)


@kernel_of_type(OBSERVE)
def _count_turns(games: Games, g: int, _rules: Rulebooks, seat: int, memory: Memory, _parameters: Settings) -> None:
    memory[seat, 0] += 1
    memory[seat, 1] += games[g]["last_action"] * memory[seat, 0] + games[g]["last_order"]


@kernel_of_type(CHOOSE)
def _choose_by_notes(
    games: Games, g: int, rules: Rulebooks, seat: int, memory: Memory, parameters: Settings, chance: Chance
) -> int:
    """Play a slot by what was noted so far, by what is seen in the other hands, and by a parameter."""
    size = rules[0]["hand_size"]
    total = memory[seat, 1] + wide(parameters[seat, 0])
    for order in range(rules[0]["deck_size"]):
        if games[g]["cards"][order] != HIDDEN:
            total += games[g]["cards"][order] * (order + 1)
    for other in range(rules[0]["players"]):
        total += games[g]["hintable"][other] * (other + 3)
    return wide(size + total % games[g]["lengths"][seat])


def test_a_bot_with_notes_chooses_the_same_at_both_tables() -> None:
    """A bot that mixes all that it can read:

    If the compiled table showed it more than a view does, games would differ.
    """
    bot = CompiledBot(_choose_by_notes, _count_turns, memory_words=2, parameters=np.array([7.0]))
    for players in (2, 3, 4):
        rules = Rules(players=players, strike_score="keep", max_strikes=12)

        def seat(rules: Rules, seat: int, chance: SplitMix64) -> Bot:
            return CompiledSeat(bot, rules, seat, chance)

        results = CompiledTable(rules, [bot] * players).play(seed=1, first=0, count=5)
        states = [play_game(Deal.from_seed(rules, 1, game), [seat] * players, 1, game) for game in range(5)]
        assert list(results.scores) == [state.score for state in states]
        assert list(results.turns) == [len(state.history) for state in states]
        assert len(set(results.turns)) > 1


@kernel_of_type(CHOOSE)
def _always_discard(
    _games: Games, _g: int, _rules: Rulebooks, _seat: int, _memory: Memory, _parameters: Settings, _chance: Chance
) -> int:
    return 0


def test_an_illegal_choice_is_reported_with_its_game() -> None:
    rules = Rules(players=2)
    with pytest.raises(IllegalActionError, match="game 4 of seed 0"):
        CompiledTable(rules, [CompiledBot(_always_discard)] * 2).play(seed=0, first=4, count=2)


def test_a_table_has_a_bot_for_each_seat() -> None:
    with pytest.raises(RulesError, match="3 bots for 2 seats"):
        CompiledTable(Rules(players=2), [CompiledBot(_always_discard)] * 3)


def test_rules_too_large_for_the_records_have_no_compiled_form() -> None:
    assert player_named("random").compile(Rules(Variant.custom(8), 2)) is None


def test_a_fixed_deal_is_played_with_other_chance() -> None:
    rules = Rules(players=3, strike_score="keep")
    compiled = player_named("random").compile(rules)
    assert compiled is not None
    deal = Deal.from_seed(rules, 77)
    results = CompiledTable(rules, [compiled] * 3).play(seed=1, first=0, count=20, deal=deal)
    assert len(set(results.turns)) > 1
    state = play_game(deal, [player_named("random").plain] * 3, 1, game=4)
    assert results.turns[4] == len(state.history)
