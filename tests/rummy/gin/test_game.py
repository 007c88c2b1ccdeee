"""Games to the target: the same as compiled ones, round by round; and what a house adds at the end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from handful.errors import IllegalActionError
from handful.rummy.gin.game import GinGame, GinPlan, final_lines, final_scores, score_sheet
from handful.rummy.gin.kernels.bridge import rulebook
from handful.rummy.gin.kernels.play import GAME_RESULT, play_games
from handful.rummy.gin.players import player_named, shared_minds
from handful.rummy.gin.rules import HOYLE, GinRules, gin_rules
from handful.splitmix import SplitMix64


def played(rules: GinRules, seed: int, players: tuple[str, str] = ("marjj", "table")) -> GinGame:
    """Return a whole game of two players that need no chance."""
    game, chance = GinGame(GinPlan(rules, seed)), SplitMix64(0)
    while not game.is_over:
        if game.round_is_over:
            game.next_round()
        seat = game.round.current
        game.act(player_named(players[seat]).choose(game.round.view(seat), chance))
    return game


@pytest.mark.parametrize("rules", ["eaai", "openspiel, target=40", "hoyle, oklahoma=yes, spades_double=yes"])
def test_games_go_as_compiled_ones(rules: str) -> None:
    house = gin_rules(rules)
    for seed in (1, 2):
        game, results = played(house, seed), np.zeros(1, GAME_RESULT)
        kinds = (player_named("marjj").kind, player_named("table").kind)
        play_games(rulebook(house), kinds, shared_minds(), seed, 0, False, results)
        assert game.winner == results[0]["winner"]
        assert list(game.scores) == list(results[0]["points"])
        assert len(game.played) == results[0]["rounds"]
        assert [sum(each.settlement.winner == player for each in game.played) for player in range(2)] == list(
            results[0]["won"]
        )


def test_the_next_round_is_started_by_the_other_one_if_somebody_won() -> None:
    game = played(gin_rules("eaai"), 3)
    starter = 0
    for each in game.played:
        assert each.starter == starter
        starter = 1 - starter if each.settlement.winner is not None else starter
    assert each.after(len(each.actions)).settlement == each.settlement
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.next_round()


def test_no_round_is_dealt_while_one_goes_on() -> None:
    with pytest.raises(IllegalActionError, match="one goes on"):
        GinGame(GinPlan()).next_round()


def test_what_a_house_adds_at_the_end() -> None:
    game = played(HOYLE, 1)
    won = [sum(each.settlement.winner == player for each in game.played) for player in range(2)]
    assert game.winner is not None
    bonus = [100 if player == game.winner else 0 for player in range(2)]
    assert min(game.scores) > 0  # no shutout
    assert list(final_scores(game)) == [game.scores[player] + bonus[player] + 25 * won[player] for player in range(2)]
    assert score_sheet(game)["final"] == list(final_scores(game))
    assert final_lines(played(gin_rules("eaai"), 1)) == ()


def test_a_shutout_counts_twice_before_the_boxes() -> None:
    game = played(replace(HOYLE, target=1), 4)
    assert game.winner is not None
    assert game.scores[1 - game.winner] == 0
    points = game.scores[game.winner]
    assert final_scores(game)[game.winner] == 2 * (points + 100) + 25
    assert final_scores(game)[1 - game.winner] == 0
