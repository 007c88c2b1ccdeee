"""Hints as numbers: how the hat-guessing players say a value with a hint, and read it.

What counts is who gets the hint, whether it tells a suit or a value, and whether it touches a certain card.
"""

from __future__ import annotations

from handful._bits import popcount, wide
from handful._jit import inlined_kernel, kernel
from handful.hanabi.kernels.game import hint_target
from handful.hanabi.kernels.layout import Game, Rulebook

NONE = -1

CODES_2018 = 9


@inlined_kernel
def number_of_2018(rulebook: Rulebook, action: int, touches_newest: bool) -> int:
    """Return the value of a hint (van Doorn 2019, "Clue encoding").

    Four players: three values for each target (suit or value on the newest card, or past it). Five: two for each
    target, and the last for a hint past the newest card of anybody.
    """
    ahead, is_value = wide(rulebook["ahead_of"][action]), wide(rulebook["hint_of"][action] >= rulebook["suit_hints"])
    if rulebook["players"] >= 5:
        return (2 * (ahead - 1) + is_value if touches_newest else CODES_2018 - 1) % CODES_2018
    return 3 * (ahead - 1) + (is_value if touches_newest else 2)


@kernel
def value_2018(game: Game, rulebook: Rulebook, seat: int, action: int) -> int:
    """Return the value of a hint that a seat may give: its target's hand is seen."""
    target = hint_target(rulebook, seat, action)
    length = wide(game["lengths"][target])
    touches = False
    if length > 0:
        newest = game["cards"][game["orders"][target * wide(rulebook["hand_size"]) + length - 1]]
        touches = rulebook["touching"][newest] >> rulebook["hint_of"][action] & 1 != 0
    return number_of_2018(rulebook, action, touches)


@kernel
def value_given_2018(game: Game, rulebook: Rulebook) -> int:
    """Return the value of the hint of the last turn, by what everybody saw of it."""
    action = wide(game["last_action"])
    length = wide(game["lengths"][hint_target(rulebook, wide(game["last_actor"]), action)])
    touches = length > 0 and game["last_touched"] >> (length - 1) & 1 != 0
    return number_of_2018(rulebook, action, touches)


@kernel
def hint_with_value_2018(game: Game, rulebook: Rulebook, seat: int, value: int, legal: int) -> int:
    """Return the first legal hint of a value, or NONE."""
    for action in range(2 * wide(rulebook["hand_size"]), wide(rulebook["num_actions"])):
        if legal >> action & 1 and value_2018(game, rulebook, seat, action) == value:
            return action
    return NONE


@inlined_kernel
def has_rainbow(rulebook: Rulebook) -> bool:
    """Whether a suit is touched by all suit hints. Such suits come last."""
    suit_hints = (wide(1) << rulebook["suit_hints"]) - 1
    return popcount(rulebook["touching"][rulebook["types"] - 1] & suit_hints) > 1


@kernel
def num_codes(rulebook: Rulebook) -> int:
    """Return how many values a hint of the bot `hat` can have."""
    targets = wide(rulebook["players"]) - 1
    return 3 * targets + 1 if has_rainbow(rulebook) else 4 * targets


@kernel
def number_of(rulebook: Rulebook, action: int, touches: bool) -> int:
    """Return the value of a hint, which touches the card looked at or not.

    Each target has four values: suit or value, on the card or past it. Past a rainbow card there is no suit hint, so in
    games with such a suit all suit hints past the card looked at, whoever gets them, have the same value.
    """
    ahead, is_value = wide(rulebook["ahead_of"][action]), wide(rulebook["hint_of"][action] >= rulebook["suit_hints"])
    if not has_rainbow(rulebook):
        return 4 * (ahead - 1) + 2 * wide(touches) + is_value
    if not is_value and not touches:
        return 3 * (wide(rulebook["players"]) - 1)
    return 3 * (ahead - 1) + is_value * (1 + wide(touches))
