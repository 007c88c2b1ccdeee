"""Solitaire Hanabi by trying everything, what the papers print, and random games to compare them on.

Written from the text of the papers: nothing here is shared with the methods but the game itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

from handful.playability.solitaire.files import Cnf
from handful.playability.solitaire.game import Solitaire, SolitaireCard
from handful.splitmix import SplitMix64


def brute_force(game: Solitaire) -> bool:
    """Whether a game can be won: all that the rules allow is tried, and stored cards are played at any time."""

    @cache
    def can_win(scanned: int, heights: tuple[int, ...], hand: tuple[SolitaireCard, ...]) -> bool:
        if all(height == game.values for height in heights):
            return True
        for place, (value, suit) in enumerate(hand):
            if heights[suit - 1] == value - 1:
                higher = (*heights[: suit - 1], value, *heights[suit:])
                if can_win(scanned, higher, hand[:place] + hand[place + 1 :]):
                    return True
        if scanned == len(game.sequence):
            return False
        card = value, suit = game.sequence[scanned]
        if heights[suit - 1] == value - 1:
            higher = (*heights[: suit - 1], value, *heights[suit:])
            if can_win(scanned + 1, higher, hand):
                return True
        if len(hand) < game.hand and can_win(scanned + 1, heights, tuple(sorted((*hand, card)))):
            return True
        return can_win(scanned + 1, heights, hand)

    return can_win(0, (0,) * game.suits, ())


def random_game(chance: SplitMix64, most_cards: int = 12) -> Solitaire:
    """Return a small game; about a third of them have every card once, and a third a single suit."""
    suits = chance.choice((1, 1, 2, 2, 3))
    values, hand, copies = 1 + chance.below(4), chance.below(4), chance.choice((1, 2, 2, 3))
    cards = [
        (value, suit)
        for value in range(1, values + 1)
        for suit in range(1, suits + 1)
        for _ in range(1 + chance.below(copies))
    ]
    chance.shuffle(cards)
    return Solitaire.of(hand, cards[:most_cards], values=values, suits=suits)


def recurrence(
    game: Solitaire, *, largest_hand: int, scanned: int, kept: frozenset[SolitaireCard], required: tuple[int, ...]
) -> float:
    """Return the entry DP[s, H, p_1, …, p_(c−1)] by the recurrence of Baffier 2016, section 4.

    A card is stored if the hand has at most `largest_hand` cards afterwards: h is right, h − 1 is printed.
    """
    nothing = -float("inf")

    @cache
    def entry(s: int, held: frozenset[SolitaireCard], heights: tuple[int, ...]) -> float:
        if len(held) > game.hand:
            return nothing
        if s == 0:
            return 0 if not held and not any(heights) else nothing
        value, suit = card = game.sequence[s - 1]
        best = entry(s - 1, held, heights)
        if len(held) <= largest_hand:
            best = max(best, entry(s - 1, held - {card}, heights))
        if suit < game.suits:
            if value <= heights[suit - 1]:
                waiting = {(above, suit) for above in range(value + 1, heights[suit - 1] + 1)}
                lower = (*heights[: suit - 1], value - 1, *heights[suit:])
                best = max(best, entry(s - 1, held | waiting, lower))
        else:
            for more in range(game.hand + 1):
                waiting = {(above, suit) for above in range(value + 1, value + more + 1)}
                if entry(s - 1, held | waiting, heights) >= value - 1:
                    best = max(best, value + more)
        return best

    return entry(scanned, kept, required)


def wins_by_recurrence(game: Solitaire, largest_hand: int) -> bool:
    """Whether DP[N, ∅, n, …, n] = n."""
    required = (game.values,) * (game.suits - 1)
    found = recurrence(game, largest_hand=largest_hand, scanned=len(game.sequence), kept=frozenset(), required=required)
    return found >= game.values


def is_playable(game: Solitaire, hand_size: int, *, last_turn: bool = True) -> bool:
    """Whether one player with all cards in sight makes all points: Bergh 2015, Algorithm 2.16, open, without hints.

    The hand is full to begin with; a turn plays or discards one card, and draws one. After the last card is drawn there
    is one more turn, or with `last_turn` false as many as there are cards in the hand.
    """
    deck = game.sequence

    @cache
    def can_win(drawn: int, heights: tuple[int, ...], hand: tuple[SolitaireCard, ...], is_last: bool) -> bool:
        if all(height == game.values for height in heights):
            return True
        if not hand:
            return False
        for place, (value, suit) in enumerate(hand):
            rest = hand[:place] + hand[place + 1 :]
            after = tuple(sorted((*rest, deck[drawn]))) if drawn < len(deck) else rest
            is_played = heights[suit - 1] == value - 1
            higher = (*heights[: suit - 1], value, *heights[suit:]) if is_played else heights
            if all(height == game.values for height in higher):
                return True
            if not is_last and can_win(min(drawn + 1, len(deck)), higher, after, last_turn and drawn + 1 >= len(deck)):
                return True
        return False

    start = tuple(sorted(deck[:hand_size]))
    drawn = len(start)
    return can_win(drawn, (0,) * game.suits, start, last_turn and drawn == len(deck))


# Formulas


def is_satisfiable(formula: Cnf) -> bool:
    return any(formula.is_satisfied_by(values) for values in product((False, True), repeat=formula.variables))


def clauses_over(variables: int, shortest: int = 0, *, proper: bool = False) -> list[tuple[int, ...]]:
    """Return all sets of up to three literals; if they are to be proper, of three different variables only."""
    literals = [sign * variable for variable in range(1, variables + 1) for sign in (1, -1)]
    found = [clause for size in range(shortest, 4) for clause in combinations(literals, size)]
    return [clause for clause in found if len({abs(literal) for literal in clause}) == 3] if proper else found


def random_formula(chance: SplitMix64, variables: int, clauses: int, lengths: Sequence[int] = (3,)) -> Cnf:
    """Return a formula whose literals are drawn with replacement: repeated ones and tautologies occur."""
    return Cnf(
        variables,
        tuple(
            tuple((1 + chance.below(variables)) * chance.choice((1, -1)) for _ in range(chance.choice(lengths)))
            for _ in range(clauses)
        ),
    )


def printed_reduction(formula: Cnf) -> tuple[int, list[SolitaireCard]]:
    """Return n and the sequence exactly as Baffier 2016, section 5, prints them, for clauses of three variables."""
    v, m = formula.variables, len(formula.clauses)
    d = 2 * v + 1
    cards = [(2, d)]
    for i in range(1, v + 1):
        x, y = 2 * i - 1, 2 * i
        cards += [(2, x), (2, y), (1, x), (3, x), (4, x), (5, x), (1, y), (3, y), (4, y), (5, y)]
    cards += [(1, d)]
    for j, clause in enumerate(formula.clauses, 1):
        o = 5 * (j - 1)
        suits = [2 * x - 1 if x > 0 else -2 * x for x in clause]
        cards += [(6 * j - 2, d), (6 * j - 1, d), (6 * j - 3, d)]
        cards += [(o + value, k) for k in suits for value in (6, 7, 8, 9, 10)]
        cards += [(o + value, k) for k in range(1, d) if k not in suits for value in (5, 6, 7, 8, 9, 10, 2, 3, 4)]
        cards += [(6 * j + 1, d), (6 * j + 2, d), (6 * j, d)]
        cards += [(o + 3, k) for k in suits] + [(o + value, k) for k in suits for value in (2, 4, 5, 6)]
    n = 6 * m + 2
    cards += [(value, k) for k in range(1, d) for value in range(5 * (m - 1) + 6, n + 1)]
    return n, cards
