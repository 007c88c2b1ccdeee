"""Who plays what: the rules from the words that users give, and the bots that sit in some seats."""

from __future__ import annotations

from collections.abc import Mapping

from handful.bots.players import Player, player_of
from handful.bots.protocol import Bot
from handful.envs.fields import check_observable
from handful.errors import RulesError
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import Variant, variant_named

AnyBot = str | type[Bot] | Player


def rules_of(players: int, variant: str | Variant, rules: str | Rules) -> Rules:
    """Return the rules from the number of players, a variant, and a preset or options (or rules, as they are)."""
    if not isinstance(rules, Rules):
        rules = rules_from_text(rules, players, variant if isinstance(variant, Variant) else variant_named(variant))
    check_observable(rules)
    from handful.hanabi.kernels.layout import why_too_large

    if (reason := why_too_large(rules)) is not None:
        raise RulesError(f"this game is too large for the compiled engine: {reason}")
    return rules


def partners_of(partners: Mapping[int, AnyBot] | None, rules: Rules) -> dict[int, Player]:
    """Return the bots by their seats. At least one seat must be left for whoever learns."""
    found = {seat: player_of(bot) for seat, bot in (partners or {}).items()}
    for seat in found:
        if not 0 <= seat < rules.players:
            raise RulesError(f"a bot in seat {seat}: expected seats 0 to {rules.players - 1}")
        found[seat].check_sees_a_view("expected a partner that plays by what the game shows it")
    if len(found) == rules.players:
        raise RulesError(f"bots in all {rules.players} seats: expected one seat at least for whoever learns")
    return found
