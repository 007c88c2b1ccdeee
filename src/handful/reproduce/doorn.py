"""F. van Doorn's description of a hat-guessing player: its table of win rates, for 4 and 5 players in four variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.reproduce.effort import Effort
from handful.reproduce.outcome import Line, Outcome, Picture, Source, Verdict, further_line, share_text
from handful.reproduce.pictures import COLOURS, MARKERS, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from handful.lab import Simulation

DOCUMENT = "Doorn"
# Per cent of games with the maximal score, "approximately": by players, then by variant.
PUBLISHED = {
    4: {"No Variant": 94.2, "6 Suits": 94.4, "Rainbow (6 Suits)": 94.2, "Black (6 Suits)": 59.6},
    5: {"No Variant": 91.2, "6 Suits": 95.7, "Rainbow (6 Suits)": 95.7, "Black (6 Suits)": 56.5},
}
EARLIER = 10.0  # points less before March 2019, "approx."
ROUGHLY = 5.0  # how much an "approx. 10" may be off
BOTS = {"hat": "player of March 2019", "hat-2018": "player that the text describes", "best": "our strongest"}


def win_rates(effort: Effort) -> Outcome:
    """Return the win rates of the player as described, as improved, and of our strongest."""
    games = effort.sample(1_000, 20_000)
    results: dict[str, dict[tuple[int, str], Simulation]] = {bot: {} for bot in BOTS}
    cells = [(players, variant) for players, row in PUBLISHED.items() for variant in row]
    for number, cell in enumerate(cells, 1):
        for bot in BOTS:
            results[bot][cell] = effort.simulate(bot, cell[0], games, variant=cell[1], seed=1000)
        effort.on_progress(number / len(cells))
    lines = [_current(cell, results["hat"][cell]) for cell in cells]
    higher = sum(100 * results["hat"][cell].perfect > PUBLISHED[cell[0]][cell[1]] for cell in cells)
    lines += [_earlier(cell, results["hat-2018"][cell]) for cell in cells]
    for players, variant in cells:
        best = results["best"][players, variant]
        told = share_text(best.perfect, best.perfect_ci95)
        lines.append(further_line(f"{variant}, {players} players, our strongest player", told))

    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, (bot, told) in enumerate(BOTS.items()):
            for place, cell in enumerate(cells):
                result = results[bot][cell]
                low, high = result.perfect_ci95
                axes.errorbar(
                    [place + 0.18 * (number - 1)],
                    [100 * result.perfect],
                    yerr=[[100 * (result.perfect - low)], [100 * (high - result.perfect)]],
                    color=COLOURS[number],
                    marker=MARKERS[number],
                    markersize=5,
                    capsize=2,
                    linestyle="none",
                    label=f"ours: {bot}, {told}" if not place else "",
                )
        for place, (players, variant) in enumerate(cells):
            rate = PUBLISHED[players][variant]
            axes.hlines(rate, place - 0.38, place + 0.38, color="black", label="published" if not place else "")
            label = "published, before March 2019 (approx.)" if not place else ""
            axes.hlines(rate - EARLIER, place - 0.38, place + 0.38, color="#999999", linestyle=":", label=label)
        names = [f"{variant.replace(' (6 Suits)', '')}\n{players} players" for players, variant in cells]
        axes.set_xticks(range(len(cells)), names, fontsize=8.5)
        axes.set_ylabel("perfect games, %")
        axes.set_ylim(30, 102)
        grid(axes, "y")
        axes.legend(frameon=False, loc="lower left", fontsize=8.5)

    return Outcome(
        "doorn-win-rates",
        "Win rates of the hat-guessing player",
        Source(DOCUMENT, "the table of win percentages"),
        "94.2 % and 91.2 % with 4 and 5 players, 56.5 % to 95.7 % in three variants",
        ", ".join(f"{results['hat'][players, 'No Variant'].perfect:.1%} ({players} players)" for players in PUBLISHED)
        + f" with `hat`; higher in {higher} of {len(cells)} cells",
        tuple(lines),
        f"{games:,} games a cell. The published figures are approximate, without intervals. `hat-2018` is the player "
        "that the text describes; of the improvements of March 2019 it has only remarks, from which `hat` was written.",
        (Picture("doorn-win-rates", "Perfect games: published, and ours with 95 % intervals.", draw, (8.6, 4.6)),),
    )


def _current(cell: tuple[int, str], ours: Simulation) -> Line:
    """Return the comparison of the improved player: better, as good, or worse."""
    published = PUBLISHED[cell[0]][cell[1]]
    low, high = (100 * bound for bound in ours.perfect_ci95)
    verdict: Verdict = "goes further" if low > published else "same" if high >= published else "differs"
    name = f"{cell[1]}, {cell[0]} players, `hat`"
    return Line(name, f"{published} %", share_text(ours.perfect, ours.perfect_ci95), verdict)


def _earlier(cell: tuple[int, str], ours: Simulation) -> Line:
    """Return the comparison of the player before the improvements, of which the text has one number for all cells."""
    published = PUBLISHED[cell[0]][cell[1]] - EARLIER
    low, high = (100 * bound for bound in ours.perfect_ci95)
    name, told = f"{cell[1]}, {cell[0]} players, `hat-2018`", share_text(ours.perfect, ours.perfect_ci95)
    if low - ROUGHLY <= published <= high + ROUGHLY:
        return Line(name, f"approx. {published:.1f} %", told, "same")
    reason = (
        "“Approx. 10pp lower” is one number for eight cells; with a black suit, whose cards come once, improvements "
        "are worth more than that."
    )
    return Line(name, f"approx. {published:.1f} %", told, "differs", reason)
