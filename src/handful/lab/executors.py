"""Where the work is done: this machine's cores. A chunk of work can be pickled, and so be done anywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

Result = TypeVar("Result")


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def local_executor(workers: int, releases_lock: bool) -> Iterator[Executor]:
    """Give an executor on this machine: threads for work that releases the interpreter's lock, else processes."""
    pool: Executor
    if releases_lock or workers == 1:
        pool = ThreadPoolExecutor(workers)
    else:
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def run_all(
    executor: Executor, work: Callable[..., Result], chunks: Iterable[tuple[object, ...]], at_once: int
) -> Iterator[Result]:
    """Yield the results of all chunks as they are done, keeping `at_once` of them under way: memory stays flat."""
    waiting: set[Future[Result]] = set()
    for chunk in chunks:
        if len(waiting) >= at_once:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        waiting.add(executor.submit(work, *chunk))
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()
