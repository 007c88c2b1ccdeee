"""3-SAT by fireworks with a hand of one: Solitaire Hanabi is NP-complete for h = 1, r = 2 and n = 4.

Baffier 2016 shows it for hands of two and more; this reduction is ours.

**A suit that needs the hand once.** Let a suit have the cards ``2 … 1``, then ``3 … 2``, then ``4 … 3``. Call them its
*intervals*. Before interval t the suit is at t − 1 (*behind*) or at t (*ahead*); it starts behind, at 0.
An ahead suit plays t + 1 when the interval begins, and stays ahead. A suit that is behind comes to t when the interval
ends; if t + 1 has waited in the hand from the beginning of the interval to its end, it follows, and the suit is ahead.
There is no other way: of the suit's cards only t + 1 can wait for something, and only for that t. After k
intervals the highest card is k + 1: the suit is complete if and only if it had the hand for one whole interval.
Every card appears at most twice.

**Clauses as suits, literals as intervals.** A clause is a suit with an interval for each literal: the one that it has
the hand for makes it true. A hand of one cannot serve two intervals that overlap, so that intervals of a variable
and of its negation must overlap, and others must not. If the variable appears negated (or not negated) only once,
that interval is opened before the others of the variable, which follow one another, and closed after them. If not,
the variable is split into a copy y_1, …, y_m for each place where it appears, and the clauses (not y_i or y_{i+1}),
around the circle, make the copies equal; each of them appears three times, and not three times the same way.

So n = 4 for clauses of up to three literals. A suit with k < 3 intervals gets the cards k + 2, …, 4 at the end; for the
empty clause no 1 appears, and the game is lost. A clause with a literal and its negation is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from handful.playability.solitaire.game import STORE, Solitaire, SolitaireCard
from handful.playability.solitaire.three_sat.files import Cnf
from handful.playability.solitaire.three_sat.reduction import CLAUSE_LITERALS, Gadget, Reduction, with_copies


@dataclass(frozen=True)
class OneSlotReduction(Reduction):
    """A formula as a game for a hand of one. `openings` are the cards that begin an interval, named by its literal."""

    split: Cnf
    first_copies: tuple[int, ...]
    openings: tuple[Gadget, ...] = field(repr=False)

    def _read(self, moves: Sequence[str]) -> tuple[bool, ...]:
        # A literal is true if a card was stored at the beginning of one of its intervals.
        chosen = {int(each.name) for each in self.openings if STORE in moves[each.start : each.end]}
        return tuple(copy in chosen for copy in self.first_copies)


def split_variables(formula: Cnf) -> tuple[Cnf, tuple[int, ...]]:
    """Return an equivalent formula whose variables appear negated, or not negated, at most once; and x's first copy.

    Literals that are repeated and clauses with a literal and its negation are left out.

    >>> split_variables(Cnf(1, ((1,), (-1,), (1, 1))))[0]
    Cnf(variables=1, clauses=((1,), (-1,), (1,)))
    """
    clauses = [sorted(set(clause), key=abs) for clause in formula.clauses]
    clauses = [clause for clause in clauses if not any(-literal in clause for literal in clause)]
    appearances: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, clause in enumerate(clauses):
        for place, literal in enumerate(clause):
            appearances[abs(literal)].append((number, place))
    variables, first_copies, circles = 0, [], []
    for variable in range(1, formula.variables + 1):
        places = appearances[variable]
        negated = sum(clauses[number][place] < 0 for number, place in places)
        copies = len(places) if min(negated, len(places) - negated) > 1 else 1
        first_copies.append(variables + 1)
        for index, (number, place) in enumerate(places):
            copy = variables + 1 + index % copies
            clauses[number][place] = copy if clauses[number][place] > 0 else -copy
        if copies > 1:
            circles += [[-(variables + 1 + i), variables + 1 + (i + 1) % copies] for i in range(copies)]
        variables += copies
    return Cnf(variables, tuple(map(tuple, clauses + circles))), tuple(first_copies)


def reduce_to_one_slot(formula: Cnf, copies: int = 2) -> OneSlotReduction:
    """Return a game for a hand of one that can be won if and only if the formula can be satisfied.

    >>> reduce_to_one_slot(Cnf(1, ((1,), (-1,)))).cards_of("X1")
    ((2, 1), (2, 2), (1, 2), (1, 1))
    """
    split, first_copies = split_variables(formula)
    values = CLAUSE_LITERALS + 1
    cards: list[SolitaireCard] = []
    gadgets: list[Gadget] = []
    openings: list[Gadget] = []
    intervals = [0] * (len(split.clauses) + 1)  # how many each suit has had

    def begin(suit: int, literal: int) -> None:
        intervals[suit] += 1
        openings.append(Gadget(str(literal), len(cards), len(cards) + 1))
        cards.append((intervals[suit] + 1, suit))

    def finish(suit: int) -> None:
        cards.append((intervals[suit], suit))

    suits_of: dict[int, list[int]] = defaultdict(list)
    for suit, clause in enumerate(split.clauses, 1):
        for literal in clause:
            suits_of[literal].append(suit)
    for variable in range(1, split.variables + 1):
        start = len(cards)
        # One side has at most one interval: it is the long one.
        long_literal = min((variable, -variable), key=lambda literal: len(suits_of[literal]))
        for suit in suits_of[long_literal]:
            begin(suit, long_literal)
        for suit in suits_of[-long_literal]:
            begin(suit, -long_literal)
            finish(suit)
        for suit in suits_of[long_literal]:
            finish(suit)
        if len(cards) > start:
            gadgets.append(Gadget(f"X{variable}", start, len(cards)))
    start = len(cards)
    for suit in range(1, len(split.clauses) + 1):
        cards += [(value, suit) for value in range(intervals[suit] + 2, values + 1)]
    if not split.clauses:
        cards += [(value, 1) for value in range(1, values + 1)]  # a game needs a suit: this one is won by everybody
    if len(cards) > start:
        gadgets.append(Gadget("end", start, len(cards)))
    sequence, named = with_copies(cards, gadgets + openings, copies)
    game = Solitaire.of(1, sequence, values=values, suits=max(1, len(split.clauses)), copies=copies)
    return OneSlotReduction(formula, game, copies, named[: len(gadgets)], split, first_copies, named[len(gadgets) :])
