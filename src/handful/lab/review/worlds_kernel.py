"""Worlds that fit a view, and the rest of the game played out in each, by a team of compiled bots.

A *world* deals the own hand and the deck, which the seat to move cannot see, so that they fit the hints and the cards
in sight. All such deals are equally likely, but for what was kept: of k cards that could have been played and were not,
a world has the weight (1 − doubt)^k. World number w of a question is a function of its key and w alone: all actions are
tried in the same worlds, and a larger budget begins with the worlds of the smaller one.

The team takes up the game where it stands, with what the hints literally say: nobody has followed the turns before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import float64, from_dtype, int8, int64, types, uint64, void

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Bytes, Ints
from handful.bots.kernel_types import GAMES_TYPE, RULES_TYPE
from handful.bots.shared.worlds_kernel import WORLD, deal_rest, draw_hand, fit_slot, gather_unseen
from handful.bots.table_kernel import SEATED, TABLES, Seated, Tables, act, show_hand, take_turn, tell
from handful.hanabi.kernels.game import score
from handful.hanabi.kernels.layout import MAX_DECK, ONGOING, Games, Rulebooks
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key, unit

LITERAL, TRUSTING = range(2)  # the two views of a position, by their place in `views`
MOST_TURNS = 400  # of a play-out: only games without a last round may take longer
MOST_DRAWS = 200  # of a hand that is not given up for what was kept; hardly ever more than thirty

VIEWS_TYPE = types.Array(from_dtype(WORLD), 1, "C")


class Question(NamedTuple):
    """A position to play on from: `games[0]` as its mover sees it, and what the mover cannot see.

    `views` are two records of type `World`: what the hints leave possible; and the same, but that the card used is what
    its user must have known it to be. `trust` is the chance with which a world is drawn from the second. `doubt` is the
    chance that a card which can be played is not kept: `playable` are those cards, `kept` the own slots, as masks.
    """

    games: Games
    views: npt.NDArray[np.void]
    key: np.uint64
    trust: float
    doubt: float
    playable: int
    kept: int


QUESTION = types.NamedTuple((GAMES_TYPE, VIEWS_TYPE, uint64, float64, float64, int64, int64), Question)


@kernel_of_type(void(GAMES_TYPE, RULES_TYPE, VIEWS_TYPE, int64, int64))
def look(games: Games, rulebooks: Rulebooks, views: npt.NDArray[np.void], slot: int, known: int) -> None:
    """Write what the seat to move cannot see into both views; in the second, a slot is one of the known cards."""
    game, rulebook = games[0], rulebooks[0]
    seat = wide(game["current"])
    for view in range(2):
        gather_unseen(views[view], game, rulebook, seat)
        for each in range(game["lengths"][seat]):
            possible = game["possible"][seat * wide(rulebook["hand_size"]) + each]
            if view == TRUSTING and each == slot:
                possible &= known
            fit_slot(views[view], each, possible)


@kernel
def draw_kept(question: Question, view: int, chance: Chance) -> bool:
    """Draw a hand that may have been kept; return whether there is one.

    A hand that fits, with k cards that could have been played, is taken with probability (1 − doubt)^k.
    """
    for _ in range(MOST_DRAWS):
        if not draw_hand(question.views[view], chance, 0):
            return False
        share, rest = 1.0, question.kept
        while rest:
            if question.playable >> wide(question.views[view]["hand"][lowest_bit(rest)]) & 1:
                share *= 1.0 - question.doubt
            rest &= rest - 1
        if share == 1.0 or unit(chance, 0) < share:
            return True
    return True


@kernel
def deal_world(question: Question, tables: Tables, number: int, deck: Bytes) -> bool:
    """Lay world `number` of a question into a deck; return whether there is one."""
    game, chance = question.games[0], tables.chance[0]
    seat = wide(game["current"])
    chance[0] = add_key(add_key(question.key, number), MAX_PLAYERS)
    view = TRUSTING if unit(chance, 0) < question.trust else LITERAL
    if not draw_kept(question, view, chance):
        view = LITERAL
        if not draw_kept(question, view, chance):
            return False
    for order in range(game["drawn"]):
        deck[order] = game["cards"][order]
    first = seat * wide(tables.rulebooks[0]["hand_size"])
    for slot in range(game["lengths"][seat]):
        deck[game["orders"][first + slot]] = question.views[view]["hand"][slot]
    deal_rest(question.views[view], deck, wide(game["drawn"]), MAX_DECK, chance, 0)
    return True


@inlined_kernel
def take_up(seated: Seated, tables: Tables) -> None:
    """Let all bots take note of the game as it stands, of which they know no more than what lies open.

    The turns are counted from 2 on, as no bot is to think that it was there from the start.
    """
    tables.memory[0, :, : tables.notes_words] = 0
    tables.games[0]["turn"] = max(2, tables.games[0]["turn"])
    tell(seated, tables, 0)


@kernel
def play_out(seated: Seated, tables: Tables, question: Question, number: int, action: int) -> int:
    """Return the score of the game that lies on the table as a world, after an action taken for what it shows."""
    tables.games[0] = question.games[0]
    game, rulebook = tables.games[0], tables.rulebooks[0]
    show_hand(game, rulebook, wide(game["current"]), tables.decks[0])
    for seat in range(MAX_PLAYERS):
        tables.chance[0, seat] = add_key(add_key(question.key, number), seat)
    act(tables, 0, action)
    if game["ending"] == ONGOING:
        take_up(seated, tables)
    for _ in range(MOST_TURNS):
        if game["ending"] != ONGOING:
            break
        take_turn(seated, tables, 0)
    return wide(score(game, rulebook))


@kernel_of_type(void(SEATED, TABLES, QUESTION, int64[::1], int64, int8[:, ::1]))
def try_actions(seated: Seated, tables: Tables, question: Question, actions: Ints, first: int, scores: Bytes) -> None:
    """Write the score after each action (row) in each of the worlds from number `first` on (column); −1: no world."""
    deck = np.zeros(MAX_DECK, np.int8)
    for column in range(scores.shape[1]):
        if not deal_world(question, tables, first + column, deck):
            for row in range(len(actions)):
                scores[row, column] = -1
            continue
        for row in range(len(actions)):
            for place in range(MAX_DECK):
                tables.decks[0, place] = deck[place]
            scores[row, column] = play_out(seated, tables, question, first + column, actions[row])
