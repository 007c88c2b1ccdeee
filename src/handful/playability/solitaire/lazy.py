"""One suit: the lazy player (Baffier 2016, section 3).

A card is *useless* if h + 1 higher values do not appear after it: whoever plays it must hold one card of each of these
values at that moment, and the hand has room for h (Observation 2). Useless cards are struck out, from the highest value
down, because striking one out can make lower cards useless: `last_useful`, O(N + n log h) by a heap of the h + 1
earliest last places (Lemma 3). If a value has no card left, the game is lost. Otherwise whoever ignores all but the
last remaining card of each value wins (Theorem 4): if the hand overflowed, the value that is waited for would be
useless.
"""

from __future__ import annotations

import heapq

from handful.errors import RulesError
from handful.playability.solitaire.game import Move, Solitaire, moves_keeping


def refusal(game: Solitaire) -> str:
    """Return why this method is not for a game; empty if it is."""
    return "" if game.suits == 1 else f"there are {game.suits} suits: lazy expects one"


def last_useful(game: Solitaire) -> list[int] | None:
    """Return the place of the last card of each value that is not useless; None if a value has none.

    >>> last_useful(Solitaire.of(0, [(1, 1), (2, 1), (1, 1)]))
    [0, 1]
    """
    if game.values > len(game.sequence):
        return None
    # previous[i]: the place of the previous card with the value of card i; −1 if there is none.
    previous, last = [-1] * len(game.sequence), [-1] * (game.values + 1)
    for place, (value, _suit) in enumerate(game.sequence):
        previous[place] = last[value]
        last[value] = place
    if -1 in last[1:]:
        return None
    # The h + 1 smallest last places of higher values, as a heap with the largest of them on top: negated for heapq.
    earliest = [-place for place in last[max(1, game.values - game.hand) :]]
    heapq.heapify(earliest)
    for value in range(game.values - game.hand - 1, 0, -1):
        place = last[value]
        while place > -earliest[0]:
            place = previous[place]
        if place < 0:
            return None
        last[value] = place
        heapq.heapreplace(earliest, -place)
    return last[1:]


def solve_lazy(game: Solitaire) -> tuple[Move, ...] | None:
    """Return the moves that win a game of one suit; None if it cannot be won.

    >>> solve_lazy(Solitaire.of(1, [(2, 1), (2, 1), (1, 1)]))
    ('discard', 'store', 'play')
    """
    if why := refusal(game):
        raise RulesError(why)
    places = last_useful(game)
    return None if places is None else moves_keeping(game, places)
