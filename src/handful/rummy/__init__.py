"""How long will it take? Rummy alone: expected turns of every hand, the best discard, exactly.

A hand of n cards; each turn draw a card at random of the 52 − n others, then throw one of the n + 1 back among them.
The game is over when the whole hand melds: a *rummy*. (Finkle 2017)
"""

from handful.rummy.answers.answers import Discard, Game, HandClass, Summary, Table, tables_folder
from handful.rummy.answers.files import DamagedFileError
from handful.rummy.answers.stored import StoredTable, clear_tables, list_tables
from handful.rummy.cards import Card, format_cards, parse_card, parse_cards
from handful.rummy.melds import ACE_RULES, Melding, find_melds, is_rummy
from handful.rummy.solver.solve import Estimate, Progress, count_classes, estimate, solve
from handful.rummy.solver.spread import Spread, SpreadFigures, spread_of

__all__ = [
    "ACE_RULES",
    "Card",
    "DamagedFileError",
    "Discard",
    "Estimate",
    "Game",
    "HandClass",
    "Melding",
    "Progress",
    "Spread",
    "SpreadFigures",
    "StoredTable",
    "Summary",
    "Table",
    "clear_tables",
    "count_classes",
    "estimate",
    "find_melds",
    "format_cards",
    "is_rummy",
    "list_tables",
    "parse_card",
    "parse_cards",
    "solve",
    "spread_of",
    "tables_folder",
]
