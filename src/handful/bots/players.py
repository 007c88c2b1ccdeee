"""Who takes a seat: the bot of a name, with its settings. Listing bots loads none of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from handful.bots.protocol import Bot, CompiledBot, Explainer, OpenBot, Sees
from handful.bots.register import REGISTER, BotEntry
from handful.errors import NotationError, RulesError, UnknownNameError, shown
from handful.hanabi.rules import Rules
from handful.splitmix import SplitMix64

__all__ = ["REGISTER", "BotEntry", "Player", "all_bots", "player_named", "player_of"]


def all_bots() -> list[BotEntry]:
    """Return all bots of the register."""
    return list(REGISTER.values())


@dataclass(frozen=True)
class Player:
    """A bot with its settings: what takes a seat. Either a bot of the register, or a class of somebody's own.

    A player is plain data, so that it can be sent to another process.
    """

    name: str
    entry: BotEntry | None = None
    settings: tuple[tuple[str, Any], ...] = ()
    bot_class: type[Bot] | None = None

    @property
    def sees(self) -> Sees:
        """What this player looks at: its view, as the game has it; all hands; or the deck, too."""
        return "view" if self.entry is None else self.entry.sees

    def check_sees_a_view(self, reason: str) -> None:
        """Refuse a bot that looks at more than its view, where that makes no sense."""
        if self.sees != "view":
            more = {"hands": "all hands, its own included", "everything": "the deck"}[self.sees]
            raise RulesError(f"the bot {self.name!r} sees {more}: {reason}")

    def for_game(self, rules: Rules) -> Player:
        """Return who plays such a game: this player, or the one that its bot is an alias for there."""
        if self.entry is None or not self.entry.is_alias:
            return self
        player: Player = self._module(rules).best_player(rules)
        return player

    def games_a_chunk(self, rules: Rules) -> int | None:
        """Return how many games of such a game make a chunk, if whoever plays it is slow; None for the usual number."""
        entry = self.for_game(rules).entry
        return None if entry is None else entry.games_a_chunk

    def plain(self, rules: Rules, seat: int, chance: SplitMix64) -> Bot:
        """Return a bot for a seat of a plain table."""
        if self.bot_class is not None:
            return self.bot_class(rules, seat, chance)
        module = self._module(rules)
        if hasattr(module, "plain"):
            bot: Bot = module.plain(**dict(self.settings))(rules, seat, chance)
        else:
            from handful.bots.seats import seat_compiled

            bot = seat_compiled(self.name, module.compiled(rules, **dict(self.settings)), rules, seat, chance)
        assert self.entry is not None
        assert (bot.sees if isinstance(bot, OpenBot) else "view") == self.entry.sees, "the register says what it sees"
        return bot

    def check_plain(self, rules: Rules) -> None:
        """Refuse a game that this player does not play at a plain table; nothing is compiled to find out."""
        if self.bot_class is not None:
            return
        module = self._module(rules)
        if hasattr(module, "plain"):
            module.plain(**dict(self.settings))
        elif not self.can_compile(rules):
            from handful.hanabi.kernels.layout import why_too_large

            raise RulesError(f"this game is too large for the compiled engine: {why_too_large(rules)}")

    def can_compile(self, rules: Rules) -> bool:
        """Whether there is a compiled form for these rules; nothing is compiled to find out.

        A bot that does not play such games refuses them: by the register, or by a function `check` of its module.
        """
        if self.bot_class is not None:
            return False
        module = self._module(rules)
        if not hasattr(module, "compiled"):
            return False
        from handful.hanabi.kernels.layout import why_too_large

        if why_too_large(rules) is not None:
            return False
        if hasattr(module, "check"):
            module.check(rules, **dict(self.settings))
        return True

    def compile(self, rules: Rules) -> CompiledBot | None:
        """Return the compiled form for these rules; None if there is none, or if the rules are too large for it."""
        if not self.can_compile(rules):
            return None
        bot: CompiledBot = self._module(rules).compiled(rules, **dict(self.settings))
        assert self.entry is not None
        assert bot.sees == self.entry.sees, "the register says what a bot sees"
        return bot

    def explainer(self, rules: Rules, names: Sequence[str]) -> Explainer | None:
        """Return what says in words what this bot's actions tell; None if they tell no more than anybody sees."""
        module = None if self.bot_class is not None else self._module(rules)
        if module is None or not hasattr(module, "explainer"):
            return None
        explainer: Explainer = module.explainer(rules, names, **dict(self.settings))
        return explainer

    def _module(self, rules: Rules) -> ModuleType:
        """Return the module of the bot, if it can play such a game."""
        assert self.entry is not None, "a player is of the register or has a class"
        self.entry.check(rules)
        return import_module(self.entry.module)


_CALL = re.compile(r"\s*([\w.-]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def player_named(text: str) -> Player:
    """Return the bot of a name, with settings if some are given: ``random``, ``rules(omega_p=0.6, hint=3)``."""
    call = _CALL.fullmatch(text)
    if call is None:
        raise NotationError(f"bot {shown(text)}: expected a name, or name(setting=value, …)")
    entry = REGISTER.get(call[1])
    if entry is None:
        raise UnknownNameError("bot", call[1], REGISTER)
    settings = _parse_settings(entry, call[2] or "")
    return Player(_canonical_name(entry, settings), entry, tuple(settings.items()))


def player_of(bot: str | type[Bot] | Player) -> Player:
    """Return a player: from a name, from a class of bots, or as it is."""
    if isinstance(bot, Player):
        return bot
    if isinstance(bot, str):
        return player_named(bot)
    if issubclass(bot, OpenBot):
        raise RulesError(f"the bot {bot.__name__} looks at more than its view: only bots of the register may")
    return Player(bot.__name__, bot_class=bot)


def _parse_settings(entry: BotEntry, text: str) -> dict[str, Any]:
    defaults = {parameter.name: parameter.default for parameter in entry.parameters}
    settings: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in defaults:
            raise UnknownNameError(f"setting of the bot {entry.name!r}", name, defaults or ["(it has none)"])
        if name in settings:
            raise NotationError(f"bot {entry.name}: {name} is given twice, expected once")
        settings[name] = _parse_setting(entry.name, name, value, defaults[name])
    for parameter in entry.parameters:
        if parameter.name in settings:
            parameter.check(settings[parameter.name])
    return settings


def _parse_setting(bot: str, name: str, text: str, default: Any) -> Any:
    kinds = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}
    text = text.strip("'\"")
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "no": False, "false": False}[text.lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        raise NotationError(f"bot {bot}: {name}={shown(text)}, expected {kinds[type(default)]}") from None


def _canonical_name(entry: BotEntry, settings: Mapping[str, Any]) -> str:
    """Return the name with the settings that differ from the defaults, in the register's order."""
    changed = [
        f"{parameter.name}={settings[parameter.name]}"
        for parameter in entry.parameters
        if parameter.name in settings and settings[parameter.name] != parameter.default
    ]
    return f"{entry.name}({', '.join(changed)})" if changed else entry.name
