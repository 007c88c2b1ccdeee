"""What the games of a plan depend on, as a text: the same text, the same games.

Results are kept under it, so it must change with whatever can change a game, the code included.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from handful import __version__
from handful._sources import PACKAGE, all_files, files_needed, hash_of, source_of
from handful.bots.players import BotEntry, Player
from handful.errors import HandfulError
from handful.lab.games import Plan


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
    """Return a hash of the sources that a bot's games are a function of; how games are added up is not among them.

    The register is left out: what it says of a bot's settings is in the key already. A bot that calls others by their
    names depends on all of them.
    """
    own = source_of(module) if module.startswith("handful.") else None
    if own is None:  # a bot that somebody added to the register
        origin = getattr(find_spec(module), "origin", None)
        own = Path(origin) if origin else None
    files = files_needed([] if own is None else [own])
    if own is None or PACKAGE not in own.parents or _file("handful.bots.players") in files:
        files |= files_needed(all_files("bots", "playability"))
    files |= files_needed([_file("handful.lab.games")])
    return hash_of(files - {_file("handful.bots.register")})[:8]


def _file(module: str) -> Path:
    file = source_of(module)
    assert file is not None, module
    return file
