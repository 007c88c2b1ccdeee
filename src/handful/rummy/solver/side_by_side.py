"""Solve several games at once, one on each core, as far as memory allows.

A single game is solved on one core: which hand is locked in next depends on all that were before. But games do not
depend on each other, and kernels run without the interpreter's lock, so threads share the work.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

from handful._machine import available_cores, free_memory_mb
from handful.rummy.answers.answers import Answers, Game
from handful.rummy.solver.long_run import Progress, Report
from handful.rummy.solver.solve import estimate, solve

MEMORY_SHARE = 0.75  # of the memory that is free


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
    """Return the tables of some games, in their order: as `solve` does it, but at the same time.

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
