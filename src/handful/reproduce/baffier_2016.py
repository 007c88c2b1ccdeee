"""Baffier et al. 2016: Table 1 (how four cases grow), Figures 1 to 3 (the reduction from 3-SAT), and the erratum."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from math import comb, inf
from typing import TYPE_CHECKING

from handful.playability.solitaire import solve
from handful.playability.solitaire.files import Cnf
from handful.playability.solitaire.game import Solitaire, SolitaireCard
from handful.playability.solitaire.positions import solve_states
from handful.playability.solitaire.three_sat import Reduction, reduce_formula, reduce_to_one_slot
from handful.reproduce.outcome import (
    Effort,
    Estimate,
    Line,
    Outcome,
    Picture,
    Source,
    Tolerance,
    counted_same,
    cpu_seconds_of,
)
from handful.reproduce.pictures import COLOURS, MARKERS, draw_parts, draw_strips, grid
from handful.splitmix import SplitMix64

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Baffier 2016"
EXAMPLE = Cnf(3, ((1, -2, 3), (1, 2, -3)))  # the formula of the figures
DUMMY = 7
CACHES = (
    0.35  # how far a measured exponent of linear time may be off: a million cards have dearer memory than a thousand
)
GROWS = 1.5  # times as many states a variable: what a polynomial does not do for long
BUSY = "CPU time, measured: caches, and other work on the machine, add to the exponent."

# Figure 1: the numbers above, the suits below; d is the dummy suit.
FIGURE_1 = """
2  2 2 1 3 4 5 1 3 4 5  2 2 1 3 4 5 1 3 4 5  2 2 1 3 4 5 1 3 4 5  1
d  1 2 1 1 1 1 2 2 2 2  3 4 3 3 3 3 4 4 4 4  5 6 5 5 5 5 6 6 6 6  d
"""
# Figure 2, clause by clause: a part is numbers and suits; "each" gives the numbers to one suit after the other.
FIGURE_2 = (
    (
        ("4 5 3", "d d d"),
        ("6 7 8 9 10", "each 1 4 5"),
        ("5 6 7 8 9 10 2 3 4", "each 2 3 6"),
        ("7 8 6", "d d d"),
        ("3 3 3", "1 4 5"),
        ("2 4 5 6", "each 1 4 5"),
    ),
    (
        ("10 11 9", "d d d"),
        ("11 12 13 14 15", "each 1 3 6"),
        ("10 11 12 13 14 15 7 8 9", "each 2 4 5"),
        ("13 14 12", "d d d"),
        ("8 8 8", "1 3 6"),
        ("7 9 10 11", "each 1 3 6"),
    ),
)


def table_1(effort: Effort) -> Outcome:
    """Return Table 1: measured growth of the four cases beside what is proved."""
    sizes = effort.pick((2_000, 6_000, 20_000, 60_000), (1_000, 10_000, 100_000, 1_000_000))
    greedy = _times(sizes, _unique_game, "greedy")
    effort.on_progress(0.2)
    lazy = _times(sizes, _one_suit_game, "lazy")
    effort.on_progress(0.4)
    states = _table_states(effort.pick(10, 40))
    effort.on_progress(0.7)
    variables = effort.pick((3, 4, 5, 6), (3, 4, 5, 6, 7, 8))
    reductions = [(count, _reduction_states(count)) for count in variables]
    factor = (reductions[-1][1] / reductions[0][1]) ** (1 / (variables[-1] - variables[0]))
    form = "exponent {:.2f} ({:.2f} to {:.2f})".format
    tolerance = Tolerance(2, rounding=CACHES)
    lines = [
        *(
            Line.sampled(
                name, 1.0, Estimate.power_law(points), tolerance, BUSY, form=form, theirs="exponent {:.0f}".format
            )
            for name, points in (("r = 1, greedy: O(N)", greedy), ("c = 1, lazy: O(N + n log h)", lazy))
        ),
        *(
            Line.between(
                f"general case, {name}: share of the table's entries that are states after a card",
                "at most O(c^h n^(h+c−1)) entries",
                most / entries,
                (0.0, 1.0),
                form="{:.1%}".format,
            )
            for name, most, entries in states
        ),
        Line.between(
            "h = 2, r = 2: times as many states of the reduction's games, a variable more",
            "NP-complete",
            factor,
            (GROWS, inf),
            form="{:.2f}".format,
        ),
        Line.proved(
            "h = 1, r = 2, n = 4 is NP-complete as well, which is proved: small formulas that their games decide",
            *_one_slot_agreements(),
            "open",
        ),
        Line.further(f"{max(sizes):,} cards, greedy: CPU seconds", greedy[-1][1], "{:.3f}".format, "not run"),
        Line.further(f"{max(sizes):,} cards, lazy: CPU seconds", lazy[-1][1], "{:.3f}".format, "not run"),
    ]
    exponents = " and ".join(f"{Estimate.power_law(points).value:.2f}" for points in (greedy, lazy))
    told = f"exponents {exponents} in N; times {factor:.1f} a variable"
    return Outcome(
        "baffier-2016-table-1",
        "Solitaire Hanabi: four cases",
        Source(DOCUMENT, "Table 1"),
        "linear, linear, a polynomial for fixed h and c, NP-complete",
        f"{counted_same(lines)}; {told}",
        tuple(lines),
        "docs/solitaire.md has larger games, the questions that the paper leaves open, and the erratum.",
        (_growth_picture(greedy, lazy, reductions),),
    )


def figure_1(_effort: Effort) -> Outcome:
    """Return Figure 1: the variable gadgets, card by card."""
    values, suits = (line.split() for line in FIGURE_1.strip().splitlines())
    printed = [(int(value), _suit(suit)) for value, suit in zip(values, suits, strict=True)]
    ours = _between("H", "H'")
    caption = "Figure 1, ours: the variable gadgets of three variables, within the hand reduction (suit d)."
    return _card_by_card(1, "The variable gadgets", printed, [ours], caption, height=1.5)


def figure_2(_effort: Effort) -> Outcome:
    """Return Figure 2: the clause gadgets, card by card."""
    printed = [card for clause in FIGURE_2 for part in clause for card in _part(*part)]
    ours, width = _between("D1", "C2"), 33
    middle = len(ours) // 2
    rows = [half[start : start + width] for half in (ours[:middle], ours[middle:]) for start in range(0, middle, width)]
    caption = "Figure 2, ours: the two clause gadgets (two rows each), with the hand dumps of the dummy suit d."
    return _card_by_card(2, "The clause gadgets", printed, rows, caption, height=4.4)


def _card_by_card(
    number: int,
    title: str,
    printed: Sequence[SolitaireCard],
    rows: Sequence[Sequence[SolitaireCard]],
    caption: str,
    height: float,
) -> Outcome:
    """Return a printed sequence beside ours, which the picture has in rows."""
    ours = [card for row in rows for card in row]
    lines = [Line.exact("cards", len(printed), len(ours))]
    for place, (theirs, mine) in enumerate(zip(printed, ours, strict=False), 1):
        lines.append(Line.exact(f"card {place}", theirs, mine, form=_card_text))
    name = f"baffier-2016-figure-{number}"
    return Outcome(
        name,
        title,
        Source(DOCUMENT, f"Figure {number}"),
        f"a sequence of {len(printed)} cards",
        counted_same(lines[1:]) + ", card by card",
        tuple(lines),
        "",
        (Picture(name, caption, lambda sheet: draw_strips(sheet, rows, DUMMY), (9.5, height)),),
    )


def figure_3(_effort: Effort) -> Outcome:
    """Return Figure 3: the dummy cards that hold the gadgets apart, and what has to be put right at the end."""
    clauses = 5
    reduction = reduce_formula(Cnf(3, ((1, 2, 3),) * clauses))
    reduced = (*_dummy_values(reduction, "H"), *_dummy_values(reduction, "H'"))
    lines = [Line.exact("hand reduction", (2, 1), reduced, form="{} … {}".format)]
    for clause in range(1, clauses + 1):
        theirs = (6 * clause - 2, 6 * clause - 1, 6 * clause - 3)
        dump = _dummy_values(reduction, f"D{clause}")
        lines.append(Line.exact(f"hand dump before clause {clause}", theirs, dump, form="{} {} {}".format))
    lines += list(_erratum())
    caption = "Figure 3, ours: the parts of the reduction, and the cards of the dummy suit between and inside them."
    picture = Picture(
        "baffier-2016-figure-3", caption, lambda sheet: draw_parts(sheet, reduce_formula(EXAMPLE), DUMMY), (9.5, 1.7)
    )
    return Outcome(
        "baffier-2016-figure-3",
        "The whole reduction, and its end",
        Source(DOCUMENT, "section 5, Figure 3"),
        "every card at most twice; n = 6m + 2",
        f"{counted_same(lines)}; with the end put right {lines[-1].ours} games are as they should be",
        tuple(lines),
        "The erratum is proved in docs/solitaire.md.",
        (picture,),
    )


def _erratum() -> Iterator[Line]:
    """Yield what is printed of the end of the sequence beside what its construction gives; then that ours is right."""
    third = "The end is printed to start with o_m + 6, a third copy in the last clause's suits; o_m + 7 is right."
    low = "The clause gadgets reach 5m + 5, which is more than n = 6m + 2 for one or two clauses."
    right = 0
    for clauses in (1, 2, 3):
        formula = Cnf(3, ((1, 2, 3),) * clauses)
        n, cards = _as_printed(formula)
        name = f"{clauses} clauses, as printed"
        yield Line.exact(f"{name}: most copies of a card", 2, max(Counter(cards).values()), third)
        yield Line.exact(f"{name}: highest value", n, max(value for value, _suit in cards), low)
        game = reduce_formula(formula).game
        yield Line.further(f"{clauses} clauses, put right: copies, n", (game.copies, game.values), "{}, {}".format)
        right += game.copies == 2 and game.values >= max(n, 5 * clauses + 5) and solve(game).winnable is True
    yield Line.proved(
        "put right: games with two copies and n large enough that can be won, as the formula can", right, 3
    )


def _as_printed(formula: Cnf) -> tuple[int, list[SolitaireCard]]:
    """Return n and the sequence exactly as section 5 prints them: ours, but for the end."""
    clauses, values = len(formula.clauses), 6 * len(formula.clauses) + 2
    reduction = reduce_formula(formula)
    end = next(gadget.start for gadget in reduction.gadgets if gadget.name == "end")
    cards = list(reduction.game.sequence[:end])
    start = 5 * (clauses - 1) + 6
    suits = range(1, 2 * formula.variables + 1)
    return values, cards + [(value, suit) for suit in suits for value in range(start, values + 1)]


def _times(sizes: Sequence[int], make: Callable[[int], Solitaire], method: str) -> list[tuple[int, float]]:
    """Return the CPU seconds for games of these sizes."""
    points = []
    for size in sizes:
        game = make(size)
        gc.disable()  # how often Python looks for garbage grows with what others have left lying about
        points.append((size, cpu_seconds_of(partial(solve, game, method))))
        gc.enable()
    return points


def _unique_game(size: int) -> Solitaire:
    return Solitaire.of(size, _shuffled(SplitMix64(0, size), 5, size // 5, 1))


def _one_suit_game(size: int) -> Solitaire:
    return Solitaire.of(size, _shuffled(SplitMix64(1, size), size // 10, 1, 10))


def _shuffled(chance: SplitMix64, values: int, suits: int, copies: int) -> list[SolitaireCard]:
    cards = [(value, suit) for value in range(1, values + 1) for suit in range(1, suits + 1) for _ in range(copies)]
    chance.shuffle(cards)
    return cards


def _table_states(games: int) -> list[tuple[str, int, int]]:
    """Return, for some n, c and h, the most states after a card in random games, and all entries of the table."""
    found = []
    for values, suits, hand in ((4, 3, 3), (8, 3, 3), (14, 3, 3), (8, 3, 1), (8, 3, 4), (5, 2, 4), (5, 4, 4)):
        most = 0
        for number in range(games):
            cards = _shuffled(SplitMix64(2, values, suits, hand, number), values, suits, 2)
            most = max(most, solve_states(Solitaire.of(hand, cards))[1].most)
        entries = sum(comb(values * suits, held) for held in range(hand + 1)) * (values + 1) ** (suits - 1)
        found.append((f"n = {values}, c = {suits}, h = {hand}", most, entries))
    return found


def _reduction_states(variables: int) -> int:
    """Return the states of the table for a formula of so many variables, with 4.26 clauses each."""
    chance = SplitMix64(3, variables)
    clauses = []
    for _ in range(round(4.26 * variables)):
        names = list(range(1, variables + 1))
        chance.shuffle(names)
        clauses.append(tuple(name if chance.below(2) else -name for name in names[:3]))
    return solve_states(reduce_formula(Cnf(variables, tuple(clauses))).game)[1].most


def _one_slot_agreements() -> tuple[int, int]:
    """Return how many small formulas can be satisfied if and only if their games can be won, and of how many."""
    literals = (1, -1, 2, -2)
    clauses = [clause for size in (1, 2) for clause in combinations(literals, size)]
    formulas = [Cnf(2, chosen) for size in (1, 2, 3) for chosen in combinations(clauses, size)]
    agree = 0
    for formula in formulas:
        can_be = any(formula.is_satisfied_by(values) for values in product((False, True), repeat=2))
        agree += can_be == solve(reduce_to_one_slot(formula).game).winnable
    return agree, len(formulas)


def _growth_picture(
    greedy: Sequence[tuple[int, float]], lazy: Sequence[tuple[int, float]], reductions: Sequence[tuple[int, int]]
) -> Picture:
    def draw(sheet: Figure) -> None:
        from matplotlib.ticker import NullFormatter, ScalarFormatter

        left, right = sheet.subplots(1, 2)
        for number, (name, points) in enumerate((("greedy (r = 1)", greedy), ("lazy (c = 1)", lazy))):
            colour, label = COLOURS[number], f"{name}, N^{Estimate.power_law(points).value:.2f}"
            left.loglog(*zip(*points, strict=True), color=colour, marker=MARKERS[number], label=label)
        left.set_xlabel("cards N")
        left.set_ylabel("CPU seconds")
        right.semilogy(*zip(*reductions, strict=True), color=COLOURS[2], marker=MARKERS[2])
        right.set_xticks([variables for variables, _states in reductions])
        right.set_xlabel("variables of the formula")
        right.set_ylabel("states of the table")
        left.xaxis.set_minor_formatter(NullFormatter())
        right.yaxis.set_major_formatter(ScalarFormatter())
        right.yaxis.set_minor_formatter(NullFormatter())
        right.set_yticks([states for _variables, states in reductions])
        for axes in (left, right):
            grid(axes)
        left.legend(frameon=False, loc="upper left")

    caption = "Table 1, measured: the two linear cases (left), and the games of the reduction (right)."
    return Picture("baffier-2016-table-1", caption, draw, (8.4, 3.8))


def _between(first: str, last: str) -> tuple[SolitaireCard, ...]:
    """Return the cards of the example's reduction from one gadget to another."""
    reduction = reduce_formula(EXAMPLE)
    parts = {gadget.name: gadget for gadget in reduction.gadgets}
    return reduction.game.sequence[parts[first].start : parts[last].end]


def _dummy_values(reduction: Reduction, name: str) -> tuple[int, ...]:
    return tuple(value for value, _suit in reduction.cards_of(name))


def _part(values: str, suits: str) -> list[SolitaireCard]:
    numbers, names = [int(value) for value in values.split()], suits.split()
    if names[0] == "each":
        return [(value, _suit(name)) for name in names[1:] for value in numbers]
    return list(zip(numbers, map(_suit, names), strict=True))


def _suit(text: str) -> int:
    return DUMMY if text == "d" else int(text)


def _card_text(value: int, suit: int) -> str:
    return f"{value} of suit {'d' if suit == DUMMY else suit}"
