"""All hands of the cards that are left, solved exactly."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ROUNDING = 1e-10  # turns: as far as values in an order may fall from one to the next
MOST_PASSES = 100


def solve_whole_deck(deck_size: int, size: int, rummies: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return the expected turns of all hands of so many cards of a deck, by number, given the numbers of the rummies."""
    import numpy as np

    from handful.rummy.gone.kernels import whole_deck as kernels
    from handful.rummy.kernels.reduced_deck import make_binomials

    binomials = make_binomials(size)
    values = np.zeros(comb(deck_size, size))
    is_rummy = np.zeros(len(values), np.uint8)
    is_rummy[rummies] = 1
    deck, buckets = kernels.make_deck(values, is_rummy, deck_size, size), kernels.make_buckets(len(values))
    kernels.take_nearly_in_order(binomials, deck_size, size, deck, buckets)
    order = np.argsort(values, kind="stable")
    for _ in range(MOST_PASSES):
        kernels.take_in_order(binomials, deck_size, size, order, deck, buckets)
        in_order = values[order]
        with np.errstate(invalid="ignore"):
            falls = in_order[:-1] - in_order[1:]
        if not (falls > ROUNDING).any():  # a fall from infinity is one, and from infinity to infinity is none
            return values
        order = order[np.argsort(in_order, kind="stable")]
    raise AssertionError("the order of the hands does not settle")
