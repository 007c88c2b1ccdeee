"""The numbers of a search: those of the register, and those that only tests and we change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handful.bots.register import REGISTER
from handful.bots.settings import Parameter, settings_row

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# What is not in the register was chosen by hand; ``python -m benchmarks.search_players`` measures what it comes to.
PARAMETERS = (
    *REGISTER["search"].parameters,
    Parameter("first_worlds", 32, "worlds of the first round: the blueprint's action is taken if it wins in all"),
    Parameter("z_drop", 1.0, "by how many standard errors an action that is given up is worse than the best"),
    Parameter("exact_deals", 120, "deals that fit, if they are so few, are all tried"),
    # Of the search on top of `learned`:
    Parameter("contenders", 4, "actions that are tried, at most"),
    Parameter("gap", 1.5, "log odds that the network may see an action behind the best, for it to be tried"),
    Parameter("replies", 3, "candidates that are judged in play-outs"),
    Parameter("readings", 4, "candidates that are judged to see whether the partner's action fits a hand"),
    Parameter("softness", 0.4, "log odds by which an action is behind that fits a third as well as the best"),
    Parameter("play_out_deck", 0, "with so many cards in the deck play-outs go to the end"),
    Parameter("trust", 4.0, "worlds that the network's own judgement of an action counts for"),
)
# What suits a blueprint, and the number of players.
BUDGETS = {
    "information": {"worlds": 300, "first_worlds": 32, "hands": 1},
    "conventions": {"worlds": 160, "first_worlds": 24, "hands": 400},
    "partner": {"worlds": 160, "first_worlds": 24, "hands": 1},
    "learned": {"worlds": 40, "first_worlds": 16, "hands": 60},
}
LARGEST_DECK = {2: 50, 3: 30, 4: 24, 5: 20}


def search_settings(blueprint: str, players: int, /, **settings: Any) -> npt.NDArray[np.float64]:
    """Return the settings as kernels take them; what is 0 is as it suits the game.

    >>> search_settings("conventions", 2, z=3.0)[[1, 2, 4]].tolist()  # worlds, z, deck
    [160.0, 3.0, 50.0]
    """
    suits = {**BUDGETS[blueprint], "deck": LARGEST_DECK[players]}
    return settings_row(PARAMETERS, **settings | {name: settings.get(name) or suits[name] for name in suits})
