"""The two conjectures of Bergh 2015, section 5, about games that the empty deck does not end, decided.

Conjecture 5.1 says that m! (m + 1)^(k − m) orders of the cards 1, …, k can be played with a hand of m. That is false
from the smallest case on; m! m^(k − m) is right. Conjecture 5.2 says that p players with one card each, who may pass
without limit, can play what a single player with p cards can. That is true if the deck ends neither game, for hands of
any size. docs/counting.md has the proofs, tests/playability/test_conjectures.py what was tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import factorial, prod

from handful.errors import RulesError
from handful.hanabi.rules import MAX_PLAYERS, Rules


def conjectured_permutations(num_values: int, hand: int) -> int:
    """Return m! (m + 1)^(k − m), for k at least m: Conjecture 5.1 as it is printed, and wrong for all k above m.

    >>> conjectured_permutations(2, 1)  # but of 1 2 and 2 1 a hand of one card can play only 1 2
    2
    """
    if num_values < hand:
        raise RulesError(f"{num_values} values and a hand of {hand}: expected at least as many values as cards in hand")
    return factorial(hand) * int((hand + 1) ** (num_values - hand))


def playable_permutations(num_values: int, hand: int) -> int:
    """Return how many orders of the cards 1, …, k can be played with a hand of m, if the empty deck ends nothing.

    That is m! m^(k − m), or k! if k is less than m: put the values k, k − 1, …, 1 into the order one after the other.
    Of the j values there, the new one is the lowest, and may have at most m − 1 of the others before it, so there are
    min(j, m) places for it.

    >>> playable_permutations(2, 1), playable_permutations(5, 3)
    (1, 54)
    """
    return prod(min(place, hand) for place in range(1, num_values + 1))


def is_playable_permutation(permutation: Sequence[int], hand: int) -> bool:
    """Whether an order of the cards 1, …, k can be played with a hand of m, if the empty deck ends nothing.

    It can if no card has more than m − 1 higher ones before it: these can neither be played before it nor thrown, and
    all of them must be in the hand with it (Bergh 2015, section 5).

    >>> is_playable_permutation((3, 2, 1), hand=2), is_playable_permutation((3, 1, 2), hand=2)
    (False, True)
    """
    return all(sum(before > card for before in permutation[:i]) < hand for i, card in enumerate(permutation))


def merged_rules(rules: Rules) -> Rules:
    """Return the game of one player with all the hands of a game in which hints are free and the deck ends nothing.

    Conjecture 5.2, for hands of any size: a deck can be played in the one game if and only if it can be in the other.

    >>> from handful.hanabi import Rules
    >>> merged_rules(Rules(players=3, hand_size=1, max_hints=None, end_of_deck="never", empty_hints=True)).hand_size
    3
    """
    if rules.max_hints is not None or rules.end_of_deck != "never" or not rules.empty_hints:
        raise RulesError(
            f"rules {rules.options_text()!r}: expected max_hints=none, empty_hints=yes and end_of_deck=never, "
            f"for 1 to {MAX_PLAYERS} players who can always pass"
        )
    return replace(rules, players=1, hand_size=rules.players * rules.hand_size, max_hints=0)
