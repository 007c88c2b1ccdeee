"""Claim: greedy and lazy are linear, a million cards take less than two seconds; the rest grows as the theory says.

``python -m benchmarks.solitaire_scaling`` measures on one core and writes the tables of docs/solitaire.md and its
plots: time against N, the states of the table against n, h and c, the games of the reduction against the number of
variables, and how large tables become in the cases that Baffier 2016 leaves open. With names of parts
(`python -m benchmarks.solitaire_scaling linear_time`) only these are measured.
"""

from __future__ import annotations

import io
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.playability.solitaire import Solitaire, solve
from handful.playability.solitaire.files import Cnf
from handful.playability.solitaire.game import SolitaireCard
from handful.playability.solitaire.positions import TooManyStatesError, solve_states
from handful.playability.solitaire.three_sat import reduce_formula
from handful.splitmix import SplitMix64

PAGE = "solitaire.md"
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
GAMES = 40
MOST_STATES = 200_000
Series = dict[str, list[tuple[float, float]]]


def main(*names: str) -> None:
    """Measure everything, or the parts that are named, and write the tables and the plots."""
    parts = {part.__name__: part for part in (linear_time, table_states, reductions, small_tables, two_suits)}
    for name in names or parts:
        parts[name]()


def cpu_seconds(work: Callable[[], object], times: int = 3) -> float:
    """Return the CPU time of some work, the best of a few: the machine may be busy with others'."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def shuffled(chance: SplitMix64, values: int, suits: int, copies: int) -> list[SolitaireCard]:
    cards = [(value, suit) for value in range(1, values + 1) for suit in range(1, suits + 1) for _ in range(copies)]
    chance.shuffle(cards)
    return cards


# Greedy and lazy: time against N


def linear_games(size: int) -> dict[str, tuple[str, Solitaire]]:
    """Return games that are won, so that every card is looked at: a name, a method and the game."""
    chance = SplitMix64(0, size)
    wide = shuffled(chance, 5, size // 5, 1)
    tall = shuffled(chance, size, 1, 1)
    few = shuffled(chance, size // 10, 1, 10)
    # For a hand of ten: every tenth card is the next value, between them are copies of its neighbours.
    top = size // 10
    near = [
        (at // 10 + 1 if at % 10 == 9 else max(1, min(top, at // 10 + chance.below(21) - 10)), 1) for at in range(size)
    ]
    return {
        "greedy, 5 values": ("greedy", Solitaire.of(size, wide)),
        "greedy, 1 suit": ("greedy", Solitaire.of(size, tall)),
        "lazy, 10 copies, h = N": ("lazy", Solitaire.of(size, few)),
        "lazy, 10 copies, h = 10": ("lazy", Solitaire.of(10, near)),
    }


def linear_time() -> None:
    series: Series = {}
    for size in SIZES:
        for name, (method, game) in linear_games(size).items():

            def work(method: str = method, game: Solitaire = game) -> None:
                # A new game each time: what a game remembers of its cards is part of the work.
                solve(Solitaire(game.hand, game.values, game.suits, game.sequence), method)

            series.setdefault(name, []).append((size, cpu_seconds(work)))
        print(size, *(f"{points[-1][1]:.3f}" for points in series.values()), flush=True)
    rows = [
        [f"{size:,}", *(f"{points[index][1] * 1000:,.1f}" for points in series.values())]
        for index, size in enumerate(SIZES)
    ]
    rows.append(["N^…", *(f"{slope(points):.2f}" for points in series.values())])
    note = (
        "Milliseconds of CPU time, from the sequence in memory to the moves; the last row is the exponent that fits "
        "best (least squares on the logarithms)."
    )
    replace_table(PAGE, "linear time", f"\n{note}\n\n{markdown_table(['N', *series], rows)}\n")
    plot("solitaire-linear.svg", series, "cards N", "seconds", log_x=True)


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the exponent of the power law that fits best."""
    xs = [math.log(x) for x, _y in points]
    ys = [math.log(max(y, 1e-9)) for _x, y in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - middle_x) ** 2 for x in xs)


# The table: its states against c, h and n


def largest_table(values: int, suits: int, hand: int, copies: int = 2, games: int = GAMES) -> tuple[float, float]:
    """Return the mean and the largest number of states after a card, over some random games; infinite if too many."""
    found: list[float] = []
    for number in range(games):
        cards = shuffled(SplitMix64(1, values, suits, hand, copies, number), values, suits, copies)
        try:
            found.append(solve_states(Solitaire.of(hand, cards), max_states=MOST_STATES)[1].most)
        except TooManyStatesError:
            return math.inf, math.inf
    return sum(found) / len(found), max(found)


def table_states() -> None:
    axes: dict[str, tuple[Sequence[int], Callable[[int], dict[str, int]]]] = {
        "n (c = 3, h = 3)": ((2, 4, 6, 8, 10, 14, 20), lambda x: {"values": x, "suits": 3, "hand": 3}),
        "h (c = 3, n = 8)": ((0, 1, 2, 3, 4, 5, 6), lambda x: {"values": 8, "suits": 3, "hand": x}),
        "c (n = 5, h = 4)": ((1, 2, 3, 4, 5, 6), lambda x: {"values": 5, "suits": x, "hand": 4}),
    }
    series: Series = {}
    rows = []
    for name, (points, sizes) in axes.items():
        for x in points:
            size = sizes(x)
            mean, most = largest_table(**size)
            c, h, n = size["suits"], size["hand"], size["values"]
            bound = sum(math.comb(n * c, i) for i in range(h + 1)) * (n + 1) ** (c - 1)
            shown = [f"{mean:,.1f}", f"{most:,.0f}"] if mean < math.inf else [f"> {MOST_STATES:,}"] * 2
            rows.append([f"{name.partition(' ')[0]} = {x} {name.partition(' ')[2]}", *shown, f"{bound:,}"])
            if mean < math.inf:
                series.setdefault(name, []).append((x, most))
            print(*rows[-1], sep="  ", flush=True)
    head = ["", "mean", "largest", "all entries for one s"]
    note = f"The most states after a card, over {GAMES} random games with two copies of every card."
    replace_table(PAGE, "table states", f"\n{note}\n\n{markdown_table(head, rows)}\n")
    plot("solitaire-states.svg", series, "n, h or c", "states")


# The reduction: where the exponential begins


def random_clauses(variables: int, clauses: int, number: int) -> Cnf:
    chance = SplitMix64(2, variables, clauses, number)
    found = []
    for _ in range(clauses):
        names = list(range(1, variables + 1))
        chance.shuffle(names)
        found.append(tuple(name if chance.below(2) else -name for name in names[:3]))
    return Cnf(variables, tuple(found))


def reductions() -> None:
    """Random formulas at the threshold of satisfiability (4.26 clauses a variable), and one of 4 and 9."""
    rows: list[list[str]] = []
    series: dict[Any, Any] = {}
    for hand in (2, 1):
        for variables in (3, 4, 5, 6, 7, 8, 10, 12) if hand == 2 else (3, 4, 5, 6, 7, 8, 10, 12, 20, 40, 80):
            clauses = 9 if variables == 4 else round(4.26 * variables)
            cells: dict[str, list[float]] = {"table": [], "sat": []}
            states, cards, yes = [], 0, 0
            for number in range(3):
                game = reduce_formula(random_clauses(variables, clauses, number), hand).game
                cards = max(cards, len(game.sequence))
                # For a hand of one the suits are clauses, and the table soon has more states than fit.
                if variables <= (8 if hand == 2 else 5):
                    try:
                        start = time.process_time()
                        _moves, size = solve_states(game, max_states=MOST_STATES)
                        cells["table"].append(time.process_time() - start)
                        states.append(size.most)
                    except TooManyStatesError:
                        cells["table"].append(math.inf)
                start = time.process_time()
                yes += bool(solve(game, "sat").winnable)
                cells["sat"].append(time.process_time() - start)
            times = {name: sum(taken) / len(taken) for name, taken in cells.items() if taken}
            shown = [f"{times[name]:.2f}" if times.get(name, math.inf) < math.inf else "–" for name in cells]
            most = f"{max(states):,}" if len(states) == 3 else "–"
            rows.append([f"h = {hand}, v = {variables}", str(clauses), f"{cards:,}", f"{yes} of 3", most, *shown])
            for name, taken_mean in times.items():
                if taken_mean < math.inf:
                    series.setdefault(f"{name}, h = {hand}", []).append((variables, taken_mean))
            print(*rows[-1], sep="  ", flush=True)
    head = ["", "clauses", "cards", "satisfiable", "states", "table, s", "sat, s"]
    note = (
        "Three random formulas each, of 4.26 clauses a variable (4 variables: 9 clauses). States: the most after a "
        "card; seconds of CPU time, on average."
    )
    replace_table(PAGE, "reductions", f"\n{note}\n\n{markdown_table(head, rows)}\n")
    plot("solitaire-reduction.svg", series, "variables", "seconds")


# What the paper leaves open


def small_tables() -> None:
    """Few suits and a small hand: how large does the table become as n grows?"""
    rows = []
    sizes = (5, 10, 20, 40, 80, 160)
    for suits, hand in ((2, 1), (3, 1), (4, 1), (2, 2), (2, 3)):
        found = [hardest(n, suits, hand) for n in sizes]
        rows.append([f"c = {suits}, h = {hand}", *(f"{most:,} ({won:.0%})" for most, won in found)])
        print(*rows[-1], sep="  ", flush=True)
    note = (
        f"The most states after a card in the hardest of {GAMES} games, and how many of them can be won. The games are "
        "nearly sorted, so that many can be won: three copies of every card, moved up by as many as h + 3 values."
    )
    replace_table(PAGE, "small tables", f"\n{note}\n\n{markdown_table(['', *(f'n = {n}' for n in sizes)], rows)}\n")


def two_suits() -> None:
    """Two suits and any hand: the smallest hand that wins random games, by SAT, and how long it takes to find it."""
    rows = []
    for n in (10, 20, 30, 40):
        hands, taken = [], []
        for number in range(5):
            cards = shuffled(SplitMix64(4, n, number), n, 2, 2)
            start = time.process_time()
            low, high = 0, 2 * n
            while low < high:
                middle = (low + high) // 2
                if solve(Solitaire.of(middle, cards), "sat").winnable:
                    high = middle
                else:
                    low = middle + 1
            hands.append(low)
            taken.append(time.process_time() - start)
        rows.append([str(n), f"{sum(hands) / len(hands):.1f}", f"{sum(taken) / len(taken):.2f}", f"{max(taken):.2f}"])
        print(*rows[-1], sep="  ", flush=True)
    note = (
        "Five random games of two suits with two copies of every card: the smallest hand that wins, found by bisection "
        "with SAT, and the CPU seconds of the whole bisection."
    )
    head = ["n", "smallest hand, mean", "seconds, mean", "most"]
    replace_table(PAGE, "two suits", f"\n{note}\n\n{markdown_table(head, rows)}\n")


def hardest(values: int, suits: int, hand: int) -> tuple[int, float]:
    """Return the most states after a card over some games that are near to sorted, and the fraction that is won."""
    most, won = 0, 0
    for number in range(GAMES):
        chance = SplitMix64(3, values, suits, hand, number)
        places = [
            (value + chance.unit() * (hand + 3), suit, value)
            for value in range(1, values + 1)
            for suit in range(1, suits + 1)
            for _ in range(3)
        ]
        cards = [(value, suit) for _place, suit, value in sorted(places)]
        try:
            moves, size = solve_states(Solitaire.of(hand, cards), max_states=MOST_STATES)
        except TooManyStatesError:
            return 0, 0.0
        most, won = max(most, size.most), won + (moves is not None)
    return most, won / GAMES


def plot(name: str, series: Series, x_label: str, y_label: str, *, log_x: bool = False) -> None:
    """Write lines as an SVG file into docs/; the same figures give the same file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "handful", "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.subplots()
        for (label, points), marker in zip(series.items(), "osD^vPX*", strict=False):
            axes.plot([x for x, _y in points], [y for _x, y in points], marker=marker, label=label)
        axes.set_yscale("log")
        if log_x:
            axes.set_xscale("log")
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.legend(frameon=False)
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    (DOCS / name).write_bytes(drawn.getvalue())


if __name__ == "__main__":
    main(*sys.argv[1:])
