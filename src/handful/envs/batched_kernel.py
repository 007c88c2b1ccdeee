"""Many games stepped at once: act, deal anew where a game has ended, write observations and legal actions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import nth_bit, popcount, wide
from handful._jit import kernel
from handful.envs.encoder_kernel import encode
from handful.envs.reward_kernel import Weights, act_for_reward
from handful.hanabi.kernels.game import legal_mask, score, seat_chance, shuffle_deck, start
from handful.hanabi.kernels.layout import ONGOING, Decks, Games, Rulebooks
from handful.splitmix_jit import Chance, below

ALL_LEGAL = -1


class Slots(NamedTuple):
    """The games of a batch, a slot each: `numbers` says which deal of the seed is played there.

    `has_regained` (bool) says whether the last turn brought a hint token back; `chance` (uint64, a row of MAX_PLAYERS)
    has the streams of the bots.
    """

    games: Games
    decks: Decks
    numbers: npt.NDArray[np.int64]
    has_regained: npt.NDArray[np.bool_]
    chance: npt.NDArray[np.uint64]


class Outputs(NamedTuple):
    """What a step writes, a row for each slot: see `batched.BatchedEnv`."""

    observations: npt.NDArray[Any]
    legal: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    scores: npt.NDArray[np.int64]
    seats: npt.NDArray[np.int64]


@kernel
def act_all(slots: Slots, rulebooks: Rulebooks, actions: npt.NDArray[np.int64], weights: Weights, out: Outputs) -> int:
    """Act in every slot, or in none: return the first slot whose action is illegal, or ALL_LEGAL."""
    games, rulebook = slots.games, rulebooks[0]
    for g in range(len(games)):
        is_number = 0 <= actions[g] < rulebook["num_actions"]
        if not is_number or not legal_mask(games[g], rulebook) >> actions[g] & 1:
            return g
    for g in range(len(games)):
        hints = games[g]["hints"]
        out.rewards[g] = act_for_reward(games[g], rulebook, slots.decks[g], actions[g], weights)
        slots.has_regained[g] = games[g]["hints"] > hints
        out.terminated[g] = False
    return ALL_LEGAL


@kernel
def deal_anew(slots: Slots, rulebooks: Rulebooks, seed: int, is_dealt: npt.NDArray[np.bool_]) -> None:
    """Start the next deal of the seed in the slots that are marked. Slot g of n plays deals g, g + n, g + 2n, …

    The bots' chance is that of the lab: game i of the seed is the same game there.
    """
    for g in range(len(is_dealt)):
        if is_dealt[g]:
            number = slots.numbers[g]
            shuffle_deck(slots.decks[g], rulebooks[0], seed, number, slots.chance[g])
            start(slots.games[g], rulebooks[0], slots.decks[g], 0)
            slots.has_regained[g] = False
            seat_chance(slots.chance[g], seed, number, 0)
            slots.numbers[g] += len(is_dealt)


@kernel
def start_again(slots: Slots, starts: Slots, seed: int, is_dealt: npt.NDArray[np.bool_]) -> None:
    """Put the slots that are marked back to where they are to start from; only the bots' chance is another."""
    for g in range(len(is_dealt)):
        if is_dealt[g]:
            slots.games[g] = starts.games[g]
            slots.decks[g] = starts.decks[g]
            slots.has_regained[g] = starts.has_regained[g]
            seat_chance(slots.chance[g], seed, slots.numbers[g], 0)
            slots.numbers[g] += len(is_dealt)


@kernel
def note_ends(slots: Slots, rulebooks: Rulebooks, out: Outputs, is_over: npt.NDArray[np.bool_]) -> int:
    """Mark the slots whose game is over, keep its score, and return how many there are."""
    ended = 0
    for g in range(len(slots.games)):
        is_over[g] = slots.games[g]["ending"] != ONGOING
        if is_over[g]:
            ended += 1
            out.terminated[g] = True
            out.scores[g] = score(slots.games[g], rulebooks[0])
    return ended


@kernel
def observe_all(slots: Slots, rulebooks: Rulebooks, out: Outputs) -> None:
    """Write for every slot what the player to move sees, who that is, and which actions are legal."""
    for g in range(len(slots.games)):
        seat = wide(slots.games[g]["current"])
        out.seats[g] = seat
        encode(slots.games, g, rulebooks, seat, slots.has_regained[g], out.observations[g])
        mask = legal_mask(slots.games[g], rulebooks[0])
        for action in range(out.legal.shape[1]):
            out.legal[g, action] = mask >> action & 1


@kernel
def choose_any(slots: Slots, rulebooks: Rulebooks, chance: Chance, actions: npt.NDArray[np.int64]) -> None:
    """Write a random legal action for every slot."""
    for g in range(len(actions)):
        mask = legal_mask(slots.games[g], rulebooks[0])
        actions[g] = nth_bit(mask, below(chance, 0, popcount(mask)))
