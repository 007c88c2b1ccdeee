"""The easy games: every card once (Baffier 2016, Lemma 1), or one suit (section 3).

**Every card once: the greedy player.** No card can be discarded, so that the player has no choice: what fits is played,
everything else is stored. Card i of suit k waits in the hand until f_i, the place of the last card of its suit with a
value of at most its own. The game is won if and only if no more than h of the intervals [i, f_i] with i < f_i overlap.
(An interval of a single place is "empty": its card is played when it is scanned. Counted in, it would ask for a hand of
2 for the sequence 2 1.) One pass over the cards, with a byte for each: O(N) = O(c n).

**One suit: the lazy player.** A card is *useless* if h + 1 higher values do not appear after it: whoever plays it must
hold one card of each of these values at that moment, and the hand has room for h (Observation 2). Useless cards are
struck out, from the highest value down, because striking one out can make lower cards useless: `last_useful`, O(N + n
log h) by a heap of the h + 1 earliest last places (Lemma 3). If a value has no card left, the game is lost. Otherwise
whoever ignores all but the last remaining card of each value wins (Theorem 4): if the hand overflowed, the value that
is waited for would be useless.
"""

from __future__ import annotations

import heapq

from handful.errors import RulesError
from handful.playability.solitaire.game import Move, Solitaire, moves_if_kept, moves_keeping

# Every card once


def not_greedy(game: Solitaire) -> str:
    """Return why this method is not for a game; empty if it is."""
    if game.copies == 1:
        return ""
    seen: set[tuple[int, int]] = set()
    for order, card in enumerate(game.sequence):
        if card in seen:
            return f"card {game.card_text(card)} appears again as card {order + 1}: greedy expects every card once"
        seen.add(card)
    return ""


def solve_greedy(game: Solitaire) -> tuple[Move, ...] | None:
    """Return the moves that win a game in which every card appears once; None if it cannot be won.

    >>> solve_greedy(Solitaire.of(1, [(2, 1), (1, 1), (3, 1)]))
    ('store', 'play', 'play')
    """
    if why := not_greedy(game):
        raise RulesError(why)
    return None if len(game.sequence) < game.num_needed else moves_if_kept(game, range(len(game.sequence)))


def widest_overlap(game: Solitaire) -> int:
    """Return w of Lemma 1: how many cards have to wait at the same time, where every card appears once.

    >>> widest_overlap(Solitaire.of(0, [(3, 1), (2, 1), (1, 1)]))
    2
    """
    last_place: dict[tuple[int, int], int] = {card: place for place, card in enumerate(game.sequence)}
    changes = [0] * (len(game.sequence) + 1)
    for suit in range(1, game.suits + 1):
        end = -1
        for value in range(1, game.values + 1):
            place = last_place[value, suit]
            end = max(end, place)
            if place < end:
                changes[place] += 1
                changes[end] -= 1
    widest = now = 0
    for change in changes:
        now += change
        widest = max(widest, now)
    return widest


# One suit


def not_lazy(game: Solitaire) -> str:
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
    if why := not_lazy(game):
        raise RulesError(why)
    places = last_useful(game)
    return None if places is None else moves_keeping(game, places)
