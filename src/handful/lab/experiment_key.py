"""What the games of a plan depend on, as a text: the same text, the same games.

Results are kept under it, so it must change with whatever can change a game, the code included.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from handful import __version__
from handful.bots.registry import BotEntry, Player
from handful.errors import HandfulError
from handful.lab.games import Plan

# A game is a function of these sources; how games are handed out and added up is not among them.
_SOURCES_OF_GAMES = ("bits.py", "splitmix.py", "splitmix_jit.py", "hanabi", "playability", "bots", "lab/games.py")


def experiment_key(plan: Plan) -> str:
    """Return all that the games of a plan depend on. Only bots of the register have a name that says who plays."""
    entry = registered(plan.player)
    settings = {parameter.name: parameter.default for parameter in entry.parameters} | dict(plan.player.settings)
    rules = asdict(plan.rules)
    del rules["variant"]["live_id"], rules["variant"]["source"]  # where a variant comes from changes no game
    deal = None if plan.deal is None else {"cards": plan.deal.text(), "starter": plan.deal.starter}
    return key_text(
        bot=entry.name,
        settings=settings,
        rules=rules,
        seed=plan.seed,
        repeat=plan.repeat,
        deal=deal,
        code=code_version(entry),
    )


def key_text(**parts: Any) -> str:
    """Return the parts of a key as one text, always the same for the same parts."""
    return json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def registered(player: Player) -> BotEntry:
    """Return the register's entry of a player, or refuse a class of somebody's own."""
    if player.entry is None:
        raise HandfulError(
            f"the bot {player.name} is a class of your own: results are kept only for bots that `handful bots` lists"
        )
    return player.entry


def code_version(entry: BotEntry) -> str:
    """Return the version of the code that a bot's games come from: ours, with a hash of the sources.

    The number alone would keep results alive that were made before a bot was changed.
    """
    return f"{__version__}+{_source_hash(entry.module)}"


@cache
def _source_hash(module: str) -> str:
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for name in _SOURCES_OF_GAMES:
        place = package / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.read_bytes() if path.exists() else b"")
    if not module.startswith("handful."):  # a bot that somebody added to the register
        origin = getattr(find_spec(module), "origin", None)
        digest.update(Path(origin).read_bytes() if origin else b"")
    return digest.hexdigest()[:8]
