"""Many rounds and games of two players, compiled: each asked through a view, and told nothing else."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from handful._jit import kernel
from handful._records import Annotated, TypedDict, record_type
from handful.rummy.gin.kernels.judgement import NUM_FEATURES, Features, Weights, choose_table
from handful.rummy.gin.kernels.layout import ROUND, VIEW, Rounds, Rulebook, Views
from handful.rummy.gin.kernels.marjj import choose_marjj
from handful.rummy.gin.kernels.quick_player import choose_quick
from handful.rummy.gin.kernels.round import act, deal_deck, show, start_round
from handful.rummy.gin.kernels.simple import choose_random, choose_simple
from handful.rummy.gin.round import OVER
from handful.splitmix_jit import Chance, add_key, seed_key

RANDOM, SIMPLE, MARJJ, TABLE, QUICK, MONTECARLO = range(6)
NONE = -1
MOST_ROUNDS = 2000  # of a game: void rounds bring nobody nearer


class GameFields(TypedDict):
    """What a game came to."""

    winner: Annotated[int, np.int64]
    points: Annotated[npt.NDArray[np.int64], np.int64, 2]
    rounds: Annotated[int, np.int64]
    won: Annotated[npt.NDArray[np.int64], np.int64, 2]  # rounds
    turns: Annotated[int, np.int64]


GAME_RESULT = record_type(GameFields)
GameResults: TypeAlias = npt.NDArray[np.void]


class Minds(NamedTuple):
    """What players think with: the weights of the judgements, and scratch paper."""

    weights: Weights
    features: Features
    quick: Weights
    quick_features: Features


def make_minds(weights: Weights, quick: Weights) -> Minds:
    """Return what players think with."""
    return Minds(weights, np.zeros(NUM_FEATURES), quick, np.zeros(quick.shape[2]))


@kernel
def choose(views: Views, v: int, rules: Rulebook, kind: int, minds: Minds, chance: Chance, stream: int) -> int:
    """Return what a player of a kind does; `montecarlo` is asked elsewhere (see `play_until`)."""
    if kind == SIMPLE:
        return choose_simple(views, v, rules, chance, stream)
    if kind == MARJJ:
        return choose_marjj(views, v, rules)
    if kind == TABLE:
        return choose_table(views, v, rules, minds.weights, minds.features)
    if kind == QUICK:
        return choose_quick(views, v, rules, minds.quick, minds.quick_features)
    return choose_random(views, v, rules, chance, stream)


@kernel
def play_round(
    rounds: Rounds, views: Views, rules: Rulebook, kinds: tuple[int, int], minds: Minds, chance: Chance
) -> None:
    """Play a round that has been dealt to its end."""
    while rounds[0]["phase"] != OVER:
        player = rounds[0]["current"]
        show(rounds, 0, views, 0, player)
        act(rounds, 0, rules, choose(views, 0, rules, kinds[player], minds, chance, player))


@kernel
def play_until(
    rounds: Rounds, views: Views, rules: Rulebook, kinds: tuple[int, int], minds: Minds, chance: Chance, action: int
) -> None:
    """Do an action (or none), and play on until `montecarlo` is to choose, and sees its view, or the round is over.

    Its kernels are compiled apart: who does not need them does not wait for them.
    """
    if action != NONE:
        act(rounds, 0, rules, action)
    while rounds[0]["phase"] != OVER:
        player = rounds[0]["current"]
        show(rounds, 0, views, 0, player)
        if kinds[player] == MONTECARLO:
            return
        act(rounds, 0, rules, choose(views, 0, rules, kinds[player], minds, chance, player))


@kernel
def begin_round(rounds: Rounds, rules: Rulebook, chance: Chance, numbers: tuple[int, int, int, int, int]) -> None:
    """Deal a round of `numbers` = (seed, game, round, starter, whether mirrored); its first one seats the players."""
    seed, game, number, starter, mirrored = numbers
    if number == 0:
        _seat(chance, seed, game, mirrored)
    deal_deck(rounds, 0, chance, seed, game, number)
    start_round(rounds, 0, rules, starter)


@kernel
def play_rounds(
    rules: Rulebook, kinds: tuple[int, int], minds: Minds, seed: int, first: int, results: npt.NDArray[np.int64]
) -> None:
    """Play single rounds from a number on; write the points of player 0 (negative: of player 1) for each."""
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    for place in range(len(results)):
        _seat(chance, seed, first + place, 0)
        deal_deck(rounds, 0, chance, seed, first + place, 0)
        start_round(rounds, 0, rules, (first + place) & 1)
        play_round(rounds, views, rules, kinds, minds, chance)
        r = rounds[0]
        results[place] = r["points"] if r["winner"] == 0 else -r["points"]


@kernel
def _seat(chance: Chance, seed: int, game: int, mirrored: int) -> None:
    for seat in range(2):
        chance[seat] = add_key(add_key(add_key(seed_key(seed), 1), 2 * game + mirrored), seat)


@kernel
def play_games(
    rules: Rulebook, kinds: tuple[int, int], minds: Minds, seed: int, first: int, mirrored: bool, results: GameResults
) -> None:
    """Play games to the target from a number on.

    Player 0 starts games of even numbers, mirrored those of odd ones; all rounds of a game and of its mirror image are
    the same deals, for who starts and for who deals. After a round that somebody won the other one starts.
    """
    rounds, views, chance = np.zeros(1, ROUND), np.zeros(1, VIEW), np.zeros(3, np.uint64)
    r = rounds[0]
    for place in range(len(results)):
        game, result = first + place, results[place]
        _seat(chance, seed, game, 1 if mirrored else 0)
        starter = (game & 1) ^ (1 if mirrored else 0)
        r["scores"][0] = r["scores"][1] = 0
        while max(r["scores"][0], r["scores"][1]) < rules[0]["target"] and result["rounds"] < MOST_ROUNDS:
            deal_deck(rounds, 0, chance, seed, game, result["rounds"])
            start_round(rounds, 0, rules, starter)
            play_round(rounds, views, rules, kinds, minds, chance)
            result["rounds"] += 1
            result["turns"] += r["num_turns"]
            if r["winner"] >= 0:
                r["scores"][r["winner"]] += r["points"]
                result["won"][r["winner"]] += 1
                starter = 1 - starter
        result["winner"] = 0 if r["scores"][0] > r["scores"][1] else 1 if r["scores"][1] > r["scores"][0] else -1
        for player in range(2):
            result["points"][player] = r["scores"][player]
