"""The bot `cheat`, compiled: sound play with open hands, and then a thought. `cheat` says what it does.

Hints tell nothing here that is not seen: a hint is a pass that costs a token.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from handful._bits import lowest_bit, wide
from handful._jit import inlined_kernel, kernel, kernel_of_type
from handful._records import Floats, Ints
from handful._records_jit import record_in
from handful.bots.kernel_types import CHOOSE
from handful.bots.register import REGISTER
from handful.bots.settings import settings_type
from handful.bots.shared.worlds_kernel import WORLD, deal_rest, gather_unseen
from handful.hanabi.kernels.game import act, legal_mask, pace, score
from handful.hanabi.kernels.layout import MAX_DECK, ONGOING, PERFECT, Decks, Game, Games, Rulebook, Rulebooks
from handful.hanabi.kernels.special import without_deck
from handful.hanabi.kernels.worth import playable_mask, worthless_mask
from handful.splitmix_jit import Chance, add_key, next_bits

CHEAT = settings_type(REGISTER["cheat"].parameters)

NONE = -1
# What it costs to lose a card; its value makes it less or more.
TRASH, ELSEWHERE, COMES_AGAIN, UNIQUE = 0, 100, 200, 300
NOBODY = -1  # the seat from which all hands are seen
PERFECT_BONUS = 10  # points that a perfect game is worth beside its score (no search for it was recorded)


@kernel
def hand_mask(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the mask of the cards that a seat holds."""
    first, mask = seat * wide(rulebook["hand_size"]), wide(0)
    for place in range(first, first + game["lengths"][seat]):
        mask |= wide(1) << game["cards"][game["orders"][place]]
    return mask


@kernel
def others_mask(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the mask of the cards in all hands but one."""
    mask = wide(0)
    for other in range(rulebook["players"]):
        if other != seat:
            mask |= hand_mask(game, rulebook, other)
    return mask


@inlined_kernel
def is_exchanged(game: Game, rulebook: Rulebook, seat: int, slot: int) -> int:
    """Return 1 if the card in a slot is played by discarding it."""
    card = wide(game["cards"][game["orders"][seat * wide(rulebook["hand_size"]) + slot]])
    return wide(rulebook["orange_mask"]) >> card & 1


@inlined_kernel
def lay_action(game: Game, rulebook: Rulebook, seat: int, slot: int) -> int:
    """Return the number of the action that lays a card on its stack."""
    return slot if is_exchanged(game, rulebook, seat, slot) else wide(rulebook["hand_size"]) + slot


@inlined_kernel
def throw_action(game: Game, rulebook: Rulebook, seat: int, slot: int) -> int:
    """Return the number of the action that throws a card away."""
    return wide(rulebook["hand_size"]) + slot if is_exchanged(game, rulebook, seat, slot) else slot


@kernel
def best_play(game: Game, rulebook: Rulebook, seat: int, legal: int) -> int:
    """Return the slot to play, or NONE: low values first, and cards that nobody else could play in one's place."""
    size = wide(rulebook["hand_size"])
    playable = playable_mask(game, rulebook)
    best, chosen = 0.0, wide(NONE)
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][seat * size + slot]])
        can_lay = legal >> lay_action(game, rulebook, seat, slot) & 1
        if playable >> card & 1 and can_lay:
            holders = wide(0)
            for other in range(rulebook["players"]):
                holders += hand_mask(game, rulebook, other) >> card & 1
            urgency = (2.0 * rulebook["values"] - rulebook["value_of"][card]) / holders
            if urgency > best:
                best, chosen = urgency, wide(slot)
    return chosen


@kernel
def loss(game: Game, rulebook: Rulebook, seat: int, slot: int, worthless: int, others: int) -> int:
    """Return what it costs to lose the card in a slot: nothing for trash, most for the last copy of a low value."""
    first = seat * wide(rulebook["hand_size"])
    card = wide(game["cards"][game["orders"][first + slot]])
    value = wide(rulebook["value_of"][card])
    if worthless >> card & 1:
        return TRASH
    for earlier in range(slot):
        if game["cards"][game["orders"][first + earlier]] == card:
            return TRASH
    if others >> card & 1:
        return ELSEWHERE - value
    if game["left"][card] > 1:
        # The sooner it would be played, the worse it is to wait for the other copy.
        return COMES_AGAIN - 10 * (value - wide(game["stacks"][rulebook["suit_of"][card]]))
    return UNIQUE - value


@kernel
def least_loss(game: Game, rulebook: Rulebook, seat: int) -> tuple[int, int]:
    """Return the slot whose card is the least loss, and what it costs."""
    worthless, others = worthless_mask(game, rulebook), others_mask(game, rulebook, seat)
    least, chosen = wide(1 << 20), wide(0)
    for slot in range(game["lengths"][seat]):
        cost = loss(game, rulebook, seat, slot, worthless, others)
        if cost < least:
            least, chosen = cost, wide(slot)
    return chosen, least


@kernel
def usual_action(game: Game, rulebook: Rulebook, legal: int) -> int:
    """Return the action: play; throw trash while there is time; pass; throw what is the least loss.

    With nothing else to do, in a hand without cards or with all tokens there, it passes or plays what it has.
    """
    size, seat = wide(rulebook["hand_size"]), wide(game["current"])
    slot = best_play(game, rulebook, seat, legal)
    if slot != NONE:
        return lay_action(game, rulebook, seat, slot)
    can_discard, hints = legal & ((wide(1) << size) - 1), legal >> 2 * size
    slot, cost = least_loss(game, rulebook, seat)
    throw = throw_action(game, rulebook, seat, slot)
    if can_discard and cost == TRASH and (pace(game, rulebook) >= rulebook["players"] or not hints):
        return throw
    if hints:
        return 2 * size + lowest_bit(hints)
    return throw if can_discard and game["lengths"][seat] > 0 else size + slot


@kernel
def candidates(game: Game, rulebook: Rulebook, legal: int) -> int:
    """Return the mask of the actions worth a thought: plays, one piece of trash, a pass, and what is no great loss.

    With trash in the hand, nobody throws a card that is not seen elsewhere.
    """
    size, seat = wide(rulebook["hand_size"]), wide(game["current"])
    playable, worthless = playable_mask(game, rulebook), worthless_mask(game, rulebook)
    others, hints = others_mask(game, rulebook, seat), legal >> 2 * size
    trash, least = least_loss(game, rulebook, seat)
    mask = wide(1) << (2 * size + lowest_bit(hints)) if hints else wide(0)
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][seat * size + slot]])
        cost = loss(game, rulebook, seat, slot, worthless, others)
        if cost != TRASH and playable >> card & 1:
            mask |= legal & wide(1) << lay_action(game, rulebook, seat, slot)
        is_fair = slot == trash if cost == TRASH else least != TRASH or cost < ELSEWHERE
        if is_fair:
            mask |= legal & wide(1) << throw_action(game, rulebook, seat, slot)
    return mask


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
def is_surely_better(mine: Ints, usual: Ints, caution: float) -> bool:
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
    games: Games, g: int, rulebooks: Rulebooks, seat: int, _memory: object, parameters: Floats, chance: Chance
) -> int:
    """Return the usual action, or one that is surely better in decks shuffled at random."""
    rulebook, legal = rulebooks[0], without_deck(rulebooks[0], legal_mask(games[g], rulebooks[0]))
    if legal == 0:
        return wide(rulebook["deck_action"])
    usual = usual_action(games[g], rulebook, legal)
    settings = record_in(parameters[seat], 0, CHEAT)
    worlds = wide(settings["worlds"])
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
        if total > best and is_surely_better(values[1], values[0], settings["caution"]):
            best, chosen = total, action
    return chosen
