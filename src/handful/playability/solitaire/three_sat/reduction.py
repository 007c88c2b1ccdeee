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

`sat_one_slot` has another reduction, for a hand of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from handful.errors import DealError, RulesError
from handful.playability.solitaire.game import Solitaire, SolitaireCard, replay
from handful.playability.solitaire.three_sat.files import Cnf, read_formula_field

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

    A hand of one has a reduction of its own, in `sat_one_slot`; it is not in the paper.

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
        from handful.playability.solitaire.three_sat.one_slot import reduce_to_one_slot

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


def reduction_in(document: dict[str, Any] | None, game: Solitaire) -> Reduction | None:
    """Return the reduction that a JSON object says it is; None if it does not say so."""
    if document is None or document.get("formula") is None:
        return None
    formula, copies = read_formula_field(document["formula"]), document.get("copies", 2)
    reduction = reduce_formula(formula, game.hand, copies if type(copies) is int else 2)
    if reduction.game != game:
        raise DealError("formula is not that of the sequence: expected what `handful solitaire reduce` writes")
    return reduction
