"""Play-outs: games played on from a position, with all cards dealt, by a simple policy that sees no more than it may.

Two policies: the *informed random* player of Bergh et al. 2016, section 4, and the bot `rules`. Both look only at what
the seat to move would see, so that the cards need not be turned face down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import nth_bit, popcount, wide
from handful._jit import kernel
from handful._records import Ints
from handful.bots.settings import Settings
from handful.bots.shared.worlds_kernel import WORLD, deal_rest, draw_hand, fit_slot, gather_unseen
from handful.bots.simple.rules_kernel import PAPER, RULES, choose_by_rules
from handful.hanabi.kernels.game import legal_mask, note_hintable
from handful.hanabi.kernels.layout import MAX_DECK, Decks, Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.worth import playable_mask
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key, below, unit

INFORMED, RULES_OF_THUMB = range(2)  # the policies, as the choices of the setting `policy` have them
NO_LIMIT = 1 << 40  # of play-outs, where time is the limit


class Stage(NamedTuple):
    """The arrays of play-outs: one game, its deck, and what the policy of each seat needs.

    `policy[0]` says which one it is, `settings[0]` are those of the bot `rules`, `papers` are a record for each seat,
    and `chance` a counter. `worlds[0]` is what the seat to move cannot see, a record of type `World`.
    """

    games: Games
    rulebooks: Rulebooks
    deck: Decks
    policy: Ints
    papers: npt.NDArray[Any]
    settings: npt.NDArray[Any]
    chance: Chance
    worlds: npt.NDArray[Any]


@kernel
def set_stage(games: Games, g: int, rulebooks: Rulebooks, seat: int, policy: float, settings: Settings) -> Stage:
    """Return a stage with a game as it stands, a policy, and the settings of the bot `rules`."""
    stage = Stage(
        games[g : g + 1].copy(),
        rulebooks.copy(),
        np.zeros(MAX_DECK, np.int8),
        np.full(1, policy, np.int64),
        np.zeros(MAX_PLAYERS, PAPER),
        np.zeros(1, RULES),
        np.zeros(MAX_PLAYERS, np.uint64),
        np.zeros(1, WORLD),
    )
    stage.settings[0] = settings
    game, world, first = games[g], stage.worlds[0], seat * wide(rulebooks[0]["hand_size"])
    gather_unseen(world, game, rulebooks[0], seat)
    for slot in range(game["lengths"][seat]):
        fit_slot(world, slot, game["possible"][first + slot])
    return stage


@kernel
def enter_world(stage: Stage, games: Games, g: int, key: np.uint64, draws: int) -> None:
    """Lay a game on the stage, with the own hand and the next `draws` cards of the deck dealt by the chance of a key.

    All that fits the hints is equally likely. Nobody has notes of the game.
    """
    stage.games[0] = games[g]
    game, rulebook, seat, world = stage.games[0], stage.rulebooks[0], wide(games[g]["current"]), stage.worlds[0]
    first = seat * wide(rulebook["hand_size"])
    for other in range(MAX_PLAYERS):
        stage.chance[other] = add_key(key, other)
        for place in range(rulebook["hand_size"]):
            stage.papers[other]["places"][place] = 0
    draw_hand(world, stage.chance, seat)
    for slot in range(game["lengths"][seat]):
        game["cards"][game["orders"][first + slot]] = world["hand"][slot]
    note_hintable(game, rulebook, seat)
    deal_rest(world, stage.deck, wide(game["drawn"]), draws, stage.chance, seat)


@kernel
def informed_random(game: Game, rulebook: Rulebook, seat: int, chance: Chance) -> int:
    """Return what the informed random player does: any action, but for plays that the hints say must fail.

    If it comes to a play, slots of which more is known are preferred: the weight is 1 / (cards that the hints allow).
    """
    size, first = wide(rulebook["hand_size"]), seat * wide(rulebook["hand_size"])
    legal, playable = legal_mask(game, rulebook), playable_mask(game, rulebook)
    plays, total = wide(0), 0.0
    for slot in range(game["lengths"][seat]):
        possible = game["possible"][first + slot]
        if possible & playable:
            plays += 1
            total += 1.0 / popcount(possible)
    others = legal & ~(((wide(1) << size) - 1) << size)
    if plays + popcount(others) == 0:
        return size + below(chance, seat, wide(game["lengths"][seat]))  # no card can be played, but one must be
    number = below(chance, seat, plays + popcount(others))
    if number >= plays:
        return nth_bit(others, number - plays)
    left, chosen = total * unit(chance, seat), wide(0)
    for slot in range(game["lengths"][seat]):
        possible = game["possible"][first + slot]
        if possible & playable:
            chosen = slot
            left -= 1.0 / popcount(possible)
            if left < 0.0:
                break
    return size + chosen


@kernel
def policy_action(stage: Stage) -> int:
    """Return what the policy does in the game of the stage."""
    game, rulebook, seat = stage.games[0], stage.rulebooks[0], wide(stage.games[0]["current"])
    if stage.policy[0] == RULES_OF_THUMB:
        return choose_by_rules(game, rulebook, seat, stage.papers[seat], stage.settings[0], stage.chance)
    return informed_random(game, rulebook, seat, stage.chance)
