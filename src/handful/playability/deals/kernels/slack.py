"""How many discards a deal has to spare: those that are affordable, less those that the merged relaxation must make."""

from __future__ import annotations

from handful._bits import wide
from handful._jit import kernel
from handful.hanabi.kernels.game import start
from handful.hanabi.kernels.layout import Rulebooks
from handful.playability.deals.kernels.relaxation import IMPOSSIBLE, least_discards, slack_of
from handful.playability.deals.kernels.stages import PROOF_EFFORT, Workspace, set_up


@kernel
def spare_discards(work: Workspace, rulebooks: Rulebooks) -> int:
    """Return the spare discards of the deck in the workspace, dealt anew; −IMPOSSIBLE if a card is lost anyhow.

    Below 0 the deal cannot be won. At 0 or more, that is not said: hands and tokens are left out of it.
    """
    start(work.games[0], rulebooks[0], work.deck, 0)
    set_up(work, work.games[0], rulebooks[0], work.deck)
    position, root = work.position, work.root[0]
    union = wide(0)
    for seat in range(position.frames[0]["players"]):
        union |= root["hands"][seat]
    drawn, played = wide(root["drawn"]), root["played"]
    position.efforts[0]["left"] = PROOF_EFFORT
    discards = least_discards(position, drawn, played, union)
    if discards >= IMPOSSIBLE:
        return -IMPOSSIBLE
    return wide(slack_of(position.frames[0], drawn, played, wide(root["turns_left"])) - discards)
