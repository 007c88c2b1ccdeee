"""Hands on records: draw a card, take one out, and which hints could be given to whom."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import inlined_kernel
from handful.hanabi.kernels.layout import Decks, Game, Rulebook


@inlined_kernel
def draw_card(game: Game, rulebook: Rulebook, deck: Decks, seat: int) -> None:
    """Give the next card of the deck to a seat, as its newest."""
    order = wide(game["drawn"])
    place = seat * rulebook["hand_size"] + game["lengths"][seat]
    game["cards"][order] = deck[order]
    game["orders"][place] = order
    game["possible"][place] = rulebook["all_mask"]
    game["touched"][place] = 0
    game["lengths"][seat] += 1
    game["drawn"] = order + 1


@inlined_kernel
def note_hintable(game: Game, rulebook: Rulebook, seat: int) -> None:
    """Note which hints would touch a card of this seat: the union over its cards."""
    first = seat * rulebook["hand_size"]
    union = 0
    for place in range(first, first + game["lengths"][seat]):
        union |= rulebook["touching"][game["cards"][game["orders"][place]]]
    game["hintable"][seat] = union


@inlined_kernel
def remove_card(game: Game, first: int, slot: int, seat: int) -> None:
    """Take a card out of a hand; the newer ones move down."""
    game["lengths"][seat] -= 1
    for place in range(first + slot, first + game["lengths"][seat]):
        game["orders"][place] = game["orders"][place + 1]
        game["possible"][place] = game["possible"][place + 1]
        game["touched"][place] = game["touched"][place + 1]


@inlined_kernel
def legal_hints(game: Game, rulebook: Rulebook, seat: int) -> int:
    """Return the mask of the action numbers of the hints that a seat may give, as if there were a token."""
    players = wide(rulebook["players"])
    suits, values = wide(rulebook["suit_hints"]), wide(rulebook["value_hints"])
    every_hint = (wide(1) << (suits + values)) - 1
    suit_place = 2 * wide(rulebook["hand_size"])
    value_place = suit_place + (players - 1) * suits
    mask = wide(0)
    other = seat
    for _ in range(players - 1):
        other += 1
        if other == players:
            other = 0
        hintable = every_hint if rulebook["empty_hints"] else wide(game["hintable"][other])
        mask |= (hintable & ((wide(1) << suits) - 1)) << suit_place
        mask |= (hintable >> suits) << value_place
        suit_place += suits
        value_place += values
    return mask


@inlined_kernel
def hint_target(rulebook: Rulebook, seat: int, action: int) -> int:
    """Return the seat that a hint is for, from its action number."""
    target = seat + rulebook["ahead_of"][action]
    return wide(target - rulebook["players"] if target >= rulebook["players"] else target)
