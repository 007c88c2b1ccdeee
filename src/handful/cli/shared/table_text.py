"""A table and its turns, drawn for the terminal: suits by letter and in colour, so that either alone can be read.

Drawn from what everybody knows and the faces that the reader may see. A player's own cards are drawn from the back: the
drawing of a view cannot show them, since a view does not have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from handful.cli.shared.output import counted
from handful.hanabi.actions import HintSuit, HintValue
from handful.hanabi.cards import Card, card_text, cards_in
from handful.hanabi.knowledge import CardKnowledge, Turn
from handful.hanabi.measures import best_score
from handful.hanabi.notation import card_words, slot_text, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State
from handful.hanabi.variants import Suit, Variant
from handful.hanabi.view import CommonKnowledge, View

if TYPE_CHECKING:
    from rich.console import Console

    from handful.playability.deals.solve import Solution

SUIT_STYLES = {
    "Red": "bright_red",
    "Yellow": "yellow",
    "Green": "green",
    "Blue": "dodger_blue1",
    "Purple": "medium_orchid",
    "Teal": "cyan",
    "Rainbow": "bold italic",
    "Multicolour": "bold italic",
    "Black": "bright_black",
    "White": "bold",
    "Brown": "orange4",
    "Pink": "hot_pink",
}
TOUCHED = "*"


def suit_style(suit: Suit) -> str:
    """Return rich's style for a suit; plain for suits that have no colour."""
    return SUIT_STYLES.get(suit.name, "")


def card_cell(variant: Variant, card: Card, is_touched: bool = False) -> Text:
    """Return a card such as ``r1``, with a mark if a hint has touched it."""
    suit = variant.suits[card.suit]
    cell = Text(card_text(variant, card), style=suit_style(suit))
    return cell.append(TOUCHED, style="bold") if is_touched else cell


def stacks_text(variant: Variant, stacks: Sequence[Sequence[int]]) -> Text:
    """Return the stacks, each given by its values, as their top cards; ``r0`` is an empty stack, dim."""
    return Text(" ").join(
        Text(f"{suit.letter}{variant.value_text(on[-1]) if on else 0}", style=suit_style(suit) if on else "dim")
        for suit, on in zip(variant.suits, stacks, strict=True)
    )


def cards_text(variant: Variant, cards: Iterable[Card]) -> Text:
    """Return many cards in little space, suit by suit: ``r135 y22`` are r1 r3 r5 y2 y2."""
    values: dict[int, list[str]] = {}
    for card in sorted(cards):
        values.setdefault(card.suit, []).append(variant.value_text(card.value))
    between = "" if variant.num_values < 10 else ","
    return Text(" ").join(
        Text(variant.suits[suit].letter + between.join(each), style=suit_style(variant.suits[suit]))
        for suit, each in values.items()
    )


def possible_text(variant: Variant, mask: int) -> Text:
    """Return the cards of a mask; ``anything`` for all of them."""
    return Text("anything", style="dim") if mask == variant.all_mask else cards_text(variant, cards_in(variant, mask))


def told_text(variant: Variant, knowledge: CardKnowledge) -> Text:
    """Return what the hints that touched a card said: ``r``, ``3``, ``r3``; a dot if none did."""
    if not knowledge.is_touched:
        return Text("·", style="dim")
    if knowledge.is_pointed_at:
        return Text("?", style="dim")
    hints = zip(variant.suit_hints, variant.hint_suits, strict=True)
    suits = [each for index, each in enumerate(hints) if knowledge.suit_hints_mask >> index & 1]
    told = Text("").join(Text(hint.letter, style=suit_style(suit)) for hint, suit in suits)
    values = [value for value in variant.value_hints if knowledge.value_hints_mask >> value - 1 & 1]
    return told.append("".join(variant.value_hint_text(value) for value in values))


def counts_text(table: CommonKnowledge) -> Text:
    """Return points, hint tokens, strikes and deck in a line; what has run out is in bold."""
    rules, best = table.rules, best_score(table)
    half = "½" if table.half_token else ""
    hints = Text(f"hints {_of(table.hints, rules.max_hints, half)}", style="" if table.hints else "bold")
    shown = Text(f"{table.points} of {rules.max_score}").append(f", at most {best}" if best < rules.max_score else "")
    strikes = Text(f"strikes {_of(table.strikes, rules.max_strikes)}", style="bold red" if table.strikes else "")
    if table.is_hidden:
        shown, strikes = Text(f"{counted(table.face_down, 'card')} face down"), Text("strikes not known", style="dim")
    parts = [
        shown,
        hints,
        strikes,
        Text(f"deck {table.deck_size}", style="" if table.deck_size else "bold"),
    ]
    if table.turns_left:
        parts.append(Text(f"{counted(table.turns_left, 'turn')} left", style="bold"))
    return Text(" · ").join(parts)


def _of(count: int | None, most: int | None, half: str = "") -> str:
    return "without limit" if count is None else f"{count}" if most is None else f"{count}{half} of {most}"


# The whole table

Row = list[Text]


def state_picture(state: State, names: Sequence[str]) -> Text:
    """Return the table as a watcher sees it: every hand open."""
    table = state.common_knowledge()
    faces = [state.hand(seat) for seat in range(state.rules.players)]
    return _picture(_open_rows(table), [_slot_row(table), *_hand_rows(table, faces, names, range(len(faces)))])


def view_picture(view: View, names: Sequence[str]) -> Text:
    """Return the table as a player sees it: the own cards from the back, with what each can be."""
    others = [(view.me + ahead) % view.rules.players for ahead in range(1, view.rules.players)]
    hands = [_slot_row(view), *_hand_rows(view, view.cards, names, others)] if others else []
    return _picture(_open_rows(view), hands, list(_own_rows(view, names[view.me])))


def _picture(*blocks: Sequence[Row]) -> Text:
    """Return blocks of rows, one below the other; the first column is as wide in all of them."""
    first = 2 + max(row[0].cell_len for block in blocks for row in block)
    lines: list[Text] = []
    for block in blocks:
        columns = max((len(row) for row in block), default=0)
        widths = [2 + max(row[i].cell_len for row in block if i < len(row)) for i in range(1, columns)]
        lines += [_line(row, [first, *widths]) for row in block]
    return Text("\n").join(lines)


def _line(row: Row, widths: Sequence[int]) -> Text:
    line = Text()
    for cell, width in zip(row, widths, strict=False):
        line.append_text(cell).append(" " * (width - cell.cell_len))
    line.rstrip()
    return line


def _open_rows(table: CommonKnowledge) -> list[Row]:
    variant = table.rules.variant
    return [
        [Text("stacks", style="dim"), stacks_text(variant, table.stack_values)],
        [Text("points", style="dim"), counts_text(table)],
        [
            Text("discards", style="dim"),
            cards_text(variant, table.discards) if table.discards else Text("none", style="dim"),
        ],
    ]


def _slot_row(table: CommonKnowledge) -> Row:
    slots = range(max(map(len, table.hands)))
    return [Text("slots", style="dim"), *[Text(slot_text(slot), style="dim") for slot in slots]]


def _hand_rows(
    table: CommonKnowledge, faces: Sequence[Sequence[Card]], names: Sequence[str], seats: Iterable[int]
) -> Iterator[Row]:
    """Yield the cards of each open hand, and below them what they were told."""
    variant = table.rules.variant
    for seat in seats:
        backs = table.hands[seat]
        cards = zip(faces[seat], backs, strict=True)
        cells = [card_cell(variant, card, held.knowledge.is_touched) for card, held in cards]
        yield [Text(names[seat], style="bold" if seat == table.current and not table.is_over else ""), *cells]
        if any(held.knowledge.is_touched for held in backs):
            yield [Text("  told", style="dim"), *[told_text(variant, held.knowledge) for held in backs]]


def _own_rows(view: View, name: str) -> Iterator[Row]:
    """Yield a row for each own card: its slot, what it was told, and what it can be given all that the player sees."""
    variant = view.rules.variant
    all_seen_mask = sum(1 << index for index, count in enumerate(view.unseen) if count == 0)
    for slot, held in enumerate(view.my_hand):
        possible = held.knowledge.possible_mask
        if possible != variant.all_mask:
            possible &= ~all_seen_mask
        yield [
            Text(name if slot == 0 else "", style="bold"),
            Text(slot_text(slot) + (TOUCHED if held.knowledge.is_touched else ""), style="bold"),
            told_text(variant, held.knowledge),
            possible_text(variant, possible),
        ]


# Turns


class TurnLines:
    """Lines that stand in columns, for a page of some width; the hands are left out where they find no room."""

    def __init__(self, rules: Rules, names: Sequence[str], width: int) -> None:
        self.rules, self.names = rules, names
        self.name_width = max(map(len, names))
        # The longest words that are common: a suit hint that touches three cards.
        suit_width = max(len(suit.name) for suit in rules.variant.suits)
        self.words_width = 2 * self.name_width + suit_width + len(" tells  about : slots a b c")
        stacks_width = 3 * rules.variant.num_suits
        hand_width = self.name_width + 4 * rules.hand_size
        self.has_hands = 5 + self.words_width + 2 + stacks_width + 14 + hand_width <= width

    def head(self) -> Text:
        """Return the line above the columns."""
        stacks = "stacks".ljust(3 * self.rules.variant.num_suits - 1)
        line = f"     {'':{self.words_width}}  {stacks}  hints deck"
        return Text(line + ("  the hand after it" if self.has_hands else ""), style="dim")

    def line(self, state: State, turn: Turn) -> Text:
        """Return the line of a turn that has just been taken."""
        words = turn_words(self.rules, turn, self.names)
        words.pad_right(max(0, self.words_width - words.cell_len))
        line = Text.assemble(
            (f"{turn.number:3}  ", "dim"), words, "  ", stacks_text(self.rules.variant, state.stack_values)
        )
        hints = "–" if turn.hints is None else str(turn.hints)
        line.append(f"  {hints:>5}", style="bold" if turn.hints == 0 else "").append(
            f" {state.deck_size:4}", style="dim"
        )
        return line.append_text(self._hand(state, turn)) if self.has_hands else line

    def _hand(self, state: State, turn: Turn) -> Text:
        """Return the hand that the turn changed, as it is now."""
        owner = turn.action.player if isinstance(turn.action, HintSuit | HintValue) else turn.actor
        hand = Text(f"  {self.names[owner]:{self.name_width}}", style="dim")
        for card, held in zip(state.hand(owner), state.hands[owner], strict=True):
            cell = card_cell(self.rules.variant, card, held.knowledge.is_touched)
            cell.pad_right(3 - cell.cell_len)
            hand.append(" ").append_text(cell)
        hand.rstrip()
        return hand


def turn_words(rules: Rules, turn: Turn, names: Sequence[str]) -> Text:
    """Return what happened on a turn, in words and in the suits' colours."""
    words = Text(turn_text(rules, turn, names))
    variant = rules.variant
    if turn.card is not None:
        words.highlight_words([card_words(variant, turn.card)], style=suit_style(variant.suits[turn.card.suit]))
    if isinstance(turn.action, HintSuit):
        suit = variant.hint_suits[turn.action.suit]
        words.highlight_words([f"about {suit.name.lower()}"], style=suit_style(suit))
    if turn.is_strike:
        words.highlight_words([f"strike {turn.strikes}"], style="bold red")
    return words


def print_line(out: Console, solution: Solution, names: Sequence[str], link: str) -> None:
    """Print a line, a turn in each row, and its link."""
    lines = TurnLines(solution.finished.rules, names, out.width)
    # The line has been played to its end, to prove it: here it is walked back, and shown the other way round.
    state, drawn = solution.finished.copy(), []
    for turn in reversed(state.history[len(state.history) - len(solution.line) :]):
        drawn.append(lines.line(state, turn))
        state.undo()
    out.print(lines.head())
    for line in reversed(drawn):
        out.print(line, soft_wrap=True)
    if link:
        out.print()
        out.print(link, soft_wrap=True)
