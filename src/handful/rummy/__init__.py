"""How long will it take? Rummy alone: expected turns of every hand, the best discard, exactly.

A hand of n cards; each turn draw a card at random of the 52 − n others, then throw one of the n + 1 back among them.
The game is over when the whole hand melds: a *rummy*. (Finkle 2017)
"""

import warnings
from typing import Any

from handful.rummy.answers import (
    Answers,
    Discard,
    HandClass,
    StoredAnswers,
    Summary,
    answers_folder,
    clear_answers,
    list_answers,
)
from handful.rummy.array_files import DamagedFileError
from handful.rummy.cards import Card, format_cards, parse_card, parse_cards
from handful.rummy.game import Game
from handful.rummy.melds import ACE_RULES, Melding, find_melds, is_rummy
from handful.rummy.solver.long_run import Progress
from handful.rummy.solver.solve import Estimate, NotSolvedError, count_classes, estimate, solve
from handful.rummy.solver.spread import Spread, SpreadFigures, spread_of

__all__ = [
    "ACE_RULES",
    "Answers",
    "Card",
    "DamagedFileError",
    "Discard",
    "Estimate",
    "Game",
    "HandClass",
    "Melding",
    "NotSolvedError",
    "Progress",
    "Spread",
    "SpreadFigures",
    "StoredAnswers",
    "Summary",
    "answers_folder",
    "clear_answers",
    "count_classes",
    "estimate",
    "find_melds",
    "format_cards",
    "is_rummy",
    "list_answers",
    "parse_card",
    "parse_cards",
    "solve",
    "spread_of",
]

_OLD_NAMES = {
    "Table": "Answers",
    "StoredTable": "StoredAnswers",
    "list_tables": "list_answers",
    "clear_tables": "clear_answers",
    "tables_folder": "answers_folder",
}


def __getattr__(name: str) -> Any:
    """Return what had another name before, with a warning."""
    if name not in _OLD_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"rummy.{name} is now rummy.{_OLD_NAMES[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_OLD_NAMES[name]]
