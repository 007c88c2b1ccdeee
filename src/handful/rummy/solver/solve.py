"""Solve Rummy alone: the expected turns of every hand, exactly, or within a tolerance.

`solve` looks for the answers of a game on disk and otherwise makes them. Long runs say beforehand how long they take,
write down now and then what they know, and go on from there after they were stopped: to the same answers, bit for bit.

A single game is solved on one core: which hand is locked in next depends on all that were before. But games do not
depend on each other, and kernels run without the interpreter's lock, so `solve_side_by_side` gives each a thread.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._machine import available_cores, free_memory_mb
from handful.errors import HandfulError
from handful.rummy.answers import EQUAL, Answers, Summary, answers_folder, open_answers, read_answers, save_answers
from handful.rummy.array_files import DamagedFileError, remove
from handful.rummy.cards import cards_of, format_cards
from handful.rummy.game import SOLVED_AT_ONCE, TOLERANCE_SIZES, Game
from handful.rummy.solver.label_setting import TAILS_TO, queue_capacity, solve_exactly, solve_in_cohorts
from handful.rummy.solver.long_run import LongRun, Progress, Report

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MEMORY_SHARE = 0.75  # of the memory that is free, for games that are solved at once

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
    """Return the answers of a game: from disk, or solved now and put there.

    `folder` is where answers are kept (by default the user's cache folder, or HANDFUL_RUMMY_TABLES); with `keep` False
    nothing is read or written there. `fresh` solves again even if there are answers. `progress` is called now and then;
    a run that it interrupts, or that is killed, goes on from its last checkpoint when it is started again. There is one
    every five minutes from seven cards on, or every `checkpoint_seconds`, if given.

    >>> print(f'{solve(cards=3, aces="wrap", keep=False).expected_turns("AC 4C 7C"):.10f}')
    18.2442485400
    """
    game = Game(cards, aces, float(tolerance))
    place = (folder or answers_folder()) if keep else None
    if place is not None and not fresh:
        try:
            found = open_answers(game, place)
            if found is not None:
                return found
        except DamagedFileError as error:
            warnings.warn(f"{error}; it is made again", stacklevel=2)
            remove(place / game.file_name)
    if game.tolerance and game.cards not in TOLERANCE_SIZES:
        raise HandfulError(f"tolerance {tolerance} with {cards} cards: expected at most {TOLERANCE_SIZES[-1]} cards")
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
        save_answers(path, game, summary, arrays)
    except OSError as error:
        warnings.warn(f"the answers are not kept: {error}", stacklevel=2)
        return Answers(game, summary, arrays, None)
    run.forget()
    return read_answers(path, game)


class NotSolvedError(HandfulError):
    """A game that has no answers yet, and takes too long to be solved by the way."""

    def __init__(self, needed: Estimate) -> None:
        super().__init__(f"this game is not solved yet ({needed})")
        self.game = needed.game


def ready_answers(cards: int, aces: str, tolerance: float = 0.0, progress: Report | None = None) -> Answers:
    """Return the answers of a game: from disk, or solved now if that takes less than a minute.

    Raises `NotSolvedError` if it takes longer, and `DamagedFileError` if there are some that cannot be used.
    """
    game = Game(cards, aces, tolerance)
    try:
        found = open_answers(game)
    except DamagedFileError as error:
        raise DamagedFileError(f"{error}. It is not used", game) from error
    if found is not None:
        return found
    needed = estimate(cards, aces, tolerance)
    if needed.seconds > SOLVED_AT_ONCE:
        raise NotSolvedError(needed)
    return solve(cards, aces, tolerance, progress=progress)


class _StoppedError(Exception):
    """Another game has failed, or the user wants no more."""


def solve_side_by_side(
    games: Sequence[Game],
    *,
    folder: Path | None = None,
    fresh: bool = False,
    workers: int | None = None,
    progress: Report | None = None,
) -> list[Answers]:
    """Return the answers of some games, in their order: as `solve` does it, but at the same time.

    `workers` is how many games are solved at once, by default as many as there are cores and memory for. If one of
    them fails, or is interrupted, the others stop too; they go on from their last checkpoints.
    """
    at_once = workers or how_many_at_once(games)
    is_over = threading.Event()

    def stop_if_over() -> None:
        if is_over.is_set():
            raise _StoppedError

    def tell(told: Progress) -> None:
        stop_if_over()
        if progress is not None:
            progress(told)

    def one(game: Game) -> Answers:
        stop_if_over()
        return solve(game.cards, game.aces, game.tolerance, folder=folder, fresh=fresh, progress=tell)

    with ThreadPoolExecutor(at_once, thread_name_prefix="rummy") as threads:
        futures = [threads.submit(one, game) for game in games]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            is_over.set()  # those that are not done stop when they next tell
    failures = [future.exception() for future in futures]
    for failure in failures:
        if failure is not None and not isinstance(failure, _StoppedError):
            raise failure
    return [future.result() for future in futures]


def how_many_at_once(games: Sequence[Game]) -> int:
    """Return how many of some games to solve at once: one a core, if the largest of them fit into memory together."""
    needed = sorted((estimate(game.cards, game.aces, game.tolerance).memory_mb for game in games), reverse=True)
    room, at_once = MEMORY_SHARE * free_memory_mb(), 0
    for memory in needed[: available_cores()]:
        room -= memory
        at_once += room >= 0
    return max(1, at_once)


def estimate(cards: int = 3, aces: str = "low", tolerance: float = 0.0) -> Estimate:
    """Return what solving a game takes, from the number of its hands and a speed that was measured."""
    from handful.rummy.kernels.hand_index import make_hand_index

    game = Game(cards, aces, float(tolerance))
    kinds = int(make_hand_index(aces, cards)["total"])
    larger = int(make_hand_index(aces, cards + 1)["total"])
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
    from handful.rummy.kernels.hand_index import first_alike, make_hand_index

    game = run.game
    hand_index = make_hand_index(game.aces, game.cards)
    examples = {
        which: format_cards(cards_of(first_alike(hand_index, _near(values, figures[which]))))
        for which in ("best", "worst")
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
