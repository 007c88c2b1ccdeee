"""What a player of Gin sees, as zeros and ones: seven sets of cards and a few facts, the same in all environments.

=============  =====  ====================================================================================
`hand`            52  the own cards, by number 13 · suit + rank
`upcard`          52  what lies open
`pile`            52  what lies below it
`known`           52  what the opponent took from the pile and still has
`own_known`       52  what the opponent knows so of this hand
`refused`         52  upcards that the opponent left lying
`taken`           52  the upcard that was just taken
`phase`            5  first upcard, draw, throw, wall, over
`passes`           2  whether one, two have refused the first upcard
`stock`           31  the i-th is set if more than i cards are left
`limit`           10  the i-th is set if one may knock with more than i points
=============  =====  ====================================================================================

Nothing else is in it, and so nothing that is hidden. Actions are the numbers of `handful.rummy.gin.actions`: throws 0
to 51, take 52, draw 53, pass 54, knocks with a throw 55 to 106, big gin 107.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.rummy.cards import NUM_CARDS, Card
from handful.rummy.gin.actions import NUM_ACTIONS
from handful.rummy.gin.deal import number_of
from handful.rummy.gin.round import PHASES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.gin.view import GinView

MOST_STOCK, MOST_LIMIT = 31, 10
FIELDS = {
    **dict.fromkeys(("hand", "upcard", "pile", "known", "own_known", "refused", "taken"), NUM_CARDS),
    "phase": len(PHASES),
    "passes": 2,
    "stock": MOST_STOCK,
    "limit": MOST_LIMIT,
}
OBSERVATION_SIZE = sum(FIELDS.values())

__all__ = ["FIELDS", "NUM_ACTIONS", "OBSERVATION_SIZE", "observe", "places"]


def places() -> dict[str, slice]:
    """Return where each field is.

    >>> places()["phase"]
    slice(364, 369, None)
    """
    found, start = {}, 0
    for name, size in FIELDS.items():
        found[name] = slice(start, start + size)
        start += size
    return found


def observe(view: GinView) -> npt.NDArray[np.int8]:
    """Return the observation of a view, plainly; `gin_kernel.encode` is the same, compiled."""
    import numpy as np

    row, where = np.zeros(OBSERVATION_SIZE, np.int8), places()
    sets: dict[str, tuple[Card | None, ...]] = {
        "hand": view.hand,
        "upcard": (view.upcard,),
        "pile": view.pile,
        "known": view.known,
        "own_known": view.own_known,
        "refused": view.refused,
        "taken": (view.taken,),
    }
    for name, cards in sets.items():
        row[where[name]][[number_of(card) for card in cards if card is not None]] = 1
    row[where["phase"]][PHASES.index(view.phase)] = 1
    for name, level in (("passes", view.passes), ("stock", view.stock_size), ("limit", view.knock_limit)):
        row[where[name]][:level] = 1
    return row
