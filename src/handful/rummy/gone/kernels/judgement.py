"""How many turns a hand takes when cards are gone, judged by what each of them adds alone.

Two ways to put that together. The turns that cards add may be summed up: E + Σ (E₋c − E), the model of Finkle 2017,
section 6.3. Or the *outs*: a hand that waits for k of 52 − n cards takes E = (52 − n) / k turns, so (52 − n) / E is how
many cards it waits for, so to speak, and (51 − n) / E₋c how many of them are left without c. If it just waits, the outs
that cards take away do sum up:

    outs = (52 − n) / E + Σ over c ((51 − n) / E₋c − (52 − n) / E),    E without them all ≈ (m − n) / outs.

The outs never grow when a card is gone (a theorem, see docs/rummy.md), so what any one of them leaves is a bound:
outs ≤ min over c of (51 − n) / E₋c.
"""

from __future__ import annotations

from typing import NamedTuple

from handful._bits import wide
from handful._jit import kernel
from handful._records import Floats, Ints
from handful.rummy.gone.kernels.added import PER_TURN, Rows, column
from handful.rummy.gone.kernels.place import column_of, place_of
from handful.rummy.kernels.hand_index import HandIndex, mask_index

PLAIN, SUMMED, OUTS, BOUND = range(4)  # how cards that are gone count: by their number only; added turns; outs; a bound
LEAST_LEFT = 0.02  # of the outs are always left: a hand that has lost all finds others


class Judgement(NamedTuple):
    """What a hand is judged by: a solved game and its rows (which may be empty), which cards are gone, and how.

    `gone`, int64, has the cards, 13 · suit + rank; `left`, int64, those that are left, in order.
    """

    hand_index: HandIndex
    values: Floats
    rows: Rows
    maps: Ints
    gone: Ints
    left: Ints
    way: int


@kernel
def judged(judgement: Judgement, mask: int) -> float:
    """Return how many turns a hand takes on the cards that are left, nearly; 0 for a rummy."""
    size = wide(judgement.hand_index["cards"])
    num_gone = len(judgement.gone)
    draws = 52.0 - size
    shrunk = (draws - num_gone) / draws
    if judgement.way == PLAIN:
        turns: float = judgement.values[mask_index(judgement.hand_index, mask)] * shrunk
        return turns
    index, place = place_of(judgement.hand_index, mask)
    turns = judgement.values[index]
    if turns == 0.0 or num_gone == 0:
        return turns
    row = judgement.rows[index]
    outs = draws / turns
    total, least = 0.0, outs
    for i in range(num_gone):
        added = row[column(column_of(judgement.maps, place, judgement.gone[i]))] / float(PER_TURN)
        if judgement.way == SUMMED:
            total += added
        else:
            without = (draws - 1.0) / (turns + added)
            total += without - outs
            least = min(least, without)
    if judgement.way == SUMMED:
        return max(turns + total, 1.0)
    if judgement.way == BOUND:
        return (draws - num_gone) / least
    return (draws - num_gone) / max(outs + total, LEAST_LEFT * outs)


@kernel
def judge_all(judgement: Judgement, masks: Ints, found: Floats) -> None:
    """Fill in the turns of some hands."""
    for i in range(len(masks)):
        found[i] = judged(judgement, masks[i])
