"""Games of the bot `learned` with itself, to learn from.

From one turn of each game other actions are tried, too, and played on from, with the same deck. So the network sees
what comes of actions that the bot would not take, beside what comes of its own in the same world.

Every turn kept is a sample: the inputs after it, as its player sees them, and a target. That is the λ-return: with V(t)
the network's chance after turn t, and 1 or 0 for V at the end,

    G(t) = (1 − λ) V(t + 1) + λ G(t + 1)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import wide
from handful._jit import kernel
from handful._records import Bytes, Floats, Ints
from handful.bots.conventions.conventions_kernel import note_view
from handful.bots.conventions.notes_kernel import PAPER, note_turn
from handful.bots.learned.choice_kernel import Desk, Mind, choose_action, judge, list_candidates, mind_in, set_desk
from handful.bots.learned.features_kernel import INPUTS
from handful.bots.shared.lost_kernel import is_hopeless
from handful.hanabi.kernels.game import act, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, MAX_ACTIONS, MAX_DECK, ONGOING, PERFECT, Games, Rulebook, Rulebooks
from handful.hanabi.rules import MAX_PLAYERS
from handful.splitmix_jit import Chance, add_key, below, seed_key, unit

LONGEST = 200  # turns of a game that are followed
LEARN_STREAM = 41  # the stream of what is tried and kept: (seed, LEARN_STREAM, number of the game)
DROPPED = -1
LEVELS = np.float32(255.0)  # inputs are kept as bytes


class Plan(NamedTuple):
    """What to play, and what to keep of it."""

    seed: int
    first: int  # number of the first deal
    games: int
    others: int  # other actions to try at one turn of a game,
    candidates: int  # of so many with the best scores,
    margin: float  # none of which is worse than the best by more points
    main_share: float  # share of the turns of a game that are kept
    other_share: float  # the same of the turns after another action; the first is always kept
    fade: float  # λ


class Samples(NamedTuple):
    """What is kept: bytes (samples, INPUTS), float32 (samples), and counts of games, perfect ones, others, samples."""

    inputs: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.float32]
    counts: Ints


class Line(NamedTuple):
    """A game as it is played: entry t is after so many turns, the turn noted."""

    games: Games
    papers: npt.NDArray[Any]  # records of type `Paper`; the last is scratch paper
    kept: Ints  # after turn t: the number of its sample, or DROPPED
    chances: Floats  # by the network
    deck: Bytes
    chance: Chance  # one counter, from which all chance comes
    length: Ints  # one number: after so many turns the line ends


@kernel
def empty_line() -> Line:
    """Return a line of no game."""
    return Line(
        np.zeros(LONGEST + 1, GAME),
        np.zeros(LONGEST + 2, PAPER),
        np.zeros(LONGEST + 1, np.int64),
        np.zeros(LONGEST + 1),
        np.zeros(MAX_DECK, np.int8),
        np.zeros(MAX_PLAYERS, np.uint64),
        np.zeros(1, np.int64),
    )


@kernel
def take(line: Line, rulebook: Rulebook, turn: int, action: int) -> None:
    """Take turn `turn` anew: what was there from it on is forgotten."""
    line.games[turn + 1] = line.games[turn]
    line.papers[turn + 1] = line.papers[turn]
    act(line.games[turn + 1], rulebook, line.deck, action)
    note_turn(line.games[turn + 1], rulebook, line.papers[turn + 1])


@kernel
def keep(desk: Desk, line: Line, rulebook: Rulebook, turn: int, mind: Mind, samples: Samples, is_kept: bool) -> None:
    """Judge the position after a turn, and keep its inputs as a sample."""
    desk.games[0], desk.papers[0] = line.games[turn], line.papers[turn]
    line.chances[turn] = judge(desk, rulebook, mind.network)
    line.kept[turn] = DROPPED
    if is_kept:
        number = samples.counts[3]
        for i in range(INPUTS):
            samples.inputs[number, i] = np.uint8(desk.inputs[i] * LEVELS + np.float32(0.5))
        line.kept[turn] = number
        samples.counts[3] += 1


@kernel
def play_on(
    desk: Desk, line: Line, rulebook: Rulebook, first: int, mind: Mind, samples: Samples, share: float, fade: float
) -> None:
    """Play on after turn `first`, until the game ends or cannot be perfect any more; keep this share of the turns.

    With a share below 0 the first turn is kept, whatever comes up, and this share, without its sign, of the others.
    """
    turn = first
    while turn < LONGEST and line.games[turn]["ending"] == ONGOING and not is_hopeless(line.games[turn], rulebook):
        is_kept = turn > 0 and ((share < 0.0 and turn == first) or unit(line.chance, 0) < abs(share))
        if turn > 0:
            keep(desk, line, rulebook, turn, mind, samples, is_kept)
        take(line, rulebook, turn, choose_action(desk, line.games[turn], rulebook, line.papers[turn], mind))
        turn += 1
    line.length[0] = turn
    target = 1.0 if line.games[turn]["ending"] == PERFECT else 0.0
    for t in range(turn - 1, max(first, 1) - 1, -1):
        if line.kept[t] != DROPPED:
            samples.targets[line.kept[t]] = target
        target = (1.0 - fade) * line.chances[t] + fade * target


@kernel
def try_others(desk: Desk, line: Line, rulebook: Rulebook, mind: Mind, plan: Plan, samples: Samples) -> None:
    """Try other actions at one turn of a line, and play on from each."""
    turn = below(line.chance, 0, line.length[0])
    game, paper = line.games[turn], line.papers[turn]
    taken = wide(line.games[turn + 1]["last_action"])
    note_view(game, rulebook, paper, wide(game["current"]))
    number = list_candidates(desk, game, rulebook, paper, mind.scores, plan.candidates, plan.margin)
    others, count = np.zeros(MAX_ACTIONS, np.int64), 0
    for i in range(number):
        if desk.actions[i] != taken:
            others[count] = desk.actions[i]
            count += 1
    for _ in range(min(plan.others, count)):
        i = below(line.chance, 0, count)
        count -= 1
        action = others[i]
        others[i] = others[count]
        take(line, rulebook, turn, action)
        play_on(desk, line, rulebook, turn + 1, mind, samples, -plan.other_share, plan.fade)
        samples.counts[2] += 1


@kernel
def generate(rulebooks: Rulebooks, row: Floats, plan: Plan, samples: Samples) -> None:
    """Play the games of a plan with the parameters of a bot, as long as there is room for samples."""
    rulebook, line = rulebooks[0], empty_line()
    mind = mind_in(row, rulebook)
    desk = set_desk(mind.network)
    for number in range(plan.first, plan.first + plan.games):
        if samples.counts[3] + (plan.others + 1) * LONGEST > len(samples.targets):
            return
        shuffle_deck(line.deck, rulebook, plan.seed, number, line.chance)
        line.chance[0] = add_key(add_key(seed_key(plan.seed), LEARN_STREAM), number)
        start(line.games[0], rulebook, line.deck, 0)
        line.papers[0]["turn"] = 0
        play_on(desk, line, rulebook, 0, mind, samples, plan.main_share, plan.fade)
        samples.counts[0] += 1
        samples.counts[1] += line.games[line.length[0]]["ending"] == PERFECT
        if plan.others:
            try_others(desk, line, rulebook, mind, plan, samples)
