"""The same results from threads, processes and a Dask cluster, also when workers die; and no process left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handful.bots.players import Player
from handful.errors import HandfulError
from handful.hanabi import Rules
from handful.lab import simulate
from handful.lab.compare import compare
from handful.lab.games import Chunk, Plan, Tally, chunks_of, make_plan, tally_chunk
from handful.lab.running import (
    MOST_LOSSES,
    Here,
    Processes,
    Threads,
    Workplace,
    can_be_sent,
    dask_cluster,
    run_all,
    work_through,
)
from handful.lab.simulate import Simulation
from tests.lab.sample_bots import Sure, misbehaving

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Give the address of a cluster of two processes."""
    with dask_cluster.kept_open("local", workers=2) as address:
        assert address is not None
        yield address


@pytest.fixture(scope="module")
def expected() -> Simulation:
    """Give the result of the bot `Sure`, played in this process."""
    return sure_games(workers=1)


def sure_games(bot: type[Sure] | Player = Sure, **how: Any) -> Simulation:
    return simulate(bot, players=3, games=42, seed=2, **how)


def same_games(one: Simulation, other: Simulation) -> bool:
    return (one.histogram, one.strikeouts, one.turns) == (other.histogram, other.strikeouts, other.turns)


def test_a_cluster_gives_the_results_of_this_machine(cluster: str, expected: Simulation) -> None:
    assert expected == sure_games(dask=cluster)
    ours = simulate("random", players=3, games=20_000, seed=8, rules="strike_score=keep")
    assert ours == simulate("random", players=3, games=20_000, seed=8, rules="strike_score=keep", dask=cluster)
    assert ours == simulate(
        "random", players=3, games=20_000, seed=8, rules="strike_score=keep", dask=cluster, workers=1
    )


def test_a_cluster_compares_as_this_machine_does(cluster: str) -> None:
    assert compare("rules", "random", games=4100, seed=3) == compare(
        "rules", "random", games=4100, seed=3, dask=cluster
    )


def test_a_cluster_that_lasts_as_long_as_the_work(expected: Simulation) -> None:
    assert expected == sure_games(dask="local", workers=1)


def test_a_cluster_plays_a_bot_that_is_defined_inside_a_function(cluster: str, expected: Simulation) -> None:
    class Inner(Sure):
        pass

    assert same_games(expected, sure_games(Inner, dask=cluster))


def test_a_process_that_is_killed_costs_nothing_but_time(tmp_path: Path, expected: Simulation) -> None:
    trace = tmp_path / "trace"
    assert same_games(expected, sure_games(misbehaving("die once", trace), workers=2))
    assert trace.exists()


def test_a_worker_of_a_cluster_that_is_killed_costs_nothing_but_time(
    cluster: str, tmp_path: Path, expected: Simulation
) -> None:
    trace = tmp_path / "trace"
    assert same_games(expected, sure_games(misbehaving("die once", trace), dask=cluster))
    assert trace.exists()


def test_every_chunk_comes_once_though_workers_die(tmp_path: Path) -> None:
    plan = Plan(misbehaving("die once", tmp_path / "trace"), Rules(players=2), seed=1)
    chunks = [Chunk(first, 2) for first in range(0, 20, 2)]
    results = list(work_through(tally_chunk, plan, chunks, workers=2))
    assert sorted(chunk.first for chunk, _tally in results) == [chunk.first for chunk in chunks]


def test_a_bot_that_always_kills_its_process_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(HandfulError, match=f"died, {MOST_LOSSES} times"):
        sure_games(misbehaving("die", tmp_path / "trace"), workers=2)


def test_a_bot_that_always_kills_its_worker_is_given_up(tmp_path: Path) -> None:
    import dask

    # With no failure allowed, the scheduler gives a chunk up at once, so that it is for us to try again.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        dask_cluster.kept_open("local", workers=1) as address,
        pytest.raises(HandfulError, match=f"died, {MOST_LOSSES} times"),
    ):
        sure_games(misbehaving("die", tmp_path / "trace"), dask=address)


def one_chunk(place: Workplace, player: Player) -> Tally:
    plan = Plan(player, Rules(players=2))
    try:
        ((_chunk, tally),) = run_all(place, tally_chunk, plan, [Chunk(0, 1)])
    finally:
        place.close()
    return tally


@pytest.mark.parametrize("place", ["here", "threads", "processes", "cluster"])
def test_what_a_bot_raises_is_reported_and_not_tried_again(place: str, cluster: str, tmp_path: Path) -> None:
    places: dict[str, Callable[[], Workplace]] = {
        "here": Here,
        "threads": lambda: Threads(1),
        "processes": lambda: Processes(1),
        "cluster": lambda: dask_cluster.DaskCluster(cluster),
    }
    trace = tmp_path / "trace"
    with pytest.raises(ZeroDivisionError, match="a slip of this bot"):
        one_chunk(places[place](), misbehaving("raise", trace))
    assert trace.read_text() == "raised\n"


def test_an_error_that_cannot_be_sent_is_put_into_words(tmp_path: Path) -> None:
    with pytest.raises(HandfulError, match="AwkwardError: this and that"):
        one_chunk(Processes(1), misbehaving("raise awkwardly", tmp_path / "trace"))


def test_a_module_that_workers_do_not_have_is_an_error_and_leaves_them_alive(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "homemade.py").write_text("from tests.lab.sample_bots import Sure\nclass Homemade(Sure):\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    homemade = __import__("homemade")
    with pytest.raises(ModuleNotFoundError, match="homemade"):
        sure_games(homemade.Homemade, dask=cluster)
    assert sure_games(dask=cluster).games == 42


@pytest.mark.parametrize("address", ["", "nowhere", "http://127.0.0.1:8786", "tcp://127.0.0.1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(HandfulError, match="expected an address such as"):
        sure_games(dask=address)


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", 0.2)
    with pytest.raises(HandfulError, match="no Dask scheduler answers: Timed out trying to connect"):
        sure_games(dask="tcp://127.0.0.1:1")


def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    with dask_cluster.kept_open("local", workers=0) as address:
        monkeypatch.setattr(dask_cluster, "PATIENCE", 0.5)
        with pytest.raises(HandfulError, match=f"has no workers: start one with `dask worker {address}`"):
            sure_games(dask=address)


def test_workers_of_another_version(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "__version__", "0.0.0")
    with pytest.raises(HandfulError, match=r"has other workers \(.*\): expected handful 0\.0\.0 on each"):
        sure_games(dask=cluster)


def test_a_cluster_that_goes_away() -> None:
    with dask_cluster.kept_open("local", workers=1) as address:
        place = dask_cluster.DaskCluster(address or "")
    plan = make_plan("random", 2, "No Variant", "")
    try:
        with pytest.raises(HandfulError, match="does not answer any more"):
            list(run_all(place, tally_chunk, plan, list(chunks_of(plan, 100))))
    finally:
        place.close()


def test_dask_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for address in ("local", "tcp://127.0.0.1:8786"):
        with pytest.raises(HandfulError, match="Dask is not installed: expected the extra `cluster`"):
            sure_games(dask=address)


def test_what_can_be_sent_to_another_process() -> None:
    class Inner(Sure):
        pass

    class Main(Sure):
        pass

    Main.__module__ = "__main__"
    assert can_be_sent(make_plan(Sure, 2, "No Variant", ""))
    assert can_be_sent(make_plan("random", 2, "No Variant", ""))
    assert not can_be_sent(make_plan(Inner, 2, "No Variant", ""))
    assert not can_be_sent(make_plan(Main, 2, "No Variant", ""))


@pytest.mark.parametrize("how", ["workers=1", "workers=2", "workers=2, dask='local'"])
def test_ctrl_c_leaves_no_process_behind(how: str) -> None:
    code = (
        "import signal\n"
        "from pathlib import Path\n"
        "from handful.lab import simulate\n"
        "from tests.lab.sample_bots import misbehaving\n"
        # A shell's background job, which these tests may be, is started with Ctrl-C ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"simulate(misbehaving('hang', Path('trace')), games=100, {how})\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "hanging\n"
            # As a terminal does it: to all processes of the group.
            os.killpg(process.pid, signal.SIGINT)
            # The bot hangs for an hour. Whatever process were left behind would hold the pipe open for so long.
            _out, complaints = process.communicate(timeout=60)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert complaints.count("Traceback") == 1
    assert complaints.endswith("KeyboardInterrupt\n")
