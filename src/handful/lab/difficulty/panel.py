"""The panel: which bots play a deal, how often they slip, and how often they play it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from handful.bots.players import REGISTER, player_named
from handful.bots.protocol import CompiledBot
from handful.errors import RulesError
from handful.hanabi.deal import Deal
from handful.hanabi.rules import Rules

SEED = 1  # of the slips: the same on every deal
REPEATS = 200


@dataclass(frozen=True)
class Member:
    """A bot of the panel, and the chance of a slip on each of its turns."""

    bot: str
    slip: float


# A bot that sees all hands and forgives much, slipping now and then, often, and all the time; and what is played by a
# convention. `partner` is left out on purpose: it plays as people do, and the difficulty is checked against it.
_OPEN = (Member("cheat(worlds=0)", 0.1), Member("cheat(worlds=0)", 0.25), Member("cheat(worlds=0)", 0.4))
_BY_CONVENTION = {
    2: (Member("conventions", 0.03),),
    3: (Member("information", 0.02),),
    4: (Member("recommendation", 0.03),),
    5: (Member("recommendation", 0.03),),
}


@dataclass(frozen=True)
class Share:
    """How many of its plays a member of the panel won."""

    bot: str
    slip: float
    plays: int
    won: int

    @property
    def share(self) -> float:
        """The share of plays that were won."""
        return self.won / self.plays

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**self.__dict__, "share": self.share}


def panel_for(rules: Rules) -> tuple[Member, ...]:
    """Return the panel for a game; a bot that does not play by these rules is left out.

    >>> [member.bot for member in panel_for(Rules(players=2))][-1]
    'conventions'
    """
    return (*_OPEN, *(member for member in _BY_CONVENTION.get(rules.players, ()) if _plays(member.bot, rules)))


def _plays(bot: str, rules: Rules) -> bool:
    try:
        REGISTER[bot].check(rules)
    except RulesError:
        return False
    return True


def play_panel(deals: Sequence[Deal], repeats: int = REPEATS) -> list[tuple[Share, ...]]:
    """Return for each deal how many plays each member of the panel won. All deals have the same rules."""
    rules = deals[0].rules
    members = panel_for(rules)
    columns = [won_by(member, deals, repeats) for member in members]
    return [
        tuple(Share(member.bot, member.slip, repeats, won) for member, won in zip(members, row, strict=True))
        for row in zip(*columns, strict=True)
    ]


def won_by(member: Member, deals: Sequence[Deal], repeats: int) -> list[int]:
    """Return how many of its plays of each deal a bot won: those with the maximum score."""
    from handful.lab.difficulty.panel_kernel import slipping_scores

    rules = deals[0].rules
    scores = slipping_scores(rules, _compiled(member.bot, rules), deals, repeats, member.slip, SEED)
    return [int(count) for count in (scores == rules.max_score).sum(axis=1)]


@lru_cache(maxsize=64)
def _compiled(bot: str, rules: Rules) -> CompiledBot:
    compiled = player_named(bot).compile(rules)
    if compiled is None:
        raise RulesError(f"the bot {bot} of the panel cannot play {rules.variant.name} with {rules.players} players")
    return compiled
