"""Solitaire Hanabi, the game: a hand, a sequence of cards, and what can be done with each (Baffier 2016, section 1.3).

The cards are scanned one by one, in an order that is known. Each is played, stored in the hand (which holds at most h)
or discarded; what is stored is played as soon as it fits. The game is won when every suit is complete. There are no
hints, no strikes and no last round.

A stored card that fits is never kept: with it on its stack the stacks are higher and the hand is emptier, and every
later move is still possible or not needed any more. For the same reason a card that fits when it is scanned is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from handful.errors import DealError, IllegalActionError

# (value, suit), both from 1: the ordered pair of Baffier 2016.
SolitaireCard: TypeAlias = tuple[int, int]
Move: TypeAlias = Literal["play", "store", "discard"]
PLAY: Move = "play"
STORE: Move = "store"
DISCARD: Move = "discard"

MAX_NUMBER = 10**9
MAX_HAND = 10**6


@dataclass(frozen=True)
class Solitaire:
    """A game: the hand size h, the values 1 to n, the suits 1 to c, and the sequence of (value, suit).

    >>> game = Solitaire.of(1, [(2, 1), (1, 1)])
    >>> game.values, game.suits, game.copies
    (2, 1, 1)
    """

    hand: int
    values: int
    suits: int
    sequence: tuple[SolitaireCard, ...] = field(repr=False)
    suit_names: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(
        cls,
        hand: int,
        sequence: Iterable[SolitaireCard],
        *,
        values: int | None = None,
        suits: int | None = None,
        copies: int | None = None,
        suit_names: Sequence[str] = (),
    ) -> Solitaire:
        """Return a game. What is not given is derived: the largest value, the largest suit, the most copies."""
        cards = tuple(sequence)
        if not cards:
            raise DealError("there are no cards: expected at least one")
        _check_number("hand", hand, 0, MAX_HAND)
        top_value, top_suit = _largest(cards)
        game = cls(
            hand,
            top_value if values is None else values,
            top_suit if suits is None else suits,
            cards,
            tuple(suit_names),
        )
        _check_number("values", game.values, 1, MAX_NUMBER)
        _check_number("suits", game.suits, 1, MAX_NUMBER)
        if top_value > game.values or top_suit > game.suits:
            game._refuse_outsider()
        if copies is not None:
            game._check_copies(copies)
        return game

    @cached_property
    def copies(self) -> int:
        """How often the most frequent card appears: the multiplicity r."""
        places = self.places
        return 1 if len(set(places)) == len(places) else max(Counter(places).values())

    @cached_property
    def places(self) -> list[int]:
        """A number for each card of the sequence: suit · (values + 1) + value, so that neighbours are neighbours.

        The place above a suit's highest value belongs to no card.
        """
        stride = self.values + 1
        return [suit * stride + value for value, suit in self.sequence]

    @property
    def num_needed(self) -> int:
        """How many cards have to be played: n · c."""
        return self.values * self.suits

    def missing_card(self) -> SolitaireCard | None:
        """Return the first card that is needed and appears nowhere; None if there is none."""
        there = set(self.sequence)
        if len(there) == self.num_needed:
            return None
        for suit in range(1, self.suits + 1):
            for value in range(1, self.values + 1):
                if (value, suit) not in there:
                    return value, suit
        return None

    def card_text(self, card: SolitaireCard) -> str:
        """Return a card as the text files have it.

        >>> Solitaire.of(1, [(1, 1), (3, 2)]).card_text((3, 2)), Solitaire.of(1, [(3, 1)]).card_text((3, 1))
        ('3:2', '3')
        """
        value, suit = card
        if self.suit_names:
            return f"{self.suit_names[suit - 1]}{value}"
        return str(value) if self.suits == 1 else f"{value}:{suit}"

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain values: what `read_solitaire` reads again."""
        return {
            "hand": self.hand,
            "values": self.values,
            "suits": self.suits,
            "sequence": [list(card) for card in self.sequence],
        }

    def _refuse_outsider(self) -> None:
        for order, (value, suit) in enumerate(self.sequence):
            if value > self.values:
                raise DealError(f"card {order + 1} has value {value}: expected 1 to {self.values}")
            if suit > self.suits:
                raise DealError(f"card {order + 1} has suit {suit}: expected 1 to {self.suits}")

    def _check_copies(self, copies: int) -> None:
        _check_number("copies", copies, 1, MAX_NUMBER)
        if self.copies > copies:
            card, times = Counter(self.sequence).most_common(1)[0]
            raise DealError(f"card {self.card_text(card)} appears {times} times: expected at most {copies} copies")


def _check_number(name: str, number: object, low: int, high: int) -> None:
    if type(number) is not int or not low <= number <= high:
        raise DealError(f"{name} is {str(number)[:20]}: expected a whole number from {low} to {high}")


def _largest(cards: tuple[SolitaireCard, ...]) -> SolitaireCard:
    """Return the largest value and the largest suit, having seen that all are positive."""
    values, suits = [value for value, _suit in cards], [suit for _value, suit in cards]
    for name, numbers in (("value", values), ("suit", suits)):
        if min(numbers) < 1:
            order = next(order for order, number in enumerate(numbers) if number < 1)
            raise DealError(f"card {order + 1} has {name} {numbers[order]}: expected at least 1")
    return max(values), max(suits)


@dataclass
class Position:
    """Where a game stands, for a player who plays whatever fits: the stacks and the hand."""

    game: Solitaire
    heights: list[int]
    stored: set[SolitaireCard]

    @classmethod
    def start(cls, game: Solitaire) -> Position:
        """Return the position before the first card."""
        return cls(game, [0] * (game.suits + 1), set())

    def play(self, value: int, suit: int) -> None:
        """Play a card that fits, and the stored cards that follow it."""
        stored = self.stored
        while stored and (value + 1, suit) in stored:
            value += 1
            stored.remove((value, suit))
        self.heights[suit] = value

    @property
    def is_won(self) -> bool:
        """Whether every suit is complete."""
        return all(height == self.game.values for height in self.heights[1:])


def replay(game: Solitaire, moves: Sequence[str], until: int | None = None) -> Position:
    """Return the position after the moves, one for each card; what breaks the rules is refused.

    With `until`, only so many cards are scanned.

    >>> replay(Solitaire.of(1, [(2, 1), (1, 1)]), ["store", "play"]).is_won
    True
    """
    if len(moves) != len(game.sequence):
        raise IllegalActionError(f"{len(moves)} moves for {len(game.sequence)} cards: expected one for each card")
    position = Position.start(game)
    heights, stored = position.heights, position.stored
    for order, (card, move) in enumerate(zip(game.sequence[:until], moves, strict=False)):
        value, suit = card
        if move == PLAY:
            if heights[suit] != value - 1:
                _refuse(game, order, f"does not fit on {heights[suit]}")
            position.play(value, suit)
        elif move == STORE:
            if len(stored) == game.hand:
                _refuse(game, order, f"cannot be stored: the hand is full ({game.hand})")
            if heights[suit] >= value - 1 or card in stored:
                # Nothing is won by it, and a stored card that fits would be played at once.
                _refuse(game, order, "need not be stored: expected play or discard")
            stored.add(card)
        elif move != DISCARD:
            _refuse(game, order, f"has the move {str(move)[:20]!r}: expected play, store or discard")
    return position


def _refuse(game: Solitaire, order: int, why: str) -> None:
    raise IllegalActionError(f"card {order + 1}, {game.card_text(game.sequence[order])}, {why}")


def is_won_by(game: Solitaire, moves: Sequence[str]) -> bool:
    """Whether these moves are legal and win the game."""
    return replay(game, moves).is_won


def moves_keeping(game: Solitaire, chosen: Iterable[int]) -> tuple[Move, ...]:
    """Return the moves of a player who plays what fits, stores the cards of these orders, and wins so."""
    moves = moves_if_kept(game, chosen)
    assert moves is not None, "the hand overflows"
    return moves


def moves_if_kept(game: Solitaire, chosen: Iterable[int]) -> tuple[Move, ...] | None:
    """Return the moves of a player who plays what fits, stores the cards of these orders, and discards the rest.

    None if the hand overflows. Otherwise they win: that every suit is completed is checked on the way.
    """
    is_chosen = bytearray(len(game.sequence))
    for order in chosen:
        is_chosen[order] = 1
    # What is known of a card: nothing, stored, fits, played. A suit that is complete waits for the place above it.
    stored, fits, played = 1, 2, 3
    known = bytearray((game.suits + 1) * (game.values + 1) + 1)
    for suit in range(1, game.suits + 1):
        known[suit * (game.values + 1) + 1] = fits
    free, missing = game.hand, game.num_needed
    moves: list[Move] = []
    for order, place in enumerate(game.places):
        if known[place] == fits:
            known[place] = played
            missing -= 1
            place += 1
            while known[place] == stored:
                known[place] = played
                missing -= 1
                free += 1
                place += 1
            known[place] = fits
            moves.append(PLAY)
        elif is_chosen[order] and not known[place]:
            if not free:
                return None
            known[place] = stored
            free -= 1
            moves.append(STORE)
        else:
            moves.append(DISCARD)
    assert not missing, "a suit is not complete"
    return tuple(moves)
