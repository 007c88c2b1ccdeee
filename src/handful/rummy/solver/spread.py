"""How far the turns of every hand of a solved game are spread, exactly: their standard deviations, kept on disk.

Made in one pass over the hands in the order of their expected turns (see the kernels), in a little less time than the
answers themselves. Where two throws have equal expected turns, the spread may depend on which is made: ours is said
there.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError
from handful.rummy.array_files import DamagedFileError, map_arrays, read_header, write_arrays
from handful.rummy.game import Game
from handful.rummy.solver.long_run import LongRun, Report

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.answers import Answers
    from handful.rummy.kernels.distribution import Moments

SPREAD_VERSION = 1
SAMPLE = 100_000  # hands looked at to cut the order of all hands into bands
BAND = 1 << 22  # hands in a band, roughly
STEP = 1 << 22  # values that are looked at at a time


@dataclass(frozen=True)
class SpreadFigures(Shown):
    """The spread of a game in figures.

    `sd_of_expected` is the standard deviation of the expected turns over all hands that may be dealt; `sd_of_turns`
    that of the turns of a deal, the chance of the draws included.
    """

    cards: int
    aces: str
    sd_of_expected: float
    sd_of_turns: float
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Spread:
    """The spread of a game: `figures`, and `deviations`, float32, by canonical index: NaN at the indices of no hand."""

    figures: SpreadFigures
    deviations: npt.NDArray[np.float32]


def spread_of(
    answers: Answers,
    *,
    keep: bool = True,
    fresh: bool = False,
    progress: Report | None = None,
    checkpoint_seconds: float | None = None,
) -> Spread:
    """Return the spread of a solved game: from disk, beside its answers, or found now and put there.

    As with answers, a run of seven cards or more that was stopped goes on from its last checkpoint.

    >>> from handful.rummy import solve
    >>> print(f"{spread_of(solve(cards=3, aces='wrap', keep=False), keep=False).figures.sd_of_turns:.6f}")
    13.122470
    """
    if answers.game.tolerance:
        raise HandfulError("the spread of an approximation: expected exact answers (tolerance 0)")
    path = _path_of(answers) if keep else None
    if path is not None and not fresh:
        found = open_spread(answers)
        if found is not None:
            return found
    partial = None if path is None else path.with_name(f"{path.name}.partial")
    run = LongRun(answers.game, partial, progress, checkpoint_seconds)
    if fresh:
        run.forget()
    known = second_moments(answers, run)
    deviations = _deviations(answers, known)
    hands, mean = answers.game.hands, answers.summary().mean
    of_turns, of_expected = (sqrt(max(float(total) / hands - mean**2, 0.0)) for total in known.totals)
    figures = SpreadFigures(
        answers.game.cards, answers.game.aces, of_expected, of_turns, run.seconds, run.cpu_seconds, run.peak_memory_mb
    )
    if path is not None:
        header = {"kind": "spread", "version": SPREAD_VERSION, "table": mark_of(answers), "figures": figures.to_dict()}
        try:
            write_arrays(path, header, {"deviations": deviations})
        except OSError as error:
            warnings.warn(f"the spread is not kept: {error}", stacklevel=2)
        else:
            run.forget()
    return Spread(figures, deviations)


def open_spread(answers: Answers) -> Spread | None:
    """Return the spread of a game from its file beside the answers, or None if there is none that can be used."""
    path = _path_of(answers)
    if path is None or not path.exists():
        return None
    try:
        header = read_header(path, "spread", SPREAD_VERSION)
        if header.get("table") != mark_of(answers):
            raise DamagedFileError(f"{path}: not the spread of these answers")
        return Spread(SpreadFigures(**header["figures"]), map_arrays(path, header)["deviations"])
    except DamagedFileError as error:
        warnings.warn(f"{error}. It is not used", stacklevel=2)
        return None


def _path_of(answers: Answers) -> Path | None:
    return None if answers.path is None else answers.path.with_suffix(".spread")


def mark_of(answers: Answers) -> dict[str, Any]:
    """Return what tells answers from others."""
    summary = answers.summary()
    return {"game": asdict(answers.game), "worst": summary.worst, "mean": summary.mean}


def second_moments(answers: Answers, run: LongRun | None = None) -> Moments:
    """Return E(T²) of all hands of a game solved exactly, by index."""
    from handful.rummy.kernels.distribution import Moments, make_moments, sort_ties, take_hands
    from handful.rummy.kernels.hand_index import make_hand_index
    from handful.rummy.kernels.neighbours import make_work

    game, values = answers.game, answers.values
    run = run or LongRun(game)
    larger = make_hand_index(game.aces, game.cards + 1)
    before = run.resumed()
    if before is not None:
        known, bands_done = Moments(**before[1]), int(before[0]["bands_done"])
    else:
        known, bands_done = make_moments(len(values), int(larger["total"])), 0
    kinds, done, work = answers.summary().kinds, 0, make_work()
    for number, order in enumerate(in_order(values, kinds), 1):
        done += len(order)
        if number <= bands_done:
            continue
        sort_ties(values, order)
        take_hands(known, values, order, answers.hand_index, larger, work)
        run.step(done, kinds, {"bands_done": number}, known._asdict())
    assert done == kinds, "every hand is taken once"
    return known


def in_order(values: npt.NDArray[np.float64], kinds: int) -> Iterator[npt.NDArray[np.int64]]:
    """Give the indices of all hands in the order of their values, a band at a time.

    A function of the values alone, so that a run that goes on finds the same bands. Their limits are a little above
    values of hands, so that hands that equal those up to rounding are in the same band.
    """
    import numpy as np

    from handful.rummy.kernels.chain import TIE

    sample = np.sort(values[:: max(1, len(values) // SAMPLE)])
    sample = sample[np.isfinite(sample)]
    bands = ceil(kinds / BAND)
    limits = sample[[len(sample) * band // bands for band in range(1, bands)]] + 2 * TIE
    low = -1.0
    for high in [*np.unique(limits).tolist(), np.inf]:
        indices = np.concatenate(
            [
                np.flatnonzero((part > low) & (part <= high)) + first
                for first in range(0, len(values), STEP)
                for part in [values[first : first + STEP]]
            ]
        )
        yield indices[np.argsort(values[indices], kind="stable")]
        low = high


def _deviations(answers: Answers, known: Moments) -> npt.NDArray[np.float32]:
    """Return the standard deviations of the turns of all hands, by index."""
    import numpy as np

    deviations = np.zeros(len(known.moments), np.float32)
    for first in range(0, len(deviations), STEP):
        values = answers.values[first : first + STEP]
        # A variance of 0 may come out a little below.
        deviations[first : first + STEP] = np.sqrt(np.maximum(known.moments[first : first + STEP] - values**2, 0.0))
    return deviations


def spread_seconds(game: Game) -> float:
    """Return how many seconds of one core the spread of a game takes, roughly."""
    from handful.rummy.solver.solve import estimate

    return 0.85 * estimate(game.cards, game.aces).seconds
