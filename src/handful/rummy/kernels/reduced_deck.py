"""Numbers of the hands of a deck from which cards are gone: every hand for itself, because nothing is symmetric any more.

The cards that are left have places 0, …, m − 1. A hand of places p₀ < p₁ < … has the number Σ C(pᵢ, i + 1), the
combinatorial number system, which counts the hands without gaps.
"""

from __future__ import annotations

from math import comb

import numpy as np

from handful._bits import wide
from handful._jit import kernel
from handful._records import Ints


def make_binomials(cards: int) -> Ints:
    """Return `binomials[p, i]` = C(p, i), int64, for hands of so many cards and one more."""
    return np.array([[comb(place, members) for members in range(cards + 2)] for place in range(53)], np.int64)


@kernel
def number_of(binomials: Ints, places: Ints, size: int) -> int:
    """Return the number of the hand of the first `size` places, which ascend."""
    number = wide(0)
    for i in range(size):
        number += binomials[places[i], i + 1]
    return number


@kernel
def places_of(binomials: Ints, number: int, size: int, places: Ints) -> None:
    """Fill in the places of the hand of a number: from the last one down, the greatest that fits."""
    place = len(binomials) - 1
    for i in range(size - 1, -1, -1):
        while binomials[place, i + 1] > number:
            place -= 1
        places[i] = place
        number -= binomials[place, i + 1]


@kernel
def add_place(places: Ints, size: int, drawn: int, more: Ints) -> bool:
    """Fill in the places with one more, in order; return whether it is new."""
    before = 0
    for i in range(size):
        if places[i] == drawn:
            return False
        if places[i] < drawn:
            before = i + 1
    for i in range(before):
        more[i] = places[i]
    more[before] = drawn
    for i in range(before, size):
        more[i + 1] = places[i]
    return True


@kernel
def numbers_without(binomials: Ints, more: Ints, size: int, numbers: Ints) -> None:
    """Fill in the number of what is left of `size` places when the i-th is thrown, for every i."""
    # Places above the thrown one move down: Σ over j < i of C(pⱼ, j + 1) + Σ over j > i of C(pⱼ, j)
    above = wide(0)
    for i in range(size - 1, -1, -1):
        numbers[i] = above
        above += binomials[more[i], i]
    below = wide(0)
    for i in range(size):
        numbers[i] += below
        below += binomials[more[i], i + 1]
