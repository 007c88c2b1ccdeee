"""Whether a tiny deal of any variant can be won, by trying everything.

Written from the text of the rules of each variant, to be compared with the solvers: it shares no code with them or the
plain rules. A value is a number, START is 0; a face is a suit from 0 and a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

Face = tuple[int, int]
START = 0


@dataclass(frozen=True)
class VariantBox:
    """What is in the box, and which rules it is played by. Tokens are counted in halves."""

    suits: int
    values: int
    players: int
    hand_size: int
    max_hints: int = 8
    max_strikes: int = 3
    reversed_suits: frozenset[int] = frozenset()
    orange_suits: frozenset[int] = frozenset()
    up_or_down: bool = False
    sudoku: bool = False
    starved: bool = False
    hole: bool = False
    alternating: bool = False
    empty_hints: bool = False
    all_or_nothing: bool = False
    deck_plays: bool = False
    # The faces that some suit hint touches, and that some value hint touches.
    touched_by_suit: frozenset[Face] = frozenset()
    touched_by_value: frozenset[Face] = frozenset()


@dataclass(frozen=True)
class VariantTable:
    """A position: stacks are the values that lie on them, the first one first."""

    stacks: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[Face, ...], ...]
    drawn: int
    to_move: int
    halves: int  # of hint tokens
    strikes: int
    turns_left: int | None
    last_hint: str = ""


def fits(box: VariantBox, table: VariantTable, face: Face) -> bool:
    """Whether a card may be laid on its stack now."""
    suit, value = face
    stack = table.stacks[suit]
    if len(stack) == box.values:
        return False
    if box.up_or_down:
        if not stack:
            return value in (START, 1, box.values)
        if stack[-1] == START:
            return value in (2, box.values - 1)
        if stack == (START, 2) and box.values == 3:  # up or down: both begin with the same two cards
            return value in (1, 3)
        if len(stack) == 1:
            return value == (2 if stack[0] == 1 else box.values - 1)
        return value == stack[-1] + (1 if stack[-1] > stack[-2] != START or stack[:2] == (START, 2) else -1)
    if box.sudoku:
        if not stack:
            return all(value != other[0] for other in table.stacks if other)
        return value == stack[-1] % box.values + 1
    if suit in box.reversed_suits:
        return value == (stack[-1] - 1 if stack else box.values)
    return value == (stack[-1] + 1 if stack else 1)


def can_win(box: VariantBox, deck: tuple[Face, ...], start: VariantTable) -> bool:
    """Whether every stack can be completed."""
    waiting, met = [start], {start}
    while waiting:
        table = waiting.pop()
        if sum(map(len, table.stacks)) == box.suits * box.values:
            return True
        if table.strikes >= box.max_strikes or table.turns_left == 0:
            continue
        for after in successors(box, deck, table):
            if after not in met:
                met.add(after)
                waiting.append(after)
    return False


def successors(box: VariantBox, deck: tuple[Face, ...], table: VariantTable) -> Iterator[VariantTable]:
    """Every table after one turn."""
    me, most = table.to_move, 2 * box.max_hints
    may_discard = table.halves < most or box.players == 1
    for face in sorted(set(table.hands[me])):
        is_orange = face[0] in box.orange_suits
        # To play Orange one asks to discard it, which must be allowed; to discard it one asks to play it.
        if may_discard or not is_orange:
            yield moved_on(box, deck, drawn(deck, played(box, table, face), face))
        if may_discard or is_orange:
            yield moved_on(box, deck, drawn(deck, gained(box, table), face))
    if box.deck_plays and table.drawn == len(deck) - 1:
        face = deck[-1]
        after = gained(box, table) if face[0] in box.orange_suits else played(box, table, face)
        yield moved_on(box, deck, replace(after, drawn=table.drawn + 1))
    if table.halves >= 2:
        others = [face for player, hand in enumerate(table.hands) if player != me for face in hand]
        for kind, touched in (("suit", box.touched_by_suit), ("value", box.touched_by_value)):
            is_touching = any(face in touched for face in others) or (box.empty_hints and box.players > 1)
            if is_touching and not (box.alternating and table.last_hint == kind):
                last_hint = kind if box.alternating else ""
                yield moved_on(box, deck, replace(table, halves=table.halves - 2, last_hint=last_hint))


def played(box: VariantBox, table: VariantTable, face: Face) -> VariantTable:
    """A card is laid on its stack, or is a strike."""
    if not fits(box, table, face):
        return replace(table, strikes=table.strikes + 1)
    suit, value = face
    stacks = tuple((*stack, value) if each == suit else stack for each, stack in enumerate(table.stacks))
    after = replace(table, stacks=stacks)
    return gained(box, after) if len(stacks[suit]) == box.values and not box.hole else after


def gained(box: VariantBox, table: VariantTable) -> VariantTable:
    """A discard or a completed stack gives a token, or half of one."""
    return replace(table, halves=min(table.halves + (1 if box.starved else 2), 2 * box.max_hints))


def drawn(deck: tuple[Face, ...], table: VariantTable, face: Face) -> VariantTable:
    """The card has left the hand of the player to move, who draws another if there is one."""
    hand = list(table.hands[table.to_move])
    hand.remove(face)
    if table.drawn < len(deck):
        hand.append(deck[table.drawn])
    hands = tuple(tuple(sorted(hand)) if player == table.to_move else other for player, other in enumerate(table.hands))
    return replace(table, hands=hands, drawn=min(table.drawn + 1, len(deck)))


def moved_on(box: VariantBox, deck: tuple[Face, ...], table: VariantTable) -> VariantTable:
    """The turn passes on. The end of the deck begins the last round, but not in all or nothing."""
    turns_left = table.turns_left
    if turns_left is not None:
        turns_left -= 1
    elif table.drawn == len(deck) and not box.all_or_nothing:
        turns_left = box.players
    return replace(table, turns_left=turns_left, to_move=(table.to_move + 1) % box.players)
