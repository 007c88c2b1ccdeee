"""Deals decided in kernels, from the shuffled deck to a line of legal actions replayed by the compiled rules.

The stages, cheap first: the merged relaxation, which proves losses; then beams of growing width, which find lines.
What is left after them is for others.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Ints, SmallInts
from handful.hanabi.kernels.game import act, legal_mask, shuffle_deck, start
from handful.hanabi.kernels.layout import GAME, MAX_DECK, ONGOING, PERFECT, Decks, Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.layout import UNLIMITED as UNLIMITED_TOKENS
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.playability.deals.kernels.beam import (
    HINT,
    MAX_TURNS,
    MOST_SCORE,
    NODE,
    OUTCOME,
    PLAY,
    TRASH,
    Beams,
    Guide,
    Nodes,
    Outcome,
    line_of,
    search,
)
from handful.playability.deals.kernels.relaxation import (
    CACHE_SIZE,
    EFFORT,
    FRAME,
    IMPOSSIBLE,
    MAX_BLANKS,
    NEVER,
    REMEMBERED,
    Position,
    least_discards,
    slack_of,
)
from handful.splitmix_jit import Chance

# What decided a deal: nothing yet, the relaxation (by pace or by capacity), a search that left nothing out, or the beam
# of stage s, as BEAM + s.
UNDECIDED, PACE, CAPACITY, EXHAUSTED, BEAM = range(5)

LAST_QUESTION = (1 << 24) - 1  # the keys of the relaxation have room for these
PROOF_EFFORT = 200_000  # choices that the relaxation may try at the start, where it is a proof


Guides: TypeAlias = MutableSequence[Guide]


class Workspace(NamedTuple):
    """The arrays in which deals of the same rules are decided, one after the other."""

    position: Position
    beams: Beams
    root: Nodes  # the position that is asked about
    outcomes: MutableSequence[Outcome]  # one: of the last search
    moves: SmallInts
    games: Games  # one: the game that is asked about, and then replayed
    deck: Decks
    line: Decks  # action numbers of the line that was replayed
    turns: Ints  # how many of them there are
    chance: Chance


def records(count: int, kind: np.dtype[Any]) -> Any:
    """Return so many records of a type, all of whose fields are 0."""
    return np.zeros(count, kind)


def workspace(rules: Rules, width: int, turns: int = MAX_TURNS) -> Workspace:
    """Return the arrays for beams of at most this width, and lines of at most so many turns."""
    moves = (
        rules.hand_size + min(rules.hand_size, rules.variant.num_suits) + 1 + rules.deck_plays
    )  # of a node: throws, plays, …
    found = (width * rules.players + 1) * moves  # in the free game any player may be next
    position = Position(
        records(1, FRAME),
        np.zeros(MAX_DECK + MAX_BLANKS, np.int64),
        np.zeros(MAX_DECK + MAX_BLANKS + 1, np.int64),
        records(CACHE_SIZE, REMEMBERED),
        records(1, EFFORT),
    )
    beams = Beams(
        records(width, NODE),
        records(found, NODE),
        np.zeros(1 << (2 * found).bit_length(), np.int32),
        np.zeros((turns, width), np.int32),
        np.zeros((turns, width), np.int32),
        np.zeros(MOST_SCORE + 1, np.int64),
        np.zeros(1, np.int64),
    )
    return Workspace(
        position,
        beams,
        records(1, NODE),
        records(1, OUTCOME),
        np.zeros(MAX_TURNS, np.int32),
        np.zeros(1, GAME),
        np.zeros(MAX_DECK, np.int8),
        np.zeros(MAX_TURNS, np.int8),
        np.zeros(1, np.int64),
        np.zeros(1, np.uint64),
    )


@inlined_kernel
def ask_anew(position: Position) -> None:
    """Give the question a number of its own, so that nothing is remembered of the ones before."""
    effort = position.efforts[0]
    effort["question"] = effort["question"] % LAST_QUESTION + 1
    if effort["question"] == 1:
        for place in range(len(position.cache)):
            position.cache[place]["key"] = 0


@kernel
def set_up(work: Workspace, game: Game, rulebook: Rulebook, deck: Decks) -> None:
    """Write a game as the search sees it."""
    position, root, frame = work.position, work.root[0], work.position.frames[0]
    values, size = wide(rulebook["values"]), wide(rulebook["hand_size"])
    frame["cards"], frame["players"], frame["hand_size"] = rulebook["deck_size"], rulebook["players"], size
    frame["all_mask"], frame["values"], frame["max_hints"] = rulebook["all_mask"], values, rulebook["max_hints"]
    is_free = rulebook["discard_at_max"] or rulebook["players"] == 1 or rulebook["max_hints"] == UNLIMITED_TOKENS
    frame["discard_at_max"], frame["free_hints"] = is_free, 0
    first, played = wide(0), wide(0)
    for suit in range(rulebook["suits"]):
        first |= wide(1) << suit * values
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * values
    frame["first_mask"] = first
    frame["bonus_mask"] = first << values - 1 if rulebook["bonus_hint"] else 0
    frame["orange_mask"], frame["hint_cost"] = 0, 1
    frame["last_turns"], frame["deck_play_at"] = rulebook["players"], NEVER
    position.rest[frame["cards"]] = 0
    for place in range(frame["cards"] - 1, -1, -1):
        position.deck[place] = deck[place]
        position.rest[place] = position.rest[place + 1] | wide(1) << deck[place]
    ask_anew(position)
    for seat in range(MAX_PLAYERS):
        root["hands"][seat] = 0
    for seat in range(rulebook["players"]):
        for place in range(seat * size, seat * size + game["lengths"][seat]):
            root["hands"][seat] |= wide(1) << game["cards"][game["orders"][place]] & ~played
    root["played"], root["drawn"], root["hints"] = played, game["drawn"], game["hints"]
    root["current"], root["turns_left"] = game["current"], game["turns_left"]


@kernel
def refute(work: Workspace) -> int:
    """Return PACE or CAPACITY if even the merged relaxation cannot win, and UNDECIDED if it can."""
    position, root = work.position, work.root[0]
    union = wide(0)
    for seat in range(position.frames[0]["players"]):
        union |= root["hands"][seat]
    drawn, played = wide(root["drawn"]), root["played"]
    position.efforts[0]["left"] = PROOF_EFFORT
    discards = least_discards(position, drawn, played, union)
    if discards >= IMPOSSIBLE:
        return CAPACITY
    return PACE if discards > slack_of(position.frames[0], drawn, played, wide(root["turns_left"])) else UNDECIDED


@kernel
def run_stage(work: Workspace, guide: Guide) -> bool:
    """Search from the root with a beam; return whether it wins. The workspace has the outcome and the moves."""
    work.beams.beam[0] = work.root[0]
    search(work.position, work.beams, guide, work.outcomes[0])
    line_of(work.beams, work.outcomes[0], work.moves)
    return bool(work.outcomes[0]["turns"] > 0)


@kernel
def run_stages(work: Workspace, stages: Guides, positions: Ints) -> int:
    """Return what decides the position set up, by the relaxation and then by beams; UNDECIDED if none of them does.

    positions[0] is increased by those looked at.
    """
    method = refute(work)
    if method != UNDECIDED:
        return method
    frame, outcome = work.position.frames[0], work.outcomes[0]
    for stage in range(len(stages)):
        is_won = run_stage(work, stages[stage])
        positions[0] += outcome["looked_at"]
        if is_won:
            return BEAM + stage
        if not outcome["left_out"]:
            # Nothing is left but misplays. A misplay is a discard that gains no token. Let discards be allowed with all
            # tokens there, too: then misplays are not needed, for more tokens are never worse than fewer.
            is_free = frame["discard_at_max"]
            if not is_free:
                frame["discard_at_max"] = 1
                is_won = run_stage(work, stages[stage])
                positions[0] += outcome["looked_at"]
                frame["discard_at_max"] = 0
            return UNDECIDED if is_won or outcome["left_out"] else EXHAUSTED
    return UNDECIDED


@kernel
def refute_free_game(work: Workspace, rulebooks: Rulebooks, guides: Guides, positions: Ints) -> int:
    """Return EXHAUSTED if the free game from the game of the workspace cannot be won, UNDECIDED if it is not known."""
    set_up(work, work.games[0], rulebooks[0], work.deck)
    frame, outcome = work.position.frames[0], work.outcomes[0]
    work.root[0]["hints"], frame["max_hints"], frame["free_hints"] = 0, 0, 1  # no move changes the tokens
    is_won = run_stage(work, guides[0])
    positions[0] += outcome["looked_at"]
    return UNDECIDED if is_won or outcome["left_out"] else EXHAUSTED


@kernel
def trash_slot(game: Game, rulebook: Rulebook) -> int:
    """Return a slot that the seat to move does not need: played already, or a second copy; −1 if there is none."""
    first = wide(game["current"]) * rulebook["hand_size"]
    held = wide(0)
    for slot in range(game["lengths"][game["current"]]):
        card = game["cards"][game["orders"][first + slot]]
        if rulebook["value_of"][card] <= game["stacks"][rulebook["suit_of"][card]] or held >> card & 1:
            return slot
        held |= wide(1) << card
    return 0 if game["turns_left"] != -1 and game["lengths"][game["current"]] > 0 else -1


@kernel
def slot_of(game: Game, rulebook: Rulebook, card: int) -> int:
    """Return the slot in which the seat to move holds a card; −1 if it does not."""
    first = wide(game["current"]) * rulebook["hand_size"]
    for slot in range(game["lengths"][game["current"]]):
        if game["cards"][game["orders"][first + slot]] == card:
            return slot
    return -1


@kernel
def action_of(game: Game, rulebook: Rulebook, move: int) -> int:
    """Return the number of a legal action that makes a move; −1 if there is none."""
    size = wide(rulebook["hand_size"])
    legal = legal_mask(game, rulebook)
    kind, card = move & ~63, move & 63
    if kind == HINT:
        hints = legal >> 2 * size
        return 2 * size + lowest_bit(hints) if hints else -1
    slot = trash_slot(game, rulebook) if kind == TRASH else slot_of(game, rulebook, card)
    action = slot + size if kind == PLAY else slot
    return action if slot >= 0 and legal >> action & 1 else -1


@kernel
def replay(game: Game, rulebook: Rulebook, deck: Decks, moves: SmallInts, turns: int, line: Decks) -> int:
    """Carry out moves by the compiled rules, and write their actions; return how many turns they came to."""
    for turn in range(turns):
        action = action_of(game, rulebook, wide(moves[turn])) if game["ending"] == ONGOING else -1
        if action < 0:
            return turn
        line[turn] = action
        act(game, rulebook, deck, action)
    return turns


@kernel
def decide_game(work: Workspace, rulebooks: Rulebooks, stages: Guides, positions: Ints) -> int:
    """Return what decides the game of the workspace. A line that the rules do not confirm decides nothing.

    Afterwards the game is the one at the end of the line, and `line` has its actions.
    """
    game, rulebook = work.games[0], rulebooks[0]
    set_up(work, game, rulebook, work.deck)
    method = run_stages(work, stages, positions)
    if method >= BEAM:
        work.turns[0] = replay(game, rulebook, work.deck, work.moves, work.outcomes[0]["turns"], work.line)
        if game["ending"] != PERFECT:
            method = UNDECIDED
    return method


@kernel
def best_line(work: Workspace, rulebooks: Rulebooks, guides: Guides) -> None:
    """Look for many points in the game of the workspace, where the maximum is out of reach, or seems to be."""
    game, rulebook = work.games[0], rulebooks[0]
    set_up(work, game, rulebook, work.deck)
    run_stage(work, guides[0])
    turns = max(work.outcomes[0]["turns"], work.outcomes[0]["best_turn"])
    work.turns[0] = replay(game, rulebook, work.deck, work.moves, turns, work.line)


@kernel
def decide_deals(
    work: Workspace, rulebooks: Rulebooks, stages: Guides, seed: int, first: int, methods: Decks, positions: Ints
) -> None:
    """Write what decides deals first, first + 1, … of a seed."""
    for i in range(len(methods)):
        shuffle_deck(work.deck, rulebooks[0], seed, first + i, work.chance)
        start(work.games[0], rulebooks[0], work.deck, 0)
        methods[i] = decide_game(work, rulebooks, stages, positions)
