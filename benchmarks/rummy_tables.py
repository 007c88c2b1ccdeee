"""Claim: Rummy is solved for these games, and these are their figures; beside them, those of Finkle 2017.

``python -m benchmarks.rummy_tables`` writes the tables of docs/rummy.md from the tables on disk; games of 3 and 4 cards
are solved if they are missing. Larger ones are made by ``handful rummy solve --spread``.
"""

from __future__ import annotations

from benchmarks.rummy_picture import draw
from benchmarks.tables import DOCS, markdown_table, replace_table
from handful.rummy import Answers, SpreadFigures, Summary, list_answers, solve, spread_of
from handful.rummy.answers import HandClass, read_answers

NAMES = {"low": "low", "high": "high or low", "wrap": "round the corner"}


def solved_games() -> list[tuple[Summary, SpreadFigures]]:
    """Return all exact tables on disk in figures, with their spread, which is found now if it is not there."""
    found = []
    for stored in list_answers():
        if stored.summary is not None and not stored.summary.tolerance:
            found.append((stored.summary, stored.spread or spread_of(read_answers(stored.path)).figures))
            print(found[-1], flush=True)
    return found


def figure_row(told: Summary, spread: SpreadFigures) -> list[str]:
    """Return how many turns the hands of a game take, for the first table."""
    numbers = (told.best, told.mean, told.worst, spread.sd_of_expected, spread.sd_of_turns)
    return [f"{told.cards}, {NAMES[told.aces]}", *(f"{number:.6f}" for number in numbers)]


def hand_row(told: Summary, spread: SpreadFigures) -> list[str]:
    """Return which hands there are, and what it took, for the second table."""
    classes = "" if told.classes is None else f"{told.classes:,}" + (" ±" if told.near_ties else "")
    return [
        f"{told.cards}, {NAMES[told.aces]}",
        f"{told.kinds:,}",
        f"{told.rummies:,}",
        classes,
        f"`{told.best_hand}`",
        f"`{told.worst_hand}`",
        f"{told.cpu_seconds:,.1f}",
        f"{told.peak_memory_mb:,.0f}",
        f"{spread.cpu_seconds:,.1f}",
    ]


def class_of(table: Answers, hand: str) -> HandClass:
    """Return the class (or cohort) that a hand belongs to."""
    turns = table.expected_turns(hand)
    return [each for each in table.classes() if each.expected_turns <= turns + 1e-9][-1]


def errors_of(tolerance: float) -> tuple[float, float]:
    """Return the greatest and the mean error of the approximation of three cards, aces low, over all hands."""
    import numpy as np

    from handful.rummy.figures import kinds_of

    exact, rough = kinds_of(3, "low"), kinds_of(3, "low", tolerance)
    errors = rough.values - exact.values
    return float(errors.max()), float(np.average(errors, weights=exact.orbits))


def comparison_rows() -> list[list[str]]:
    """Return what Finkle 2017 prints, what his procedure gives here, and what is exact."""
    low, high, wrap = (solve(3, aces) for aces in ("low", "high", "wrap"))
    his = solve(3, "low", 1e-6)
    rows = [
        ["3, low: best hands", "240 of 12.25", "", f"{class_of(low, '2C 2D 3C').hands} of {low.summary().best}"],
        ["3, low: largest class", "544 of 15.228977272", *_largest(his, low)],
        ["3, low: classes", "688", str(his.summary().classes), f"{low.summary().classes}"],
        ["3, low: median hand", "18.223831446346434", *(f"{_median(each):.12f}" for each in (his, low))],
        ["3, low: worst", "19.18005509646004", *(f"{each.summary().worst:.14f}" for each in (his, low))],
        ["3, high: worst", "12 of 18.861678332", "", _worst(high)],
        ["3, wrap: largest class", "1768 of 15.228977272", *_largest(solve(3, "wrap", 1e-7), wrap)],
        ["3, wrap: classes", "60", "", str(wrap.summary().classes)],
        ["3, wrap: worst", "52 of 18.24424854000194", "", _worst(wrap)],
    ]
    for tolerance, greatest, mean in ((1.0, "0.6109", "0.086"), (0.1, "", "0.019"), (0.001, "2.35e-4", "1.87e-5")):
        most, average = errors_of(tolerance)
        rows.append(
            [
                f"3, low, within {tolerance:g}: greatest, mean error",
                f"{greatest}, {mean}",
                f"{most:.4g}, {average:.3g}",
                "",
            ]
        )
    rows.append(["3, low, within 1: cohorts", "7 (text), 9 (appendix)", str(_cohorts(solve(3, "low", 1.0))), ""])
    four, four_high, four_wrap = (solve(4, aces) for aces in ("low", "high", "wrap"))
    rough, fine, fine_high = solve(4, "low", 1.0), solve(4, "low", 0.001), solve(4, "high", 0.001)
    near = solve(4, "wrap", 1e-7)
    rummies = ", ".join(str(each.summary().rummies) for each in (four, four_high, four_wrap))
    big = max(rough.classes(), key=lambda each: each.hands)
    rows += [
        ["4: rummies low, high, wrap", "53, 57, 65", "", rummies],
        ["4, wrap: best hands", "2496 of 24", "", f"{four_wrap.classes()[1].hands} of {four_wrap.summary().best:g}"],
        [
            "4, wrap: classes without the rummies",
            "654",
            str(_cohorts(near)),
            str((four_wrap.summary().classes or 0) - 1),
        ],
        ["4, wrap: worst", "156 of 38.6563243418", "", _worst(four_wrap)],
        ["4, low, within 1: cohorts", "19", str(_cohorts(rough)), ""],
        ["4, low, within 1: largest cohort", "67468 of 39.6312457202", f"{big.hands} of {big.expected_turns:.10f}", ""],
        ["4, low, within 0.001: cohorts", "2609", str(_cohorts(fine)), f"{(four.summary().classes or 0) - 1} classes"],
        ["4, low: worst", "41.88666", _last_cohort(fine), _worst(four)],
        ["4, high: worst", "41.3925", _last_cohort(fine_high), _worst(four_high)],
    ]
    return rows


def _cohorts(table: Answers) -> int:
    return (table.summary().classes or 0) - 1


def _largest(his: Answers, exact: Answers) -> list[str]:
    told = []
    for table in (his, exact):
        largest = max(table.classes(), key=lambda each: each.hands)
        told.append(f"{largest.hands} of {largest.expected_turns:.10f}")
    return told


def _worst(table: Answers) -> str:
    worst = table.classes()[-1]
    return f"{worst.hands} of {worst.expected_turns:.14f} (`{worst.example}`)"


def _last_cohort(table: Answers) -> str:
    return f"{table.classes()[-1].expected_turns:.6f} least, {table.summary().worst:.6f} greatest of the last cohort"


def _median(table: Answers) -> float:
    """Return the expected turns of the hand in the middle."""
    passed = 0
    for each in table.classes():
        passed += each.hands
        if passed >= table.game.hands / 2:
            return each.expected_turns
    raise AssertionError("some hand is in the middle")


def main() -> None:
    """Write the tables of docs/rummy.md."""
    for aces in NAMES:
        for cards in (3, 4):
            solve(cards, aces)
    games = solved_games()
    note = "Written by `python -m benchmarks.rummy_tables`."
    columns = ["cards, aces", "best", "mean of all deals", "worst", "sd of E", "sd of the turns"]
    first = markdown_table(columns, [figure_row(*game) for game in games])
    columns = ["cards, aces", "kinds of hands", "rummies", "classes", "a best hand", "a worst hand"]
    second = markdown_table([*columns, "CPU s", "MB", "spread, CPU s"], [hand_row(*game) for game in games])
    picture = "![Best, mean and worst hands of all games](pictures/rummy-solved.svg)"
    replace_table("rummy.md", "solved games", f"\n{note}\n\n{picture}\n\n{first}\n\n{second}\n")
    draw(games, DOCS / "pictures" / "rummy-solved.svg")
    rows = comparison_rows()
    table = markdown_table(["what", "printed", "his procedure here", "exact"], rows)
    replace_table("rummy.md", "beside the thesis", f"\n{note}\n\n{table}\n")
    for row in rows:
        print(*row, sep="  |  ")


if __name__ == "__main__":
    main()
