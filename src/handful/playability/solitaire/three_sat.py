"""3-SAT by fireworks: a formula becomes a Solitaire Hanabi game that can be won if and only if it can be satisfied.

This is the reduction of Baffier 2016, section 5, corrected. Variable i has the suits 2i − 1 (it is true) and 2i (it is
false); the suit d = 2v + 1 is the *dummy*. The hand holds two cards. A stroke stands for a card of another suit.

- **Dummy cards** appear once, so that they must be played. Those that come before the card below them must wait in the
  hand: they take room away (*hand reduction*), all of it if there are two (*hand dump*).
- **Variable gadget** ``2 2' 1 3 4 5 1' 3' 4' 5'``, with one place in the hand: one of the two 2s can wait for its 1. So
  one suit comes to 5 and the other to 1. That is the choice of a truth value (Lemma 8).
- **Clause gadget** j, with o = 5 (j − 1): suits that were at o + 5 come to o + 10, suits that were at o + 1 to o + 6.
  The suits of the clause's literals first get ``6 7 8 9 10`` (+ o), the others ``5 6 7 8 9 10 2 3 4``. Then, after a
  dump, the literals' suits get ``3 3' 3''``, and ``2 4 5 6`` each. A suit at o + 1 needs its 3, which waits in the
  hand: two of them have room, three have not. So the clause's suits all come on if and only if one of its
  literals is true (Lemmas 9, 10).
- **The end**: what is missing up to n, in every suit.

What differs from the print (docs/solitaire.md has the erratum):

- The end starts with o_m + 7, not o_m + 6, which would be a third copy in the suits of the last clause.
- n is max(6 m + 2, 5 m + 5): for one or two clauses the clause gadgets go higher than the dummy suit. The dummy suit
  then gets its end, too.
- A clause of k < 3 different literals has 3 − k more dummy cards waiting during its 3s, so that there is room for k − 1
  of them. For the empty clause that is three cards in a hand of two: the game is lost, as it should be.
- h > 2: the h − 2 highest cards of the dummy suit are the first of the sequence, and wait for its last card.
- r > 2: every card appears exactly r times, the additional copies directly behind the first, where they do not help.

With a hand of one
------------------
Solitaire Hanabi is NP-complete for h = 1, r = 2 and n = 4, too. Baffier 2016 shows it for hands of two and more; this
reduction is ours.

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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from handful.errors import DealError, RulesError
from handful.playability.solitaire.files import Cnf, read_formula_field
from handful.playability.solitaire.game import STORE, Solitaire, SolitaireCard, replay

CLAUSE_LITERALS = 3
STEP = 5  # how far a clause gadget brings every suit


@dataclass(frozen=True)
class Gadget:
    """A part of the sequence, from card `start` up to card `end` (not included); `name` as in the paper: V1, C1, …"""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Reduction:
    """A formula as a game, with its parts named; and the way back from the moves to an assignment."""

    formula: Cnf
    game: Solitaire
    copies: int
    gadgets: tuple[Gadget, ...] = field(repr=False)

    def cards_of(self, name: str) -> tuple[SolitaireCard, ...]:
        """Return the cards of a gadget."""
        gadget = next(gadget for gadget in self.gadgets if gadget.name == name)
        return self.game.sequence[gadget.start : gadget.end]

    def assignment(self, moves: Sequence[str]) -> tuple[bool, ...]:
        """Return the truth values of the variables for moves that win, having seen that they satisfy the formula."""
        position = replay(self.game, moves)
        if not position.is_won:
            raise DealError("the moves do not win the game: expected a winning play sequence")
        values = self._read(moves)
        assert self.formula.is_satisfied_by(values), "the game is won, and the formula is not satisfied"
        return values

    def _read(self, moves: Sequence[str]) -> tuple[bool, ...]:
        # Variable i is true if the 2 of its first suit was played before the clauses begin. If neither 2 was played, no
        # clause needs the variable.
        end = next((gadget.start for gadget in self.gadgets if gadget.name.startswith("C")), None)
        if end is None:
            end = max((gadget.end for gadget in self.gadgets if gadget.name.startswith("V")), default=0)
        heights = replay(self.game, moves, until=end).heights
        return tuple(heights[2 * variable - 1] >= 2 for variable in range(1, self.formula.variables + 1))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it: a game that `read_solitaire` reads."""
        return {
            **self.game.to_dict(),
            "copies": self.copies,
            "formula": self.formula.to_dict(),
            "gadgets": [vars(gadget) for gadget in self.gadgets],
        }


def reduce_formula(formula: Cnf, hand: int = 2, copies: int = 2) -> Reduction:
    """Return a game that can be won if and only if the formula can be satisfied (Theorem 7).

    A hand of one has a reduction of its own, which is not in the paper.

    No card appears more than `copies` times; if `copies` is more than 2, every card appears exactly so often.

    >>> reduce_formula(Cnf(3, ((1, -2, 3), (1, 2, -3)))).cards_of("V1")[:4]
    ((2, 1), (2, 2), (1, 1), (3, 1))
    """
    if hand < 1:
        raise RulesError(f"a hand of {hand}: expected at least 1")
    if copies < 2:
        raise RulesError(f"{copies} copies: expected at least 2; with every card once the game is easy")
    for number, clause in enumerate(formula.clauses, 1):
        if len(set(clause)) > CLAUSE_LITERALS:
            raise RulesError(f"clause {number} has {len(set(clause))} literals: expected at most {CLAUSE_LITERALS}")
    if hand == 1:
        return reduce_to_one_slot(formula, copies)
    return _Builder(formula, hand, copies).build()


class _Builder:
    """The sequence in the making."""

    def __init__(self, formula: Cnf, hand: int, copies: int) -> None:
        self.formula, self.hand, self.copies = formula, hand, copies
        self.dummy = 2 * formula.variables + 1
        self.dummies = 0  # how many dummy values are in use
        self.cards: list[SolitaireCard] = []
        self.gadgets: list[Gadget] = []

    def build(self) -> Reduction:
        # The h − 2 cards that wait from the beginning must not be played before the very end: the card below them,
        # which is one more than the gadgets need, is the last of the sequence.
        highest = self._highest() + (self.hand > 2)
        blocked = range(highest + 1, highest + self.hand - 1)
        self._add("B", [(value, self.dummy) for value in blocked])
        opening, closing = self._waiting(1)
        self._add("H", opening)
        for variable in range(1, self.formula.variables + 1):
            self._add(f"V{variable}", self._variable(variable))
        self._add("H'", closing)
        for number, clause in enumerate(self.formula.clauses, 1):
            self._add(f"D{number}", self._dump())
            self._clause(number, sorted({_suit_of(literal) for literal in clause}))
        self._end(highest, highest + len(blocked))
        return self._finished(highest + len(blocked))

    def _highest(self) -> int:
        """Return n for a hand of two: as high as the dummy suit and the clause gadgets need."""
        lengths = [len(set(clause)) for clause in self.formula.clauses]
        # 2 for the variables; 6 for the two dumps of a clause; k + 1 where k dummy cards wait during a short clause.
        dummies = 2 + sum(6 + (4 - length if length < CLAUSE_LITERALS else 0) for length in lengths)
        return max(dummies, STEP * len(lengths) + STEP)

    def _waiting(self, count: int) -> tuple[list[SolitaireCard], list[SolitaireCard]]:
        """Return dummy cards that have to wait, and the one below them that they wait for."""
        low = self.dummies + 1
        self.dummies += count + 1
        return [(low + above, self.dummy) for above in range(1, count + 1)], [(low, self.dummy)]

    def _dump(self) -> list[SolitaireCard]:
        """Return a hand dump: two cards that wait take the whole hand, so that nothing else is kept."""
        opening, closing = self._waiting(2)
        return opening + closing

    def _variable(self, variable: int) -> list[SolitaireCard]:
        yes, no = 2 * variable - 1, 2 * variable
        return [(2, yes), (2, no), *((value, suit) for suit in (yes, no) for value in (1, 3, 4, 5))]

    def _clause(self, number: int, suits: list[int]) -> None:
        offset = STEP * (number - 1)
        others = [suit for suit in range(1, self.dummy) if suit not in suits]
        cards = [(offset + value, suit) for suit in suits for value in (6, 7, 8, 9, 10)]
        cards += [(offset + value, suit) for suit in others for value in (5, 6, 7, 8, 9, 10, 2, 3, 4)]
        cards += self._dump()
        missing = CLAUSE_LITERALS - len(suits)
        opening, closing = self._waiting(missing) if missing else ([], [])
        cards += opening
        cards += [(offset + 3, suit) for suit in suits]
        cards += [(offset + value, suit) for suit in suits for value in (2, 4, 5, 6)]
        self._add(f"C{number}", cards + closing)

    def _end(self, highest: int, values: int) -> None:
        """Complete every suit: the variables' from o_m + 7, the dummy suit from where it stands."""
        start = STEP * (len(self.formula.clauses) - 1) + 7
        cards = [(value, suit) for suit in range(1, self.dummy) for value in range(start, values + 1)]
        self._add("end", cards + [(value, self.dummy) for value in range(self.dummies + 1, highest + 1)])

    def _add(self, name: str, cards: Iterable[SolitaireCard]) -> None:
        start = len(self.cards)
        self.cards += cards
        if len(self.cards) > start:
            self.gadgets.append(Gadget(name, start, len(self.cards)))

    def _finished(self, values: int) -> Reduction:
        sequence, gadgets = with_copies(self.cards, self.gadgets, self.copies)
        game = Solitaire.of(self.hand, sequence, values=values, suits=self.dummy, copies=self.copies)
        return Reduction(self.formula, game, self.copies, gadgets)


def with_copies(
    cards: Sequence[SolitaireCard], gadgets: Sequence[Gadget], copies: int
) -> tuple[list[SolitaireCard], tuple[Gadget, ...]]:
    """Return the sequence with every card exactly `copies` times, if these are more than 2.

    Further copies stand directly behind the first one: when it is played, they are worthless; when it is stored, they
    are not needed; when it is discarded, one of them could have been.
    """
    if copies == 2:
        return list(cards), tuple(gadgets)
    counts: dict[SolitaireCard, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    sequence: list[SolitaireCard] = []
    new_place = []
    for card in cards:
        new_place.append(len(sequence))
        # The first time: the card, and all copies that are missing.
        sequence += [card] * (copies - counts[card] + 1)
        counts[card] = copies
    new_place.append(len(sequence))
    return sequence, tuple(Gadget(each.name, new_place[each.start], new_place[each.end]) for each in gadgets)


def _suit_of(literal: int) -> int:
    """Return the suit that comes to 5 if the literal is true."""
    return 2 * literal - 1 if literal > 0 else -2 * literal


# A hand of one


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


def reduction_in(document: dict[str, Any] | None, game: Solitaire) -> Reduction | None:
    """Return the reduction that a JSON object says it is; None if it does not say so."""
    if document is None or document.get("formula") is None:
        return None
    formula, copies = read_formula_field(document["formula"]), document.get("copies", 2)
    reduction = reduce_formula(formula, game.hand, copies if type(copies) is int else 2)
    if reduction.game != game:
        raise DealError("formula is not that of the sequence: expected what `handful solitaire reduce` writes")
    return reduction
