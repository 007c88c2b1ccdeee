"""Large games, by SAT: which copy of every card is used, so that the hand never overflows.

A way to play is a choice of one copy of every card (the others are discarded). For card (v, k) and place j let

- ``got(v, k, j)``: the chosen copy is among the first j cards; it changes only where a copy is scanned, and holds after
  the last one;
- ``played(v, k, j)`` = got(1, k, j) and … and got(v, k, j): cards are played as soon as they fit;
- ``held(v, k, j)`` = got(v, k, j) and not played(v, k, j).

The game is won if and only if at every place j at most h cards are held. They are counted by a tree over all cards
whose nodes say "at least 1, …, h + 1 below me" (a totalizer). From one place to the next only the branches above the
cards that changed are made anew, so that the formula stays small where cards come again soon.
"""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import pairwise

from handful.playability.formulas import FALSE, NO_TIME, TRUE, Formula, find_model
from handful.playability.solitaire.game import Move, Solitaire, SolitaireCard, moves_keeping


class _Counter:
    """How many of some literals hold: a tree, of which only what changes is built anew."""

    def __init__(self, formula: Formula, leaves: int, limit: int) -> None:
        self.formula, self.limit = formula, limit
        self.size = 1 << max(leaves - 1, 0).bit_length()
        # nodes[1] is the root, the children of i are 2i and 2i + 1; nodes[i][m]: at least m + 1 leaves below i hold.
        self.nodes: dict[int, tuple[int, ...]] = {}

    def put(self, leaves: dict[int, int]) -> None:
        """Replace the literals of some leaves."""
        stale = set()
        for leaf, literal in leaves.items():
            self.nodes[self.size + leaf] = () if literal == FALSE else (literal,)
            stale.add((self.size + leaf) >> 1)
        while stale - {0}:
            for node in stale:
                self.nodes[node] = self._sum(self.nodes.get(2 * node, ()), self.nodes.get(2 * node + 1, ()))
            stale = {node >> 1 for node in stale if node > 1}

    def _sum(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        """Return the literals "at least 1, 2, … of both", up to one more than the limit."""
        if not left or not right:
            return left or right
        total = tuple(self.formula.new() for _ in range(min(len(left) + len(right), self.limit + 1)))
        for i in range(len(left) + 1):
            for j in range(len(right) + 1):
                if i + j:
                    # at least i on the left and at least j on the right: at least i + j in all
                    reasons = [-left[i - 1]] * (i > 0) + [-right[j - 1]] * (j > 0)
                    self.formula.some(*reasons, total[min(i + j, len(total)) - 1])
        return total

    def forbid_overflow(self) -> None:
        """At most `limit` of the literals hold."""
        root = self.nodes.get(1, ())
        if len(root) > self.limit:
            self.formula.some(-root[self.limit])


class SolitaireFormula:
    """The formula of a game in which no card is missing."""

    def __init__(self, game: Solitaire) -> None:
        self.game, self.formula = game, Formula()
        self.known: dict[tuple[int, int], int] = {}
        self.places: dict[SolitaireCard, list[int]] = defaultdict(list)
        for place, card in enumerate(game.sequence):
            self.places[card].append(place)
        # got_at[card][m]: the chosen copy is one of the first m + 1.
        self.got_at = {card: self._got(len(places)) for card, places in self.places.items()}
        self._hold()

    def _got(self, copies: int) -> list[int]:
        got = [self.formula.new() for _ in range(copies - 1)] + [TRUE]
        for earlier, later in pairwise(got):
            self.formula.some(-earlier, later)
        return got

    def _hold(self) -> None:
        """At every place, at most h cards are held."""
        game = self.game
        counter = _Counter(self.formula, game.num_needed, game.hand)
        got = dict.fromkeys(self.places, FALSE)
        played = dict.fromkeys(self.places, FALSE)
        seen: dict[SolitaireCard, int] = defaultdict(int)
        for value, suit in game.sequence:
            got[value, suit] = self.got_at[value, suit][seen[value, suit]]
            seen[value, suit] += 1
            changed = {}
            for above in range(value, game.values + 1):
                card = (above, suit)
                below = played[above - 1, suit] if above > 1 else TRUE
                now = self._both(below, got[card])
                if above > value and now == played[card]:
                    break
                played[card] = now
                changed[(suit - 1) * game.values + above - 1] = self._both(got[card], -now)
            counter.put(changed)
            counter.forbid_overflow()

    def _both(self, first: int, second: int) -> int:
        """Return a literal that holds if and only if both do; no new one where it is known already."""
        if FALSE in (first, second) or first == -second:
            return FALSE
        if TRUE in (first, second) or first == second:
            return second if first == TRUE else first
        if (first, second) not in self.known:
            self.known[first, second] = self.formula.both(first, second)
        return self.known[first, second]

    def moves(self, model: frozenset[int]) -> tuple[Move, ...]:
        """Return the moves that a model stands for."""
        chosen = set()
        for card, places in self.places.items():
            got = self.got_at[card]
            chosen.add(next(place for place, literal in zip(places, got, strict=True) if literal in model))
        return moves_keeping(self.game, chosen)


def solve_formula(game: Solitaire, time_limit: float | None = None) -> tuple[bool | None, tuple[Move, ...], str]:
    """Return whether a game can be won (None if that is undecided), the moves, and why it is undecided.

    >>> solve_formula(Solitaire.of(1, [(2, 1), (2, 2), (1, 2), (1, 1), (2, 1)]))
    (True, ('discard', 'store', 'play', 'play', 'play'), '')
    """
    start = time.perf_counter()
    if game.missing_card() is not None:
        return False, (), ""
    formula = SolitaireFormula(game)
    found = find_model(formula.formula, None if time_limit is None else start + time_limit - time.perf_counter())
    if found.answer is None:
        return None, (), NO_TIME if found.undecided == NO_TIME else f"the method sat {found.undecided}"
    return found.answer, formula.moves(found.model) if found.answer else (), ""
