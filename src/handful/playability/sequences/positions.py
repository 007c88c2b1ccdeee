"""Counting the playable sequences of a deck without looking at each of them.

One player holds `hand` cards and knows the whole sequence. Two facts make the question small. What can be played
should be played at once, in any order: it must be played anyhow, and every turn uses up one card. And if nothing can be
played, a card that is not needed is thrown, a second copy or one that is played already; only a hand full of different
cards that are all needed leaves a choice.

So all that matters of the cards drawn so far is which *stands* the player can have: a stand is a mask of the types
that are played and a mask of the needed types that are held. (The numbers of cards played and drawn give the number
of turns, so a stand need not have it.) A stand is left out if another one is at least as good: that has played at
least as much, and holds whatever the first one holds and it still needs. Then sequences are counted position by
position instead of one by one. A position is a set of stands and the cards left to draw, in which the types that are
played in every stand are all the same: junk. Suits may be exchanged.

A type is a card without its copies; types are numbered suit by suit, value by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb, factorial, prod
from typing import NamedTuple, TypeAlias

from handful.errors import RulesError
from handful.hanabi.rules import EndOfDeck

Stand: TypeAlias = tuple[int, int]  # types played, needed types held: two masks
Stands: TypeAlias = frozenset[Stand]

START: Stands = frozenset({(0, 0)})
JUNK = -1  # drawn instead of a type: a card that is played already, whatever happened


class Position(NamedTuple):
    """What can have become of the cards drawn so far, and the cards left to draw."""

    left: tuple[int, ...]  # by type; 0 for the types that are junk
    junk: int
    stands: Stands


class Outlook(NamedTuple):
    """The stands from which the game can still be won, as far as is known."""

    stands: Stands
    is_won: bool  # whatever comes: in one of them every card is played or held
    played: int  # the types that are played in all of them


class PositionCounter:
    """Counts the sequences of decks with so many suits and values that can be played with a hand of so many cards.

    It remembers what it has found out about stands, which helps if several decks are asked about.
    """

    def __init__(self, suits: int, values: int, hand: int, end_of_deck: EndOfDeck = "last-round") -> None:
        self.suits, self.values, self.hand = suits, values, hand
        self.is_endless = end_of_deck == "never"
        self.all_mask = (1 << suits * values) - 1
        self.first_mask = sum(1 << suit * values for suit in range(suits))
        self.num_positions = 0  # of the deck counted last
        self._after: dict[tuple[Stands, int, bool], Stands] = {}
        self._outlooks: dict[tuple[Stands, int, int], Outlook] = {}

    def count_playable(self, copies: Sequence[int], most_positions: int | None = None) -> int:
        """Return how many sequences with so many copies of each type are playable.

        >>> PositionCounter(suits=1, values=5, hand=2).count_playable((3, 2, 2, 2, 1))
        36275
        """
        num_cards = sum(copies)
        playable = self.num_positions = 0
        positions = {Position(tuple(copies), 0, START): 1}  # and how many beginnings of sequences lead there
        for num_drawn in range(1, num_cards + 1):
            is_turn = num_drawn >= self.hand  # before that, the first hand is dealt
            turns = min(num_cards - num_drawn, num_cards - self.hand + 1)  # that are left after this one
            following: dict[Position, int] = {}
            for position, beginnings in positions.items():
                self.num_positions += 1
                if most_positions is not None and self.num_positions + len(following) > most_positions:
                    raise RulesError(
                        f"the sequences of {num_cards} cards with a hand of {self.hand} come to more than "
                        f"{most_positions:,} positions: expected a smaller deck, or a sample"
                    )
                for reached in self._draws(position, is_turn):
                    outlook = self._outlook(reached, turns)
                    if outlook.is_won:
                        playable += beginnings * _count_orders(reached)
                    elif outlook.stands:
                        ways, simpler = self._simplified(reached, outlook)
                        following[simpler] = following.get(simpler, 0) + beginnings * ways
            positions = following
        return playable

    def _draws(self, position: Position, is_turn: bool) -> Iterator[Position]:
        """Yield the positions after each card that can come next, and the turn that follows."""
        left, junk, stands = position
        if junk:
            yield Position(left, junk - 1, self._stands_after(stands, JUNK, is_turn))
        for card, copies in enumerate(left):
            if copies:
                fewer = (*left[:card], copies - 1, *left[card + 1 :])
                yield Position(fewer, junk, self._stands_after(stands, card, is_turn))

    def _stands_after(self, stands: Stands, card: int, is_turn: bool) -> Stands:
        """Return the stands that can be reached when a card is drawn, and (if it is a turn) one leaves the hand."""
        key = (stands, card, is_turn)
        if key not in self._after:
            reached: set[Stand] = set()
            for played, held in stands:
                now_held = held if card == JUNK else held | 1 << card & ~played
                reached.update(self._turn(played, now_held) if is_turn else [(played, now_held)])
            self._after[key] = _best_of(reached)
        return self._after[key]

    def _turn(self, played: int, held: int) -> Iterator[Stand]:
        """Yield the stands after a turn: something is played, or else junk is thrown, or else any one needed card."""
        # A type can be played if it is a 1, or if the type below it is played.
        ready_mask = (played << 1 | self.first_mask) & ~played & held
        if ready_mask:
            card = ready_mask & -ready_mask
            yield played | card, held ^ card
        elif held.bit_count() < self.hand:
            yield played, held
        else:
            for index in range(held.bit_length()):
                if held >> index & 1:
                    yield played, held ^ 1 << index

    def _outlook(self, position: Position, turns: int) -> Outlook:
        """Return the stands that are not lost: every needed card is held or comes, and the turns suffice for all."""
        coming_mask = sum(1 << card for card, copies in enumerate(position.left) if copies)
        key = (position.stands, coming_mask, turns)
        if key not in self._outlooks:
            stands = []
            played_mask, is_won = self.all_mask, False
            for played, held in position.stands:
                needed = self.all_mask & ~played
                if needed & ~(held | coming_mask) or (needed.bit_count() > turns and not self.is_endless):
                    continue
                stands.append((played, held))
                played_mask &= played
                is_won |= not needed & ~held
            self._outlooks[key] = Outlook(frozenset(stands), is_won, played_mask)
        return self._outlooks[key]

    def _simplified(self, position: Position, outlook: Outlook) -> tuple[int, Position]:
        """Return the position with junk as junk and its suits in order, and in how many ways it stands for the first.

        Of j + c cards of junk, c may be those of one type in C(j + c, c) ways.
        """
        left, junk, ways = list(position.left), position.junk, 1
        for card, copies in enumerate(left):
            if copies and outlook.played >> card & 1:
                junk += copies
                ways *= comb(junk, copies)
                left[card] = 0
        simpler = Position(tuple(left), junk, outlook.stands)
        return ways, simpler if self.suits == 1 else self._with_sorted_suits(simpler)

    def _with_sorted_suits(self, position: Position) -> Position:
        """Return the position with its suits exchanged, so that positions that differ by that alone become the same."""
        size = self.values
        mask = (1 << size) - 1

        def looks(suit: int) -> tuple[tuple[int, ...], list[Stand]]:
            at = suit * size
            in_stands = sorted((played >> at & mask, held >> at & mask) for played, held in position.stands)
            return position.left[at : at + size], in_stands

        def exchanged(types_mask: int) -> int:
            return sum((types_mask >> suit * size & mask) << place * size for place, suit in enumerate(suits))

        suits = sorted(range(self.suits), key=looks)
        if suits == list(range(self.suits)):
            return position
        left = tuple(copies for suit in suits for copies in position.left[suit * size : (suit + 1) * size])
        stands = frozenset((exchanged(played), exchanged(held)) for played, held in position.stands)
        return Position(left, position.junk, stands)


def _best_of(stands: set[Stand]) -> Stands:
    """Return the stands without those for which another one is at least as good."""
    if len(stands) == 1:
        return frozenset(stands)
    return frozenset(
        (played, held)
        for played, held in stands
        # at least as good: all that is played is played there, and all that is held is held or played there
        if not any(
            not played & ~other_played and not held & ~other_played & ~other_held
            for other_played, other_held in stands
            if (other_played, other_held) != (played, held)
        )
    )


def _count_orders(position: Position) -> int:
    """Return in how many orders the cards left to draw can come."""
    copies = (*position.left, position.junk)
    return factorial(sum(copies)) // prod(map(factorial, copies))
