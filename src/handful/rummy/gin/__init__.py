"""Gin Rummy for two, as people play it: the rules as data, the game, what a player may know, and who plays.

>>> from handful.rummy import gin
>>> print(gin.best_arrangement("AC 2C 3C 4C 7D 8D 9D KH KS 5D"))
AC 2C 3C 4C | 7D 8D 9D | deadwood 25: 5D KH KS
"""

from handful.rummy.gin.actions import GinAction, action_at, parse_action
from handful.rummy.gin.deadwood import (
    Arrangement,
    Defence,
    arrangements,
    best_arrangement,
    best_arrangements,
    deadwood,
    defend,
    layoffs,
    least_after_throw,
)
from handful.rummy.gin.deal import GinDeal
from handful.rummy.gin.players import PLAYERS, GinPlayer, player_named
from handful.rummy.gin.round import Round, Settlement, settle
from handful.rummy.gin.rules import EAAI, HOYLE, OPENSPIEL, PRESETS, GinRules, gin_rules
from handful.rummy.gin.view import GinTurn, GinView

__all__ = [
    "EAAI",
    "HOYLE",
    "OPENSPIEL",
    "PLAYERS",
    "PRESETS",
    "Arrangement",
    "Defence",
    "GinAction",
    "GinDeal",
    "GinPlayer",
    "GinRules",
    "GinTurn",
    "GinView",
    "Round",
    "Settlement",
    "action_at",
    "arrangements",
    "best_arrangement",
    "best_arrangements",
    "deadwood",
    "defend",
    "gin_rules",
    "layoffs",
    "least_after_throw",
    "parse_action",
    "player_named",
    "settle",
]
