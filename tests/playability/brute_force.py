"""Whether a tiny deal can be won, by trying everything.

Written from the text of the rules, to be compared with the solvers: it shares no code with them or the plain rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Face = tuple[int, int]  # suit from 0, value from 1
Hand = tuple[Face, ...]


@dataclass(frozen=True)
class Box:
    """What is in the box: suits, how many values, and the points of the rules on which tables differ."""

    suits: int
    values: int
    players: int
    hand_size: int
    max_hints: int | None = 8
    max_strikes: int | None = 3
    bonus_hint: bool = True
    discard_at_max: bool = False


@dataclass(frozen=True)
class Table:
    """A position: nothing of the past but what still matters."""

    stacks: tuple[int, ...]
    hands: tuple[Hand, ...]
    drawn: int
    to_move: int
    hints: int | None
    strikes: int
    turns_left: int | None


def opening(box: Box, deck: tuple[Face, ...], starter: int = 0) -> Table:
    """The table after dealing: player 0 gets a whole hand first, then player 1, …"""
    size = box.hand_size
    hands = tuple(tuple(sorted(deck[player * size : (player + 1) * size])) for player in range(box.players))
    drawn = box.players * size
    turns_left = box.players if drawn == len(deck) else None
    return Table((0,) * box.suits, hands, drawn, starter, box.max_hints, 0, turns_left)


def final_scores(box: Box, deck: tuple[Face, ...], start: Table | None = None) -> Iterator[int]:
    """Yield the score of every different end of a game, 0 for an end by strikes.

    All tables that can be reached, each visited once: hints without limit can go round in circles.
    """
    first = start or opening(box, deck)
    waiting, met = [first], {first}
    while waiting:
        table = waiting.pop()
        if box.max_strikes is not None and table.strikes >= box.max_strikes:
            yield 0
            continue
        points = sum(table.stacks)
        after = [] if points == box.suits * box.values or table.turns_left == 0 else successors(box, deck, table)
        if not after:
            yield points
        new = set(after) - met
        met |= new
        waiting += new


def best_score(box: Box, deck: tuple[Face, ...], start: Table | None = None) -> int:
    """The best score that can be reached."""
    return max(final_scores(box, deck, start))


def can_win(box: Box, deck: tuple[Face, ...], start: Table | None = None) -> bool:
    """Whether every stack can be completed."""
    return any(score == box.suits * box.values for score in final_scores(box, deck, start))


def successors(box: Box, deck: tuple[Face, ...], table: Table) -> list[Table]:
    """Every table after one turn. Which hint is given does not matter, as everybody knows all cards."""
    tables = []
    most, me = box.max_hints, table.to_move
    for card in sorted(set(table.hands[me])):
        suit, value = card
        if table.stacks[suit] + 1 == value:
            stacks = tuple(value if each == suit else height for each, height in enumerate(table.stacks))
            hints = more(table.hints, most) if value == box.values and box.bonus_hint else table.hints
            tables.append(after_card(box, deck, table, card, stacks, hints, table.strikes))
        else:
            tables.append(after_card(box, deck, table, card, table.stacks, table.hints, table.strikes + 1))
        if box.discard_at_max or most is None or table.hints != most or box.players == 1:
            hints = more(table.hints, most)
            tables.append(after_card(box, deck, table, card, table.stacks, hints, table.strikes))
    somebody_to_hint = any(hand for player, hand in enumerate(table.hands) if player != me)
    if table.hints != 0 and somebody_to_hint:
        fewer = None if table.hints is None else table.hints - 1
        tables.append(next_turn(box, deck, table, table.stacks, table.hands, table.drawn, fewer, table.strikes))
    return tables


def more(hints: int | None, most: int | None) -> int | None:
    return None if hints is None or most is None else min(hints + 1, most)


def after_card(
    box: Box, deck: tuple[Face, ...], table: Table, card: Face, stacks: tuple[int, ...], hints: int | None, strikes: int
) -> Table:
    """The card has left the hand of the player to move, who draws another if there is one."""
    hand = list(table.hands[table.to_move])
    hand.remove(card)
    drawn = table.drawn
    if drawn < len(deck):
        hand.append(deck[drawn])
        drawn += 1
    hands = tuple(tuple(sorted(hand)) if player == table.to_move else other for player, other in enumerate(table.hands))
    return next_turn(box, deck, table, stacks, hands, drawn, hints, strikes)


def next_turn(
    box: Box,
    deck: tuple[Face, ...],
    table: Table,
    stacks: tuple[int, ...],
    hands: tuple[Hand, ...],
    drawn: int,
    hints: int | None,
    strikes: int,
) -> Table:
    """The turn passes on. Who draws the last card begins the last round: one more turn for everybody."""
    if table.turns_left is not None:
        turns_left: int | None = table.turns_left - 1
    else:
        turns_left = box.players if drawn == len(deck) else None
    return Table(stacks, hands, drawn, (table.to_move + 1) % box.players, hints, strikes, turns_left)
