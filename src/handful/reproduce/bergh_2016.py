"""Van den Bergh, Kosters and Spieksma 2016: F(4, …, 4), Table 1, Figure 2, and Figure 3, the Monte Carlo player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.bots.players import REGISTER
from handful.lab import Simulation
from handful.playability.sequences.counting import count
from handful.reproduce.effort import Effort
from handful.reproduce.outcome import (
    Line,
    Outcome,
    Picture,
    Source,
    Verdict,
    counted_same,
    digits_line,
    exact_line,
    further_line,
    standard_error,
    threshold,
)
from handful.reproduce.pictures import COLOURS, MARKERS, grid
from handful.reproduce.rule_strategies import published_strategies
from handful.reproduce.strategy_rows import (
    EXTREMES,
    curve_of,
    curves_picture,
    draw_bar,
    lines_of,
    mean_text,
    one_row_each,
    play,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOCUMENT = "Bergh et al. 2016"
PRIME = "91973270026324484565579418350194489655582912237019"
MONTE_CARLO = "montecarlo"
PLAYOUTS, DEPTH = 500, 5  # of the article, where the other one varies
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


def playing_cards(_effort: Effort) -> Outcome:
    """Return F(4, …, 4): shuffled packs of cards that do not contain ace to king in order."""
    found = count((4,) * 13)
    lines = [
        exact_line("F(4, …, 4), thirteen values", PRIME, str(found.unplayable)),
        digits_line("chance that a shuffled pack contains ace to king", "0.000554", float(found.probability)),
        further_line("how long it takes", "half a millisecond", "a few seconds"),
        further_line("how many packs do contain them", f"{found.playable:,}"),
    ]
    return Outcome(
        "bergh-2016-playing-cards",
        "Ace to king in a shuffled pack",
        Source(DOCUMENT, "section 3, F(4, …, 4)"),
        f"{PRIME[:12]}… (50 digits), chance 0.000554",
        f"{counted_same(lines)}; chance {float(found.probability):.8f}",
        tuple(lines),
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
        # Printed to one decimal: half a unit of it is rounding, the rest is chance.
        beyond = max(0.0, abs(row.ours.mean - float(printed)) - 0.05)
        is_chance = beyond <= threshold(len(found)) * standard_error(row.ours.mean_ci95)
        lines.append(Line(name, printed, mean_text(row), "same" if is_chance else "differs"))
    best = effort.simulate("best", 3, effort.sample(500, 20_000))
    half = (best.mean_ci95[1] - best.mean_ci95[0]) / 2
    lines.append(further_line("our strongest player there", f"{best.mean:.2f} ± {half:.2f}", "15.4 at best"))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, omega_p in enumerate((0.7, 0.6, 0.5)):
            label = f"ours, omega_p {omega_p:g}"
            here = [row for row in found if row.published.omega_p == omega_p]
            for row in here:
                at = 5 * (row.published.hint - 1) + row.published.discard + 0.2 * (number - 1)
                draw_bar(axes, at, row, COLOURS[number], label, MARKERS[number])
                axes.plot(at, row.published.mean, "_k", markersize=7, label="published" if not number else "")
                label = ""
        handles, labels = axes.get_legend_handles_labels()
        chosen = dict(zip(labels, handles, strict=True))
        axes.legend(list(chosen.values()), list(chosen), frameon=False, loc="lower right")
        axes.set_xticks([5 * hint + discard for hint in range(4) for discard in (1, 2, 3, 4)], "1234" * 4)
        for hint in (1, 2, 3, 4):
            axes.text(5 * hint - 2.5, 16.3, f"hint rule {hint}", ha="center")
        axes.set_ylim(0, 17.5)
        axes.set_xlabel("discard rule")
        axes.set_ylabel("mean score")
        grid(axes, "y")

    return Outcome(
        "bergh-2016-table-1",
        "Sixteen pairs of rules at three thresholds",
        Source(DOCUMENT, "Table 1"),
        "48 averages to one decimal, best 15.4",
        f"{counted_same(lines)}; best {max(row.ours.mean for row in found):.2f}",
        tuple(lines),
        EXTREMES,
        (Picture("bergh-2016-table-1", "Table 1: published averages and ours, three players.", draw),),
    )


def figure_2(effort: Effort) -> Outcome:
    """Return Figure 2: the three thresholds varied one by one, with hint rule 3 and discard rule 2."""
    rows = [row for row in published_strategies() if row.is_favourite]
    curves = [
        curve_of("omega_p varies", "omega_p", rows, omega_s=1, omega_d=1, omega_h=1),
        curve_of("omega_d varies", "omega_d", rows, omega_s=1, omega_p=0.6, omega_h=1),
        curve_of("omega_h varies", "omega_h", rows, omega_s=1, omega_p=0.6, omega_d=1),
    ]
    ours = [play(curve.rows, effort) for curve in curves]
    names = [f"{curve.x} {setting:g}" for curve in curves for setting in curve.settings()]
    lines = lines_of(names, [row for found in ours for row in found])
    tuned = effort.simulate("rules(reading=text)", 3, effort.sample(1_000, 20_000))
    lines.append(further_line("the same rules as their text has them", f"{tuned.mean:.2f} points"))
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
    games = effort.sample(16, 100)
    depths = effort.pick((1, 2, 3, 5, 10), (1, 2, 3, 4, 5, 7, 10, 15, 20))
    playouts = effort.pick((20, 100, 500), (20, 50, 100, 200, 500, 1000))
    by_depth: dict[int, Simulation] = {}
    by_playouts: dict[int, Simulation] = {}
    total = len(depths) + len(playouts)
    for depth in depths:
        by_depth[depth] = _monte_carlo(effort, PLAYOUTS, depth, games)
        effort.on_progress((len(by_depth)) / total)
    for number in playouts:
        by_playouts[number] = _monte_carlo(effort, number, DEPTH, games)
        effort.on_progress((len(by_depth) + len(by_playouts)) / total)
    return _figure_3(by_depth, by_playouts)


def has_monte_carlo() -> bool:
    """Whether there is a Monte Carlo player to reproduce Figure 3 with."""
    return MONTE_CARLO in REGISTER


def _monte_carlo(effort: Effort, playouts: int, depth: int, games: int) -> Simulation:
    return effort.simulate(f"{MONTE_CARLO}(playouts={playouts}, depth={depth})", 3, games, rules="thesis")


def _figure_3(by_depth: dict[int, Simulation], by_playouts: dict[int, Simulation]) -> Outcome:
    reason = (
        "The article does not print the points of the figure, nor all of the player: how play-outs prefer cards that "
        "more is known of, and how a hand is dealt anew, are ours."
    )
    lines = []
    deep = [result for depth, result in by_depth.items() if depth >= 3]
    wide = [result for number, result in by_playouts.items() if number >= PLAYOUTS]
    # Each point by itself: an average over depths would hide that few turns are worse.
    for result in [*deep, *wide]:
        reach = (result.mean_ci95[1] - result.mean_ci95[0]) / 2
        verdict = _compared(result.mean, 13.0 - reach, 15.0 + reach)
        told = _mean_text(result)
        lines.append(Line(f"mean, {result.bot}", "around 14", told, verdict, reason if verdict == "differs" else ""))
    top = max([*deep, *wide], key=lambda result: result.mean)
    low, high = min(result.min for result in deep + wide), max(result.max for result in deep + wide)
    reach = (top.mean_ci95[1] - top.mean_ci95[0]) / 2
    verdict = _compared(top.mean, 14.5 - reach, 14.5 + reach)
    told = f"{_mean_text(top)} ({top.bot})"
    lines.append(Line("best mean", "14.5 (1000 play-outs)", told, verdict, reason if verdict == "differs" else ""))
    lines.append(further_line("lowest and highest score", f"{low} and {high}", "6 (sometimes 0) and 20"))
    greedy = by_depth[1]
    lines.append(further_line("depth 1, which is greedy play", _mean_text(greedy)))

    def draw(sheet: Figure) -> None:
        left, right = sheet.subplots(1, 2, sharey=True)
        for axes, results, x in (
            (left, by_depth, f"turns looked at (D), {PLAYOUTS} play-outs"),
            (right, by_playouts, f"play-outs, D = {DEPTH}"),
        ):
            at = list(results)
            means = [result.mean for result in results.values()]
            axes.fill_between(
                at,
                [result.mean - result.sd for result in results.values()],
                [result.mean + result.sd for result in results.values()],
                color=COLOURS[0],
                alpha=0.15,
                linewidth=0,
                label="± standard deviation",
            )
            halves = [(result.mean_ci95[1] - result.mean_ci95[0]) / 2 for result in results.values()]
            axes.errorbar(at, means, yerr=halves, color=COLOURS[0], marker="o", capsize=3, label="ours, 95 % interval")
            axes.axhline(14, color="black", linewidth=0.8, linestyle="--", label="published: around 14")
            axes.set_xlabel(x)
            grid(axes)
        right.set_xscale("log")
        right.set_xticks(list(by_playouts), [str(number) for number in by_playouts])
        right.minorticks_off()
        left.set_ylabel("score")
        left.set_ylim(0, 25)
        left.legend(frameon=False, loc="lower right")

    caption = "Figure 3: the Monte Carlo player by depth (left) and by the number of play-outs (right), three players."
    return Outcome(
        "bergh-2016-figure-3",
        "The Monte Carlo player",
        Source(DOCUMENT, "Figure 3"),
        "around 14 points whatever the depth, best 14.5 with 1000 play-outs",
        f"best {_mean_text(top)}",
        tuple(lines),
        f"{greedy.games} games a point; the original has 100. The points of the figure are not printed. With 200 games "
        "a point the depth is not without weight at 3 turns: docs/thinking-players.md.",
        (Picture("bergh-2016-figure-3", caption, draw, (8.4, 4.0)),),
    )


def _compared(mean: float, low: float, high: float) -> Verdict:
    return "differs" if mean < low else "same" if mean <= high else "goes further"


def _mean_text(result: Simulation) -> str:
    return f"{result.mean:.1f} ± {(result.mean_ci95[1] - result.mean_ci95[0]) / 2:.1f}"
