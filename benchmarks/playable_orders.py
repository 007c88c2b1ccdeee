"""Claim: this fraction of the orders of the full 50-card deck can be played by a single player, by hand size.

``python -m benchmarks.playable_orders`` shuffles the deck a million times for each hand size from 1 to 20, decides
every order, and writes the table and the plot of docs/counting.md; a number of orders may be given.
"""

from __future__ import annotations

import io
import sys
from typing import Any

from benchmarks.tables import DOCS, markdown_table, replace_table
from handful._files import write_whole
from handful.lab.sequences import SequenceSample, sample_sequences
from handful.playability.sequences.counting import count_sequences

COPIES = (3, 2, 2, 2, 1)
SUITS = 5
HANDS = range(1, 21)
PLOT = "playable_orders.svg"


def main(orders: int = 1_000_000) -> None:
    """Decide the orders, and write the table and the plot."""
    rows, ends, endless = [], [], []
    for hand in HANDS:
        samples = [
            sample_sequences(COPIES, hand, SUITS, total=orders, end_of_deck=rule) for rule in ("last-round", "never")
        ]
        ends.append(samples[0])
        endless.append(samples[1])
        cells = [cell for sample in samples for cell in share(sample)]
        rows.append([str(hand), *cells, str(samples[0].undecided)])
        print(*rows[-1], sep="  ", flush=True)
    write(orders, rows)
    plot(ends, endless)


def share(sample: SequenceSample) -> list[str]:
    low, high = sample.ci95
    return [f"{sample.fraction:.4%}", f"{low:.4%} to {high:.4%}"]


def write(orders: int, rows: list[list[str]]) -> None:
    """Write the table."""
    exact = count_sequences(COPIES, 1, SUITS).fraction
    header = ["hand", "playable", "95 % interval", "if the deck ends nothing", "95 % interval", "undecided"]
    note = (
        f"Measured with `python -m benchmarks.playable_orders`: {orders:,} orders of seed 0 for each hand size. "
        f"For hand size 1 the exact fraction is (5934/75600)⁵ = {float(exact):.6%}."
    )
    replace_table(
        "counting.md", "orders", f"\n{note}\n\n{markdown_table(header, rows)}\n\n![the table, drawn]({PLOT})\n"
    )


def plot(ends: list[SequenceSample], endless: list[SequenceSample]) -> None:
    """Draw both fractions over the hand size."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "handful",
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for samples, label, marker, colour in (
            (ends, "one last turn after the last card is drawn", "o", "#0072B2"),
            (endless, "the empty deck ends nothing", "s", "#D55E00"),
        ):
            heights = [100 * sample.fraction for sample in samples]
            below = [max(0.0, 100 * (sample.fraction - sample.ci95[0])) for sample in samples]
            above = [max(0.0, 100 * (sample.ci95[1] - sample.fraction)) for sample in samples]
            axes.errorbar(
                list(HANDS), heights, yerr=[below, above], marker=marker, markersize=4, color=colour, label=label
            )
        axes.set_xticks(list(HANDS))
        axes.set_xlabel("cards in the hand")
        axes.set_ylabel("playable orders, %")
        axes.set_title("A single player and the full 50-card deck, all cards known")
        axes.legend(frameon=False, loc="lower right")
        drawn = io.BytesIO()
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    write_whole(DOCS / PLOT, drawn.getvalue())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
