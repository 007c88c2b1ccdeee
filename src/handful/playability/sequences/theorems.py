"""The published formulas and conjectures, as they are printed, to be compared with `counting`.

For a hand of one card, numbers are those of Bergh 2015, section 3.4. Slower than `counting`, all of them; nothing
depends on them but tests, docs and people who want to see the theorems run.

The two conjectures of section 5 are about games that the empty deck does not end. Conjecture 5.1 says that m! (m +
1)^(k − m) orders of the cards 1, …, k can be played with a hand of m. That is false from the smallest case on; m! m^(k
− m) is right. Conjecture 5.2 says that p players with one card each, who may pass without limit, can play what a single
player with p cards can. That is true if the deck ends neither game, for hands of any size. docs/counting.md has the
proofs, tests/playability/test_conjectures.py what was tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod

from handful.errors import RulesError
from handful.hanabi.rules import MAX_PLAYERS, Rules
from handful.playability.sequences.counting import checked_copies, count_total


def unplayable_by_formula(copies: Iterable[int]) -> int:
    """Return ψ by Theorem 3.25, the printed sum, for at least two values (F of Bergh et al. 2016, section 3).

    ψ = Σ_ℓ (−1)^ℓ Σ_I C(N; I) (k − ℓ − 1)^(N − ΣI), over ℓ = 0 … k − 2 and all I ≤ (x_1, …, x_k) with ℓ entries
    that are not 0. ΣI adds up these entries less one each, and C(N; I) is the multinomial coefficient of N over
    these, and the rest.

    >>> unplayable_by_formula((3, 2, 2, 2, 1))
    69666
    """
    checked = checked_copies(copies)
    num_cards, num_values = sum(checked), len(checked)
    return sum(
        (-1) ** len(lowered)
        * _multinomial(num_cards, lowered)
        * (num_values - len(lowered) - 1) ** (num_cards - sum(lowered))
        for lowered in _lowered_entries(checked, num_values - 2)
    )


def _lowered_entries(copies: Sequence[int], most_entries: int) -> Iterator[tuple[int, ...]]:
    """Yield for every I with at most so many entries that are not 0 these entries, each less one."""
    for num_entries in range(most_entries + 1):
        for chosen in combinations(copies, num_entries):
            yield from product(*map(range, chosen))


def _multinomial(total: int, parts: Sequence[int]) -> int:
    """Return the number of ways to choose places for these parts among so many; the rest stays free."""
    ways = 1
    for part in parts:
        ways *= comb(total, part)
        total -= part
    return ways


def playable_by_recurrence(copies: Iterable[int]) -> int:
    """Return χ by Lemma 3.22, which asks for the first card.

    If it is a 1, the other 1s lie anywhere in a playable sequence of the values 2 … k; otherwise it changes nothing:
    χ(x_1, …, x_k) = C(N − 1, x_1 − 1) χ(x_2, …, x_k) + χ(x_1, x_2 − 1, …) + … + χ(x_1, …, x_k − 1).

    >>> playable_by_recurrence((3, 2, 2, 2, 1))
    5934
    """

    @cache
    def chi(left: tuple[int, ...]) -> int:
        if not left:
            return 1  # nothing is needed any more
        if 0 in left:
            return 0
        return _by_first_card(left, chi)

    return chi(checked_copies(copies))


def unplayable_by_recurrence(copies: Iterable[int]) -> int:
    """Return ψ by Corollary 3.23: the same recurrence, with other starting values.

    >>> unplayable_by_recurrence((3, 2, 2, 2, 1))
    69666
    """

    @cache
    def psi(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        if 0 in left:
            return count_total(left)  # a value is missing, so that nothing is playable
        return _by_first_card(left, psi)

    return psi(checked_copies(copies))


def _by_first_card(left: tuple[int, ...], counts: Callable[[tuple[int, ...]], int]) -> int:
    num_cards = sum(left)
    is_one = comb(num_cards - 1, left[0] - 1) * counts(left[1:])
    others = (counts((*left[:i], left[i] - 1, *left[i + 1 :])) for i in range(1, len(left)))
    return is_one + sum(others)


def playable_two_values(x_1: int, x_2: int) -> int:
    """Return χ(x_1, x_2) = C(N, x_1) − 1 (Theorem 3.17): all but the sequence 2 … 2 1 … 1.

    >>> playable_two_values(2, 3)
    9
    """
    return comb(x_1 + x_2, x_1) - 1


def playable_three_values(x_1: int, x_2: int, x_3: int) -> int:
    """Return χ(x_1, x_2, x_3) = T − 2^N + Σ_v Σ_{i < x_v} C(N, i) (Theorem 3.18).

    >>> playable_three_values(3, 3, 2)
    387
    """
    copies = (x_1, x_2, x_3)
    num_cards = sum(copies)
    return count_total(copies) - int(2**num_cards) + sum(comb(num_cards, i) for x in copies for i in range(x))


def playable_four_values(x_1: int, x_2: int, x_3: int, x_4: int) -> int:
    """Return χ(x_1, …, x_4) (Theorem 3.24), with sums over single values and over pairs of values.

    χ = T − 3^N + Σ_v Σ_{i < x_v} C(N, i) 2^(N − i) − Σ_{v < w} Σ_{i < x_v, j < x_w} C(N; i, j)

    >>> playable_four_values(2, 2, 2, 2)
    641
    """
    copies = (x_1, x_2, x_3, x_4)
    num_cards = sum(copies)
    singles = sum(comb(num_cards, i) * int(2 ** (num_cards - i)) for x in copies for i in range(x))
    pairs = sum(
        _multinomial(num_cards, places) for pair in combinations(copies, 2) for places in product(*map(range, pair))
    )
    return count_total(copies) - int(3**num_cards) + singles - pairs


def identity_3_26(num_values: int, *, as_printed: bool = False) -> int:
    """Return the sum of Corollary 3.26, which Theorem 3.25 gives for one copy of each value; it should be k! − 1.

    Σ_ℓ (−1)^ℓ C(k, ℓ) (k − ℓ − 1)^e with e = k, as in Bergh et al. 2016. Bergh 2015 prints e = k − ℓ, which is wrong
    from k = 4 on: with one copy of each value every entry of I is 0 or 1, so that ΣI = 0 and the exponent stays N = k.

    >>> identity_3_26(4), identity_3_26(4, as_printed=True)
    (23, 55)
    """
    k = num_values
    return sum(
        (-1) ** ell * comb(k, ell) * (k - ell - 1) ** (k - ell if as_printed else k) for ell in range(max(k - 1, 0))
    )


def terms_of_formula(copies: Sequence[int]) -> int:
    """Return how many terms the sum of Theorem 3.25 has at most: (x_1 + 1) ⋯ (x_k + 1).

    >>> terms_of_formula((4,) * 13)
    1220703125
    """
    return prod(number + 1 for number in copies)


# The conjectures


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
