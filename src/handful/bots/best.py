"""The bot `best`: an alias for the strongest bot that we have, by the number of players and the variant.

`CHOICES` is all there is to it: the first line that fits a game says who plays it. A bot that is not in the register,
or that refuses the game, is passed over; docs/leaderboard.md has the figures that the lines rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from handful.bots.players import REGISTER, Player, player_named
from handful.bots.protocol import CompiledBot, Explainer
from handful.errors import RulesError
from handful.hanabi.rules import Rules


class Choice(NamedTuple):
    """Who plays with these numbers of players (empty: any), in these variants by name (empty: any)."""

    bot: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()


CHOICES = (
    Choice("learned", players=(2,), variants=("No Variant",)),
    Choice("conventions", players=(2,)),
    Choice("information", players=(2, 3, 4, 5)),
    Choice("rules(reading=text)"),
)
# Who judges the play of others, in reviews: strong, and quick enough to play a position out hundreds of times. It stays
# as it is when a stronger bot comes, so that what was reviewed can be compared with what is reviewed now.
REFERENCE = CHOICES[1:]


def best_player(rules: Rules) -> Player:
    """Return the player that `best` stands for in a game.

    >>> best_player(Rules(players=6)).name
    'rules(reading=text)'
    """
    return _chosen(rules, CHOICES)


def reference_player(rules: Rules) -> Player:
    """Return who judges the play of others in a game: strong, and quick.

    >>> reference_player(Rules(players=2)).name
    'conventions'
    """
    return _chosen(rules, REFERENCE)


def _chosen(rules: Rules, choices: Sequence[Choice]) -> Player:
    """Return who plays a game: a bot's module is loaded to ask whether it does, and nothing is compiled."""
    for choice in choices:
        is_meant = (not choice.players or rules.players in choice.players) and (
            not choice.variants or rules.variant.name in choice.variants
        )
        if is_meant and choice.bot.partition("(")[0] in REGISTER:
            player = player_named(choice.bot)
            with suppress(RulesError):
                if player.can_compile(rules):
                    return player
    raise RulesError(f"no bot plays {rules.variant.name} with {rules.players} players")


def plays_as(player: Player, rules: Rules) -> str | None:
    """Return the name of the bot that a player stands for in a game, if it is `best`; None for all others."""
    other = player.for_game(rules)
    return None if other is player else other.name


def check(rules: Rules) -> None:
    """Refuse a game that nobody plays."""
    best_player(rules)


def compiled(rules: Rules) -> CompiledBot:
    """Return the compiled form of the bot that plays this game."""
    bot = best_player(rules).compile(rules)
    assert bot is not None, "who is chosen has a compiled form"
    return bot


def explainer(rules: Rules, names: Sequence[str]) -> Explainer | None:
    """Return the explainer of the bot that plays this game, if it has one."""
    return best_player(rules).explainer(rules, names)
