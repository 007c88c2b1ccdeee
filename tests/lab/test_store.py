"""The store: nothing that was finished is lost, nothing counts twice, and no other file is taken for one."""

from __future__ import annotations

import io
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.bots import Bot, player_named
from handful.errors import HandfulError
from handful.hanabi import Action, Deal, Rules, Variant, View
from handful.lab import simulate
from handful.lab.games import Chunk, Plan, Tally, chunks_of, tally_chunk
from handful.lab.store import CSV_COLUMNS, Store, Trial, default_path, experiment_key, open_store, without_overlaps
from tests.lab.killed import ROOT

RULES = Rules(players=3, strike_score="keep")
PLAN = Plan(player_named("random"), RULES, seed=4)


def tally(games: int, score: int = 1, strikeouts: int = 0) -> Tally:
    histogram = [0] * 26
    histogram[score] = games
    return Tally(tuple(histogram), strikeouts, 10 * games, 0.5, games * score * score)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "results.sqlite") as made:
        yield made


def test_what_is_added_is_there_when_the_file_is_opened_again(store: Store) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20))
    store.add(PLAN, Chunk(20, 5), tally(5, score=3))
    store.close()
    with Store(store.path) as again:
        assert again.finished(PLAN) == {Chunk(0, 20): tally(20), Chunk(20, 5): tally(5, score=3)}


def test_a_chunk_is_kept_once(store: Store) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20))
    store.add(PLAN, Chunk(0, 20), tally(20, score=9))
    assert store.finished(PLAN) == {Chunk(0, 20): tally(20)}


@pytest.mark.parametrize(
    "other",
    [
        Plan(player_named("random"), RULES, seed=5),
        Plan(player_named("random"), RULES, seed=4, repeat=2),
        Plan(player_named("random"), Rules(players=4, strike_score="keep"), seed=4),
        Plan(player_named("random"), Rules(players=3), seed=4),
        Plan(player_named("random"), Rules(Variant.custom(4), players=3, strike_score="keep"), seed=4),
        Plan(player_named("random"), RULES, seed=4, deal=Deal.from_seed(RULES, 1)),
        Plan(player_named("rules"), RULES, seed=4),
        Plan(player_named("rules(omega_p=0.7)"), RULES, seed=4),
    ],
)
def test_every_part_of_a_plan_tells_experiments_apart(store: Store, other: Plan) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20))
    assert store.finished(other) == {}
    store.add(other, Chunk(0, 20), replace(tally(20, score=2), deal_squares=80 * other.repeat))
    assert store.finished(PLAN) == {Chunk(0, 20): tally(20)}
    assert len(store.results()) == 2


def test_settings_that_are_the_defaults_are_the_same_experiment() -> None:
    named, plain = (Plan(player_named(name), RULES) for name in ("rules(omega_p=0.6)", "rules"))
    assert experiment_key(named) == experiment_key(plain)


def test_results_of_other_code_are_not_used(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20))
    monkeypatch.setattr("handful.lab.store.__version__", "99.0")
    assert store.finished(PLAN) == {}
    assert len(store.results()) == 1


def test_a_class_of_somebodys_own_is_refused(store: Store) -> None:
    class Mine(Bot):
        def choose(self, view: View) -> Action:
            return view.legal_actions()[0]

    with pytest.raises(HandfulError, match="Mine is a class of your own"):
        simulate(Mine, games=2, store=store, workers=1)


def test_results_are_those_of_the_simulation(store: Store) -> None:
    simulated = simulate("random", players=3, games=5000, seed=4, rules=RULES, store=store)
    (result,) = store.results()
    for name in ("bot", "players", "variant", "rules", "games", "seed", "mean", "sd", "mean_ci95", "perfect"):
        assert getattr(result, name) == getattr(simulated, name)
    for name in ("perfect_ci95", "strikeouts", "min", "max", "turns", "histogram"):
        assert getattr(result, name) == getattr(simulated, name)


def test_a_short_last_chunk_is_not_counted_again_in_a_longer_run(store: Store) -> None:
    simulate("random", players=3, games=5000, seed=4, rules=RULES, store=store)
    longer = simulate("random", players=3, games=9000, seed=4, rules=RULES, store=store)
    (result,) = store.results()
    assert (result.games, result.histogram) == (9000, longer.histogram)
    assert longer == simulate("random", players=3, games=9000, seed=4, rules=RULES)


def test_finished_chunks_are_not_played_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first = simulate("random", players=3, games=5000, seed=4, rules=RULES, store=store)

    def must_not_play(*_chunk: object) -> None:
        raise AssertionError("a chunk is played again")

    monkeypatch.setattr(store, "add", must_not_play)
    assert simulate("random", players=3, games=5000, seed=4, rules=RULES, store=store) == first


@given(st.lists(st.builds(Chunk, st.integers(0, 50), st.integers(1, 20)), max_size=20))
def test_chosen_chunks_share_no_game_and_nothing_fits_between_them(chunks: list[Chunk]) -> None:
    chosen = without_overlaps(chunks)
    games = [game for chunk in chosen for game in range(chunk.first, chunk.first + chunk.count)]
    assert len(set(games)) == len(games)
    assert set(chosen) <= set(chunks)
    for chunk in chunks:
        overlapped = [each for each in chosen if each.first < chunk.first + chunk.count]
        overlapped = [each for each in overlapped if chunk.first < each.first + each.count]
        assert overlapped
        assert max(each.count for each in overlapped) >= chunk.count


def test_filters(store: Store) -> None:
    for name, players, seed in (("random", 2, 0), ("rules", 2, 0), ("rules(hint=2)", 3, 1)):
        store.add(Plan(player_named(name), Rules(players=players), seed), Chunk(0, 20 * players), tally(20 * players))
    assert [result.bot for result in store.results(bot="RULES")] == ["rules", "rules(hint=2)"]
    assert [result.bot for result in store.results(players=3)] == ["rules(hint=2)"]
    assert [result.bot for result in store.results(seed=0)] == ["random", "rules"]
    assert [result.bot for result in store.results(min_games=41)] == ["rules(hint=2)"]
    assert len(store.results(variant="no variant")) == 3
    assert store.results(variant="6 Suits") == []


def test_csv(store: Store, tmp_path: Path) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20, strikeouts=3))
    stream = io.StringIO()
    store.export_csv(stream)
    header, line = stream.getvalue().splitlines()
    assert tuple(header.split(",")) == CSV_COLUMNS
    assert line.startswith("random,3,No Variant,strike_score=keep,4,1,,")
    store.export_csv(tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_text() == stream.getvalue()


def test_trials_come_back_in_order_up_to_a_gap(store: Store) -> None:
    trials = [Trial(number, {"nerve": number / 7, "eye": "left"}, number / 3) for number in range(5)]
    for trial in (trials[1], trials[0], trials[4], trials[2]):
        store.add_trial("study", trial)
    assert store.trials("study") == trials[:3]
    assert store.trials("another") == []


def test_the_default_place_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / "data" / name))
    with open_store() as store:
        assert store.path == default_path() == tmp_path / "data" / "handful" / "results.sqlite"
    assert default_path().exists()


def test_no_other_file_is_taken_for_a_store(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "letter.txt", tmp_path / "other.sqlite", tmp_path / "newer.sqlite"
    text.write_text("Dear reader, this is no database at all.\n" * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (name TEXT)")
    connection.close()
    Store(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for path, complaint in (
        (text, "damaged, or not a store"),
        (other, "another program"),
        (newer, "another handful"),
        (tmp_path / "no" / "such.sqlite", "there is no directory"),
        (tmp_path, "unable to open"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(HandfulError, match=complaint) as caught:
            Store(path)
        assert str(path) in str(caught.value)
        assert before == (path.read_bytes() if path.is_file() else b"")


def test_a_damaged_file_is_named(store: Store) -> None:
    for seed in range(50):
        store.add(Plan(player_named("random"), RULES, seed), Chunk(0, 20), tally(20))
    store.close()
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    with pytest.raises(HandfulError, match=r"results\.sqlite: damaged"), Store(store.path) as damaged:
        damaged.results()


def test_a_damaged_field_is_named(store: Store) -> None:
    store.add(PLAN, Chunk(0, 20), tally(20))
    with store._transaction() as connection:
        connection.execute("UPDATE chunks SET histogram = '[1, oops'")
    with pytest.raises(HandfulError, match="damaged"):
        store.finished(PLAN)


def test_several_threads_share_a_store(store: Store) -> None:
    def add(worker: int) -> None:
        for number in range(20):
            store.add(PLAN, Chunk(20 * (number + 10 * worker), 20), tally(20))

    threads = [threading.Thread(target=add, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(store.finished(PLAN)) == {Chunk(20 * number, 20) for number in range(50)}


ADD = """
import sys
from pathlib import Path
from handful.lab.games import Chunk
from handful.lab.store import Store
from tests.lab.test_store import PLAN, tally
with Store(Path(sys.argv[1])) as store:
    for number in range(100):
        store.add(PLAN, Chunk(20 * (number + int(sys.argv[2])), 20), tally(20))
"""


def test_several_processes_open_and_fill_one_store(tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    processes = [
        subprocess.Popen([sys.executable, "-c", ADD, str(path), str(start)], cwd=ROOT) for start in (0, 50, 50, 100)
    ]
    assert [process.wait() for process in processes] == [0, 0, 0, 0]
    with Store(path) as store:
        assert set(store.finished(PLAN)) == {Chunk(20 * number, 20) for number in range(200)}
        assert store.results()[0].games == 4000


def test_a_stored_chunk_is_what_playing_it_gives(store: Store) -> None:
    simulate("random", players=3, games=5000, seed=4, rules=RULES, store=store)
    kept = store.finished(PLAN)
    assert list(kept) == list(chunks_of(PLAN, 5000))
    for chunk, each in kept.items():
        played = tally_chunk(PLAN, chunk)
        assert (each.histogram, each.strikeouts, each.turns) == (played.histogram, played.strikeouts, played.turns)
