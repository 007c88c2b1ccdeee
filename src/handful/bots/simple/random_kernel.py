"""The bot `random`, compiled."""

from __future__ import annotations

from handful._bits import nth_bit, popcount
from handful._jit import kernel_of_type
from handful.bots.kernel_types import CHOOSE
from handful.hanabi.kernels.game import legal_mask
from handful.hanabi.kernels.layout import Games, Rulebooks
from handful.splitmix_jit import Chance, below


@kernel_of_type(CHOOSE)
def choose(
    games: Games, g: int, rulebooks: Rulebooks, seat: int, _memory: object, _parameters: object, chance: Chance
) -> int:
    """Return any legal action: the same as `RandomBot`, from the same chance."""
    mask = legal_mask(games[g], rulebooks[0])
    return nth_bit(mask, below(chance, seat, popcount(mask)))
