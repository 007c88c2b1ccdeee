r"""How likely an own card is to be this or that, given the masks of the own cards and the copies that are unseen.

All ways to lay unseen cards into the own slots are equally likely, as long as each slot's card is in its mask. Cards
that the same slots allow are alike: call them a class. The number of ways is a sum over the classes in turn: a class
of c cards may fill any set B of the slots that allow it, in c · (c − 1) · … · (c − |B| + 1) ways. So with F[S] the
ways to fill the set S of slots with the classes so far,

    F_t[S] = Σ over B ⊆ S ∩ allow_t of F_{t−1}[S \ B] · c_t! / (c_t − |B|)!

and the ways in which class t fills slot i are Σ over B ∋ i of (ways before) · (that factor) · (ways after). Each card
of the class has the same share of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import perm


def single_card_chance(possible_mask: int, wanted_mask: int, unseen: Sequence[int]) -> float:
    """Return the weight of the wanted possible cards in the weight of all possible cards; 0 if nothing is possible.

    Bergh 2015, section 4.2: each own card for itself.
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
    allowing = [sum(1 << slot for slot in slots if possible_masks[slot] >> index & 1) for index in range(len(unseen))]
    class_sizes: dict[int, int] = {}
    for allowed, copies in zip(allowing, unseen, strict=True):
        class_sizes[allowed] = class_sizes.get(allowed, 0) + copies
    ways = _class_ways(len(possible_masks), class_sizes)
    return tuple(
        tuple(
            ways[allowed][slot] * copies // class_sizes[allowed] if copies else 0
            for allowed, copies in zip(allowing, unseen, strict=True)
        )
        for slot in slots
    )


def _class_ways(num_slots: int, class_sizes: dict[int, int]) -> dict[int, list[int]]:
    """Return for each class and slot, in how many ways to fill all slots a card of this class is in this slot."""
    everything = (1 << num_slots) - 1
    nothing_filled = [1] + [0] * everything
    before = [nothing_filled]
    for allowed, size in class_sizes.items():
        before.append(_fill(before[-1], allowed, size))
    ways = {allowed: [0] * num_slots for allowed in class_sizes}
    after = nothing_filled
    for (allowed, size), filled in reversed(list(zip(class_sizes.items(), before, strict=False))):
        for block in _subsets(allowed):
            rest = everything ^ block
            around = sum(filled[part] * after[rest ^ part] for part in _subsets(rest)) * perm(size, block.bit_count())
            for slot in range(num_slots):
                ways[allowed][slot] += around * (block >> slot & 1)
        after = _fill(after, allowed, size)
    return ways


def possible_masks(masks: Sequence[int], unseen: Sequence[int]) -> tuple[int, ...]:
    """Return for each own slot the mask of the cards that it can hold: those with a way in `identity_ways`.

    Quickly, and if there is a way at all, as there is in a game.
    By Hall's theorem: slots S can be filled only by the cards U that they allow. If of U just |S| copies are unseen,
    all of them are in S, and no other slot can hold a card of U; nothing else excludes a card with a copy unseen.
    Two slots that share the last copies of two cards leave a third one neither of them:

    >>> possible_masks((0b011, 0b011, 0b111), (1, 1, 5))
    (3, 3, 4)
    """
    # with_copies[k] has the cards of which more than k copies are unseen: together they count the copies of a mask.
    with_copies = [
        sum(1 << index for index, count in enumerate(unseen) if count > k) for k in range(max(unseen, default=0))
    ]
    there = with_copies[0] if with_copies else 0
    found = [mask & there for mask in masks]
    for chosen in range(1, 1 << len(masks)):
        union = 0
        for slot, mask in enumerate(masks):
            union |= mask if chosen >> slot & 1 else 0
        if sum((union & each).bit_count() for each in with_copies) == chosen.bit_count():
            found = [mask if chosen >> slot & 1 else mask & ~union for slot, mask in enumerate(found)]
    return tuple(found)


def joint_chance(ways: Sequence[int], wanted_mask: int) -> float:
    """Return the share of the wanted cards in a row of `identity_ways`; 0 if there is no way at all."""
    total = sum(ways)
    return sum(count for index, count in enumerate(ways) if wanted_mask >> index & 1) / total if total else 0.0
