"""How far the turns of every hand of a solved game are spread, exactly: their standard deviations, kept on disk.

Made in one pass over the hands in the order of their expected turns (`moments_kernel`), in a little less time than the
table itself. Where two throws have equal expected turns, the spread may depend on which is made: ours is said there.
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
from handful.rummy.answers.answers import SPREAD_ENDING, Game
from handful.rummy.answers.files import DamagedFileError, check_data, map_arrays, read_header, write_arrays
from handful.rummy.solver.long_run import LongRun, Report

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.answers.answers import Answers
    from handful.rummy.kernels.moments import Moments

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
    table: Answers,
    *,
    keep: bool = True,
    fresh: bool = False,
    progress: Report | None = None,
    checkpoint_seconds: float | None = None,
) -> Spread:
    """Return the spread of a solved game: from disk, beside its table, or found now and put there.

    As with tables, a run of seven cards or more that was stopped goes on from its last checkpoint.

    >>> from handful.rummy import solve
    >>> print(f"{spread_of(solve(cards=3, aces='wrap', keep=False), keep=False).figures.sd_of_turns:.6f}")
    13.122470
    """
    if table.game.tolerance:
        raise HandfulError("the spread of an approximation: expected an exact table (tolerance 0)")
    path = _path_of(table) if keep else None
    if path is not None and not fresh:
        found = open_spread(table)
        if found is not None:
            return found
    partial = None if path is None else path.with_name(f"{path.name}.partial")
    run = LongRun(table.game, partial, progress, checkpoint_seconds)
    if fresh:
        run.forget()
    known = second_moments(table, run)
    deviations = _deviations(table, known)
    hands, mean = table.game.hands, table.summary().mean
    of_turns, of_expected = (sqrt(max(float(total) / hands - mean**2, 0.0)) for total in known.totals)
    figures = SpreadFigures(
        table.game.cards, table.game.aces, of_expected, of_turns, run.seconds, run.cpu_seconds, run.peak_memory_mb
    )
    if path is not None:
        header = {"kind": "spread", "version": SPREAD_VERSION, "table": _mark(table), "figures": figures.to_dict()}
        try:
            write_arrays(path, header, {"deviations": deviations})
        except OSError as error:
            warnings.warn(f"the spread is not kept: {error}", stacklevel=2)
        else:
            run.forget()
    return Spread(figures, deviations)


def open_spread(table: Answers) -> Spread | None:
    """Return the spread of a game from its file beside the table, or None if there is none that can be used."""
    path = _path_of(table)
    if path is None or not path.exists():
        return None
    try:
        return _read(path, table)
    except DamagedFileError as error:
        warnings.warn(f"{error}. It is not used", stacklevel=2)
        return None


def _read(path: Path, table: Answers) -> Spread:
    header = read_header(path)
    if header.get("kind") != "spread" or header.get("version") != SPREAD_VERSION or header.get("table") != _mark(table):
        raise DamagedFileError(f"{path}: not the spread of this table")
    check_data(path, header)
    return Spread(SpreadFigures(**header["figures"]), map_arrays(path, header)["deviations"])


def _path_of(table: Answers) -> Path | None:
    return None if table.path is None else table.path.with_suffix(SPREAD_ENDING)


def _mark(table: Answers) -> dict[str, Any]:
    """Return what tells a table from others."""
    summary = table.summary()
    return {"game": asdict(table.game), "worst": summary.worst, "mean": summary.mean}


def second_moments(table: Answers, run: LongRun | None = None) -> Moments:
    """Return E(T²) of all hands of an exact table, by index."""
    from handful.rummy.distribution import read_only
    from handful.rummy.kernels.hand_index import make_hands
    from handful.rummy.kernels.moments import Moments, make_moments, sort_ties, take_hands
    from handful.rummy.kernels.neighbours import make_work

    game, values = table.game, read_only(table.values)
    run = run or LongRun(game)
    larger = make_hands(game.aces, game.cards + 1)
    before = run.resumed()
    if before is not None:
        known, bands_done = Moments(**before[1]), int(before[0]["bands_done"])
    else:
        known, bands_done = make_moments(len(values), int(larger["total"])), 0
    kinds, done, work = table.summary().kinds, 0, make_work()
    for number, order in enumerate(_in_order(values, kinds), 1):
        done += len(order)
        if number <= bands_done:
            continue
        sort_ties(values, order)
        take_hands(known, values, order, table.hands, larger, work)
        run.step(done, kinds, {"bands_done": number}, known._asdict())
    assert done == kinds, "every hand is taken once"
    return known


def _in_order(values: npt.NDArray[np.float64], kinds: int) -> Iterator[npt.NDArray[np.int64]]:
    """Give the indices of all hands in the order of their values, a band at a time.

    A function of the values alone, so that a run that goes on finds the same bands. Their limits are a little above
    values of hands, so that hands that equal those up to rounding are in the same band.
    """
    import numpy as np

    from handful.rummy.kernels.distribution import TIE

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


def _deviations(table: Answers, known: Moments) -> npt.NDArray[np.float32]:
    """Return the standard deviations of the turns of all hands, by index."""
    import numpy as np

    deviations = np.zeros(len(known.moments), np.float32)
    for first in range(0, len(deviations), STEP):
        values = table.values[first : first + STEP]
        # A variance of 0 may come out a little below.
        deviations[first : first + STEP] = np.sqrt(np.maximum(known.moments[first : first + STEP] - values**2, 0.0))
    return deviations


def spread_seconds(game: Game) -> float:
    """Return how many seconds of one core the spread of a game takes, roughly."""
    from handful.rummy.solver.solve import estimate

    return 0.85 * estimate(game.cards, game.aces).seconds
