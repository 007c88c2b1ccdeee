"""Where the work is done: this machine's cores. The same work gives the same results anywhere."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

from handful.errors import HandfulError
from handful.lab.games import Chunk, Plan

Result = TypeVar("Result")


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_through(
    work: Callable[[Plan, Chunk], Result],
    plan: Plan,
    chunks: Sequence[Chunk],
    workers: int | None = None,
    dask: str | None = None,
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, as they are done."""
    workers = available_cores() if workers is None else workers
    if workers < 1:
        raise HandfulError(f"workers={workers}: expected at least 1")
    if not chunks:
        return
    workers = min(workers, len(chunks))
    with _local_executor(plan, workers) as executor:
        yield from run_all(executor, work, plan, chunks, at_once=2 * workers)


@contextmanager
def _local_executor(plan: Plan, workers: int) -> Iterator[Executor]:
    """Give an executor on this machine: threads for kernels, which release the interpreter's lock, else processes."""
    pool: Executor
    if plan.is_compiled or workers <= 1 or not can_be_sent(plan):
        pool = ThreadPoolExecutor(workers if plan.is_compiled else 1)
    else:
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def can_be_sent(plan: Plan) -> bool:
    """Whether a plan can go to another process: a class of bots must be importable there."""
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return plan.player.bot_class is None or plan.player.bot_class.__module__ != "__main__"


def run_all(
    executor: Executor, work: Callable[[Plan, Chunk], Result], plan: Plan, chunks: Sequence[Chunk], at_once: int
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, keeping `at_once` of them under way: memory stays flat."""
    under_way: dict[Future[Result], Chunk] = {}
    waiting = iter(chunks)
    while True:
        for chunk in waiting:
            under_way[executor.submit(work, plan, chunk)] = chunk
            if len(under_way) >= at_once:
                break
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            yield under_way.pop(future), future.result()
