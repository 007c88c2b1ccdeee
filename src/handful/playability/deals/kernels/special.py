"""Deals decided in kernels under rules that are not played as usual, by the same stages as all others.

Suits built in other orders, half tokens, Orange, a card played from the deck, no last round: all of it is laid out for
the relaxation and the beams as a game whose suits are built 1 2 3 …, by numbering the types anew and by the fields of
`Frame`. Where a suit can be built in several orders (Up or Down, Sudoku), every line that wins follows one of them in
each suit. So a *choice* of orders is made first, as soon as it has been made the game is an ordinary one, and a deal is
lost if it is lost for every choice. Lines are replayed by the compiled rules, whatever the layout says.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel
from handful._records import Bytes, Ints
from handful.hanabi.kernels.game import act, legal_mask, shuffle_deck, start
from handful.hanabi.kernels.layout import (
    GAME,
    MAX_TYPES,
    NO_CARD,
    ONGOING,
    PERFECT,
    Decks,
    Game,
    Games,
    Rulebook,
    Rulebooks,
)
from handful.hanabi.kernels.layout import UNLIMITED as UNLIMITED_TOKENS
from handful.hanabi.kernels.worth import card_in_order
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.playability.deals.kernels.beam import DECK_PLAY, DECK_THROW, HINT, PLAY, TRASH, Guide
from handful.playability.deals.kernels.relaxation import (
    FIRST_BLANK,
    IMPOSSIBLE,
    NEVER,
    TRASH_TYPE,
    least_discards,
    slack_of,
)
from handful.playability.deals.kernels.stages import (
    BEAM,
    CAPACITY,
    EXHAUSTED,
    UNDECIDED,
    Guides,
    Workspace,
    ask_anew,
    records,
    refute,
    run_stage,
)

# How many choices of orders each stage tries, those with the most slack first.
TRIES = (8, 8, 4, 2, 1)
MOST_TRIES = max(TRIES)
QUICK_EFFORT = 500  # choices that the relaxation may try for each choice of orders, where there are several
# Slacks of choices that are lost: by the relaxation or because the stacks rule them out, and by an exhaustive search.
CLOSED, EXHAUSTED_CHOICE = -1, -2


class Choices(NamedTuple):
    """The choices of orders, and what is found out about them. `orders` are choices × suits: numbers of orders.

    `types` has by card index the type that stands for a card under the choice that is laid out. `ranked` are the
    choices that are tried, the best first.
    """

    orders: Bytes
    types: Bytes
    costs: Ints  # by choice: roughly when its cards come
    slacks: Ints  # by choice: the slack that the relaxation leaves, or CLOSED
    ranked: Ints
    kept: Games  # one: the game that is asked about


def choices_of(rules: Rules) -> Choices:
    """Return all choices of an order for each suit: in Sudoku, no two suits have the same."""
    variant = rules.variant
    numbers = [range(len(orders)) for orders in variant.orders]
    suits = variant.num_suits
    chosen = list(permutations(numbers[0], suits) if variant.modifiers.sudoku else product(*numbers))
    return Choices(
        np.array(chosen, np.int8),
        np.zeros(MAX_TYPES, np.int8),
        np.zeros(len(chosen), np.int64),
        np.zeros(len(chosen), np.int64),
        np.zeros(MOST_TRIES, np.int64),
        records(1, GAME),
    )


# A game under a choice of orders, as the search sees it


@inlined_kernel
def card_at_place(rulebook: Rulebook, suit: int, order: int, place: int) -> int:
    """Return the index of the card at a place of an order of a suit, whether or not the suits are built 1 2 3 …"""
    if rulebook["is_ascending"]:
        return suit * wide(rulebook["values"]) + place
    return card_in_order(rulebook, suit, order, place)


@kernel
def number_types(choices: Choices, rulebook: Rulebook, choice: int) -> None:
    """Number the types suit by suit, in the order of each; what belongs to no order is trash."""
    size = wide(rulebook["stack_size"])
    for card in range(rulebook["types"]):
        choices.types[card] = TRASH_TYPE
    for suit in range(rulebook["suits"]):
        for place in range(size):
            card = card_at_place(rulebook, suit, wide(choices.orders[choice, suit]), place)
            choices.types[card] = suit * size + place


@kernel
def set_up_rules(work: Workspace, choices: Choices, rulebook: Rulebook) -> None:
    """Write the rules as the search sees them."""
    frame = work.position.frames[0]
    suits, size = wide(rulebook["suits"]), wide(rulebook["stack_size"])
    frame["players"], frame["hand_size"], frame["values"] = rulebook["players"], rulebook["hand_size"], size
    frame["all_mask"] = (wide(1) << suits * size) - 1 | wide(1) << TRASH_TYPE
    first = wide(0)
    for suit in range(suits):
        first |= wide(1) << suit * size
    frame["first_mask"] = first
    frame["bonus_mask"] = first << size - 1 if rulebook["bonus_hint"] else 0
    frame["orange_mask"] = 0
    for card in range(rulebook["types"]):
        if rulebook["orange_mask"] >> card & 1:
            frame["orange_mask"] |= wide(1) << choices.types[card]
    frame["orange_mask"] &= ~(wide(1) << TRASH_TYPE)
    frame["hint_cost"] = 2 if rulebook["starved"] else 1
    frame["max_hints"] = rulebook["max_hints"] * frame["hint_cost"]
    is_free = rulebook["discard_at_max"] or rulebook["max_hints"] == UNLIMITED_TOKENS
    frame["discard_at_max"], frame["free_hints"] = is_free, 0
    frame["last_turns"] = rulebook["players"] if rulebook["has_last_round"] else 0
    frame["deck_play_at"] = rulebook["deck_size"] - 1 if rulebook["deck_action"] != NO_CARD else NEVER


@kernel
def set_up_in_order(
    work: Workspace, choices: Choices, game: Game, rulebook: Rulebook, deck: Decks, choice: int
) -> None:
    """Write a game as the search sees it, its suits built in the orders of a choice."""
    number_types(choices, rulebook, choice)
    set_up_rules(work, choices, rulebook)
    position, root, frame = work.position, work.root[0], work.position.frames[0]
    types, size, hand_size = choices.types, wide(rulebook["stack_size"]), wide(rulebook["hand_size"])
    played = wide(1) << TRASH_TYPE
    for suit in range(rulebook["suits"]):
        played |= ((wide(1) << game["stacks"][suit]) - 1) << suit * size
    in_hands, blanks = wide(0), wide(0)
    for seat in range(MAX_PLAYERS):
        root["hands"][seat] = 0
    for seat in range(rulebook["players"]):
        for place in range(seat * hand_size, seat * hand_size + game["lengths"][seat]):
            root["hands"][seat] |= wide(1) << types[game["cards"][game["orders"][place]]] & ~played
        in_hands += game["lengths"][seat]
        if not rulebook["has_last_round"] and game["drawn"] == rulebook["deck_size"]:
            for _ in range(hand_size - game["lengths"][seat]):
                root["hands"][seat] |= wide(1) << FIRST_BLANK + blanks
                blanks += 1
    last = wide(rulebook["deck_size"])
    frame["cards"] = last if rulebook["has_last_round"] else last + blanks + in_hands
    for place in range(last, frame["cards"]):
        position.deck[place] = FIRST_BLANK + place - last
        position.rest[place] = 0
    position.rest[frame["cards"]] = 0
    for place in range(last - 1, -1, -1):
        position.deck[place] = types[deck[place]]
        position.rest[place] = position.rest[place + 1] | wide(1) << position.deck[place]
    ask_anew(position)
    root["played"], root["drawn"] = played, game["drawn"] + blanks
    root["hints"] = game["hints"] * frame["hint_cost"] + game["half_token"]
    root["current"], root["turns_left"] = game["current"], game["turns_left"]


# Which orders to try


@kernel
def note_costs(work: Workspace, choices: Choices, game: Game, rulebook: Rulebook, deck: Decks) -> int:
    """Write for each choice when its cards come, all added up; return the one with the least. Closed ones are noted.

    A card comes where the deck has it first (at once if it is in a hand), but not before those below it.
    """
    most = wide(1) << 20
    come = np.full(MAX_TYPES, most, np.int64)
    for place in range(rulebook["deck_size"] - 1, game["drawn"] - 1, -1):
        come[deck[place]] = place
    for seat in range(rulebook["players"]):
        first = seat * wide(rulebook["hand_size"])
        for place in range(first, first + game["lengths"][seat]):
            come[game["cards"][game["orders"][place]]] = game["drawn"]
    best, least = wide(0), wide(-1)
    for choice in range(len(choices.orders)):
        cost = wide(0)
        choices.slacks[choice] = 0
        for suit in range(rulebook["suits"]):
            order, when = wide(choices.orders[choice, suit]), wide(0)
            if not game["open_orders"][suit] >> order & 1:
                choices.slacks[choice] = CLOSED
            for place in range(game["stacks"][suit], rulebook["stack_size"]):
                when = max(when, come[card_at_place(rulebook, suit, order, place)])
                cost += when
        choices.costs[choice] = cost
        if choices.slacks[choice] != CLOSED and (least < 0 or cost < least):
            best, least = choice, cost
    return best


@kernel
def note_slacks(work: Workspace, choices: Choices, game: Game, rulebook: Rulebook, deck: Decks) -> int:
    """Write for each choice the slack that the relaxation leaves, CLOSED if that is lost; return how many are not."""
    position, root, count = work.position, work.root[0], 0
    for choice in range(len(choices.orders)):
        if choices.slacks[choice] == CLOSED:
            continue
        set_up_in_order(work, choices, game, rulebook, deck, choice)
        union = wide(0)
        for seat in range(position.frames[0]["players"]):
            union |= root["hands"][seat]
        drawn, played = wide(root["drawn"]), root["played"]
        position.efforts[0]["left"] = QUICK_EFFORT
        slack = slack_of(position.frames[0], drawn, played, wide(root["turns_left"]))
        discards = least_discards(position, drawn, played, union)
        is_open = discards < IMPOSSIBLE and discards <= slack
        choices.slacks[choice] = slack - discards if is_open else CLOSED
        count += is_open
    return count


@kernel
def rank(choices: Choices) -> int:
    """Write the open choices with the most slack, and of equal ones with the least cost; return how many."""
    count = 0
    while count < len(choices.ranked):
        best = wide(-1)
        for choice in range(len(choices.orders)):
            is_taken = choices.slacks[choice] < 0
            for earlier in range(count):
                is_taken |= choices.ranked[earlier] == choice
            if is_taken:
                continue
            if best >= 0 and choices.slacks[choice] == choices.slacks[best]:
                is_better = choices.costs[choice] < choices.costs[best]
            else:
                is_better = best < 0 or choices.slacks[choice] > choices.slacks[best]
            if is_better:
                best = wide(choice)
        if best < 0:
            return count
        choices.ranked[count] = best
        count += 1
    return count


# Lines, replayed by the compiled rules


@kernel
def action_in_order(game: Game, rulebook: Rulebook, choices: Choices, move: int) -> int:
    """Return the number of a legal action that makes a move; −1 if there is none."""
    size, seat = wide(rulebook["hand_size"]), wide(game["current"])
    legal = legal_mask(game, rulebook)
    kind, wanted = move & ~63, move & 63
    if kind in (DECK_PLAY, DECK_THROW):
        return wide(rulebook["deck_action"]) if legal >> rulebook["deck_action"] & 1 else -1
    if kind == HINT:
        hints = legal & ~((wide(1) << 2 * size) - 1)
        if rulebook["deck_action"] != NO_CARD:
            hints &= ~(wide(1) << rulebook["deck_action"])
        return lowest_bit(hints) if hints else -1
    held = wide(0)
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][seat * size + slot]])
        each = wide(choices.types[card])
        is_trash = each == TRASH_TYPE or held >> each & 1
        if not is_trash:
            is_trash = each % rulebook["stack_size"] < game["stacks"][each // rulebook["stack_size"]]
        held |= wide(1) << each
        is_meant = is_trash if kind == TRASH else each == wanted
        # An Orange card is played by discarding, and discarded by playing.
        is_play = (kind == PLAY) != (rulebook["orange_mask"] >> card & 1 == 1)
        action = slot + size if is_play else slot
        if is_meant and legal >> action & 1:
            return action
    return 0 if kind == TRASH and game["turns_left"] != -1 and legal & 1 else -1


@kernel
def replay_in_order(work: Workspace, choices: Choices, rulebook: Rulebook, turns: int) -> bool:
    """Carry out the moves of the workspace by the compiled rules, and write their actions; return whether they win."""
    game = work.games[0]
    work.turns[0] = 0
    for turn in range(turns):
        action = action_in_order(game, rulebook, choices, wide(work.moves[turn])) if game["ending"] == ONGOING else -1
        if action < 0:
            break
        work.line[turn] = action
        work.turns[0] = turn + 1
        act(game, rulebook, work.deck, action)
    return bool(game["ending"] == PERFECT)


# The stages


@kernel
def wins_with(
    work: Workspace, choices: Choices, rulebook: Rulebook, guide: Guide, choice: int, positions: Ints
) -> bool:
    """Return whether a beam finds a line that follows a choice of orders, and that the rules confirm.

    If not, the game is as before; and if that proves that there is none, the choice is closed.
    """
    frame, outcome = work.position.frames[0], work.outcomes[0]
    work.games[0] = choices.kept[0]
    set_up_in_order(work, choices, work.games[0], rulebook, work.deck, choice)
    is_won = run_stage(work, guide)
    positions[0] += outcome["looked_at"]
    if is_won:
        if replay_in_order(work, choices, rulebook, wide(outcome["turns"])):
            return True
        work.games[0] = choices.kept[0]
    elif not outcome["left_out"]:
        # As in `stages.run_stages`: misplays are not needed where discards are allowed with all tokens there.
        if not frame["discard_at_max"]:
            frame["discard_at_max"] = 1
            is_won = run_stage(work, guide)
            positions[0] += outcome["looked_at"]
            frame["discard_at_max"] = 0
        if not is_won and not outcome["left_out"]:
            choices.slacks[choice] = EXHAUSTED_CHOICE
    return False


@kernel
def refute_choices(work: Workspace, choices: Choices, rulebook: Rulebook) -> int:
    """Return PACE or CAPACITY if the merged relaxation is lost whatever the choice, else UNDECIDED.

    Of several choices, those that are lost are closed.
    """
    if len(choices.orders) == 1:
        set_up_in_order(work, choices, work.games[0], rulebook, work.deck, 0)
        return refute(work)
    count = note_slacks(work, choices, work.games[0], rulebook, work.deck)
    return UNDECIDED if count else CAPACITY


@kernel
def decide_in_order(work: Workspace, choices: Choices, rulebooks: Rulebooks, stages: Guides, positions: Ints) -> int:
    """Return what decides the game of the workspace, as `stages.decide_game` does."""
    rulebook = rulebooks[0]
    choices.kept[0] = work.games[0]
    best = note_costs(work, choices, work.games[0], rulebook, work.deck)
    if choices.slacks[best] == CLOSED:
        return UNDECIDED  # no choice fits the stacks: a card is lost, which is for others to say
    if len(choices.orders) > 1 and wins_with(work, choices, rulebook, stages[0], best, positions):
        return BEAM
    is_best_exhausted = choices.slacks[best] == EXHAUSTED_CHOICE
    choices.slacks[best] = 0  # the relaxation, which is easier to explain, may refute it too
    method = refute_choices(work, choices, rulebook)
    if method != UNDECIDED:
        return method
    if is_best_exhausted and choices.slacks[best] != CLOSED:
        choices.slacks[best] = EXHAUSTED_CHOICE
    for stage in range(len(stages)):
        count = rank(choices)
        if count == 0:
            return EXHAUSTED
        for place in range(min(count, TRIES[stage])):
            if wins_with(work, choices, rulebook, stages[stage], wide(choices.ranked[place]), positions):
                return BEAM + stage
    return UNDECIDED if rank(choices) else EXHAUSTED


@kernel
def best_line_in_order(work: Workspace, choices: Choices, rulebooks: Rulebooks, guides: Guides) -> None:
    """Look for many points in the game of the workspace, as `stages.best_line` does."""
    rulebook, outcome = rulebooks[0], work.outcomes[0]
    best = note_costs(work, choices, work.games[0], rulebook, work.deck)
    set_up_in_order(work, choices, work.games[0], rulebook, work.deck, best)
    run_stage(work, guides[0])
    replay_in_order(work, choices, rulebook, wide(max(outcome["turns"], outcome["best_turn"])))


@kernel
def refute_free_game_in_order(
    work: Workspace, choices: Choices, rulebooks: Rulebooks, guides: Guides, positions: Ints
) -> int:
    """Return EXHAUSTED if the free game cannot be won, as `stages.refute_free_game` does; there must be one choice."""
    rulebook, outcome = rulebooks[0], work.outcomes[0]
    set_up_in_order(work, choices, work.games[0], rulebook, work.deck, 0)
    frame = work.position.frames[0]
    work.root[0]["hints"], frame["max_hints"], frame["free_hints"] = 0, 0, 1  # no move changes the tokens
    is_won = run_stage(work, guides[0])
    positions[0] += outcome["looked_at"]
    return UNDECIDED if is_won or outcome["left_out"] else EXHAUSTED


@kernel
def decide_deals_in_order(
    work: Workspace,
    choices: Choices,
    rulebooks: Rulebooks,
    stages: Guides,
    deals: Ints,
    methods: Decks,
    positions: Ints,
) -> None:
    """Write what decides deals first, first + 1, … of a seed; `deals` are the seed and the first."""
    for i in range(len(methods)):
        shuffle_deck(work.deck, rulebooks[0], deals[0], deals[1] + i, work.chance)
        start(work.games[0], rulebooks[0], work.deck, 0)
        methods[i] = decide_in_order(work, choices, rulebooks, stages, positions)
