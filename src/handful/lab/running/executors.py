"""Where the work is done: this machine's cores, or a Dask cluster. The same work gives the same results anywhere."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager

from handful._machine import available_cores
from handful.errors import HandfulError
from handful.lab.games import Chunk
from handful.lab.running.workplaces import (
    AnyJob,
    Here,
    Job,
    Processes,
    Result,
    Threads,
    Workplace,
    can_be_sent,
)

# A chunk whose worker died is played again. One that takes so many workers with it is given up.
MOST_LOSSES = 3


def work_through(
    work: Callable[[AnyJob, Chunk], Result],
    job: AnyJob,
    chunks: Sequence[Chunk],
    workers: int | None = None,
    dask: str | None = None,
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, as they are done, each once: a chunk whose worker dies is played again.

    The work is done by `workers` cores of this machine (by default all), or by the Dask cluster `dask`: its
    scheduler's address, or ``"local"`` for one of `workers` processes that is started here and ends with the work.
    """
    if workers is not None and workers < 1:
        raise HandfulError(f"workers={workers}: expected at least 1")
    if chunks:
        with _open_workplace(job, len(chunks), workers, dask) as place:
            yield from run_all(place, work, job, chunks)


@contextmanager
def _open_workplace(job: Job, most: int, workers: int | None, dask: str | None) -> Iterator[Workplace]:
    """Give a place for at most so many chunks at once, and leave it in a hurry if anything goes wrong."""
    if dask is None:
        place = _local_workplace(job, min(available_cores() if workers is None else workers, most))
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
    place: Workplace, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunks: Sequence[Chunk]
) -> Iterator[tuple[Chunk, Result]]:
    """Yield every chunk with its result, as they are done. What a bot raises is raised here, and not tried again."""
    waiting = deque(chunks)
    under_way: dict[Future[Result], Chunk] = {}
    losses: Counter[Chunk] = Counter()
    while waiting or under_way:
        while waiting and len(under_way) < place.at_once:
            chunk = waiting.popleft()
            under_way[place.submit(work, job, chunk)] = chunk
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
                waiting.appendleft(chunk)


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
