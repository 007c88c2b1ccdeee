"""F. van Doorn's description of a hat-guessing player: its table of win rates, for 4 and 5 players in four variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from handful.reproduce.outcome import Aim, Effort, Estimate, Line, Outcome, Picture, Source, Tolerance, shares
from handful.reproduce.pictures import draw_bars, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from handful.lab import Simulation

Cell: TypeAlias = tuple[int, str]  # players, variant
DOCUMENT = "Doorn"
# Per cent of games with the maximal score, "approximately": by players, then by variant.
PUBLISHED = {
    4: {"No Variant": 94.2, "6 Suits": 94.4, "Rainbow (6 Suits)": 94.2, "Black (6 Suits)": 59.6},
    5: {"No Variant": 91.2, "6 Suits": 95.7, "Rainbow (6 Suits)": 95.7, "Black (6 Suits)": 56.5},
}
EARLIER = 10.0  # points less before March 2019, "approx."
ROUGHLY = 5.0  # how much is lost by rounding to "approx. 10", half a unit of its digit
BOTS = {"hat": "player of March 2019", "hat-2018": "player that the text describes", "best": "our strongest"}
MEANT = Aim(
    1, "Meant to be better: `hat` was written from remarks on the improvements of March 2019, and has some of its own."
)
ONE_NUMBER = (
    "“Approx. 10pp lower” is one number for eight cells: what the improvements are worth is not the same in all."
)


def win_rates(effort: Effort) -> Outcome:
    """Return the win rates of the player as described, as improved, and of our strongest."""
    games = effort.sample(1_000, 20_000)
    results: dict[str, dict[Cell, Simulation]] = {bot: {} for bot in BOTS}
    cells = [(players, variant) for players, row in PUBLISHED.items() for variant in row]
    for number, cell in enumerate(cells, 1):
        for bot in BOTS:
            results[bot][cell] = effort.simulate(bot, cell[0], games, variant=cell[1], seed=1000)
        effort.on_progress(number / len(cells))
    comparisons = 2 * len(cells)
    improved, earlier, strongest = [], [], []
    for players, variant in cells:
        name, rate = f"{variant}, {players} players", PUBLISHED[players][variant]
        hat, before, best = (Estimate.perfect(results[bot][players, variant]) for bot in BOTS)
        improved.append(
            Line.sampled(
                f"{name}, `hat`", rate, hat, Tolerance(comparisons), form=shares(), theirs="{:.1f} %".format, aim=MEANT
            )
        )
        about = "approx. {:.1f} %".format
        tolerance = Tolerance(comparisons, rounding=ROUGHLY)
        earlier.append(
            Line.sampled(
                f"{name}, `hat-2018`", rate - EARLIER, before, tolerance, ONE_NUMBER, form=shares(), theirs=about
            )
        )
        strongest.append(Line.further(f"{name}, our strongest player", best, shares()))
    higher = sum(Estimate.perfect(results["hat"][cell]).value > PUBLISHED[cell[0]][cell[1]] for cell in cells)

    return Outcome(
        "doorn-win-rates",
        "Win rates of the hat-guessing player",
        Source(DOCUMENT, "the table of win percentages"),
        "94.2 % and 91.2 % with 4 and 5 players, 56.5 % to 95.7 % in three variants",
        ", ".join(f"{results['hat'][players, 'No Variant'].perfect:.1%} ({players} players)" for players in PUBLISHED)
        + f" with `hat`; higher in {higher} of {len(cells)} cells",
        (*improved, *earlier, *strongest),
        f"{games:,} games a cell. The published figures are approximate, without intervals. `hat-2018` is the player "
        "that the text describes; of the improvements of March 2019 it has only remarks, from which `hat` was written.",
        (_picture(results, cells),),
    )


def _picture(results: dict[str, dict[Cell, Simulation]], cells: list[Cell]) -> Picture:
    def draw(sheet: Figure) -> None:
        axes = sheet.add_subplot()
        for number, (bot, told) in enumerate(BOTS.items()):
            at = [place + 0.18 * (number - 1) for place in range(len(cells))]
            shares = [Estimate.perfect(results[bot][cell]) for cell in cells]
            draw_bars(axes, at, shares, number, markersize=5, label=f"ours: {bot}, {told}")
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

    return Picture("doorn-win-rates", "Perfect games: published, and ours with 95 % intervals.", draw, (8.6, 4.6))
