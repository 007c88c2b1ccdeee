from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.web.errors import BusyError, NotFoundError
from handful.web.jobs import KINDS, MAX_WAITING, Job, Jobs, Kind, register
from tests.web.lab import SECONDS, Lab

HERE = "tests.web.job_functions"


@pytest.fixture(autouse=True)
def kinds() -> Iterator[None]:
    register(Kind("double", f"{HERE}:double", "message.html"))
    register(Kind("fail", f"{HERE}:fail", "message.html"))
    register(Kind("never", f"{HERE}:never_end", "message.html"))
    register(Kind("short", f"{HERE}:never_end", "message.html", limit=0.2))
    register(Kind("parts", f"{HERE}:tell_parts", "message.html", lane="parts"))
    register(Kind("watched", f"{HERE}:tell_parts", "message.html", patience=0.3))
    yield
    for name in ("double", "fail", "never", "short", "parts", "watched"):
        del KINDS[name]


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    opened = Jobs(max_running=1)
    yield opened
    opened.close()


def finished(jobs: Jobs, job_id: str) -> Job:
    """Return a job when it is over and its place is free again."""
    job = jobs.get(job_id)
    with jobs._lock:
        assert jobs._lock.wait_for(lambda: job.is_over and jobs._running == 0, SECONDS)
    return job


def started(jobs: Jobs, job_id: str) -> Job:
    """Return a job when it has told something."""
    job = jobs.get(job_id)
    waiting = threading.Event()
    while not job.text:
        assert not job.is_over
        waiting.wait(0.01)
    return job


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_job_gives_its_result(jobs: Jobs) -> None:
    job = finished(jobs, jobs.start("double", {"number": 21}))
    assert (job.status, job.result, job.fraction) == ("done", 42, 0.5)


def test_bad_input_is_said_as_it_is(jobs: Jobs) -> None:
    job = finished(jobs, jobs.start("double", {"number": -1}))
    assert (job.status, job.error) == ("failed", "number -1: expected at least 0")


def test_a_mistake_of_ours_tells_no_details(jobs: Jobs) -> None:
    job = finished(jobs, jobs.start("fail", {}))
    assert job.status == "failed"
    assert "secret" not in job.error


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
def test_a_cancelled_job_leaves_no_process_behind(jobs: Jobs, tmp_path: Path) -> None:
    job = started(jobs, jobs.start("never", {"file": str(tmp_path / "pid")}))
    assert job.process is not None
    pids = [job.process.pid, int((tmp_path / "pid").read_text())]
    assert all(map(is_alive, pids))
    assert jobs.cancel(job.id).status == "cancelled"
    finished(jobs, job.id)
    waiting = threading.Event()
    while any(map(is_alive, pids)):
        waiting.wait(0.01)
    assert job.status == "cancelled"


def test_time_is_limited(jobs: Jobs, tmp_path: Path) -> None:
    job = finished(jobs, jobs.start("short", {"file": str(tmp_path / "pid")}))
    assert job.status == "failed"
    assert "more than 0 seconds" in job.error


def test_jobs_wait_for_their_turn_and_can_be_cancelled_there(jobs: Jobs, tmp_path: Path) -> None:
    first = jobs.start("never", {"file": str(tmp_path / "pid")})
    second, third = jobs.start("double", {"number": 1}), jobs.start("double", {"number": 2})
    assert jobs.get(second).status == "waiting"
    jobs.cancel(second)
    jobs.cancel(first)
    assert finished(jobs, third).result == 4
    assert jobs.get(second).status == "cancelled"


def test_not_too_many_wait(jobs: Jobs, tmp_path: Path) -> None:
    jobs.start("never", {"file": str(tmp_path / "pid")})
    for number in range(MAX_WAITING):
        jobs.start("double", {"number": number})
    with pytest.raises(BusyError):
        jobs.start("double", {"number": 0})


def test_the_same_question_is_computed_once(jobs: Jobs) -> None:
    first = jobs.start("double", {"number": 1}, key="one")
    assert jobs.start("double", {"number": 1}, key="one") == first
    assert finished(jobs, first).result == 2
    assert jobs.start("double", {"number": 1}, key="one") == first
    failed = jobs.start("double", {"number": -1}, key="two")
    finished(jobs, failed)
    assert jobs.start("double", {"number": -1}, key="two") != failed


def test_unknown_jobs(jobs: Jobs) -> None:
    with pytest.raises(NotFoundError):
        jobs.get("nothing")


def test_closing_stops_everything(tmp_path: Path) -> None:
    jobs = Jobs()
    job = jobs.get(jobs.start("never", {"file": str(tmp_path / "pid")}))
    jobs.close()
    assert job.status == "cancelled"
    if job.process is not None:
        assert job.process.poll() is not None
    with pytest.raises(BusyError):
        jobs.start("double", {"number": 1})


def test_the_pieces_of_page(lab: Lab, tmp_path: Path) -> None:
    jobs = lab.app.state.jobs
    job = started(jobs, jobs.start("never", {"file": str(tmp_path / "pid")}))
    running = lab.client.get(f"/jobs/{job.id}").text
    assert "at it" in running
    assert f'hx-post="/jobs/{job.id}/cancel"' in running
    assert lab.client.get(f"/jobs/{job.id}", headers={"accept": "application/json"}).json()["status"] == "running"
    assert "Cancelled" in lab.client.post(f"/jobs/{job.id}/cancel").text
    assert lab.client.get("/jobs/nothing").status_code == 404


def test_parts_of_a_result_are_there_before_the_end(jobs: Jobs) -> None:
    job = finished(jobs, jobs.start("parts", {}))
    assert (job.partial, job.result) == ([0, 1, 2], 3)


def test_a_job_that_nobody_asks_about_ends(jobs: Jobs) -> None:
    job_id = jobs.start("watched", {"for_ever": True})
    job = jobs._jobs[job_id]
    with jobs._lock:
        assert jobs._lock.wait_for(lambda: jobs._running == 0, SECONDS)
    assert job.status == "cancelled"


def test_a_job_that_nobody_has_waited_for_is_not_begun(jobs: Jobs, tmp_path: Path) -> None:
    first = jobs.start("never", {"file": str(tmp_path / "pid")})
    waiting = jobs._jobs[jobs.start("watched", {})]
    waiting.asked -= 1.0
    jobs.cancel(first)
    with jobs._lock:
        assert jobs._lock.wait_for(lambda: jobs._running == 0 and waiting.is_over, SECONDS)
    assert (waiting.status, waiting.process) == ("cancelled", None)


def test_lanes_do_not_wait_for_each_other(jobs: Jobs, tmp_path: Path) -> None:
    jobs.start("never", {"file": str(tmp_path / "pid")})
    job = jobs.get(jobs.start("parts", {}))
    with jobs._lock:
        assert jobs._lock.wait_for(lambda: job.is_over and jobs._running == 1, SECONDS)
    assert job.status == "done"
