"""Long runs over all hands of a game: how far they are, what they have cost, and checkpoints to go on from.

A run that is stopped, killed or cut off goes on from its last checkpoint, to the same result, bit for bit. A checkpoint
is a file of `array_files`: whole, or not there.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from handful._machine import peak_memory_mb
from handful.rummy.array_files import DamagedFileError, read_arrays, read_header, remove, write_arrays
from handful.rummy.game import CHECKPOINT_SIZES, Game

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = dict[str, npt.NDArray[Any]]

CHECKPOINT_VERSION = 2
CHECKPOINT_SECONDS = 300.0


@dataclass(frozen=True)
class Progress:
    """How far a run has come: hands done, of how many (up to symmetry); seconds passed and, roughly, to come."""

    game: Game
    done: int
    total: int
    seconds: float
    seconds_left: float

    @property
    def fraction(self) -> float:
        """The part that is done."""
        return self.done / self.total if self.total else 0.0


Report: TypeAlias = Callable[[Progress], None]


@dataclass
class LongRun:
    """One run: its clock, who is told of it, and where its checkpoints are (nowhere, if the path is None).

    There is one every five minutes from seven cards on, or every `checkpoint_seconds`, if given.
    """

    game: Game
    path: Path | None = None
    tell: Report | None = None
    checkpoint_seconds: float | None = None

    def __post_init__(self) -> None:
        if self.checkpoint_seconds is None:
            self.checkpoint_seconds = CHECKPOINT_SECONDS if self.game.cards in CHECKPOINT_SIZES else inf
        self._started = self._saved = time.monotonic()
        self._started_cpu = time.thread_time()
        # Of the runs that this one goes on from:
        self._seconds_before = self._cpu_before = self._memory_before = 0.0
        self._done_before: int | None = None

    @property
    def seconds(self) -> float:
        """Seconds of the clock, those of the runs before this one among them."""
        return self._seconds_before + time.monotonic() - self._started

    @property
    def cpu_seconds(self) -> float:
        """Seconds of the processor, likewise: of the thread that the run is in."""
        return self._cpu_before + time.thread_time() - self._started_cpu

    @property
    def peak_memory_mb(self) -> float:
        """The most memory that the process of this run, or of one before it, has had, with all else that it did."""
        return max(peak_memory_mb(), self._memory_before)

    def report(self, done: int, total: int) -> None:
        """Tell how many hands are done."""
        if self._done_before is None:
            self._done_before = done
        if self.tell is not None:
            passed = time.monotonic() - self._started
            pace = passed / max(1, done - self._done_before)
            self.tell(Progress(self.game, done, total, self.seconds, pace * (total - done)))

    def step(self, done: int, total: int, figures: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Tell how many hands are done, and write down, if it is time, all that it takes to go on from here.

        Who is told may end the run by an exception: then all is written down, too.
        """
        assert self.checkpoint_seconds is not None
        try:
            self.report(done, total)
        except BaseException:
            if self.checkpoint_seconds < inf:
                self._checkpoint(figures, arrays)
            raise
        if time.monotonic() - self._saved >= self.checkpoint_seconds:
            self._checkpoint(figures, arrays)

    def _checkpoint(self, figures: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        if self.path is None:
            return
        header = {
            "kind": "checkpoint",
            "version": CHECKPOINT_VERSION,
            "game": asdict(self.game),
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "peak_memory_mb": self.peak_memory_mb,
            "figures": dict(figures),
        }
        try:
            write_arrays(self.path, header, arrays)
        except OSError as error:
            warnings.warn(f"no checkpoint: {error}", stacklevel=5)
        self._saved = time.monotonic()

    def resumed(self) -> tuple[dict[str, Any], Arrays] | None:
        """Return figures and arrays of the last checkpoint, or None if there is none that can be used."""
        if self.path is None or not self.path.exists():
            return None
        try:
            header = read_header(self.path, "checkpoint", CHECKPOINT_VERSION)
            if header.get("game") != asdict(self.game):
                raise DamagedFileError(f"{self.path}: not a checkpoint of this game")
            arrays = read_arrays(self.path, header)
        except DamagedFileError as error:
            warnings.warn(f"{error}; the run starts anew", stacklevel=4)
            remove(self.path)
            return None
        self._seconds_before, self._cpu_before = header["seconds"], header["cpu_seconds"]
        self._memory_before = header["peak_memory_mb"]
        return header["figures"], arrays

    def forget(self) -> None:
        """Remove the checkpoint: the run is done, or it is to start anew."""
        if self.path is not None:
            remove(self.path)
