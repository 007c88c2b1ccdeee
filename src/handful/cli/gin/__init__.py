"""`handful gin`: how a hand melds, what to do with it, who plays, games in the terminal and by the thousand."""

from handful.cli.gin import advise, match, play, watch
from handful.cli.gin.shared import app

__all__ = ["advise", "app", "match", "play", "watch"]
