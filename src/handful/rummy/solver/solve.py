"""Solve Rummy alone: the expected turns of every hand, exactly, or within a tolerance.

`solve` looks for the table of a game on disk and otherwise makes it. Long runs say beforehand how long they take, write
down now and then what they know, and go on from there after they were stopped: to the same table, bit for bit.
"""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.errors import HandfulError
from handful.rummy.answers.answers import (
    EQUAL,
    Answers,
    Game,
    Summary,
    answers_folder,
    open_table,
    read_table,
    save_table,
)
from handful.rummy.answers.files import DamagedFileError, remove
from handful.rummy.solver.cohorts import solve_in_cohorts
from handful.rummy.solver.exact import TAILS_TO, queue_capacity, solve_exactly
from handful.rummy.solver.long_run import LongRun, Progress, Report

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Estimate", "Progress", "Report", "count_classes", "estimate", "solve"]

MAX_TOLERANCE_CARDS = 9  # cohorts need twice the memory

# Nanoseconds to find the index of a hand once and use it, measured on one core of a small server under load.
_NANOSECONDS = 90.0
_START_SECONDS, _START_MB = 0.5, 180.0


@dataclass(frozen=True)
class Estimate:
    """What solving a game takes, roughly: seconds of one core, megabytes of memory and on disk."""

    game: Game
    kinds: int
    seconds: float
    memory_mb: float
    disk_mb: float

    def __str__(self) -> str:
        span = f"{self.seconds:.0f} s" if self.seconds < 120 else f"{self.seconds / 60:.0f} minutes"
        return (
            f"{self.game.cards}-card rummy, aces {self.game.aces}: {self.kinds:,} kinds of hands, "
            f"about {span} on one core, {self.memory_mb:,.0f} MB of memory, {self.disk_mb:,.0f} MB on disk"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate for JSON."""
        return {**asdict(self), "game": asdict(self.game)}


def solve(
    cards: int = 3,
    aces: str = "low",
    tolerance: float = 0.0,
    *,
    folder: Path | None = None,
    keep: bool = True,
    fresh: bool = False,
    progress: Report | None = None,
    checkpoint_seconds: float | None = None,
) -> Answers:
    """Return the table of a game: from disk, or solved now and put there.

    `folder` is where tables are kept (by default the user's cache folder, or HANDFUL_RUMMY_TABLES); with `keep` False
    nothing is read or written there. `fresh` solves again even if there is a table. `progress` is called now and then;
    a run that it interrupts, or that is killed, goes on from its last checkpoint when it is started again. There is one
    every five minutes from seven cards on, or every `checkpoint_seconds`, if given.

    >>> print(f'{solve(cards=3, aces="wrap", keep=False).expected_turns("AC 4C 7C"):.10f}')
    18.2442485400
    """
    game = Game(cards, aces, float(tolerance))
    place = (folder or answers_folder()) if keep else None
    if place is not None and not fresh:
        try:
            table = open_table(game, place)
            if table is not None:
                return table
        except DamagedFileError as error:
            warnings.warn(f"{error}; it is made again", stacklevel=2)
            remove(place / game.file_name)
    if game.tolerance and game.cards > MAX_TOLERANCE_CARDS:
        raise HandfulError(f"tolerance {tolerance} with {cards} cards: expected at most {MAX_TOLERANCE_CARDS} cards")
    partial = None if place is None else place / f"{game.file_name}.partial"
    run = LongRun(game, partial, progress, checkpoint_seconds)
    if fresh:
        run.forget()
    arrays, figures = solve_in_cohorts(run) if game.tolerance else solve_exactly(run)
    summary = _summary(run, arrays["values"], figures)
    if place is None:
        return Answers(game, summary, arrays, None)
    path = place / game.file_name
    try:
        save_table(path, game, summary, arrays)
    except OSError as error:
        warnings.warn(f"the table is not kept: {error}", stacklevel=2)
        return Answers(game, summary, arrays, None)
    run.forget()
    return read_table(path, game)


def estimate(cards: int = 3, aces: str = "low", tolerance: float = 0.0) -> Estimate:
    """Return what solving a game takes, from the number of its hands and a speed that was measured."""
    from handful.rummy.kernels.hand_index import make_hands

    game = Game(cards, aces, float(tolerance))
    kinds = int(make_hands(aces, cards)["total"])
    larger = int(make_hands(aces, cards + 1)["total"])
    if tolerance:
        visits = kinds * (52 - cards) * (cards + 2)
        memory = kinds * 22
    else:
        # Every hand looks at all its draws once, and every n + 1 cards at all its throws.
        visits = kinds * (52 - cards) + larger * (cards + 1)
        memory = kinds * (22 if cards <= TAILS_TO else 14) + larger // 8 + 16 * queue_capacity(kinds)
    seconds = _START_SECONDS + visits * _NANOSECONDS * 1e-9
    return Estimate(game, kinds, seconds, _START_MB + memory / 1e6, kinds * 8 / 1e6)


def count_classes(cards: int = 3, aces: str = "low", tolerance: float = 1e-6) -> int:
    """Return how many classes the procedure of Finkle 2017 finds with a tolerance, the rummies counted as one.

    His 688 for three cards, aces low, come out with 10⁻⁶.

    >>> count_classes(3, "low", 1e-6)
    688
    """
    classes = solve(cards, aces, tolerance, keep=False).summary().classes
    assert classes is not None
    return classes


def _summary(run: LongRun, values: npt.NDArray[np.float64], figures: dict[str, Any]) -> Summary:
    """Return the solved game in figures."""
    from handful.rummy.cards import cards_of, format_cards
    from handful.rummy.kernels.hand_index import first_alike, make_hands

    game = run.game
    hands = make_hands(game.aces, game.cards)
    examples = {
        which: format_cards(cards_of(first_alike(hands, _near(values, figures[which])))) for which in ("best", "worst")
    }
    return Summary(
        cards=game.cards,
        aces=game.aces,
        tolerance=game.tolerance,
        hands=game.hands,
        kinds=figures["kinds"],
        rummies=figures["rummies"],
        classes=figures["classes"],
        near_ties=figures["near_ties"],
        best=figures["best"],
        worst=figures["worst"],
        mean=figures["total"] / game.hands,
        best_hand=examples["best"],
        worst_hand=examples["worst"],
        seconds=run.seconds,
        cpu_seconds=run.cpu_seconds,
        peak_memory_mb=run.peak_memory_mb,
    )


def _near(values: npt.NDArray[np.float64], value: float) -> npt.NDArray[np.int64]:
    """Return the indices of values that equal a value up to rounding, without a copy of them all."""
    import numpy as np

    step = 1 << 22
    parts = [
        np.flatnonzero(np.abs(values[first : first + step] - value) < EQUAL) + first
        for first in range(0, len(values), step)
    ]
    return np.concatenate(parts)
