"""What can go wrong through no fault of ours: one family of errors, each a sentence for the user."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HandfulError(ValueError):
    """Something that was given is wrong. The message names it, and says what was expected."""


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

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        close = difflib.get_close_matches(name.lower(), [each.lower() for each in names], n=1)
        hint = next((f" Did you mean {each!r}?" for each in names if each.lower() in close), "")
        super().__init__(f"there is no {kind} {name!r}.{hint} Known: {', '.join(names)}")
