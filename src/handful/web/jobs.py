"""Long computations, each in a process of its own: with progress, a time limit, and a button that cancels it.

A kind of job is registered once, in the module of its page::

    register(Kind("simulate", "handful.web.work:simulate", template="results/simulated.html", limit=600))

where ``simulate(args, report)`` is a function of a module that the process imports: `args` is the dictionary given to
``ask(request, "simulate", args)`` (in a POST), ``report(done, total, text)`` tells how far it is (total 0: unknown),
and what it returns (anything that can be pickled) is ``result`` in the template, beside ``job`` and ``args``. What it
gives to ``report.partial(value)`` before is in ``job.partial`` at once. A `HandfulError` is shown as it is.

What is done is kept on disk (`handful.web.result_store`), so that its address answers after a restart, too; but for
kinds that do not keep theirs (`keeps`).

A few jobs of each `lane` run at once, so that a long one does not keep the others waiting. A kind with `patience` is
cancelled when no page has asked about a job for so many seconds: who leaves the page has no more work done.

In a page: ``<div hx-get="/jobs/{{ job_id }}" hx-trigger="load, again" hx-swap="outerHTML"></div>``. It becomes a bar
with a button, asks again by itself, and becomes the filled template when the work is done (the event ``job-done``).
"""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import IO, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from handful.errors import HandfulError
from handful.web.errors import BusyError, NotFoundError
from handful.web.rendering import render
from handful.web.result_store import Kept, ResultStore

MAX_WAITING = 20
MAX_KEPT = 100
MAX_RUNNING = max(1, min(4, (os.cpu_count() or 1) // 2))
NO_STEPS = 0

log = logging.getLogger("handful.web")

Status = Literal["waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class Kind:
    """A kind of job: the function that does it (`module:name`), the template of its result, its limit in seconds."""

    name: str
    function: str
    template: str
    limit: float = 300.0
    lane: str = ""
    patience: float | None = None
    keeps: bool = True


KINDS: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make a kind of job known."""
    KINDS[kind.name] = kind


@dataclass
class Job:
    """A computation that was asked for, and how far it is."""

    id: str
    kind: Kind
    args: dict[str, Any]
    status: Status = "waiting"
    done: float = 0
    total: float = 0
    text: str = ""
    error: str = ""
    result: Any = None
    partial: list[Any] = field(default_factory=list)
    asked: float = field(default_factory=time.monotonic)
    started: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[bytes] | None = None
    key: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("done", "failed", "cancelled")

    @property
    def is_fruitless(self) -> bool:
        """Whether it is over without a result: it can be asked for again."""
        return self.status in FRUITLESS

    @property
    def is_left(self) -> bool:
        """Whether nobody has asked about it for longer than its kind is patient."""
        return self.kind.patience is not None and time.monotonic() - self.asked > self.kind.patience

    @property
    def fraction(self) -> float | None:
        """How much is done, 0 to 1; None if nobody knows."""
        return min(1.0, max(0.0, self.done / self.total)) if self.total > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """Return how far it is, as plain values."""
        return {
            "id": self.id,
            "kind": self.kind.name,
            "status": self.status,
            "fraction": self.fraction,
            "text": self.text,
            "error": self.error,
        }


class Jobs:
    """All jobs of a server: a few run at once, the others wait for their turn."""

    def __init__(self, max_running: int = MAX_RUNNING, results: ResultStore | None = None) -> None:
        self._max_running, self._results = max_running, results
        self._lock = threading.Condition()
        self._jobs: dict[str, Job] = {}
        self._by_key: dict[str, str] = {}
        self._waiting: deque[Job] = deque()
        self._running = 0
        self._in_lane: Counter[str] = Counter()
        self._is_closed = False

    def start(self, kind: str, args: dict[str, Any], key: str = "") -> str:
        """Return the id of a new job; with a `key`, that of the job of this key, if there is one that did not fail."""
        if key:
            self._recall(key=key)
        with self._lock:
            if key and (known := self._jobs.get(self._by_key.get(key, ""))) and known.status not in FRUITLESS:
                return known.id
            if len(self._waiting) >= MAX_WAITING or self._is_closed:
                raise BusyError(
                    f"{len(self._waiting)} computations are waiting already: this one would have place"
                    f" {len(self._waiting) + 1} in the queue, which has {MAX_WAITING}; cancel one, or try again later"
                )
            job = Job(secrets.token_urlsafe(12), KINDS[kind], args, key=key)
            self._note(job)
            self._waiting.append(job)
            self._forget_old()
            self._start_waiting()
            return job.id

    def find(self, key: str) -> Job | None:
        """Return the job of a key, whatever has become of it; None if nobody has asked for it."""
        self._recall(key=key)
        with self._lock:
            job = self._jobs.get(self._by_key.get(key, ""))
            if job is not None:
                job.asked = time.monotonic()
            return job

    def place_of(self, job: Job) -> int:
        """Return the place of a job in the queue, 1 for the next; 0 if it does not wait."""
        with self._lock:
            return self._waiting.index(job) + 1 if job in self._waiting else 0

    def get(self, job_id: str) -> Job:
        """Return a job."""
        self._recall(job_id=job_id)
        with self._lock:
            job = self._jobs.get(job_id)
            if job is not None:
                job.asked = time.monotonic()
        if job is None:
            raise NotFoundError("this computation is not known any more: it was long ago, or by other code; ask again")
        return job

    def under_way(self) -> list[Job]:
        """Return the jobs that run or wait, in the order in which they were asked for."""
        with self._lock:
            return [job for job in self._jobs.values() if not job.is_over]

    def cancel(self, job_id: str) -> Job:
        """Stop a job, whether it has begun or not, and return it."""
        job = self.get(job_id)
        with self._lock:
            if not job.is_over:
                job.status = "cancelled"
                if job in self._waiting:
                    self._waiting.remove(job)
                _kill(job)
        return job

    def cancel_left(self, job: Job) -> None:
        """Stop a job about which nobody asks any more."""
        with self._lock:
            if not job.is_over:
                job.status = "cancelled"
                _kill(job)

    def kill(self) -> None:
        """End all processes now, and wait for nothing: the server itself is about to end."""
        for job in list(self._jobs.values()):
            _kill(job)

    def close(self) -> None:
        """Stop everything."""
        with self._lock:
            self._is_closed = True
            jobs = list(self._jobs.values())
        for job in jobs:
            self.cancel(job.id)
        with self._lock:
            self._lock.wait_for(lambda: self._running == 0, timeout=10)
        if self._results is not None:
            self._results.close()

    def _note(self, job: Job) -> None:
        self._jobs[job.id] = job
        if job.key:
            self._by_key[job.key] = job.id

    def _recall(self, job_id: str = "", key: str = "") -> None:
        """Fetch what was done before this server was started, unless something is known already."""
        if self._results is None or job_id in self._jobs or key in self._by_key:
            return
        functions = {name: kind.function for name, kind in KINDS.items() if kind.keeps}
        try:
            kept = self._results.of_id(job_id, functions) if job_id else self._results.of_key(key, functions)
        except HandfulError as error:
            log.warning("%s", error)
            return
        if kept is not None:
            job = Job(kept.id, KINDS[kept.kind], kept.args, "done", result=kept.result, key=kept.key)
            with self._lock:
                if job.id not in self._jobs and job.key not in self._by_key:
                    self._note(job)
                    self._forget_old()

    def _keep(self, job: Job, result: Any) -> None:
        """Let a result outlive this server."""
        if self._results is None or not job.kind.keeps:
            return
        try:
            kept = Kept(job.id, job.key, job.kind.name, job.args, result)
            if not self._results.keep(kept, job.kind.function):
                log.warning("the result of a job of the kind %s is too large to be kept, or no plain type", kept.kind)
        except HandfulError as error:
            log.warning("%s", error)

    def _forget_old(self) -> None:
        over = [job_id for job_id, job in self._jobs.items() if job.is_over]
        for job_id in over[: max(0, len(self._jobs) - MAX_KEPT)]:
            del self._jobs[job_id]
        self._by_key = {key: job_id for key, job_id in self._by_key.items() if job_id in self._jobs}

    def _start_waiting(self) -> None:
        for job in list(self._waiting):
            if self._in_lane[job.kind.lane] >= self._max_running:
                continue
            self._waiting.remove(job)
            if job.is_left:
                job.status = "cancelled"
                continue
            self._running += 1
            self._in_lane[job.kind.lane] += 1
            threading.Thread(target=self._follow, args=(job,), name=f"job {job.kind.name}", daemon=True).start()

    def _follow(self, job: Job) -> None:
        """Run a job in a process of its own, and write down what it tells."""
        timer: threading.Timer | None = None
        try:
            process = self._launch(job)
            if process is not None:
                timer = threading.Timer(job.kind.limit, self._time_is_up, (job,))
                timer.daemon = True
                timer.start()
                assert process.stdin is not None
                assert process.stdout is not None
                with process.stdin, process.stdout:
                    pickle.dump((job.kind.function, job.args), process.stdin)
                    process.stdin.flush()
                    self._listen(job, process.stdout)
                process.wait()
        except OSError as error:
            self._end(job, "failed", error=f"the computation could not be run: {error.strerror or error}")
        finally:
            if timer is not None:
                timer.cancel()
            _kill(job)
            self._end(job, "failed", error="the computation ended without an answer: there may be too little memory")
            with self._lock:
                self._running -= 1
                self._in_lane[job.kind.lane] -= 1
                self._start_waiting()
                self._lock.notify_all()

    def _launch(self, job: Job) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if job.is_over:
                return None
            job.status, job.started = "running", time.monotonic()
        # To start a process takes a while, in which pages ask how far it is: so not under the lock. It has a session
        # of its own, so that a cancelled job takes along all processes that it has started.
        process = subprocess.Popen(
            [sys.executable, "-m", "handful.web.job_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        with self._lock:
            job.process = process
            if job.is_over:  # cancelled in the meantime
                _kill(job)
        return process

    def _listen(self, job: Job, stream: IO[bytes]) -> None:
        while True:
            try:
                what, *values = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return
            if job.is_left:
                self.cancel_left(job)
            elif what == "progress":
                with self._lock:
                    job.done, job.total, job.text = values
            elif what == "partial":
                with self._lock:
                    job.partial.append(values[0])
            else:
                if what == "done":
                    self._keep(job, values[0]["result"])
                self._end(job, what, **values[0])

    def _time_is_up(self, job: Job) -> None:
        self._end(job, "failed", error=f"stopped: it took more than {job.kind.limit:.0f} seconds")
        with self._lock:
            _kill(job)

    def _end(self, job: Job, status: Status, result: Any = None, error: str = "") -> None:
        with self._lock:
            if not job.is_over:
                job.status, job.result, job.error = status, result, error


FRUITLESS = ("failed", "cancelled")


def _kill(job: Job) -> None:
    process = job.process
    if process is None or process.poll() is not None:
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):  # gone already, or a system without groups
        process.kill()


def ask(request: Request, kind: str, args: dict[str, Any]) -> Job:
    """Return the job of a kind with these arguments: the one that is there, or else a new one.

    Only a page's own POST may ask for it: any site can make a browser send a GET.
    """
    jobs: Jobs = request.app.state.jobs
    return jobs.get(jobs.start(kind, args, key=_key(kind, args)))


def find(request: Request, kind: str, args: dict[str, Any]) -> Job | None:
    """Return the job of a kind with these arguments, if somebody has asked for it: nothing is begun."""
    jobs: Jobs = request.app.state.jobs
    return jobs.find(_key(kind, args))


def _key(kind: str, args: dict[str, Any]) -> str:
    return f"{kind} {sorted(args.items())}"


# Its pages

router = APIRouter()


@router.get("/jobs/{job_id}")
def job_panel(request: Request, job_id: str) -> Response:
    """Return how far a job is: a piece of a page, or JSON."""
    return _panel(request, request.app.state.jobs.get(job_id))


@router.post("/jobs/{job_id}/cancel")
def job_cancel(request: Request, job_id: str) -> Response:
    """Cancel a job, and return the piece of page that says so."""
    return _panel(request, request.app.state.jobs.cancel(job_id))


def _panel(request: Request, job: Job) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({**job.to_dict(), "place": request.app.state.jobs.place_of(job)})
    if job.status == "done":
        return render(request, job.kind.template, headers={"HX-Trigger": "job-done"}, **panel_values(request, job))
    return render(request, "job.html", **panel_values(request, job))


def panel_values(request: Request, job: Job) -> dict[str, Any]:
    """Return what the template of a job knows: also its place in the queue, 0 if it does not wait."""
    return {"job": job, "args": job.args, "result": job.result, "place": request.app.state.jobs.place_of(job)}
