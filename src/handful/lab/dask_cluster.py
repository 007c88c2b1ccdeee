"""A Dask cluster as a place where chunks are played: one that runs somewhere, or one of processes on this machine."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING

from handful import __version__
from handful.errors import HandfulError
from handful.lab.games import Chunk
from handful.lab.workplaces import AnyJob, Result, Workplace, with_sendable_errors

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

LOCAL = "local"
PATIENCE = 10  # seconds, for a scheduler to answer and for a first worker to appear
CHUNKS_PER_THREAD = 4  # under way: a chunk of kernels takes about as long as Dask takes to hand out the next
COUNT_AGAIN_AFTER = 5.0  # seconds: clusters grow and shrink


class DaskCluster(Workplace):
    """A cluster behind `distributed.Client`. Its scheduler plays a chunk again when the chunk's worker dies.

    With `workers` a cluster of this machine has so many processes, and of any other cluster at most so many threads
    are used at a time.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self._workers = workers
        self._cluster = _local_cluster(workers) if address == LOCAL else None
        self._address = address
        try:
            self._client = _connect(address if self._cluster is None else self._cluster.scheduler_address)
            try:
                self._executor = self._client.get_executor(pure=False)
                self._threads = self._count_threads()
                _check_versions(self._client, address)
            except BaseException:
                self._client.close(timeout=PATIENCE)
                raise
        except BaseException:
            if self._cluster is not None:
                self._cluster.close()
            raise

    @property
    def at_once(self) -> int:
        """How many chunks to keep under way, as the cluster is now."""
        if time.monotonic() > self._count_again_at:
            self._threads = self._count_threads()
        if self._workers is not None and self._cluster is None:
            return min(self._workers, CHUNKS_PER_THREAD * self._threads)
        return CHUNKS_PER_THREAD * self._threads

    def _count_threads(self) -> int:
        """Return how many threads the workers have together."""
        self._count_again_at = time.monotonic() + COUNT_AGAIN_AFTER
        return max(1, sum(self._client.nthreads().values()))

    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the future result of a chunk."""
        future: Future[Result] = self._executor.submit(with_sendable_errors, work, job, chunk)
        return future

    def is_loss(self, error: BaseException) -> bool:
        """Whether the scheduler gave up on a chunk because its workers died, or forgot it."""
        from distributed import KilledWorker

        return isinstance(error, CancelledError | KilledWorker)

    def close(self, hurriedly: bool = False) -> None:
        """Leave the cluster, and end it if it was started here."""
        self._executor.shutdown(wait=False)
        self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            self._cluster.close()


def _local_cluster(workers: int | None) -> LocalCluster:
    """Return a new cluster of single-threaded processes on this machine."""
    from handful.lab.executors import available_cores

    distributed = _distributed()
    return distributed.LocalCluster(
        n_workers=available_cores() if workers is None else workers,
        threads_per_worker=1,
        processes=True,
        memory_limit=None,  # nothing is kept in the workers, so there is nothing to limit
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )
