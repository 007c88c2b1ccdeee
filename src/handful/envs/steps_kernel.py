"""Games that are stepped from outside, one or many, each at a table of its own: what happens in a step.

Bots may sit in some of the seats: they move until somebody else is to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import boolean, float32, float64, int64

from handful._bits import nth_bit, popcount, wide
from handful._jit import borrowing_kernel, kernel, kernel_of_type
from handful._records import Ints
from handful.bots.table_kernel import (
    ILLEGAL,
    SEATED,
    TABLES,
    Seated,
    Seats,
    Tables,
    act,
    deal_game,
    empty_tables,
    is_legal,
    take_turn,
    tell,
)
from handful.envs.encoder_kernel import observe
from handful.envs.reward_kernel import Weights, reward_since, standing
from handful.hanabi.actions import action_index
from handful.hanabi.kernels.bridge import deck_from_cards, game_from_state
from handful.hanabi.kernels.game import legal_mask, score, seat_chance
from handful.hanabi.kernels.layout import ONGOING
from handful.hanabi.state import State
from handful.splitmix_jit import Chance, below

ALL_LEGAL = -1

Flags = npt.NDArray[np.bool_]
Rewards = npt.NDArray[Any]


class Outputs(NamedTuple):
    """What a step writes, a row for each game: see `batched.BatchedEnv`."""

    observations: npt.NDArray[Any]
    legal: Flags
    rewards: npt.NDArray[np.float32]
    terminated: Flags
    scores: Ints
    seats: Ints


# Turns


@borrowing_kernel
def act_all(tables: Tables, actions: Ints, weights: Weights, rewards: Rewards) -> int:
    """Act in every game, or in none: return the first one whose action is illegal, or ALL_LEGAL."""
    for g in range(len(actions)):
        if not is_legal(tables.games[g], tables.rulebooks[0], actions[g]):
            return g
    for g in range(len(actions)):
        before = standing(tables, g, weights)
        act(tables, g, actions[g])
        rewards[g] = reward_since(before, tables, g, weights)
    return ALL_LEGAL


@kernel_of_type(int64(SEATED, TABLES, boolean[::1], boolean, float64[::1], float32[::1]), borrows=True)
def let_bots_move(
    seated: Seated, tables: Tables, is_asked: Flags, has_acted: bool, weights: Weights, rewards: Rewards
) -> int:
    """Let the bots move in the games that are marked, until somebody else is to move or the game ends.

    With `has_acted`, somebody else has just made a turn there, which the bots observe first. Returns the first game
    with an illegal choice, or ALL_LEGAL.
    """
    for g in range(len(is_asked)):
        if not is_asked[g]:
            continue
        if has_acted:
            tell(seated, tables, g)
        game = tables.games[g]
        while game["ending"] == ONGOING and seated.bots_mask >> game["current"] & 1:
            before = standing(tables, g, weights)
            take_turn(seated, tables, g)
            rewards[g] += reward_since(before, tables, g, weights)
        if game["ending"] == ILLEGAL:
            return g
    return ALL_LEGAL


@borrowing_kernel
def choose_any(tables: Tables, chance: Chance, actions: Ints) -> None:
    """Write a random legal action for every game."""
    for g in range(len(actions)):
        mask = legal_mask(tables.games[g], tables.rulebooks[0])
        actions[g] = nth_bit(mask, below(chance, 0, popcount(mask)))


# Starts and ends


@borrowing_kernel
def deal_anew(tables: Tables, seed: int, numbers: Ints, is_dealt: Flags) -> None:
    """Start the next deal of the seed at the tables that are marked. Table g of n plays deals g, g + n, g + 2n, …

    The bots' chance is that of the lab: game i of the seed is the same game there.
    """
    for g in range(len(is_dealt)):
        if is_dealt[g]:
            deal_game(tables, g, seed, numbers[g], 0)
            numbers[g] += len(is_dealt)


@kernel
def start_again(tables: Tables, starts: Tables, seed: int, numbers: Ints, is_dealt: Flags) -> None:
    """Put the tables that are marked back to where they are to start from; only the bots' chance is another."""
    for g in range(len(is_dealt)):
        if is_dealt[g]:
            origin = g % len(starts.games)
            tables.games[g] = starts.games[origin]
            tables.decks[g] = starts.decks[origin]
            tables.memory[g] = starts.memory[origin]
            tables.hints_before[g] = starts.hints_before[origin]
            seat_chance(tables.chance[g], seed, numbers[g], 0)
            numbers[g] += len(is_dealt)


def tables_from_states(states: Sequence[State], seats: Seats | None = None) -> Tables:
    """Return tables with these games on them. Bots that take notes have observed the turns that led there."""
    rules = states[0].rules
    tables = empty_tables(rules, len(states)) if seats is None else seats.tables(rules, len(states))
    for g, state in enumerate(states):
        past = state.copy()
        for _ in state.history:
            past.undo()
        tables.games[g] = game_from_state(past)[0]
        tables.decks[g] = deck_from_cards(rules, state.deal.deck)
        tables.hints_before[g] = tables.games[g]["hints"]
        for turn in state.history:
            act(tables, g, action_index(rules, turn.actor, turn.action))
            if seats is not None:
                tell(seats.seated, tables, g)
    return tables


@borrowing_kernel
def note_ends(tables: Tables, out: Outputs, is_over: Flags) -> int:
    """Mark the games that are over, keep their scores, and return how many there are."""
    ended = 0
    for g in range(len(is_over)):
        is_over[g] = out.terminated[g] = tables.games[g]["ending"] != ONGOING
        if is_over[g]:
            ended += 1
            out.scores[g] = score(tables.games[g], tables.rulebooks[0])
    return ended


# Observations


@borrowing_kernel
def observe_all(tables: Tables, out: Outputs) -> None:
    """Write for every game what the player to move sees, who that is, and which actions are legal."""
    for g in range(len(tables.games)):
        seat = wide(tables.games[g]["current"])
        out.seats[g] = seat
        observe(tables, g, seat, out.observations[g], out.legal[g])


@borrowing_kernel
def observe_one(tables: Tables, seat: int, row: npt.NDArray[Any], legal: npt.NDArray[Any]) -> None:
    """Write what a seat sees of the first game, and which actions it has."""
    observe(tables, 0, seat, row, legal)
