"""The bot `cheat`, compiled. `cheat` says what it does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import kernel, kernel_of_type
from handful.bots.ceilings.cheat_policy_kernel import candidates, usual_action
from handful.bots.kernel_types import CHOOSE
from handful.hanabi.kernels.game import act, legal_mask, score
from handful.hanabi.kernels.layout import MAX_DECK, ONGOING, PERFECT, Decks, Game, Games, Rulebook, Rulebooks
from handful.splitmix_jit import Chance, add_key, below, next_bits

WORLDS, CAUTION = range(2)
PERFECT_BONUS = 10  # points that a perfect game is worth beside its score


class Try(NamedTuple):
    """The arrays of a thought: a game to play on with, its deck, the cards in the deck, chance."""

    games: Games
    deck: Decks
    unseen: Decks
    chance: Chance


@kernel
def write_unseen(game: Game, rulebook: Rulebook, unseen: Decks) -> int:
    """Write the cards in the deck, in no order of theirs: all that are left and in no hand. Return how many."""
    size, count = wide(rulebook["hand_size"]), wide(0)
    left = np.zeros(rulebook["types"], np.int64)
    for card in range(rulebook["types"]):
        left[card] = game["left"][card]
    for seat in range(rulebook["players"]):
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            left[game["cards"][game["orders"][place]]] -= 1
    for card in range(rulebook["types"]):
        for _ in range(left[card]):
            unseen[count] = card
            count += 1
    return count


@kernel
def worth(trial: Try, rulebooks: Rulebooks, games: Games, g: int, count: int, world: np.uint64, action: int) -> int:
    """Return what comes of an action with the deck shuffled, if everybody then plays as usual."""
    trial.games[0] = games[g]
    game, rulebook, deck = trial.games[0], rulebooks[0], trial.deck
    trial.chance[0] = world
    top = wide(game["drawn"])
    for i in range(count):
        deck[top + i] = trial.unseen[i]
    for i in range(top, top + count - 1):
        j = i + below(trial.chance, 0, top + count - i)
        deck[i], deck[j] = deck[j], deck[i]
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
    trial = Try(
        games[g : g + 1].copy(), np.zeros(MAX_DECK, np.int8), np.zeros(MAX_DECK, np.int8), np.zeros(1, np.uint64)
    )
    count = write_unseen(games[g], rulebook, trial.unseen)
    key = next_bits(chance, seat)
    values = np.zeros((2, worlds), np.int64)
    most = wide(rulebook["max_score"]) + PERFECT_BONUS
    is_won = True
    for world in range(worlds):
        values[0, world] = worth(trial, rulebooks, games, g, count, add_key(key, world), usual)
        is_won = is_won and values[0, world] == most
    if is_won:
        return usual
    best, chosen = values[0].sum(), usual
    while others:
        action = lowest_bit(others)
        others &= others - 1
        for world in range(worlds):
            values[1, world] = worth(trial, rulebooks, games, g, count, add_key(key, world), action)
        total = values[1].sum()
        if total > best and is_surely_better(values[1], values[0], parameters[seat, CAUTION]):
            best, chosen = total, action
    return chosen
