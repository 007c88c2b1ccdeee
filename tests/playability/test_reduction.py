"""3-SAT as Solitaire Hanabi: the figures, the erratum, and winnable if and only if satisfiable."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest

from handful.errors import DealError, HandfulError, RulesError
from handful.playability.solitaire import Solitaire, read_solitaire, solve
from handful.playability.solitaire.files import Cnf, read_dimacs
from handful.playability.solitaire.three_sat import Reduction, reduce_formula, reduction_in, split_variables
from handful.splitmix import SplitMix64
from tests.playability.solitaire_oracles import clauses_over, is_satisfiable, printed_reduction, random_formula

EXAMPLE = Cnf(3, ((1, -2, 3), (1, 2, -3)))
D = 7

# Figure 1: the numbers above, the suits below.
FIGURE_1 = """
2  2 2 1 3 4 5 1 3 4 5  2 2 1 3 4 5 1 3 4 5  2 2 1 3 4 5 1 3 4 5  1
d  1 2 1 1 1 1 2 2 2 2  3 4 3 3 3 3 4 4 4 4  5 6 5 5 5 5 6 6 6 6  d
"""
# Figure 2: a part is numbers and suits; "each" gives the numbers to one suit after the other.
FIGURE_2 = [
    ("4 5 3", "d d d"),
    ("6 7 8 9 10", "each 1 4 5"),
    ("5 6 7 8 9 10 2 3 4", "each 2 3 6"),
    ("7 8 6", "d d d"),
    ("3 3 3", "1 4 5"),
    ("2 4 5 6", "each 1 4 5"),
    ("10 11 9", "d d d"),
    ("11 12 13 14 15", "each 1 3 6"),
    ("10 11 12 13 14 15 7 8 9", "each 2 4 5"),
    ("13 14 12", "d d d"),
    ("8 8 8", "1 3 6"),
    ("7 9 10 11", "each 1 3 6"),
]


def suit_named(text: str) -> int:
    return D if text == "d" else int(text)


def figure_2() -> list[tuple[int, int]]:
    cards = []
    for values, suits in FIGURE_2:
        numbers, names = list(map(int, values.split())), suits.split()
        if names[0] == "each":
            cards += [(value, suit_named(name)) for name in names[1:] for value in numbers]
        else:
            cards += list(zip(numbers, map(suit_named, names), strict=True))
    return cards


def between(reduction: Reduction, first: str, last: str) -> tuple[tuple[int, int], ...]:
    parts = {gadget.name: gadget for gadget in reduction.gadgets}
    return reduction.game.sequence[parts[first].start : parts[last].end]


def test_figure_1_card_by_card() -> None:
    values, suits = (line.split() for line in FIGURE_1.strip().splitlines())
    figure = tuple((int(value), suit_named(suit)) for value, suit in zip(values, suits, strict=True))
    assert between(reduce_formula(EXAMPLE), "H", "H'") == figure


def test_figure_2_card_by_card() -> None:
    assert list(between(reduce_formula(EXAMPLE), "D1", "C2")) == figure_2()


def test_figure_3_the_hand_dumps() -> None:
    reduction = reduce_formula(Cnf(3, ((1, 2, 3),) * 5))
    for j in range(1, 6):
        assert [value for value, _suit in reduction.cards_of(f"D{j}")] == [6 * j - 2, 6 * j - 1, 6 * j - 3]


def test_the_gadgets_are_the_whole_sequence() -> None:
    for hand, copies in product((1, 2, 4), (2, 3)):
        reduction = reduce_formula(EXAMPLE, hand, copies)
        ends = [gadget.end for gadget in reduction.gadgets]
        assert [0, *ends[:-1]] == [gadget.start for gadget in reduction.gadgets]
        assert ends[-1] == len(reduction.game.sequence)


# The erratum


def test_as_printed_a_card_appears_three_times() -> None:
    for m in range(1, 6):
        clauses = ((1, 2, 3),) * m
        _n, cards = printed_reduction(Cnf(3, clauses))
        # The suits of the last clause, and the value o_m + 6 where the printed end begins.
        assert {card for card, times in Counter(cards).items() if times > 2} == {
            (5 * m + 1, suit) for suit in (1, 3, 5)
        }
        assert reduce_formula(Cnf(3, clauses)).game.copies == 2


def test_as_printed_one_or_two_clauses_go_beyond_the_highest_value() -> None:
    for m in range(1, 6):
        formula = Cnf(3, ((1, 2, 3),) * m)
        n, cards = printed_reduction(formula)
        highest = max(value for value, _suit in cards)
        assert n == 6 * m + 2
        assert highest == max(n, 5 * m + 5)
        assert (highest > n) == (m <= 2)
        assert is_satisfiable(formula)
        # If n is taken to be the highest value, the dummy suit cannot be completed: a formula that can be satisfied
        # becomes a game that cannot be won.
        assert solve(Solitaire.of(2, cards)).winnable == (m > 2)
        assert solve(reduce_formula(formula).game).winnable
        assert reduce_formula(formula).game.values == highest


def test_the_smallest_example_of_both_slips() -> None:
    n, cards = printed_reduction(Cnf(3, ((1, 2, 3),)))
    assert n == 8
    assert max(cards)[0] == 10
    assert cards.count((6, 1)) == 3
    with pytest.raises(DealError, match="expected 1 to 8"):
        Solitaire.of(2, cards, values=n)
    with pytest.raises(DealError, match="appears 3 times: expected at most 2"):
        Solitaire.of(2, cards, copies=2)


def test_sizes_are_those_of_the_theorem() -> None:
    for v, m in ((3, 3), (4, 9), (6, 20)):
        formula = Cnf(v, ((1, 2, 3),) * m)
        game = reduce_formula(formula).game
        assert (game.values, game.suits, game.hand, game.copies) == (6 * m + 2, 2 * v + 1, 2, 2)
        assert len(game.sequence) <= 2 * (2 * v + 1) * (6 * m + 2)


# Winnable if and only if satisfiable


def check(formula: Cnf, hand: int = 2, copies: int = 2, method: str = "auto") -> bool:
    reduction = reduce_formula(formula, hand, copies)
    game = reduction.game
    assert game.hand == hand
    if copies == 2:
        assert game.copies <= 2
    else:
        assert set(Counter(game.sequence).values()) == {copies}
    answer = solve(game, method)
    assert answer.winnable is is_satisfiable(formula), (formula, hand, copies)
    if answer.winnable:
        assert formula.is_satisfied_by(reduction.assignment(answer.moves))
    return bool(answer.winnable)


def test_all_proper_formulas_over_three_variables_with_up_to_three_clauses() -> None:
    clauses = clauses_over(3, proper=True)
    assert len(clauses) == 8
    formulas = [Cnf(3, chosen) for size in range(4) for chosen in combinations_with_replacement(clauses, size)]
    assert len(formulas) == 165
    for formula in formulas:
        check(formula)


def test_all_clauses_over_three_variables_alone_and_some_in_pairs() -> None:
    clauses = clauses_over(3)
    assert len(clauses) == 42
    answers = [check(Cnf(3, (clause,))) for clause in clauses]
    assert answers.count(False) == 1  # the empty clause
    pairs = list(product(clauses, repeat=2))[::7]
    answers = [check(Cnf(3, pair)) for pair in pairs]
    assert answers.count(False) > 10


@pytest.mark.full
def test_all_formulas_over_three_variables_with_up_to_three_clauses_in_any_order() -> None:
    proper = clauses_over(3, proper=True)
    for size in range(4):
        for chosen in product(proper, repeat=size):
            check(Cnf(3, chosen))
    # And with short clauses, tautologies and the empty clause, in one order.
    answers = [
        check(Cnf(3, chosen)) for size in range(4) for chosen in combinations_with_replacement(clauses_over(3), size)
    ]
    assert len(answers) == 14_190
    assert 1000 < answers.count(False) < 13_000


def test_the_smallest_proper_formula_that_cannot_be_satisfied() -> None:
    everything = Cnf(3, tuple(clauses_over(3, proper=True)))
    assert not check(everything)
    for left_out in range(8):
        assert check(Cnf(3, everything.clauses[:left_out] + everything.clauses[left_out + 1 :]))
    assert not check(everything, method="sat")


@pytest.mark.parametrize("hand", [2, 1])
def test_random_formulas_with_up_to_14_clauses(hand: int) -> None:
    answers = []
    for number in range(60):
        chance = SplitMix64(12, hand, number)
        lengths = (3, 3, 3, 2, 1) if number % 2 else (3,)
        formula = random_formula(chance, 2 + chance.below(3), 3 + chance.below(12), lengths)
        answers.append(check(formula, hand))
    assert 10 < answers.count(False) < 50


def test_general_hands_and_copies() -> None:
    answers = []
    for number in range(60):
        chance = SplitMix64(13, number)
        formula = random_formula(chance, 1 + chance.below(3), chance.below(6), (3, 3, 2, 1))
        answers.append(check(formula, hand=1 + number % 5, copies=2 + number // 5 % 3))
    assert 5 < answers.count(False) < 55


def test_every_method_that_fits_agrees() -> None:
    for number in range(6):
        formula = random_formula(SplitMix64(14, number), 3, 9, (3, 2))
        assert check(formula, method="table") == check(formula, method="sat") == check(formula, hand=1)


@pytest.mark.parametrize("hand", [1, 2, 3])
def test_formulas_without_clauses_or_variables(hand: int) -> None:
    assert check(Cnf(0), hand)
    assert check(Cnf(2), hand)
    assert not check(Cnf(0, ((),)), hand)
    assert check(Cnf(2, ((1, 1, 1), (1, -1, 2), (-2, 2))), hand)


def test_four_variables_and_nine_clauses() -> None:
    # How long it takes is measured by benchmarks/solitaire_scaling.py.
    chance = SplitMix64(15)
    answers = set()
    for number in range(8):
        formula = random_formula(chance, 4, 9, (3,) if number < 6 else (2,))
        answers.add(check(formula))
    assert answers == {True, False}


# A hand of one


def test_the_one_slot_reduction_has_four_values_and_two_copies() -> None:
    for number in range(40):
        formula = random_formula(SplitMix64(16, number), 4, 12)
        game = reduce_formula(formula, hand=1).game
        assert (game.values, game.hand) == (4, 1)
        assert game.copies <= 2


def test_split_variables_appear_at_most_once_one_way() -> None:
    formula = Cnf(2, ((1, 2), (1, -2), (-1, 2), (-1, -2)))
    split, first = split_variables(formula)
    assert first == (1, 5)
    assert split.variables == 8
    for variable in range(1, 9):
        literals = [literal for clause in split.clauses for literal in clause]
        assert min(literals.count(variable), literals.count(-variable)) == 1
    assert is_satisfiable(split) == is_satisfiable(formula)


def test_a_suit_of_the_one_slot_reduction_needs_the_hand_for_one_whole_interval() -> None:
    # Three intervals, and a foreign card that must wait over some of them: 2 before 1 in suit 2.
    for blocked in product((False, True), repeat=3):
        cards: list[tuple[int, int]] = []
        values = 1
        for interval, is_blocked in enumerate(blocked, 1):
            if is_blocked:
                cards.append((values + 1, 2))
            cards += [(interval + 1, 1), (interval, 1)]
            if is_blocked:
                cards.append((values, 2))
                values += 2
        cards += [(value, 2) for value in range(values, 10)] + [(value, 1) for value in range(5, 10)]
        assert solve(Solitaire.of(1, cards), "sat").winnable == (not all(blocked))


# Files


def test_dimacs() -> None:
    text = "c comment\np cnf 3 3\n1 -2\n3 0 2 0\n0\n%\n0\n"
    assert read_dimacs(text) == Cnf(3, ((1, -2, 3), (2,), ()))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no formula"),
        ("1 2 0", "line 1: '1 2 0' before the line with p"),
        ("p cnf 2", "expected p cnf VARIABLES CLAUSES"),
        ("p cnf 2 -1", "expected p cnf VARIABLES CLAUSES"),
        ("p cnf 2 1\np cnf 2 1\n", "line 2: a second line with p"),
        ("p cnf 2 1\n1 3 0", "literal 3: expected a variable from 1 to 2"),
        ("p cnf 2 1\n1 x 0", "'x' is no literal"),
        ("p cnf 2 1\n1 2", "does not end: expected a 0"),
        ("p cnf 2 2\n1 2 0", "there are 1 clauses: expected 2"),
        ("p cnf 999999999 0", "expected at most 100,000"),
    ],
)
def test_dimacs_that_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(HandfulError, match=complaint):
        read_dimacs(text)


@pytest.mark.parametrize("hand", [1, 2])
def test_a_clause_of_four_literals_is_refused(hand: int) -> None:
    with pytest.raises(RulesError, match="clause 2 has 4 literals: expected at most 3"):
        reduce_formula(Cnf(4, ((1,), (1, 2, 3, 4))), hand)
    reduce_formula(Cnf(4, ((1, 2, 3, 3),)), hand)


def test_hands_and_copies_that_are_refused() -> None:
    with pytest.raises(RulesError, match="a hand of 0: expected at least 1"):
        reduce_formula(EXAMPLE, hand=0)
    with pytest.raises(RulesError, match="1 copies: expected at least 2"):
        reduce_formula(EXAMPLE, copies=1)


def test_a_reduction_is_read_again_with_its_formula() -> None:
    import json

    for hand, copies in product((1, 2, 3), (2, 3)):
        reduction = reduce_formula(EXAMPLE, hand, copies)
        document = json.loads(json.dumps(reduction.to_dict()))
        game = read_solitaire(json.dumps(document))
        assert reduction_in(document, game) == reduction
        document["formula"]["clauses"][0][0] = -1
        with pytest.raises(DealError, match="formula is not that of the sequence"):
            reduction_in(document, game)
        with pytest.raises(HandfulError, match="clause 1 of formula"):
            reduction_in(document | {"formula": {"variables": 1, "clauses": [[2]]}}, game)


def test_moves_that_do_not_win_have_no_assignment() -> None:
    reduction = reduce_formula(EXAMPLE)
    with pytest.raises(DealError, match="do not win"):
        reduction.assignment(["discard"] * len(reduction.game.sequence))
