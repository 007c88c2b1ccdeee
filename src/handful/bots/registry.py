"""The register of bots: names, settings, and where to find each. Listing them loads none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from handful.bots.base import Bot, CompiledBot, Parameter, PlainMaker
from handful.errors import NotationError, UnknownNameError
from handful.hanabi.rules import Rules


@dataclass(frozen=True)
class BotEntry:
    """What the register says of a bot.

    The module has ``plain(**settings)``, which returns a maker of `Bot`s, and may have ``compiled(rules, **settings)``, which
    returns a `CompiledBot`. A bot with no ``plain`` is played through its compiled form.
    """

    name: str
    module: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()
    sees_everything: bool = False


REGISTER: dict[str, BotEntry] = {
    entry.name: entry
    for entry in (
        BotEntry(
            "random",
            "handful.bots.random_legal",
            "any legal action, each equally likely",
            "seed 000, Example 2.18, with legal actions only",
        ),
    )
}


def all_bots() -> list[BotEntry]:
    """Return all bots of the register."""
    return list(REGISTER.values())


@dataclass(frozen=True)
class Player:
    """A bot with its settings: what takes a seat.

    `plain` makes a `Bot` for a seat; `compile` returns the compiled form for these rules, or None if there is none.
    """

    name: str
    plain: PlainMaker
    compile: Callable[[Rules], CompiledBot | None]
    sees_everything: bool = False


_CALL = re.compile(r"\s*([\w.-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def player_named(text: str) -> Player:
    """Return the bot of a name, with settings if some are given: ``random``, ``rules(omega_p=0.6, hint=3)``."""
    call = _CALL.fullmatch(text)
    if call is None:
        raise NotationError(f"bot {text!r}: expected a name, or name(setting=value, …)")
    entry = REGISTER.get(call[1])
    if entry is None:
        raise UnknownNameError("bot", call[1], REGISTER)
    settings = _parse_settings(entry, call[2] or "")
    return Player(
        name=_canonical_name(entry, settings),
        plain=lambda rules, seat, chance: _make_plain(entry, settings, rules, seat, chance),
        compile=lambda rules: _compile(entry, settings, rules),
        sees_everything=entry.sees_everything,
    )


def player_of(bot: str | type[Bot] | Player) -> Player:
    """Return a player: from a name, from a class of bots, or as it is."""
    if isinstance(bot, Player):
        return bot
    if isinstance(bot, str):
        return player_named(bot)
    return Player(bot.__name__, bot, lambda _rules: None)


def _make_plain(entry: BotEntry, settings: Mapping[str, Any], rules: Rules, seat: int, chance: Any) -> Bot:
    module = import_module(entry.module)
    if hasattr(module, "plain"):
        bot: Bot = module.plain(**settings)(rules, seat, chance)
        return bot
    from handful.bots.compiled_seat import CompiledSeat

    return CompiledSeat(module.compiled(rules, **settings), rules, seat, chance)


def _compile(entry: BotEntry, settings: Mapping[str, Any], rules: Rules) -> CompiledBot | None:
    module = import_module(entry.module)
    return module.compiled(rules, **settings) if hasattr(module, "compiled") else None


def _parse_settings(entry: BotEntry, text: str) -> dict[str, Any]:
    defaults = {parameter.name: parameter.default for parameter in entry.parameters}
    settings: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in defaults:
            raise UnknownNameError(f"setting of the bot {entry.name!r}", name, defaults or ["(it has none)"])
        settings[name] = _parse_setting(entry.name, name, value, defaults[name])
    return settings


def _parse_setting(bot: str, name: str, text: str, default: Any) -> Any:
    kinds = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}
    text = text.strip("'\"")
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "no": False, "false": False}[text.lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        raise NotationError(f"bot {bot}: {name}={text!r}, expected {kinds[type(default)]}") from None


def _canonical_name(entry: BotEntry, settings: Mapping[str, Any]) -> str:
    """Return the name with the settings that differ from the defaults, in the register's order."""
    changed = [
        f"{parameter.name}={settings[parameter.name]}"
        for parameter in entry.parameters
        if parameter.name in settings and settings[parameter.name] != parameter.default
    ]
    return f"{entry.name}({', '.join(changed)})" if changed else entry.name
