"""Games from hanab.live, or from a server that answers as it does: by number, of players, on a seed; each once."""

from handful.hanabi.live.addresses import GameAddress, game_address
from handful.hanabi.live.site.games import Site, game_given
from handful.hanabi.live.site.rows import GameRow, Wanted
from handful.hanabi.live.site.transport import NotThereError, SiteError, UnreachableError

__all__ = [
    "GameAddress",
    "GameRow",
    "NotThereError",
    "Site",
    "SiteError",
    "UnreachableError",
    "Wanted",
    "game_address",
    "game_given",
]
