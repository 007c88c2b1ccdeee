"""What environments are made of: the rules, the seed, the reward, and the bots that sit in some seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from handful.bots.players import Player, player_of
from handful.bots.protocol import Bot, CompiledBot
from handful.envs.observation import check_observable
from handful.envs.rewards import Reward, reward_of
from handful.errors import DealError, HandfulError, RulesError
from handful.hanabi.deal import check_seed
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.state import State
from handful.hanabi.variants import Variant, variant_named

AnyBot = str | type[Bot] | Player

MOST_LOST_DEALS = 1000  # that bots may lose, one after another, before anybody else was to move


class EnvOptions(TypedDict, total=False):
    """What every environment can be told by name, beside the rules.

    `seed` says which deals are played, 0 if not given; `reward` is a name of `rewards` or weights, "score" if not
    given; `partners` are bots by the seat that each of them plays.
    """

    seed: int
    reward: str | Reward
    partners: Mapping[int, AnyBot] | None


@dataclass(frozen=True)
class Seating:
    """An environment's rules, seed, reward, and the bots by their seats."""

    rules: Rules
    seed: int
    reward: Reward
    partners: Mapping[int, Player]

    @staticmethod
    def of(
        players: int,
        variant: str | Variant,
        rules: str | Rules,
        *,
        seed: int = 0,
        reward: str | Reward = "score",
        partners: Mapping[int, AnyBot] | None = None,
    ) -> Seating:
        """Return what users' words say, or refuse what makes no sense."""
        check_seed(seed)
        meant = rules_of(players, variant, rules)
        return Seating(meant, seed, reward_of(reward), _partners_of(partners or {}, meant))


def rules_of(players: int, variant: str | Variant, rules: str | Rules) -> Rules:
    """Return the rules from the number of players, a variant, and a preset or options (or rules, as they are)."""
    if not isinstance(rules, Rules):
        rules = rules_from_text(rules, players, variant if isinstance(variant, Variant) else variant_named(variant))
    check_observable(rules)
    from handful.hanabi.kernels.layout import why_too_large

    if (reason := why_too_large(rules)) is not None:
        raise RulesError(f"this game is too large for the compiled engine: {reason}")
    return rules


def _partners_of(partners: Mapping[int, AnyBot], rules: Rules) -> dict[int, Player]:
    """Return the bots by their seats. At least one seat must be left for whoever learns."""
    found = {seat: player_of(bot) for seat, bot in partners.items()}
    for seat in found:
        if not 0 <= seat < rules.players:
            raise RulesError(f"a bot in seat {seat}: expected seats 0 to {rules.players - 1}")
        found[seat].check_sees_a_view("expected a partner that plays by what the game shows it")
    if len(found) == rules.players:
        raise RulesError(f"bots in all {rules.players} seats: expected one seat at least for whoever learns")
    return found


def compiled_form(player: Player, rules: Rules) -> CompiledBot:
    """Return the compiled form of a bot, or refuse one that has none."""
    bot = player.compile(rules)
    if bot is None:
        raise HandfulError(f"the bot {player.name} has no compiled form: expected one that `handful bots` lists")
    return bot


def check_start(state: State, rules: Rules) -> None:
    """Refuse a state that a game cannot start from."""
    if state.rules != rules:
        raise DealError("the chosen deal or state has other rules than the environment")
    if state.is_over:
        raise DealError("the chosen state's game is over: expected one in which somebody is to move")


def all_lost() -> HandfulError:
    """Return what to raise when nobody but bots gets to move."""
    return HandfulError(f"the bots ended {MOST_LOST_DEALS} games before anybody else was to move")
