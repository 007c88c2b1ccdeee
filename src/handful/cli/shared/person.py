"""A person at the table, as a bot whose choices are typed in.

Like any bot it is given views, and prints nothing that is not in them: so no own card can be shown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding

from handful.bots.protocol import Bot
from handful.cli.shared.table_text import turn_words, view_picture
from handful.errors import NotationError
from handful.hanabi import legality
from handful.hanabi.actions import Action, Discard, HintSuit, HintValue, Play
from handful.hanabi.knowledge import Turn
from handful.hanabi.notation import parse_action, slot_text
from handful.hanabi.rules import Rules
from handful.hanabi.view import View
from handful.splitmix import SplitMix64

if TYPE_CHECKING:
    from handful.bots.partner.words import PartnerExplainer

EXPLAINED_INDENT = 5

HELP = """\
play c          play the card in slot c; a is your oldest card
discard a       discard the card in slot a, for a hint token
{hints}hands           draw the table again
history         all turns so far
{asking}help            these lines
quit            leave the table

A star marks a card that a hint has touched. Beside each of your own cards stands what it was told, and what it can
be: r135 is a red 1, 3 or 5. Below the other hands stands what their cards were told."""

ASK_HELP = """\
{ask:15} what the others would read into this hint
why             what the turns since your last one meant
"""

HINT_HELP = """\
{red:15} tell {name} which cards are {suit}; short: hint {initial} {letter}
{three:15} tell {name} which cards are 1s; short: hint {initial} 1
"""


def help_text(rules: Rules, seat: int, names: Sequence[str], has_reader: bool = False) -> str:
    """Return what can be typed, with the next player's name in the examples."""
    if rules.players == 1:
        return HELP.format(hints="", asking="")
    name, spoken = names[(seat + 1) % rules.players], rules.variant.suit_hints
    suit = spoken[0] if spoken else rules.variant.suits[0]
    hints = HINT_HELP.format(
        red=f"hint {name} {suit.name.lower()}",
        three=f"hint {name} 1",
        name=name,
        suit=suit.name.lower(),
        initial=name[0].lower(),
        letter=suit.letter,
    )
    asking = ASK_HELP.format(ask=f"hint {name[0].lower()} 1?") if has_reader else ""
    return HELP.format(hints=hints, asking=asking)


class LeftTableError(Exception):
    """The person has left the table. It is not an error of anybody; the game stops here."""


class Person(Bot):
    """A person in a seat, asked in the terminal."""

    def __init__(
        self,
        rules: Rules,
        seat: int,
        chance: SplitMix64,
        names: Sequence[str],
        out: Console,
        reader: PartnerExplainer | None = None,
        explains: bool = False,
    ) -> None:
        """Seat a person; `reader` says what turns mean, when it is asked, or (`explains`) after every turn."""
        super().__init__(rules, seat, chance)
        self.names, self.out, self.reader, self.explains = names, out, reader, explains
        self._meant: list[str] = []  # since the person's last turn

    def observe(self, view: View, turn: Turn) -> None:
        """Tell the person what happened."""
        self._tell_turn(turn)
        if self.reader is None:
            return
        if turn.actor == self.seat:
            self._meant = []
        said = self.reader.explain_view(view, turn)
        self._meant += [f"{turn.number:3}. {sentence}" for sentence in said]
        if self.explains:
            self._say(said)

    def choose(self, view: View) -> Action:
        """Draw the table, and ask until the person names a legal action or leaves."""
        self._draw(view)
        while True:
            text = self._ask()
            if text in ("quit", "exit", "q"):
                raise LeftTableError
            if text in ("help", "?"):
                self.out.print(help_text(self.rules, self.seat, self.names, self.reader is not None))
            elif text == "hands":
                self._draw(view)
            elif text == "history":
                self._tell_history(view)
            elif text == "why" and self.reader is not None:
                self._say(self._meant or ["Nothing has happened so far."])
            elif text.endswith("?") and self.reader is not None:
                self._preview(view, self.reader, text.removesuffix("?"))
            elif text:
                action = self._action(view, text)
                if action is not None:
                    return action

    def _ask(self) -> str:
        """Return what the person types; the end of the input is a way to leave."""
        self.out.print("Your turn: ", style="bold", end="")
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            # What is typed ends its line on a terminal; what comes from elsewhere is not seen there.
            self.out.print(line.strip())
        if not line:
            raise LeftTableError
        return " ".join(line.lower().split())

    def _action(self, view: View, text: str) -> Action | None:
        """Return the action of a text if it is legal; otherwise say why not, and return None."""
        try:
            action = parse_action(self.rules, self.seat, text, self.names)
        except NotationError as error:
            self._refuse(str(error))
            return None
        if isinstance(action, Play | Discard) and action.slot >= len(view.my_hand):
            reason: str | None = f"your last card is in slot {slot_text(len(view.my_hand) - 1)}"
        else:
            reason = legality.why_illegal(view, action)
        if reason is not None:
            self._refuse(reason)
            return None
        return action

    def _preview(self, view: View, reader: PartnerExplainer, text: str) -> None:
        """Say what the others would read into a hint."""
        action = self._action(view, text)
        if isinstance(action, HintSuit | HintValue):
            reading = reader.preview(view, action)
            self._say([*reading.sentences, *(f"{place}: {cards}" for place, cards in reading.told.items())])
        elif action is not None:
            self._refuse("only hints can be asked about")

    def _say(self, sentences: Sequence[str]) -> None:
        """Show what turns mean, set off from the turns."""
        for sentence in sentences:
            self.out.print(Padding.indent(sentence, EXPLAINED_INDENT), style="dim")

    def _refuse(self, reason: str) -> None:
        self.out.print(f"Not so: {reason}.", soft_wrap=True)

    def _draw(self, view: View) -> None:
        self.out.print()
        self.out.print(view_picture(view, self.names))

    def _tell_history(self, view: View) -> None:
        if not view.history:
            self.out.print("Nothing has happened so far.")
        for turn in view.history:
            self._tell_turn(turn)

    def _tell_turn(self, turn: Turn) -> None:
        self.out.print(f"{turn.number:3}. ", turn_words(self.rules, turn, self.names), sep="")
