"""Many games at once: an array of records, stepped together. `games` may be read freely; actions are checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from handful._bits import nth_bit, popcount
from handful._jit import kernel
from handful.errors import IllegalActionError, RulesError
from handful.hanabi.kernels.bridge import deck_from_cards, game_from_state
from handful.hanabi.kernels.game import act, legal_mask, score, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, MAX_DECK, ONGOING, Decks, Games, Rulebooks, rulebook_of
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.splitmix import BOT_STREAM
from handful.splitmix_jit import Chance, add_key, below, seed_key


class Batch:
    """N games of the same rules, as arrays.

    >>> batch = Batch.from_seed(Rules(players=3), seed=0, count=1000)
    >>> batch.legal_masks().shape, batch.games["hints"].mean()
    ((1000,), np.float64(8.0))
    """

    def __init__(self, rules: Rules, games: Games, decks: Decks) -> None:
        self.rules, self.games, self.decks = rules, games, decks
        self._rulebooks = rulebook_of(rules)

    @staticmethod
    def from_seed(rules: Rules, seed: int, count: int, first: int = 0) -> Batch:
        """Return the games of deals first, …, first + count − 1 of a seed."""
        batch = Batch(rules, np.zeros(count, GAME), np.zeros((count, MAX_DECK), np.int8))
        _deal_all(batch.games, batch._rulebooks, batch.decks, seed, first, np.zeros(1, np.uint64))
        return batch

    @staticmethod
    def from_states(states: Sequence[State]) -> Batch:
        """Return these games, which may be in the middle, and must have the same rules."""
        rules = states[0].rules
        if any(state.rules != rules for state in states):
            raise RulesError("the games of a batch must have the same rules")
        games = np.concatenate([game_from_state(state) for state in states])
        return Batch(rules, games, np.stack([deck_from_cards(rules, state.deal.deck) for state in states]))

    def legal_masks(self) -> npt.NDArray[np.int64]:
        """Return for each game the mask of the legal action numbers; 0 where it is over."""
        masks = np.zeros(len(self.games), np.int64)
        _legal_masks(self.games, self._rulebooks, masks)
        return masks

    def act(self, actions: npt.ArrayLike) -> None:
        """Carry out one action number in each game that is not over (what is given for the others does not matter)."""
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != self.games.shape:
            raise IllegalActionError(f"actions of shape {numbers.shape} for {len(self.games)} games")
        wrong = int(_act_all(self.games, self._rulebooks, self.decks, numbers))
        if wrong >= 0:
            raise IllegalActionError(f"game {wrong}: action number {numbers[wrong]} is illegal; no game was changed")

    @property
    def is_over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended."""
        return np.asarray(self.games["ending"] != ONGOING)

    def scores(self) -> npt.NDArray[np.int64]:
        """Return the score of each game if it ended now."""
        scores = np.zeros(len(self.games), np.int64)
        _scores(self.games, self._rulebooks, scores)
        return scores

    def copy(self) -> Batch:
        """Return a copy that goes its own way."""
        return Batch(self.rules, self.games.copy(), self.decks.copy())


@kernel
def _deal_all(games: Games, rulebooks: Rulebooks, decks: Decks, seed: int, first: int, chance: Chance) -> None:
    for g in range(len(games)):
        shuffle_deck(decks[g], rulebooks[0], seed, first + g, chance)
        start(games[g], rulebooks[0], decks[g], 0)


@kernel
def _legal_masks(games: Games, rulebooks: Rulebooks, masks: npt.NDArray[np.int64]) -> None:
    for g in range(len(games)):
        masks[g] = legal_mask(games[g], rulebooks[0])


@kernel
def _act_all(games: Games, rulebooks: Rulebooks, decks: Decks, actions: npt.NDArray[np.int64]) -> int:
    """Act in all games, or in none: return the first game whose action is illegal, or −1."""
    for g in range(len(games)):
        if games[g]["ending"] == ONGOING:
            is_number = 0 <= actions[g] < rulebooks[0]["num_actions"]
            if not is_number or not legal_mask(games[g], rulebooks[0]) >> actions[g] & 1:
                return g
    for g in range(len(games)):
        if games[g]["ending"] == ONGOING:
            act(games[g], rulebooks[0], decks[g], actions[g])
    return -1


@kernel
def _scores(games: Games, rulebooks: Rulebooks, scores: npt.NDArray[np.int64]) -> None:
    for g in range(len(games)):
        scores[g] = score(games[g], rulebooks[0])


@kernel
def _random_games(
    games: Games, rulebooks: Rulebooks, deck: Decks, chance: Chance, seed: int, first: int, scores: npt.NDArray[np.int8]
) -> int:
    turns = 0
    game, rulebook = games[0], rulebooks[0]
    for i in range(len(scores)):
        shuffle_deck(deck, rulebook, seed, first + i, chance)
        start(game, rulebook, deck, 0)
        chance[0] = add_key(add_key(seed_key(seed), BOT_STREAM), first + i)
        while game["ending"] == ONGOING:
            mask = legal_mask(game, rulebook)
            act(game, rulebook, deck, nth_bit(mask, below(chance, 0, popcount(mask))))
        scores[i] = score(game, rulebook)
        turns += game["turn"]
    return turns


def random_games(rules: Rules, seed: int, count: int, first: int = 0) -> tuple[npt.NDArray[np.int8], int]:
    """Return the scores of games of random legal actions, and their turns: the engine with nothing around it."""
    scores = np.zeros(count, np.int8)
    turns = _random_games(
        np.zeros(1, GAME),
        rulebook_of(rules),
        np.zeros(MAX_DECK, np.int8),
        np.zeros(1, np.uint64),
        seed,
        first,
        scores,
    )
    return scores, int(turns)
