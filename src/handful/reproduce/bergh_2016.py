"""Van den Bergh, Kosters and Spieksma 2016: F(4, …, 4), Table 1, Figure 2, and Figure 3, the Monte Carlo player."""

from __future__ import annotations

from math import hypot, inf, sqrt
from typing import TYPE_CHECKING

from handful.lab import Simulation
from handful.playability.sequences.counting import count
from handful.reproduce.bergh_2015_strategies import (
    EXTREMES,
    StrategyComparison,
    best_player_line,
    curve_of,
    curves_picture,
    lines_of,
    mean_text,
    one_row_each,
    play,
    published_strategies,
)
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
    plus_minus,
)
from handful.reproduce.pictures import COLOURS, draw_bars, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh et al. 2016"
PRIME = 91973270026324484565579418350194489655582912237019
A_FEW_SECONDS = 2.0  # at the least
# Table 1, by discard rule and omega_p: the averages of hint rules 1 to 4, to one decimal.
TABLE_1 = {
    (1, 0.7): "6.3 13.5 14.5 11.9",
    (1, 0.6): "7.1 13.9 15.3 12.7",
    (1, 0.5): "7.3 13.8 15.2 12.5",
    (2, 0.7): "6.6 13.8 14.5 12.0",
    (2, 0.6): "7.4 14.4 15.4 12.7",
    (2, 0.5): "7.5 14.2 15.3 12.6",
    (3, 0.7): "5.8 13.1 14.1 11.5",
    (3, 0.6): "6.6 13.5 14.9 12.3",
    (3, 0.5): "6.9 13.4 14.8 12.3",
    (4, 0.7): "5.8 13.0 13.9 11.5",
    (4, 0.6): "6.7 13.7 14.8 12.3",
    (4, 0.5): "6.8 13.5 14.7 12.2",
}
# Figure 3: its points are not printed; the text says of them all that they are around 14, and has these.
PLAYOUTS, DEPTH = 500, 5  # where the other one varies
AROUND, BEST, BEST_PLAYOUTS, HIGHEST = 14.0, 14.5, 1000, 20
GAMES = 100  # a point
FEW_TURNS = 3  # looked ahead, from which on the depth is said not to matter
NOT_PRINTED = (
    "The article does not print the points of the figure, nor all of the player: how play-outs prefer cards that "
    "more is known of, and how a hand is dealt anew, are ours."
)


def playing_cards(_effort: Effort) -> Outcome:
    """Return F(4, …, 4): shuffled packs of cards that do not contain ace to king in order."""
    found = count((4,) * 13)
    seconds = cpu_seconds_of(lambda: count((4,) * 13))
    lines = (
        Line.exact("F(4, …, 4), thirteen values", PRIME, found.unplayable),
        Line.digits("chance that a shuffled pack contains ace to king", "0.000554", float(found.probability)),
        Line.faster("CPU seconds, “a few” there", A_FEW_SECONDS, seconds, "{:.6f}".format),
        Line.further("how many packs do contain them", found.playable, "{:,}".format),
    )
    return Outcome(
        "bergh-2016-playing-cards",
        "Ace to king in a shuffled pack",
        Source(DOCUMENT, "section 3, F(4, …, 4)"),
        f"{str(PRIME)[:12]}… (50 digits), chance 0.000554",
        f"{counted_same(lines)}; chance {float(found.probability):.8f}",
        lines,
    )


def table_1(effort: Effort) -> Outcome:
    """Return Table 1: the sixteen pairs of rules at three values of omega_p, to one decimal."""
    every = [row for row in published_strategies() if row.omega_s == row.omega_d == row.omega_h == 1]
    rows = one_row_each([row for row in every if (row.discard, row.omega_p) in TABLE_1])
    rows.sort(key=lambda row: (row.discard, -row.omega_p, row.hint))
    found = play(rows, effort)
    lines = []
    for row in found:
        setting = row.published
        printed = TABLE_1[setting.discard, setting.omega_p].split()[setting.hint - 1]
        name = f"discard rule {setting.discard}, omega_p {setting.omega_p:g}, hint rule {setting.hint}"
        # Printed to one decimal: half a unit of it is rounding, the rest is chance, in both samples.
        tolerance = Tolerance(len(found), row.error, rounding=0.05)
        lines.append(Line.sampled(name, float(printed), Estimate.mean(row.ours), tolerance))
    lines.append(best_player_line(effort))
    return Outcome(
        "bergh-2016-table-1",
        "Sixteen pairs of rules at three thresholds",
        Source(DOCUMENT, "Table 1"),
        "48 averages to one decimal, best 15.4",
        f"{counted_same(lines)}; best {max(row.ours.mean for row in found):.2f}",
        tuple(lines),
        EXTREMES,
        (_table_picture(found),),
    )


def figure_2(effort: Effort) -> Outcome:
    """Return Figure 2: the three thresholds varied one by one, with hint rule 3 and discard rule 2."""
    curves = [
        curve_of("omega_p varies", "omega_p", omega_s=1, omega_d=1, omega_h=1),
        curve_of("omega_d varies", "omega_d", omega_s=1, omega_p=0.6, omega_h=1),
        curve_of("omega_h varies", "omega_h", omega_s=1, omega_p=0.6, omega_d=1),
    ]
    ours = [play(curve.rows, effort) for curve in curves]
    names = [f"{curve.x} {setting:g}" for curve in curves for setting in curve.settings()]
    lines = lines_of(names, [row for found in ours for row in found])
    tuned = Estimate.mean(effort.simulate("rules(reading=text)", 3, effort.sample(1_000, 20_000)))
    lines.append(Line.further("the same rules as their text has them, by the rules of hanab.live", tuned, plus_minus()))
    caption = "Figure 2: each threshold varied alone (the others 0.6, 1 and 1), safe play, three players."
    return Outcome(
        "bergh-2016-figure-2",
        "Thresholds varied one by one",
        Source(DOCUMENT, "Figure 2"),
        "best 15.4 at omega_p 0.6, omega_d 1, omega_h 1",
        f"{counted_same(lines)}; best {max(row.ours.mean for found in ours for row in found):.2f}",
        tuple(lines),
        f"The article refers to the thesis for the figures behind the curves. {EXTREMES}",
        (curves_picture("bergh-2016-figure-2", caption, curves, ours),),
    )


def figure_3(effort: Effort) -> Outcome:
    """Return Figure 3: the Monte Carlo player, by how far it looks ahead and how often it plays out."""
    games = effort.sample(16, GAMES)
    depths = effort.pick((1, 2, 3, 5, 10), (1, 2, 3, 4, 5, 7, 10, 15, 20))
    playouts = effort.pick((20, 100, 500), (20, 50, 100, 200, 500, BEST_PLAYOUTS))
    points = [(PLAYOUTS, depth) for depth in depths] + [(number, DEPTH) for number in playouts]
    results: dict[tuple[int, int], Simulation] = {}
    for number, (times, depth) in enumerate(points, 1):
        bot = f"montecarlo(playouts={times}, depth={depth})"
        results[times, depth] = effort.simulate(bot, 3, games, rules="thesis")
        effort.on_progress(number / len(points))
    lines = monte_carlo_lines(results)
    top = max(results.values(), key=lambda result: result.mean)
    lowest = min(result.min for result in results.values())
    return Outcome(
        "bergh-2016-figure-3",
        "The Monte Carlo player",
        Source(DOCUMENT, "Figure 3"),
        f"around {AROUND:g} points whatever the depth, best {BEST} with {BEST_PLAYOUTS} play-outs",
        f"{counted_same(lines)}; best {mean_text(top)} ({top.bot})",
        tuple(lines),
        f"{games} games a point; the original has {GAMES}. The points of the figure are not printed. The lowest score "
        f"is {lowest} here, and 6, sometimes 0, there. With 200 games a point the depth is not without weight at 3 "
        "turns: docs/thinking-players.md.",
        (_monte_carlo_picture(results),),
    )


def monte_carlo_lines(results: dict[tuple[int, int], Simulation]) -> list[Line]:
    """Return what the article says of the points, by play-outs and depth; each by itself: an average would hide some.

    Theirs are averages of 100 games, with the same spread as ours; "around 14" has half a point to round.
    """
    far = {at: each for at, each in results.items() if at[0] >= PLAYOUTS and at[1] >= FEW_TURNS}
    comparisons = len(far) + 1
    errors = {at: hypot(Estimate.mean(each).error, each.sd / sqrt(GAMES)) for at, each in far.items()}
    lines = [
        Line.sampled(
            f"mean, {each.bot}",
            AROUND,
            Estimate.mean(each),
            Tolerance(comparisons, errors[at], rounding=0.5),
            NOT_PRINTED,
            theirs="around {:g}".format,
        )
        for at, each in far.items()
    ]
    if (BEST_PLAYOUTS, DEPTH) in far:
        at = (BEST_PLAYOUTS, DEPTH)
        tolerance = Tolerance(comparisons, errors[at], rounding=0.05)
        lines.append(Line.sampled(f"best mean: {far[at].bot}", BEST, Estimate.mean(far[at]), tolerance, NOT_PRINTED))
    highest = max(result.max for result in results.values())
    lines.append(Line.between("highest score", f"{HIGHEST}", highest, (-inf, HIGHEST), NOT_PRINTED))
    greedy = Estimate.mean(results[PLAYOUTS, 1])
    lines.append(Line.further("depth 1, which is greedy play", greedy, plus_minus()))
    return lines


def _table_picture(found: list[StrategyComparison]) -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, omega_p in enumerate((0.7, 0.6, 0.5)):
            here = [row for row in found if row.published.omega_p == omega_p]
            at = [5 * (row.published.hint - 1) + row.published.discard + 0.2 * (number - 1) for row in here]
            draw_bars(axes, at, [Estimate.mean(row.ours) for row in here], number, label=f"ours, omega_p {omega_p:g}")
            means = [row.published.mean for row in here]
            axes.plot(at, means, "_k", markersize=7, label="published" if not number else "")
        axes.legend(frameon=False, loc="lower right")
        axes.set_xticks([5 * hint + discard for hint in range(4) for discard in (1, 2, 3, 4)], "1234" * 4)
        for hint in (1, 2, 3, 4):
            axes.text(5 * hint - 2.5, 16.3, f"hint rule {hint}", ha="center")
        axes.set_ylim(0, 17.5)
        axes.set_xlabel("discard rule")
        axes.set_ylabel("mean score")
        grid(axes, "y")

    return Picture("bergh-2016-table-1", "Table 1: published averages and ours, three players.", draw)


def _monte_carlo_picture(results: dict[tuple[int, int], Simulation]) -> Picture:
    by_depth = {depth: each for (times, depth), each in sorted(results.items()) if times == PLAYOUTS}
    by_playouts = {times: each for (times, depth), each in sorted(results.items()) if depth == DEPTH}

    def draw(sheet: Figure) -> None:
        left, right = sheet.subplots(1, 2, sharey=True)
        for axes, points, x in (
            (left, by_depth, f"turns looked at (D), {PLAYOUTS} play-outs"),
            (right, by_playouts, f"play-outs, D = {DEPTH}"),
        ):
            at, found = list(points), list(points.values())
            low, high = [each.mean - each.sd for each in found], [each.mean + each.sd for each in found]
            label = "± standard deviation"
            axes.fill_between(at, low, high, color=COLOURS[0], alpha=0.15, linewidth=0, label=label)
            means = [Estimate.mean(each) for each in found]
            draw_bars(axes, at, means, linestyle="-", markersize=6, capsize=3, label="ours, 95 % interval")
            label = f"published: around {AROUND:g}"
            axes.axhline(AROUND, color="black", linewidth=0.8, linestyle="--", label=label)
            axes.set_xlabel(x)
            grid(axes)
        right.set_xscale("log")
        right.set_xticks(list(by_playouts), [str(number) for number in by_playouts])
        right.minorticks_off()
        left.set_ylabel("score")
        left.set_ylim(0, 25)
        left.legend(frameon=False, loc="lower right")

    caption = "Figure 3: the Monte Carlo player by depth (left) and by the number of play-outs (right), three players."
    return Picture("bergh-2016-figure-3", caption, draw, (8.4, 4.0))
