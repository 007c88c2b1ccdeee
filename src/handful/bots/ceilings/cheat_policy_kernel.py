"""What the bot `cheat` does without thinking: sound play with open hands, and the deck unseen.

Hints tell nothing here that is not seen: a hint is a pass that costs a token.
"""

from __future__ import annotations

from handful._bits import lowest_bit, wide
from handful._jit import kernel
from handful.hanabi.kernels.layout import Game, Rulebook
from handful.hanabi.kernels.worth import playable_mask, worthless_mask

NONE = -1
TRASH, ELSEWHERE, COMES_AGAIN, UNIQUE = (
    0,
    100,
    200,
    300,
)  # what it costs to lose a card; its value makes it less or more


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


@kernel
def slack(game: Game, rulebook: Rulebook) -> int:
    """Return how many more cards may be thrown before there are too few turns left for all cards that are missing."""
    missing = wide(rulebook["max_score"]) - wide(game["points"])
    if game["turns_left"] >= 0:
        return wide(game["turns_left"]) - missing
    return wide(rulebook["deck_size"]) - wide(game["drawn"]) + wide(rulebook["players"]) - missing


@kernel
def best_play(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the slot to play, or NONE: low values first, and cards that nobody else could play in one's place."""
    size = wide(rulebook["hand_size"])
    playable = playable_mask(game, rulebook)
    best, chosen = 0.0, wide(NONE)
    for slot in range(game["lengths"][seat]):
        card = wide(game["cards"][game["orders"][seat * size + slot]])
        if playable >> card & 1:
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
    slot = best_play(game, rulebook, seat)
    if slot != NONE:
        return size + slot
    can_discard, hints = legal & ((wide(1) << size) - 1), legal >> 2 * size
    slot, cost = least_loss(game, rulebook, seat)
    if can_discard and cost == TRASH and (slack(game, rulebook) >= rulebook["players"] or not hints):
        return slot
    if hints:
        return 2 * size + lowest_bit(hints)
    return slot if can_discard else size + slot


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
            mask |= wide(1) << (size + slot)
        is_fair = slot == trash if cost == TRASH else least != TRASH or cost < ELSEWHERE
        if is_fair and legal >> slot & 1:
            mask |= wide(1) << slot
    return mask
