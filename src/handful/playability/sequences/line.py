"""Can this sequence be played with a hand of m cards, and how: Algorithms 3.29 and 3.36 of Bergh 2015, with a witness.

Both algorithms look for the first card that can be played, try all ways to keep m − 1 of the cards before it, play it,
and go on with what is left (Theorems 3.28 and 3.35). The search here does the same turn by turn, for any number of
suits: what can be played is played, junk is thrown if there is any, and only a hand full of different needed cards
leaves a choice. It differs in what it does not try:

- a position (the number of cards drawn, the stacks, the needed cards held) is looked at once, however it was reached;
- a card that cannot be played before it comes again, or never, is thrown without trying the others;
- of two cards of a suit the lower is not thrown if the higher comes again sooner, or if neither comes again.

In all three cases whatever is left out can be exchanged for what is tried: a thrown card is taken up again when it
comes again, and until then the kept one was of no use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from handful.display import Listing, Shown
from handful.errors import DealError, RulesError
from handful.hanabi.cards import Card
from handful.hanabi.rules import EndOfDeck

Heights: TypeAlias = tuple[int, ...]  # of the stacks, by suit
Decision: TypeAlias = tuple[Literal["play", "throw"], Card | None]  # None: any card that is not needed

MOST_CARDS = 500  # the search goes no deeper than Python does


@dataclass(frozen=True)
class Step:
    """A turn of a single player: which card of the hand is played or thrown. Places in the sequence count from 1."""

    turn: int
    action: Literal["play", "throw"]
    place: int
    card: Card
    kept: tuple[int, ...]  # the places of the other cards in the hand

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; a card as value and suit, which counts from 1, as Bergh 2015 has it."""
        shown = {"card": [self.card.value, self.card.suit + 1], "kept": list(self.kept)}
        return {"turn": self.turn, "action": self.action, "place": self.place, **shown}


@dataclass(frozen=True)
class SequenceLine(Shown):
    """Whether a sequence is (k, m)-playable: k `points`, m cards in the `hand`; and if so, how it is played."""

    cards: tuple[Card, ...] = field(repr=False)
    hand: int
    points: int
    end_of_deck: EndOfDeck
    playable: bool
    steps: tuple[Step, ...] = field(repr=False)
    positions: int = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "sequence": [[card.value, card.suit + 1] for card in self.cards],
            "hand": self.hand,
            "points": self.points,
            "end_of_deck": self.end_of_deck,
            "playable": self.playable,
            "steps": [step.to_dict() for step in self.steps],
            "positions": self.positions,
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: the answer, and the turns."""
        rows: list[tuple[object, ...]] = [
            (step.turn, step.action, step.place, f"{step.card.value} of suit {step.card.suit + 1}")
            for step in self.steps
        ]
        return Listing(repr(self), ("turn", "", "place", "card"), rows)


def play_sequence(
    cards: Iterable[int | Card], hand: int, points: int | None = None, end_of_deck: EndOfDeck = "last-round"
) -> SequenceLine:
    """Return whether so many points can be made with a sequence, and how. Numbers are the values of a single suit.

    Without `points` every stack must be completed: up to the highest value, in every suit that there is.

    >>> play_sequence((4, 3, 2, 1, 1, 1, 1), hand=4).playable, play_sequence((4, 3, 2, 1, 1, 1, 1), hand=1).playable
    (True, False)
    >>> [f"{step.action} {step.card.value}" for step in play_sequence((2, 3, 1, 2, 2), hand=2).steps]
    ['throw 2', 'play 1', 'play 2', 'play 3']
    """
    sequence = tuple(card if isinstance(card, Card) else Card(0, card) for card in cards)
    if not 1 <= hand <= max(len(sequence), 1):
        raise RulesError(f"a hand of {hand} cards: expected 1 to {len(sequence)}, for so long is the sequence")
    if len(sequence) > MOST_CARDS:
        raise RulesError(f"a sequence of {len(sequence)} cards: expected at most {MOST_CARDS}")
    if any(card.suit < 0 for card in sequence):
        raise DealError(f"suit {min(card.suit for card in sequence)}: expected 0 or more")
    wanted = _most_points(sequence) if points is None else points
    search = _Search(sequence, hand, wanted, end_of_deck == "never")
    start = tuple(0 for _ in range(1 + max((card.suit for card in sequence), default=0)))
    decisions = search.decisions(hand, start, _needed(sequence[:hand], start))
    steps = () if decisions is None else tuple(_steps(sequence, hand, decisions))
    return SequenceLine(sequence, hand, wanted, end_of_deck, decisions is not None, steps, len(search.lost))


def _most_points(sequence: Sequence[Card]) -> int:
    highest = max((card.value for card in sequence), default=0)
    return max(highest, 0) * len({card.suit for card in sequence})


def _needed(cards: Iterable[Card], heights: Heights) -> frozenset[Card]:
    """Return the cards that are not on the stacks, each once. Values below 1 can never be played."""
    return frozenset(card for card in cards if card.value > heights[card.suit])


@dataclass
class _Search:
    sequence: tuple[Card, ...]
    hand: int
    points: int
    is_endless: bool
    lost: set[tuple[int, Heights, frozenset[Card]]] = field(default_factory=set)

    def decisions(self, drawn: int, heights: Heights, held: frozenset[Card]) -> list[Decision] | None:
        """Return what to do from here on to make the points; None if that cannot be done.

        `drawn` cards have been drawn, and it is the player's turn.
        """
        made: list[Decision] = []
        is_over = False
        while not is_over:
            if sum(heights) >= self.points:
                return made
            if not self._is_possible(drawn, heights, held):
                return None
            ready = next((card for card in sorted(held) if heights[card.suit] == card.value - 1), None)
            is_last_card = drawn == len(self.sequence)
            if ready is not None:
                made.append(("play", ready))
                held -= {ready}
                heights = tuple(height + (suit == ready.suit) for suit, height in enumerate(heights))
                is_over = is_last_card and not self.is_endless
            elif is_last_card:
                is_over = True  # nothing more will come
            elif len(held) < self.hand:
                made.append(("throw", None))
            else:
                rest = self._after_a_choice(drawn, heights, held)
                return None if rest is None else made + rest
            if not is_last_card:
                held |= _needed([self.sequence[drawn]], heights)
                drawn += 1
        return made if sum(heights) >= self.points else None

    def _after_a_choice(self, drawn: int, heights: Heights, held: frozenset[Card]) -> list[Decision] | None:
        """Return what to do with a hand full of different needed cards, none of which can be played."""
        position = (drawn, heights, held)
        if position in self.lost:
            return None
        for card in self._worth_throwing(drawn, heights, held):
            kept = held - {card} | _needed([self.sequence[drawn]], heights)
            rest = self.decisions(drawn + 1, heights, kept)
            if rest is not None:
                return [("throw", card), *rest]
        self.lost.add(position)
        return None

    def _is_possible(self, drawn: int, heights: Heights, held: frozenset[Card]) -> bool:
        """Whether the turns suffice for the points, and the cards that are held or still come do."""
        if not self.is_endless and sum(heights) + len(self.sequence) - drawn + 1 < self.points:
            return False
        within_reach = held.union(self.sequence[drawn:])
        points = sum(heights)
        for suit, height in enumerate(heights):
            while Card(suit, height + 1) in within_reach:
                height += 1
                points += 1
        return points >= self.points

    def _worth_throwing(self, drawn: int, heights: Heights, held: frozenset[Card]) -> Iterator[Card]:
        """Yield the cards of a full hand that may have to be thrown, those that come again soonest first."""
        never = len(self.sequence)
        again = {card: self.sequence.index(card, drawn) if card in self.sequence[drawn:] else never for card in held}
        for card, place in again.items():
            before = held.union(self.sequence[drawn:place])
            below = (Card(card.suit, value) for value in range(heights[card.suit] + 1, card.value))
            if not all(lower in before for lower in below):
                yield card
                return
        for card in sorted(held, key=lambda card: (again[card], card)):
            higher = (other for other in held if other.suit == card.suit and other.value > card.value)
            # equal places: neither comes again
            if not any(again[other] <= again[card] for other in higher):
                yield card


def _steps(sequence: Sequence[Card], hand: int, decisions: Iterable[Decision]) -> Iterator[Step]:
    """Yield the turns with the very cards that are played and thrown."""
    held = list(range(hand))  # places, from 0
    drawn = hand
    played: set[Card] = set()
    for turn, (action, card) in enumerate(decisions, start=1):
        if card is None:
            faces = [sequence[place] for place in held]
            place = next(
                place
                for i, place in enumerate(held)
                if faces[i] in played or faces[i] in faces[:i] or faces[i].value < 1
            )
        else:
            place = next(place for place in held if sequence[place] == card)
        held.remove(place)
        if action == "play":
            played.add(sequence[place])
        yield Step(turn, action, place + 1, sequence[place], tuple(each + 1 for each in held))
        if drawn < len(sequence):
            held.append(drawn)
            drawn += 1
