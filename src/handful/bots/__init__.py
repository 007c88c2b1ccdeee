"""Who plays: the protocol of a bot, the registry, and one file a bot."""

from handful.bots.players import BotEntry, Player, all_bots, player_named
from handful.bots.protocol import Bot, CompiledBot
from handful.bots.settings import Parameter
from handful.bots.table import play_game

__all__ = ["Bot", "BotEntry", "CompiledBot", "Parameter", "Player", "all_bots", "play_game", "player_named"]
