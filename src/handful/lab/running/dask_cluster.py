"""A Dask cluster as a place where chunks are played: one that runs somewhere, or one of processes on this machine."""

from __future__ import annotations

import logging
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from handful import __version__
from handful._machine import available_cores
from handful.errors import HandfulError
from handful.lab.games import Chunk
from handful.lab.running import AnyJob, Result, Workplace, with_sendable_errors

LOCAL = "local"
PATIENCE = 10  # seconds, for a scheduler to answer and for a first worker to appear
CHUNKS_PER_THREAD = 4  # under way: a chunk of kernels takes about as long as Dask takes to hand out the next
_ADDRESS = re.compile(r"((tcp|tls)://)?[^\s/]+:\d{1,5}")
COUNT_AGAIN_AFTER = 5.0  # seconds: clusters grow and shrink


class DaskCluster(Workplace):
    """A cluster behind `distributed.Client`. Its scheduler plays a chunk again when the chunk's worker dies.

    With `workers` a cluster of this machine has so many processes, and of any other cluster at most so many threads
    are used at a time.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self._address = address
        self._workers = workers
        self._cluster = _start_cluster(workers) if address == LOCAL else None
        self._client: Any = None
        self._old_levels = _hush()
        try:
            self._client = _connect(address if self._cluster is None else self._cluster.scheduler_address)
            self._executor = self._client.get_executor(pure=False)
            self._check_workers()
            self._threads = self._count_threads()
        except BaseException:
            self.close()
            raise

    def _check_workers(self) -> None:
        """Refuse a cluster that cannot play, or that would play by another version's rules."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise self._error(f"has no workers: start one with `dask worker {self._address}`") from None
        answers = self._client.run(_version, on_error="return").values()
        # A worker that went away before it could answer is no concern: its chunks would be played by others.
        others = {str(answer) for answer in answers if answer != __version__ and not isinstance(answer, OSError)}
        if others:
            raise self._error(
                f"has other workers ({', '.join(sorted(others))}): expected handful {__version__} on each"
            )

    @property
    def at_once(self) -> int:
        """How many chunks to keep under way, as the cluster is now."""
        if time.monotonic() > self._count_again_at:
            self._threads = self._count_threads()
        at_once = CHUNKS_PER_THREAD * self._threads
        return at_once if self._workers is None or self._cluster is not None else min(at_once, self._workers)

    def _count_threads(self) -> int:
        """Return how many threads the workers have together; 1 while all of them are being replaced."""
        self._count_again_at = time.monotonic() + COUNT_AGAIN_AFTER
        try:
            threads: int = sum(self._running_client().nthreads().values())
        except (OSError, RuntimeError):  # the connection is lost, or was closed for good
            raise self._error("does not answer any more") from None
        return max(1, threads)

    def _running_client(self) -> Any:
        if self._client is None or self._client.status != "running":
            raise self._error("does not answer any more")
        return self._client

    def submit(self, work: Callable[[AnyJob, Chunk], Result], job: AnyJob, chunk: Chunk) -> Future[Result]:
        """Return the future result of a chunk."""
        self._running_client()
        # As bytes: a worker that cannot read a message, for want of a bot's module, say, drops out of the cluster;
        # what cannot be read inside a task is an error of that task.
        future: Future[Result] = self._executor.submit(_play, import_module("cloudpickle").dumps((work, job, chunk)))
        return future

    def is_loss(self, error: BaseException) -> bool:
        """Whether the scheduler gave up on a chunk because its workers died, or was told to forget it."""
        return isinstance(error, (CancelledError, _distributed().KilledWorker))

    def close(self, hurriedly: bool = False) -> None:
        """Leave the cluster, and end it if it was started here. What others run there is left alone."""
        if self._client is not None:
            with suppress(OSError, RuntimeError):  # nobody is there any more to tell
                self._executor.shutdown(wait=False)
                self._client.close(timeout=PATIENCE)
        if self._cluster is not None:
            if hurriedly:
                _kill_workers(self._cluster)
            self._cluster.close(timeout=PATIENCE)
        if not hurriedly:  # else Dask's threads go on complaining of the lost workers for a while
            for name, level in self._old_levels.items():
                logging.getLogger(name).setLevel(level)

    def _error(self, complaint: str) -> HandfulError:
        return HandfulError(f"the Dask cluster at {self._address} {complaint}")


@contextmanager
def kept_open(dask: str | None, workers: int | None = None) -> Iterator[str | None]:
    """Give an address in the place of ``"local"``: one cluster for many simulations, which ends with the last of them.

    Anything else is given back as it is.
    """
    if dask != LOCAL:
        yield dask
        return
    cluster = _start_cluster(workers)
    try:
        yield cluster.scheduler_address
    except BaseException:
        _kill_workers(cluster)
        raise
    finally:
        cluster.close(timeout=PATIENCE)


def _hush() -> dict[str, int]:
    """Let Dask not log here what goes wrong, for we say it in a sentence. Return the levels as they were."""
    _distributed()  # sets the levels when it is imported
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = {logger.name: logger.level for logger in loggers}
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    return levels


def _play(message: bytes) -> Any:
    """Return the result of a chunk: what runs in a worker."""
    work, job, chunk = import_module("cloudpickle").loads(message)
    return with_sendable_errors(work, job, chunk)


def _version() -> str:
    return __version__


def _start_cluster(workers: int | None) -> Any:
    """Return a new cluster of single-threaded processes on this machine."""
    try:
        return _distributed().LocalCluster(
            n_workers=available_cores() if workers is None else workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=None,  # nothing is kept in the workers, so there is nothing to limit
            dashboard_address="127.0.0.1:0",  # any free port; Dask's own choice is a fixed one, which may be taken
            silence_logs=logging.CRITICAL,
            preload=[__name__],
        )
    except (OSError, RuntimeError) as error:
        raise HandfulError(f"a Dask cluster on this machine could not be started: {error}") from None


def dask_setup(_worker: Any) -> None:
    """Leave Ctrl-C to the process that started this worker, which ends it. Dask calls this where it preloads us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _kill_workers(cluster: Any) -> None:
    """End the processes of a cluster of this machine at once; asked kindly, they finish their chunk first."""
    for nanny in cluster.workers.values():
        nanny.close_gracefully()  # it shall not start another process in the place of this one
        with suppress(ProcessLookupError):
            if nanny.pid:
                os.kill(nanny.pid, signal.SIGKILL)


def _connect(address: str) -> Any:
    """Return a client of the scheduler at an address."""
    # Checked here, as a client that stumbles over its address cannot be disposed of: it hangs for 20 s at the end.
    if not _ADDRESS.fullmatch(address):
        raise HandfulError(f"dask={address!r}: expected an address such as tcp://127.0.0.1:8786, or {LOCAL}")
    try:
        return _distributed().Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TypeError, ValueError) as error:
        raise HandfulError(f"no Dask scheduler answers: {error}") from None


def _distributed() -> Any:
    """Return the module `distributed`. It takes a second to import, and is an extra."""
    try:
        return import_module("distributed")
    except ImportError:
        raise HandfulError(
            "Dask is not installed: expected the extra `cluster` (pip install 'handful[cluster]')"
        ) from None
