r"""How likely an own card is to be this or that, given the masks of the own cards and the copies that are unseen.

All ways to lay unseen cards into the own slots are equally likely, as long as each slot's card is in its mask. The
number of these ways is a sum over the card types in turn: type t with c copies may fill any set B of slots that allow
it, in c · (c − 1) · … · (c − |B| + 1) ways. So with F[S] the ways to fill the set S of slots with the types so far,

    F_t[S] = Σ over B ⊆ S ∩ allow_t of F_{t−1}[S \ B] · c_t! / (c_t − |B|)!

and the ways in which type t fills slot i are Σ over B ∋ i of (ways before) · (that factor) · (ways after).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import perm


def single_card_chance(possible_mask: int, wanted_mask: int, unseen: Sequence[int]) -> float:
    """Return the weight of the wanted possible cards in the weight of all possible cards; 0 if nothing is possible.

    Seed Bergh 2015, section 4.2: each own card for itself.
    """
    total = sum(count for index, count in enumerate(unseen) if possible_mask >> index & 1)
    wanted = sum(count for index, count in enumerate(unseen) if possible_mask & wanted_mask & 1 << index)
    return wanted / total if total else 0.0


def _subsets(members: int) -> Iterator[int]:
    """Yield all subsets of a set of slots, the empty one last."""
    subset = members
    while subset:
        yield subset
        subset = (subset - 1) & members
    yield 0


def _fill(ways: Sequence[int], slots_allowed: int, copies: int) -> list[int]:
    """Return the ways to fill each set of slots when one more card type may be used."""
    if not copies or not slots_allowed:
        return list(ways)
    return [
        sum(ways[slots ^ block] * perm(copies, block.bit_count()) for block in _subsets(slots & slots_allowed))
        for slots in range(len(ways))
    ]


@lru_cache(maxsize=4096)
def identity_ways(possible_masks: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return for each own slot, by card index, the number of ways to fill all slots in which it holds this card.

    Every row has the same sum, the number of all ways. Two slots that can each be the card of index 0 or 1, of which
    one copy each is unseen, share them; once the first is known, so is the second:

    >>> identity_ways((0b11, 0b11), (1, 1))
    ((1, 1), (1, 1))
    >>> identity_ways((0b01, 0b11), (1, 1))
    ((1, 0), (0, 1))
    """
    slots = range(len(possible_masks))
    everything = (1 << len(possible_masks)) - 1
    allowed = [sum(1 << slot for slot in slots if possible_masks[slot] >> index & 1) for index in range(len(unseen))]
    nothing_filled = [1] + [0] * everything
    before = [nothing_filled]
    for index, copies in enumerate(unseen):
        before.append(_fill(before[-1], allowed[index], copies))
    ways = [[0] * len(unseen) for _ in slots]
    after = nothing_filled
    for index in reversed(range(len(unseen))):
        for block in _subsets(allowed[index]) if unseen[index] else ():
            rest = everything ^ block
            around = sum(before[index][part] * after[rest ^ part] for part in _subsets(rest))
            for slot in slots:
                if block >> slot & 1:
                    ways[slot][index] += around * perm(unseen[index], block.bit_count())
        after = _fill(after, allowed[index], unseen[index])
    return tuple(tuple(row) for row in ways)


def joint_chance(ways: Sequence[int], wanted_mask: int) -> float:
    """Return the share of the wanted cards in a row of `identity_ways`; 0 if there is no way at all."""
    total = sum(ways)
    return sum(count for index, count in enumerate(ways) if wanted_mask >> index & 1) / total if total else 0.0
