"""What the explorer shows: decks with so many copies of each value counted, one of them played, solitaire watched.

For a hand of one card the theorem gives the number of orders that can be played, term by term; for larger hands
positions are counted, at once if they are few. A solitaire is a sequence of cards that is played out step by step, or a
formula that has become one.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from markupsafe import Markup

from handful.errors import NotationError, RulesError
from handful.hanabi.cards import Card
from handful.playability.sequences.counting import PlayableCount, SequenceCount, count, count_sequences, short_sequences
from handful.playability.sequences.line import SequenceLine, play_sequence
from handful.playability.solitaire import Solitaire, SolitaireAnswer, solve
from handful.playability.solitaire.files import Cnf, read_dimacs, read_document, read_formula_field
from handful.playability.solitaire.game import Move, SolitaireCard, replay
from handful.playability.solitaire.three_sat import Reduction, reduce_formula, reduction_in

MIN_VALUES, MAX_VALUES, MAX_COPIES = 2, 7, 6
HANDS = (1, 2, 3, 4, 5, 6)
POSITIONS_AT_ONCE = 2_100  # some 30 ms for each size of the hand, in which the server does nothing else
LONG_NUMBER = 15  # digits

MAX_TEXT = 20_000  # characters
MAX_CARDS = 20_000
MAX_HAND = 50
MAX_NUMBER = 100_000  # in a text that is still read: what is made of it is counted then
MAX_SUITS = 2_000
AROUND = 12  # cards that are shown on both sides of the current one
SECONDS = 60.0
# Of a single sequence: decided in less than a second.
MAX_LINE, MAX_LINE_VALUE, MAX_LINE_HAND = MAX_VALUES * MAX_COPIES, 12, 6

_COUNTING = threading.Lock()  # counters are shared, and count for one at a time


# Decks


@dataclass(frozen=True)
class Term:
    """A term of the formula for χ: ± C(N, r) · c_r."""

    length: int
    sign: int
    ways: int
    sequences: int

    @property
    def value(self) -> int:
        """The term itself."""
        return self.sign * self.ways * self.sequences


@dataclass(frozen=True)
class HandSize:
    """How much of the decks a hand of so many cards can play; `counted` is None if there are too many positions."""

    hand: int
    counted: SequenceCount | None

    @property
    def fraction(self) -> float | None:
        """The part of the orders that can be played."""
        return None if self.counted is None else float(self.counted.fraction)


@dataclass(frozen=True)
class Decks:
    """All orders of a deck: those that a hand of one card can play, by the theorem, and those of larger hands."""

    counted: PlayableCount
    terms: tuple[Term, ...]
    hands: tuple[HandSize, ...]

    @property
    def num_cards(self) -> int:
        """How many cards there are."""
        return sum(self.counted.copies)

    @property
    def has_open_hands(self) -> bool:
        """Whether there are hand sizes for which nothing was counted."""
        return any(each.counted is None for each in self.hands)


def checked(copies: Sequence[int]) -> tuple[int, ...]:
    """Return copies that the page can show, or refuse them."""
    if not MIN_VALUES <= len(copies) <= MAX_VALUES:
        raise RulesError(f"{len(copies)} values: expected {MIN_VALUES} to {MAX_VALUES}")
    for value, number in enumerate(copies, start=1):
        if not 1 <= number <= MAX_COPIES:
            raise RulesError(f"{number} copies of value {value}: expected 1 to {MAX_COPIES}")
    return tuple(copies)


def decks_of(copies: Sequence[int]) -> Decks:
    """Return what there is to say of all decks with these copies.

    >>> decks_of((3, 2, 2, 2, 1)).counted.playable
    5934
    """
    checked_copies = checked(copies)
    hands = tuple(
        HandSize(hand, _counted(checked_copies, hand, POSITIONS_AT_ONCE))
        for hand in HANDS
        if hand <= max(1, sum(checked_copies))
    )
    return Decks(count(checked_copies), terms_of(checked_copies), hands)


def terms_of(copies: Sequence[int]) -> tuple[Term, ...]:
    """Return the terms of χ = Σ_r (−1)^(N − k − r) · C(N, r) · c_r; their sum is the number of playable orders.

    >>> sum(term.value for term in terms_of((3, 2, 2, 2, 1)))
    5934
    """
    num_cards, num_values = sum(copies), len(copies)
    return tuple(
        Term(length, (-1) ** (num_cards - num_values - length), comb(num_cards, length), sequences)
        for length, sequences in enumerate(short_sequences(copies))
    )


@lru_cache(maxsize=1000)
def _counted(copies: tuple[int, ...], hand: int, most_positions: int) -> SequenceCount | None:
    with _COUNTING:
        try:
            return count_sequences(copies, hand, most_positions=most_positions)
        except RulesError:
            return None


def number_text(number: int) -> Markup:
    """Return a whole number for reading; one of many digits as a power of ten.

    >>> print(number_text(75600), number_text(10**20))
    75,600 1.000 · 10<sup>20</sup>
    """
    if abs(number) < 10**LONG_NUMBER:
        return Markup(f"{number:,}".replace("-", "−"))
    digits, _, power = f"{number:.3e}".partition("e+")
    return Markup(f"{digits.replace('-', '−')} · 10<sup>{int(power)}</sup>")


# Solitaire


@dataclass(frozen=True)
class Given:
    """What somebody gave: a game, and the formula that it comes from, if it does."""

    game: Solitaire
    reduction: Reduction | None


def read_given(text: str, hand: int | None = None) -> Given:
    """Return the game of a text: a sequence, JSON, or a formula in DIMACS form (a line `p cnf …`)."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"the text has {len(text):,} characters: expected at most {MAX_TEXT:,}")
    if not text.strip():
        raise NotationError("nothing was given: expected a sequence of cards, such as r2 r1 b1 b2, or a formula")
    if hand is not None and not 0 <= hand <= MAX_HAND:
        raise NotationError(f"a hand of {hand}: expected at most {MAX_HAND} cards")
    if any(line.split()[:2] == ["p", "cnf"] for line in text.splitlines()):
        reduction = reduce_formula(_checked_formula(read_dimacs(text)), 2 if hand is None else hand)
        return Given(_checked_game(reduction.game), reduction)
    _check_numbers(text)
    game, document = read_document(text, hand=hand)
    if document is not None and document.get("formula") is not None:
        _checked_formula(read_formula_field(document["formula"]))
    return Given(_checked_game(game), reduction_in(document, game))


def _check_numbers(text: str) -> None:
    """Refuse numbers that no game of a page has, before anything is made of that size."""
    for digits in _LONG_NUMBER.findall(_COMMENT.sub("", text)):
        if len(digits) > 6 or int(digits) > MAX_NUMBER:
            most = f"{MAX_SUITS:,} suits, values to {MAX_CARDS:,} and {MAX_HAND} cards in the hand"
            raise NotationError(f"{digits[:20]} is too large: expected at most {most}")


_COMMENT, _LONG_NUMBER = re.compile("#.*"), re.compile("[0-9]{5,}")


def _checked_formula(formula: Cnf) -> Cnf:
    """Return a formula whose game is not too long: a clause brings up to nine cards of every suit, two a variable."""
    cards = 2 * formula.variables * (9 * len(formula.clauses) + 5)
    if cards > 3 * MAX_CARDS:
        size = f"{formula.variables:,} variables and {len(formula.clauses):,} clauses"
        raise NotationError(f"a formula of {size} becomes about {cards:,} cards: expected at most {MAX_CARDS:,}")
    return formula


def _checked_game(game: Solitaire) -> Solitaire:
    if len(game.sequence) > MAX_CARDS:
        raise NotationError(f"the game has {len(game.sequence):,} cards: expected at most {MAX_CARDS:,}")
    if game.suits > MAX_SUITS or game.values > MAX_CARDS or game.hand > MAX_HAND:
        size = f"{game.suits:,} suits, values to {game.values:,} and a hand of {game.hand:,}"
        raise NotationError(f"{size}: expected at most {MAX_SUITS:,}, {MAX_CARDS:,} and {MAX_HAND}")
    return game


@dataclass(frozen=True)
class Clause:
    """A clause of the formula: its literals, each with whether it holds."""

    literals: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class Solved:
    """A game with its answer: what the page needs to show every step of it."""

    given: Given
    answer: SolitaireAnswer
    assignment: tuple[bool, ...] | None

    @property
    def last_step(self) -> int:
        """How many cards are scanned."""
        return len(self.answer.moves)

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the formula under the assignment."""
        if self.given.reduction is None or self.assignment is None:
            return ()
        values = self.assignment
        return tuple(
            Clause(tuple((literal, values[abs(literal) - 1] == (literal > 0)) for literal in clause))
            for clause in self.given.reduction.formula.clauses
        )


def solved(text: str, hand: int | None = None, seconds: float = SECONDS) -> Solved:
    """Return a game with its answer, and the assignment that the winning moves stand for."""
    given = read_given(text, hand)
    answer = solve(given.game, time_limit=seconds)
    assignment = given.reduction.assignment(answer.moves) if given.reduction and answer.winnable else None
    return Solved(given, answer, assignment)


@dataclass(frozen=True)
class Scanned:
    """A card of the sequence as the page shows it: its place from 1, what is done with it, and whether that is done."""

    place: int
    text: str
    move: Move
    state: str  # past, now, to come


@dataclass(frozen=True)
class Scene:
    """Where a game stands after so many cards: what was just done, the hand, the stacks, the cards around.

    `stacks` has for each suit its name, its height, and whether it has just grown; `part` is the name of the part of a
    reduced formula in which the card is.
    """

    step: int
    last_step: int
    told: str
    stored: tuple[str, ...]
    free: int
    stacks: tuple[tuple[str, int, bool], ...]
    values: int
    around: tuple[Scanned, ...]
    part: str
    is_won: bool


def scene_of(found: Solved, step: int) -> Scene:
    """Return where a game that can be won stands after so many cards."""
    game, moves = found.given.game, found.answer.moves
    step = max(0, min(step, len(moves)))
    position = replay(game, moves, until=step)
    before = replay(game, moves, until=max(0, step - 1)).heights
    heights = position.heights
    first = max(0, step - 1 - AROUND)
    around = tuple(
        Scanned(place + 1, game.card_text(game.sequence[place]), moves[place], _state(place, step))
        for place in range(first, min(len(moves), step + AROUND))
    )
    return Scene(
        step=step,
        last_step=len(moves),
        told=_told(game, moves, before, heights, step),
        stored=tuple(map(game.card_text, sorted(position.stored, key=lambda card: (card[1], card[0])))),
        free=game.hand - len(position.stored),
        stacks=tuple(
            (suit_name(found.given, suit), heights[suit], heights[suit] > before[suit])
            for suit in range(1, game.suits + 1)
        ),
        values=game.values,
        around=around,
        part=_part(found.given.reduction, step - 1),
        is_won=position.is_won,
    )


def suit_name(given: Given, suit: int) -> str:
    r"""Return what a suit is called; those of a formula by the literals that they stand for.

    >>> given = read_given("p cnf 1 1\n1 0\n")
    >>> [suit_name(given, suit) for suit in (1, 2, 3)]
    ['x1', '¬x1', 'dummy']
    """
    game = given.game
    if given.reduction is not None and game.hand >= 2:
        variable = (suit + 1) // 2
        return "dummy" if suit == game.suits else f"{'x' if suit % 2 else '¬x'}{variable}"
    return game.suit_text(suit)


def _state(place: int, step: int) -> str:
    return "now" if place == step - 1 else "past" if place < step else "to-come"


def _told(game: Solitaire, moves: Sequence[str], before: Sequence[int], after: Sequence[int], step: int) -> str:
    """Return what was done with the last card, in words."""
    if step == 0:
        return ""
    card: SolitaireCard = game.sequence[step - 1]
    text, (value, suit) = game.card_text(card), card
    if moves[step - 1] != "play":
        return f"{moves[step - 1]} {text}"
    followers = [game.card_text((above, suit)) for above in range(value + 1, after[suit] + 1)]
    assert before[suit] == value - 1
    return f"play {text}" + (f", then {', '.join(followers)} from the hand" if followers else "")


def _part(reduction: Reduction | None, place: int) -> str:
    if reduction is None or place < 0:
        return ""
    return next((each.name for each in reduction.gadgets if each.start <= place < each.end), "")


# One suit, a hand of m cards, as in the counts


@dataclass(frozen=True)
class Line:
    """A single sequence of values, played with a hand of so many cards: a row for each turn."""

    values: tuple[int, ...]
    found: SequenceLine
    rows: tuple[tuple[int, str, int, tuple[int, ...]], ...]  # turn, what is done, the value, the hand kept


def read_values(text: str) -> tuple[int, ...]:
    """Return the values of a sequence such as `4 2 3 1`, or refuse it."""
    words = text.replace(",", " ").split()
    if not 1 <= len(words) <= MAX_LINE:
        raise NotationError(f"a sequence of {len(words)} cards: expected 1 to {MAX_LINE} values, such as 4 2 3 1 3 2 1")
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= MAX_LINE_VALUE):
            raise NotationError(f"{word[:20]!r} is no value: expected whole numbers from 1 to {MAX_LINE_VALUE}")
    return tuple(map(int, words))


def line_of(values: Sequence[int], hand: int) -> Line:
    """Return how a sequence is played with a hand of so many cards, if it can be.

    >>> [row[:3] for row in line_of((2, 3, 1, 2, 2), 2).rows]
    [(1, 'throw', 2), (2, 'play', 1), (3, 'play', 2), (4, 'play', 3)]
    """
    found = play_sequence([Card(0, value) for value in values], hand)
    rows = tuple(
        (step.turn, step.action, step.card.value, tuple(values[place - 1] for place in step.kept))
        for step in found.steps
    )
    return Line(tuple(values), found, rows)


def fitted(values: Sequence[int], copies: Sequence[int], draw: Callable[[int], int]) -> tuple[int, ...]:
    """Return the deck of these copies that is most like a sequence.

    Of cards that are too many, the last ones go; those that are missing come in at places that `draw(n)` draws below n.

    >>> fitted((1, 2, 1, 1, 5), (2, 1, 1), draw=lambda places: 0)
    (3, 1, 2, 1)
    """
    missing, deck = list(copies), []
    for value in values:
        if value <= len(missing) and missing[value - 1]:
            missing[value - 1] -= 1
            deck.append(value)
    for value, number in enumerate(missing, start=1):
        for _ in range(number):
            deck.insert(draw(len(deck) + 1), value)
    return tuple(deck)


def difference_text(values: Sequence[int], copies: Sequence[int]) -> str:
    """Return how the cards of a sequence differ from these copies; empty if they do not.

    >>> difference_text((1, 1, 3), (1, 1, 1)), difference_text((2, 1), (1, 1))
    ('too many 1; missing 2', '')
    """
    held, wanted = Counter(values), Counter(dict(enumerate(copies, start=1)))
    parts = (("too many", held - wanted), ("missing", wanted - held))
    return "; ".join(f"{word} {' '.join(map(str, sorted(cards.elements())))}" for word, cards in parts if cards)
