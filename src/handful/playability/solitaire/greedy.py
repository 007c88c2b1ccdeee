"""Every card once: the greedy player (Baffier 2016, Lemma 1).

No card can be discarded, so that the player has no choice: what fits is played, everything else is stored. Card i of
suit k waits in the hand until f_i, the place of the last card of its suit with a value of at most its own. The game is
won if and only if no more than h of the intervals [i, f_i] with i < f_i overlap. (An interval of a single place is
"empty": its card is played when it is scanned. Counted in, it would ask for a hand of 2 for the sequence 2 1.)

One pass over the cards, with a bit for each: O(N) = O(c n).
"""

from __future__ import annotations

from handful.errors import RulesError
from handful.playability.solitaire.game import PLAY, STORE, Move, Solitaire


def refusal(game: Solitaire) -> str:
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
    if why := refusal(game):
        raise RulesError(why)
    if len(game.sequence) < game.num_needed:
        return None
    # What is known of a card: nothing, stored, fits next. A suit that is complete waits for the place above it.
    stored, fits = 1, 2
    known = bytearray((game.suits + 1) * (game.values + 1) + 1)
    for suit in range(1, game.suits + 1):
        known[suit * (game.values + 1) + 1] = fits
    free = game.hand
    moves: list[Move] = []
    for place in game.places:
        if known[place] == fits:
            place += 1
            while known[place] == stored:
                free += 1
                place += 1
            known[place] = fits
            moves.append(PLAY)
        elif free:
            free -= 1
            known[place] = stored
            moves.append(STORE)
        else:
            return None
    return tuple(moves)


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
