"""Solve Rummy alone: the expected turns of every hand, exactly, or within a tolerance.

`solve` looks for the table of a game on disk and otherwise makes it. Long runs say beforehand how long they take, write
down now and then what they know, and go on from there after they were stopped: to the same table, bit for bit.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.errors import HandfulError
from handful.rummy.files import DamagedFileError, check_data, read_arrays, read_header, remove, write_arrays
from handful.rummy.melds import rummies
from handful.rummy.table import EQUAL, Game, Summary, Table, open_table, read_table, save_table, tables_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.hands_kernel import Hands
    from handful.rummy.queue_kernel import Queue, Run
    from handful.rummy.solve_kernel import State

CHECKPOINT_VERSION = 1
CHECKPOINT_FROM = 7  # cards: smaller games are done before it would be worth it
CHECKPOINT_SECONDS = 300.0
SAMPLE = 20_000  # hands looked at to choose the limits of a band
BAND_SHARE = 200  # a band is to hold this part of all hands, but not fewer than a sample
LAST_SHARE = 8  # if the hands that are left fill no more than this part of the queue, they are the last band
TAILS_TO = 9  # cards: beyond, memory is short, and the count of classes is off by a few
ROUNDS = 1000  # cohorts between two reports of progress
MAX_TOLERANCE_CARDS = 9  # cohorts need twice the memory

# Nanoseconds to find the index of a hand once and use it, measured on one core of a small server under load.
_NANOSECONDS = 90.0
_START_SECONDS, _START_MB = 0.5, 180.0


@dataclass(frozen=True)
class Progress:
    """How far a run has come: hands locked in, of how many (up to symmetry); seconds passed and, roughly, to come."""

    game: Game
    done: int
    total: int
    seconds: float
    seconds_left: float

    @property
    def fraction(self) -> float:
        """The part that is done."""
        return self.done / self.total if self.total else 0.0


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


Report = Callable[[Progress], None]


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
) -> Table:
    """Return the table of a game: from disk, or solved now and put there.

    `folder` is where tables are kept (by default the user's cache folder, or HANDFUL_RUMMY_TABLES); with `keep` False
    nothing is read or written there. `fresh` solves again even if there is a table. `progress` is called now and then;
    a run that it interrupts, or that is killed, goes on from its last checkpoint when it is started again. There is one
    every five minutes from seven cards on, or every `checkpoint_seconds`, if given.

    >>> print(f'{solve(cards=3, aces="wrap", keep=False).expected_turns("AC 4C 7C"):.10f}')
    18.2442485400
    """
    game = Game(cards, aces, float(tolerance))
    place = (folder or tables_folder()) if keep else None
    if place is not None and not fresh:
        try:
            table = open_table(game, place)
            if table is not None:
                return table
        except DamagedFileError as error:
            warnings.warn(f"{error}; it is made again", stacklevel=2)
            remove(place / game.file_name)
    if fresh and place is not None:
        remove(_partial_path(place, game))
    if game.tolerance and game.cards > MAX_TOLERANCE_CARDS:
        raise HandfulError(f"tolerance {tolerance} with {cards} cards: expected at most {MAX_TOLERANCE_CARDS} cards")
    run = _Run(game, place, progress, checkpoint_seconds)
    arrays = run.cohorts() if game.tolerance else run.exact()
    summary = run.summary(arrays)
    if place is None:
        return Table(game, summary, arrays, None)
    path = place / game.file_name
    try:
        save_table(path, game, summary, arrays)
    except OSError as error:
        warnings.warn(f"the table is not kept: {error}", stacklevel=2)
        return Table(game, summary, arrays, None)
    remove(_partial_path(place, game))
    return read_table(path, game)


def estimate(cards: int = 3, aces: str = "low", tolerance: float = 0.0) -> Estimate:
    """Return what solving a game takes, from the number of its hands and a speed that was measured."""
    from handful.rummy.hands_kernel import make_hands

    game = Game(cards, aces, float(tolerance))
    kinds = int(make_hands(aces, cards)["total"])
    larger = int(make_hands(aces, cards + 1)["total"])
    if tolerance:
        visits = kinds * (52 - cards) * (cards + 2)
        memory = kinds * 22
    else:
        # Every hand looks at all its draws once, and every n + 1 cards at all its throws.
        visits = kinds * (52 - cards) + larger * (cards + 1)
        memory = kinds * (22 if cards <= TAILS_TO else 14) + larger // 8 + 16 * _queue_capacity(kinds)
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


def _partial_path(folder: Path, game: Game) -> Path:
    return folder / (game.file_name + ".partial")


def _queue_capacity(size: int) -> int:
    return max(1 << 16, size // 50)


def _near(values: npt.NDArray[np.float64], value: float) -> npt.NDArray[np.int64]:
    """Return the indices of values that equal a value up to rounding, without a copy of them all."""
    import numpy as np

    step = 1 << 22
    parts = [
        np.flatnonzero(np.abs(values[first : first + step] - value) < EQUAL) + first
        for first in range(0, len(values), step)
    ]
    return np.concatenate(parts)


def _peak_memory_mb() -> float:
    """Return the most memory that this process has had, so far as the system tells."""
    try:
        import resource
    except ImportError:  # not there on Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if os.uname().sysname == "Darwin" else 1e3)


def _as_bytes(record: Any) -> npt.NDArray[np.uint8]:
    """Return the bytes of a record."""
    import numpy as np

    return np.frombuffer(record.data, np.uint8)


class _Run:
    """One run of a solver: the arrays, the clock, the checkpoints."""

    def __init__(
        self, game: Game, folder: Path | None, progress: Report | None, checkpoint_seconds: float | None
    ) -> None:
        from handful.rummy.hands_kernel import make_hands

        self.game = game
        self.hands: Hands = make_hands(game.aces, game.cards)
        self.larger: Hands = make_hands(game.aces, game.cards + 1)
        self.size = int(self.hands["total"])
        self.kinds = 0
        self.progress = progress
        self.path = _partial_path(folder, game) if folder is not None else None
        if checkpoint_seconds is None:
            checkpoint_seconds = CHECKPOINT_SECONDS if game.cards >= CHECKPOINT_FROM else inf
        self.checkpoint_seconds = checkpoint_seconds
        self.started = self.saved = time.monotonic()
        self.started_cpu = time.process_time()
        self.earlier_seconds = self.earlier_cpu = 0.0  # of the runs that this one goes on from
        self.done_before = 0
        self.figures: dict[str, Any] = {}

    # The exact solution.

    def exact(self) -> dict[str, npt.NDArray[Any]]:
        """Return the values of all hands."""
        from handful.rummy import solve_kernel as kernels
        from handful.rummy.queue_kernel import make_queue, make_run

        run, queue = make_run(), make_queue(_queue_capacity(self.size))
        state = self._resumed(run)
        if state is None:
            state = kernels.make_state(self.size, int(self.larger["total"]), True, self.game.cards <= TAILS_TO)
            self._prepare(state)
            kernels.lock_rummies(run, state, queue, self.hands, self.larger, self._rummy_indices())
            self.figures["rummies"] = int(run["hands_locked"])
        self.done_before = int(run["num_locked"])
        while int(run["num_locked"]) < self.kinds:
            queue = self._band(run, state, queue)
            self._report(int(run["num_locked"]))
            self._checkpoint(run, state)
        assert int(run["hands_locked"]) == self.game.hands, "every hand is locked in once"
        self.figures |= {
            "classes": int(run["classes"]),
            "near_ties": int(run["near_ties"]),
            "total": float(run["total"]),
            "best": float(run["best_value"]),
            "worst": float(run["worst_value"]),
        }
        return {"values": state.sums}

    def _prepare(self, state: State) -> None:
        from handful.rummy.solve_kernel import prepare

        step = 1 << 22  # so that the user can interrupt
        for first in range(0, self.size, step):
            self.kinds += prepare(state, self.hands, first, min(first + step, self.size))

    def _rummy_indices(self) -> npt.NDArray[np.int64]:
        import numpy as np

        from handful.rummy.hands_kernel import indices_of

        masks = np.array(rummies(self.game.aces, self.game.cards), np.int64)
        indices = np.zeros(len(masks), np.int64)
        indices_of(self.hands, masks, indices)
        return np.unique(indices)

    def _band(self, run: Run, state: State, queue: Queue) -> Queue:
        """Lock in the hands of the next band; return the queue, or a larger one if it was too small."""
        from handful.rummy import solve_kernel as kernels
        from handful.rummy.queue_kernel import NUM_BUCKETS, make_queue

        run["low"] = low = float(run["last"])
        width = self._band_width(run, state) * float(run["narrowing"])
        while True:
            run["high"], run["scale"] = low + width, NUM_BUCKETS / width
            kernels.fill_band(run, state, queue)
            if not run["overflow"]:
                break
            width /= 2
            if width < 1e-9 * max(low, 1.0):  # more equal hands than the queue has room for
                queue = make_queue(2 * len(queue.entries))
                width *= 1e3
        kernels.run_band(run, state, queue, self.hands, self.larger)
        # If a band has overflowed, the next ones are narrower for a while.
        run["narrowing"] = run["narrowing"] / 2 if run["overflow"] else min(1.0, run["narrowing"] * 1.25)
        return queue

    def _band_width(self, run: Run, state: State) -> float:
        """Return how wide the next band is to be, from a sample: a function of the state alone, so that runs agree."""
        import numpy as np

        from handful.rummy import solve_kernel as kernels

        sample = np.arange(0, self.size, max(1, self.size // SAMPLE))
        weights = state.weights[sample].astype(np.int64)
        sample, weights = sample[weights < kernels.NO_HAND], weights[weights < kernels.NO_HAND]
        with np.errstate(divide="ignore"):
            values = np.sort(state.sums[sample] / weights)
        low, left = float(run["low"]), self.kinds - int(run["num_locked"])
        if left < _queue_capacity(self.size) // LAST_SHARE:
            # The last hands: a sample would miss them, and they all fit into one band.
            least, greatest = kernels.value_range(state)
            return float(max(greatest, least)) * (1 + 1e-6) - low
        place = int(len(values) * max(SAMPLE, self.size // BAND_SHARE) / left)
        reached = int(np.isfinite(values).sum())
        high = float(values[min(place, reached - 1)]) if reached else low
        # At least the next hand is in the band, and those that equal it up to rounding.
        least = float(kernels.value_range(state)[0]) if high <= low * (1 + 1e-6) or place >= reached else low
        return max(high, least * (1 + 1e-6)) - low

    # The approximation.

    def cohorts(self) -> dict[str, npt.NDArray[Any]]:
        """Return values and cohorts of all hands (Finkle 2017, section 5.2)."""
        import numpy as np

        from handful.rummy import cohort_kernel as kernels
        from handful.rummy.hands_kernel import orbits_of_all
        from handful.rummy.neighbours_kernel import make_work
        from handful.rummy.solve_kernel import make_state

        plain = make_state(self.size, 0, False, False)
        self._prepare(plain)
        work = make_work()
        state = kernels.make_cohorts(plain.sums, plain.weights)
        kernels.lock_first_cohort(state, work, self.hands, self.larger, self._rummy_indices())
        left = 1
        while left:
            left = kernels.run_rounds(state, work, self.hands, self.larger, self.game.tolerance, ROUNDS)
            self._report(self.kinds - left)
        orbits = np.zeros(self.size, np.uint16)
        orbits_of_all(self.hands, 0, self.size, orbits)
        values = np.where(orbits > 0, state.sums, -1.0)
        self.figures |= {
            "rummies": int(orbits[state.cohorts == 0].sum(dtype=np.int64)),
            "classes": int(state.counters[kernels.ROUND]) + 1,
            "near_ties": 0,
            "total": float(np.where(orbits > 0, orbits * values, 0.0).sum()),
            "best": float(values[values > 0].min()),
            "worst": float(values.max()),
        }
        return {"values": state.sums, "cohorts": state.cohorts}

    # What a run tells and keeps.

    def summary(self, arrays: dict[str, npt.NDArray[Any]]) -> Summary:
        """Return the figures of the solved game."""
        from handful.rummy.cards import cards_of, format_cards
        from handful.rummy.hands_kernel import first_alike

        figures = self.figures
        examples = {}
        for which in ("best", "worst"):
            near = _near(arrays["values"], figures[which])
            examples[which] = format_cards(cards_of(first_alike(self.hands, near)))
        return Summary(
            cards=self.game.cards,
            aces=self.game.aces,
            tolerance=self.game.tolerance,
            hands=self.game.hands,
            kinds=self.kinds,
            rummies=figures["rummies"],
            classes=figures["classes"],
            near_ties=figures["near_ties"],
            best=figures["best"],
            worst=figures["worst"],
            mean=figures["total"] / self.game.hands,
            best_hand=examples["best"],
            worst_hand=examples["worst"],
            seconds=self.earlier_seconds + time.monotonic() - self.started,
            cpu_seconds=self.earlier_cpu + time.process_time() - self.started_cpu,
            peak_memory_mb=_peak_memory_mb(),
        )

    def _report(self, done: int) -> None:
        if self.progress is not None:
            passed = time.monotonic() - self.started
            pace = passed / max(1, done - self.done_before)
            left = pace * (self.kinds - done)
            self.progress(Progress(self.game, done, self.kinds, self.earlier_seconds + passed, left))

    def _checkpoint(self, run: Run, state: State) -> None:
        """Write down all that is known, if it is time: after a band, from where a run can go on as if never stopped."""
        if self.path is None or time.monotonic() - self.saved < self.checkpoint_seconds:
            return
        header = {
            "kind": "checkpoint",
            "version": CHECKPOINT_VERSION,
            "game": asdict(self.game),
            "kinds": self.kinds,
            "rummies": self.figures["rummies"],
            "seconds": self.earlier_seconds + time.monotonic() - self.started,
            "cpu_seconds": self.earlier_cpu + time.process_time() - self.started_cpu,
        }
        try:
            write_arrays(self.path, header, {"run": _as_bytes(run), **state._asdict()})
        except OSError as error:
            warnings.warn(f"no checkpoint: {error}", stacklevel=4)
        self.saved = time.monotonic()

    def _resumed(self, run: Run) -> State | None:
        """Return the state of the last checkpoint, or None if there is none that can be used."""
        from handful.rummy.queue_kernel import RUN
        from handful.rummy.solve_kernel import State

        if self.path is None or not self.path.exists():
            return None
        try:
            header = read_header(self.path)
            mine = header.get("kind") == "checkpoint" and header.get("version") == CHECKPOINT_VERSION
            if not mine or header.get("game") != asdict(self.game):
                raise DamagedFileError(f"{self.path}: not a checkpoint of this game")
            check_data(self.path, header)
            arrays = read_arrays(self.path, header)
            saved = arrays.pop("run").view(RUN)[0]
            for name in RUN.names or ():
                run[name] = saved[name]
            state = State(**arrays)
        except DamagedFileError as error:
            warnings.warn(f"{error}; the run starts anew", stacklevel=4)
            remove(self.path)
            return None
        self.kinds = header["kinds"]
        self.figures["rummies"] = header["rummies"]
        self.earlier_seconds, self.earlier_cpu = header["seconds"], header["cpu_seconds"]
        return state
