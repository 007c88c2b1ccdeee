"""Who does the work: this machine's cores, or a Dask cluster. The same work gives the same results anywhere.

Chunks are played here, in threads or in processes of this machine; `dask_cluster` has the place of many machines. A
place knows no statistics.
"""

from __future__ import annotations

import os
import pickle
import signal
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Protocol, TypeVar

from handful._machine import available_cores
from handful.errors import HandfulError
from handful.lab.games import Chunk

# A chunk whose worker died is played again. One that takes so many workers with it is given up.
MOST_LOSSES = 3
MOST_WORKERS = 10_000


class Job(Protocol):
    """What chunks are chunks of: a plan, or two plans that are compared."""

    @property
    def is_compiled(self) -> bool:
        """Whether all of it is done by kernels, which release the interpreter's lock."""


AnyJob = TypeVar("AnyJob", bound=Job)
Result = TypeVar("Result")


# The work


def work_through(
    work: Callable[[AnyJob, Chunk], Result],
    job: AnyJob,
    chunks: Iterable[Chunk],
    workers: int | None = None,
    dask: str | None = None,
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, as they are done, each once: a chunk whose worker dies is played again.

    Chunks are asked for as workers are free, so that they need not be in memory all at once.
    The work is done by `workers` cores of this machine (by default all), or by the Dask cluster `dask`: its
    scheduler's address, or ``"local"`` for one of `workers` processes that is started here and ends with the work.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise HandfulError(f"workers={workers}: expected 1 to {MOST_WORKERS:,}")
    cores = available_cores() if workers is None else workers
    others = iter(chunks)
    first = list(islice(others, cores))
    if first:
        with _open_workplace(job, len(first), workers, dask) as place:
            yield from run_all(place, work, job, chain(first, others))


@contextmanager
def _open_workplace(job: Job, cores: int, workers: int | None, dask: str | None) -> Iterator[Workplace]:
    """Give a place, of so many cores if it is here, and leave it in a hurry if anything goes wrong."""
    if dask is None:
        place = _local_workplace(job, cores)
    else:
        from handful.lab.running.dask_cluster import DaskCluster

        place = DaskCluster(dask, workers)
    try:
        yield place
    except BaseException:
        place.close(hurriedly=True)
        raise
    place.close()


def _local_workplace(job: Job, workers: int) -> Workplace:
    """Return a place on this machine: threads for kernels, which release the interpreter's lock, else processes."""
    if workers == 1:
        return Here()
    if job.is_compiled:
        return Threads(workers)
    return Processes(workers) if can_be_sent(job) else Here()


def run_all(
    place: Workplace, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunks: Iterable[Chunk]
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, as they are done. What a bot raises is raised here, and not tried again."""
    lost: deque[Chunk] = deque()
    others = iter(chunks)
    under_way: dict[Future[Result], Chunk] = {}
    losses: Counter[Chunk] = Counter()
    while True:
        while len(under_way) < place.at_once:
            next_one = lost.popleft() if lost else next(others, None)
            if next_one is None:
                break
            under_way[place.submit(work, part_of(job, next_one), next_one)] = next_one
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            chunk = under_way.pop(future)
            error = _error_of(future)
            if error is None:
                yield chunk, future.result()
            elif not place.is_loss(error):
                raise error
            else:
                losses[chunk] += 1
                _give_up_after_too_many(chunk, losses[chunk])
                lost.append(chunk)


def part_of(job: AnyJob, chunk: Chunk) -> AnyJob:
    """Return what a worker needs of a job for a chunk: of one that is large, and has a method `part`, only that."""
    part: Callable[[Chunk], AnyJob] | None = getattr(job, "part", None)
    return job if part is None else part(chunk)


def _error_of(future: Future[Result]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _give_up_after_too_many(chunk: Chunk, losses: int) -> None:
    if losses >= MOST_LOSSES:
        raise HandfulError(
            f"the worker that had games {chunk.first} to {chunk.first + chunk.count - 1} died, {losses} times: "
            "expected one that stays alive (a bot of your own must not end its process, and a script must guard its "
            "work by `if __name__ == '__main__'`)"
        )


# Places


class Workplace(ABC):
    """Where chunks are played. What comes back is a future of `concurrent.futures`, whatever is behind it."""

    @property
    @abstractmethod
    def at_once(self) -> int:
        """How many chunks to keep under way: enough that no worker waits, few enough that memory stays flat."""

    @abstractmethod
    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the future result of a chunk. After a worker died the place is made whole here."""

    def is_loss(self, error: BaseException) -> bool:
        """Whether this says that a worker is gone, and with it its chunk: not the chunk's own fault, or not surely."""
        return False

    @abstractmethod
    def close(self, hurriedly: bool = False) -> None:
        """Leave nothing behind; `hurriedly` gives up what is under way."""


class Here(Workplace):
    """The thread that asks, one chunk after the other: Ctrl-C interrupts a plain bot at once."""

    at_once = 1

    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the result of a chunk, played now."""
        future: Future[Result] = Future()
        try:
            future.set_result(work(job, chunk))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self, hurriedly: bool = False) -> None:
        """Do nothing: nothing was opened."""


class Threads(Workplace):
    """Threads of this process, for kernels: they release the interpreter's lock, and are compiled only once."""

    at_once = 0

    def __init__(self, workers: int) -> None:
        self.at_once = 2 * workers
        self._pool = ThreadPoolExecutor(workers)

    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the future result of a chunk."""
        return self._pool.submit(work, job, chunk)

    def close(self, hurriedly: bool = False) -> None:
        """End the threads. A kernel cannot be interrupted, so that even in a hurry its chunk is played to the end."""
        self._pool.shutdown(cancel_futures=True)


class Processes(Workplace):
    """Processes of this machine, for plain bots. When one dies, all of them are replaced."""

    at_once = 0

    def __init__(self, workers: int) -> None:
        self.at_once = 2 * workers
        self._workers = workers
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork copies locks that other threads may hold at that moment.
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_follow_the_parent)

    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the future result of a chunk; in new processes, if one of the old ones has died."""
        with deaf_to_ctrl_c():  # the processes are started here
            try:
                return self._pool.submit(with_sendable_errors, work, job, chunk)
            except BrokenExecutor:
                self._pool.shutdown()
                self._pool = self._new_pool()
                return self._pool.submit(with_sendable_errors, work, job, chunk)

    def is_loss(self, error: BaseException) -> bool:
        """Whether a process died: Python then fails everything that was under way in its pool."""
        return isinstance(error, BrokenExecutor)

    def close(self, hurriedly: bool = False) -> None:
        """End the processes."""
        if hurriedly:
            # Python 3.14 has `kill_workers` for this; before, a pool can only be asked to finish what it has begun.
            for process in list((self._pool._processes or {}).values()):
                process.kill()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C wait, for us, and for ever for the threads and processes that are started inside.

    A process that is still starting would complain of it at length: it is ours to end them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # before the first process Python starts this one, and then hears Ctrl-C again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow_the_parent() -> None:
    """Let a process end with its parent, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None, "only processes that were started by another come here"

    def wait_and_leave() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait_and_leave, daemon=True).start()


def with_sendable_errors(work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Result:
    """Return the result of a chunk; an error that cannot be sent to another process is put into words first.

    Otherwise it would look from there as if the process had died.
    """
    try:
        return work(job, chunk)
    except Exception as error:
        if _comes_back_whole(error):
            raise
        raise HandfulError(f"{type(error).__name__}: {error}") from None


def _comes_back_whole(error: Exception) -> bool:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # an error's own code runs here, and may raise anything
        return False
    return True


def can_be_sent(job: Job) -> bool:
    """Whether a job can go to another process: a class of bots must be importable there."""
    try:
        return b"__main__" not in pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
