"""The bot `cheat`, compiled. `cheat` says what it does."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful.bots.ceilings.cheat_policy_kernel import candidates, usual_action
from handful.bots.kernel_types import CHOOSE
from handful.bots.shared.worlds_kernel import WORLD, deal_rest, gather_unseen
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import MAX_DECK, ONGOING, PERFECT, Decks, Games, Rulebooks
from handful.splitmix_jit import Chance, add_key, next_bits

WORLDS, CAUTION = range(2)
NOBODY = -1  # the seat from which all hands are seen
PERFECT_BONUS = 10  # points that a perfect game is worth beside its score


class Try(NamedTuple):
    """The arrays of a thought: a game to play on with, its deck, what nobody sees, chance."""

    games: Games
    deck: Decks
    worlds: npt.NDArray[Any]
    chance: Chance


@kernel
def worth(trial: Try, rulebooks: Rulebooks, games: Games, g: int, key: np.uint64, action: int) -> int:
    """Return what comes of an action with the deck shuffled, if everybody then plays as usual."""
    trial.games[0] = games[g]
    game, rulebook, deck = trial.games[0], rulebooks[0], trial.deck
    trial.chance[0] = key
    deal_rest(trial.worlds[0], deck, wide(game["drawn"]), MAX_DECK, trial.chance, 0)
    act(game, rulebook, deck, action)
    while game["ending"] == ONGOING:
        act(game, rulebook, deck, usual_action(game, rulebook, legal_mask(game, rulebook)))
    return score(game, rulebook) + PERFECT_BONUS * wide(game["ending"] == PERFECT)


@kernel
def is_surely_better(mine: npt.NDArray[np.int64], usual: npt.NDArray[np.int64], caution: float) -> bool:
    """Whether an action is better than the usual one by more than luck, in the same worlds.

    The sum of n differences d is by luck alone about √(Σ d²) from 0.
    """
    total, squares = wide(0), wide(0)
    for world in range(len(mine)):
        difference = mine[world] - usual[world]
        total += difference
        squares += difference * difference
    return total > 0 and total > caution * np.sqrt(squares)


@kernel_of_type(CHOOSE)
def choose(
    games: Games,
    g: int,
    rulebooks: Rulebooks,
    seat: int,
    _memory: object,
    parameters: npt.NDArray[np.float64],
    chance: Chance,
) -> int:
    """Return the usual action, or one that is surely better in decks shuffled at random."""
    rulebook, legal = rulebooks[0], legal_mask(games[g], rulebooks[0])
    usual = usual_action(games[g], rulebook, legal)
    worlds = wide(parameters[seat, WORLDS])
    others = candidates(games[g], rulebook, legal) & ~(wide(1) << usual)
    if worlds == 0 or others == 0:
        return usual
    trial = Try(games[g : g + 1].copy(), np.zeros(MAX_DECK, np.int8), np.zeros(1, WORLD), np.zeros(1, np.uint64))
    gather_unseen(trial.worlds[0], games[g], rulebook, NOBODY)
    key = next_bits(chance, seat)
    values = np.zeros((2, worlds), np.int64)
    most = wide(rulebook["max_score"]) + PERFECT_BONUS
    is_won = True
    for world in range(worlds):
        values[0, world] = worth(trial, rulebooks, games, g, add_key(key, world), usual)
        is_won = is_won and values[0, world] == most
    if is_won:
        return usual
    best, chosen = values[0].sum(), usual
    while others:
        action = lowest_bit(others)
        others &= others - 1
        for world in range(worlds):
            values[1, world] = worth(trial, rulebooks, games, g, add_key(key, world), action)
        total = values[1].sum()
        if total > best and is_surely_better(values[1], values[0], parameters[seat, CAUTION]):
            best, chosen = total, action
    return chosen
