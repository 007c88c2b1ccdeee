"""Who plays: the protocol of a bot, the registry, and one file a bot."""

from handful.bots.base import Bot, CompiledBot, Parameter
from handful.bots.registry import BotEntry, Player, all_bots, player_named
from handful.bots.table import play_game

__all__ = ["Bot", "BotEntry", "CompiledBot", "Parameter", "Player", "all_bots", "play_game", "player_named"]
