"""What can go wrong through no fault of ours: one family of errors, each a sentence for the user."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable

MOST_QUOTED = 60
MOST_IN_A_MESSAGE = 290  # with the name of the program before it, 300


def shown(value: object) -> str:
    """Return a value as a message quotes it: on one line, and cut if it is long.

    >>> shown("red"), len(shown("red" * 1000)) <= MOST_QUOTED + 1
    ("'red'", True)
    """
    if isinstance(value, str):
        text = repr(value[: MOST_QUOTED + 1])
    else:
        try:
            text = reprlib.repr(value)
        except ValueError:  # Python does not write out numbers of thousands of digits
            text = "a number of thousands of digits"
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"


def shortened(message: str, most: int = MOST_IN_A_MESSAGE) -> str:
    """Return a message on one line and no longer than a person reads: what is too long is cut in its middle.

    Its beginning says what is wrong, its end what was expected.
    """
    if not message.isprintable():  # line ends, and what would move the cursor of a terminal
        message = " ".join("".join(each if each.isprintable() else " " for each in message).split())
    if len(message) <= most:
        return message
    half = most // 2
    return f"{message[: half - 2]} … {message[-(half - 1) :]}"


class HandfulError(ValueError):
    """Something that was given is wrong. The message names it, and says what was expected."""

    def __init__(self, message: object = "") -> None:
        super().__init__(shortened(str(message)))


class NotationError(HandfulError):
    """A text that was to be a card, an action, a seed or an option cannot be read."""


class RulesError(HandfulError):
    """A game that cannot be played: no players, more cards in hands than in the deck, …"""


class DealError(HandfulError):
    """Cards that do not fit the rules: a wrong number of copies, a card in two places, …"""


class IllegalActionError(HandfulError):
    """An action that the rules forbid in its place."""


class RecordError(HandfulError):
    """A hanab.live record or link with a field that is missing, malformed or not supported."""


class UnknownNameError(HandfulError):
    """A bot, variant, preset or option that does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], listed_as: str = "Known") -> None:
        names = list(known)
        close = difflib.get_close_matches(name.lower(), [each.lower() for each in names], n=1)
        hint = next((f" Did you mean {each!r}?" for each in names if each.lower() in close), "")
        super().__init__(f"there is no {kind} {shown(name)}.{hint} {listed_as}: {', '.join(names)}")
