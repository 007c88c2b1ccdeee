"""The bot `random`: any legal action, each equally likely (Bergh 2015, Example 2.18, with legal actions only)."""

from __future__ import annotations

from handful._jit import kernel_of_type
from handful.bits import nth_bit, popcount
from handful.bots.base import Bot, CompiledBot, PlainMaker
from handful.bots.kernel_types import CHOOSE
from handful.hanabi.actions import Action
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import Games, RulesRecord
from handful.hanabi.rules import Rules
from handful.hanabi.view import View
from handful.splitmix_jit import Chance, below


class RandomBot(Bot):
    """Chooses among the legal actions, in the order of their numbers."""

    def choose(self, view: View) -> Action:
        """Return any legal action."""
        return self.chance.choice(view.legal_actions())


@kernel_of_type(CHOOSE)
def _choose(
    games: Games, g: int, rules: RulesRecord, seat: int, _memory: object, _parameters: object, chance: Chance
) -> int:
    mask = legal_mask(games[g], rules[0])
    return nth_bit(mask, below(chance, seat, popcount(mask)))


def plain() -> PlainMaker:
    """Return the maker of plain random bots."""
    return RandomBot


def compiled(_rules: Rules) -> CompiledBot:
    """Return the compiled random bot."""
    return CompiledBot(_choose)
