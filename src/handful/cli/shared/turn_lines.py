"""A game drawn for the terminal, one line a turn: what happened, the stacks after it, the hand that it changed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from handful.cli.shared.table_text import card_cell, stacks_text, suit_style
from handful.hanabi.actions import HintSuit, HintValue
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import card_words, turn_text
from handful.hanabi.rules import Rules
from handful.hanabi.state import State


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
        line = Text.assemble((f"{turn.number:3}  ", "dim"), words, "  ", stacks_text(self.rules.variant, state.stacks))
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
        suit = variant.suits[turn.action.suit]
        words.highlight_words([f"about {suit.name.lower()}"], style=suit_style(suit))
    if turn.is_strike:
        words.highlight_words([f"strike {turn.strikes}"], style="bold red")
    return words
