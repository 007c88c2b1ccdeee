from __future__ import annotations

import os
import pickle
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.web import result_store
from handful.web.errors import BusyError, NotFoundError
from handful.web.jobs import KINDS, MAX_WAITING, Job, Jobs, Kind, register
from handful.web.result_store import Kept, ResultStore, open_results, written
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


# Results outlive the server


def test_a_result_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    first = Jobs(results=open_results(path))
    job_id = first.start("double", {"number": 21}, key="k")
    assert finished(first, job_id).result == 42
    first.close()
    second = Jobs(results=open_results(path))
    assert second.get(job_id).result == 42
    third = Jobs(results=open_results(path))
    found = third.find("k")
    assert found is not None
    assert (found.id, found.status, found.args) == (job_id, "done", {"number": 21})
    assert third.start("double", {"number": 21}, key="k") == job_id
    second.close()
    third.close()


def test_what_other_code_has_made_or_nobody_may_keep_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    register(Kind("unkept", f"{HERE}:double", "message.html", keeps=False))
    first = Jobs(results=open_results(path))
    job_id, unkept = first.start("double", {"number": 1}, key="k"), first.start("unkept", {"number": 1}, key="u")
    finished(first, job_id)
    finished(first, unkept)
    first.close()
    second = Jobs(results=open_results(path))
    assert second.find("u") is None
    monkeypatch.setattr(result_store, "code_of", lambda function: "other code")
    assert second.find("k") is None
    with pytest.raises(NotFoundError, match="other code"):
        second.get(job_id)
    second.close()
    del KINDS["unkept"]


def test_only_so_many_results_are_kept_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    functions = {"double": f"{HERE}:double"}

    def kept(number: int) -> Kept:
        return Kept(f"id {number}", f"key {number}", "double", {}, bytes(range(100)))

    with ResultStore(tmp_path / "results.sqlite") as store:
        monkeypatch.setattr(result_store, "MAX_RESULTS", 3)
        for number in range(5):
            assert store.keep(kept(number), functions["double"])
        assert [store.of_key(f"key {number}", functions) is not None for number in range(5)] == [False] * 2 + [True] * 3
        monkeypatch.setattr(result_store, "MAX_BYTES", 2 * len(written({}, bytes(range(100))) or b""))
        store.keep(kept(5), functions["double"])
        assert [store.of_id(f"id {number}", functions) is not None for number in range(6)] == [False] * 4 + [True] * 2
        monkeypatch.setattr(result_store, "MAX_RESULT_BYTES", 10)
        assert not store.keep(kept(6), functions["double"])


class Caller:
    """What a file of somebody else may hold: reading it as it is would call a function."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("called",)


@pytest.mark.parametrize("content", [b"", b"x" * 50, zlib.compress(pickle.dumps(({}, Caller()))), zlib.compress(b"(")])
def test_a_file_of_somebody_else_does_nothing(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "results.sqlite"
    with ResultStore(path) as store:
        store.keep(Kept("an id", "k", "double", {}, 1), f"{HERE}:double")
        with store._transaction() as connection:
            connection.execute("UPDATE results SET content = ?", (content,))
    opened = Jobs(results=open_results(path))
    assert opened.find("k") is None
    opened.close()
    assert not (tmp_path / "called").exists()


def test_a_damaged_file_is_said_and_done_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"no database at all" * 100)
    assert open_results(path) is None
    assert "results of computations are not kept" in caplog.text
