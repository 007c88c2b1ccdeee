"""What must hold for files of ours that something has damaged: cut, emptied, or with bits flipped.

What is read from one is what was written, or it is refused in a line, or left out (or made again), which is said. There
is never another result in silence, and what was damaged does not stay so: the next run puts it right.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
import pytest

from handful import _cache_jit as cache_jit
from handful.bots.players import player_named
from handful.envs.dataset import MANIFEST, SUMS, read_dataset, write_dataset
from handful.errors import HandfulError
from handful.hanabi.rules import Rules
from handful.lab.games import Chunk, Plan, Tally
from handful.lab.store import Store, StoredResult, Trial
from handful.rummy import Game, solve
from handful.rummy.answers import read_answers
from tests.hostile.generators import LONGEST, damaged_bytes

RULES = Rules(players=2)
PLANS = [Plan(player_named(bot), RULES, seed) for bot in ("random", "rules(hint=2)") for seed in (1, 2)]


@contextmanager
def told() -> Iterator[list[str]]:
    """Give the warnings of ours that come inside."""
    words: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield words
    words += [str(warning.message) for warning in caught]


def assert_one_line(error: HandfulError) -> None:
    assert str(error).isprintable()
    assert len(str(error)) <= LONGEST


# Stores


def tally(number: int) -> Tally:
    """Return what a chunk of twenty games could add up to."""
    return Tally((20 - number, number, *[0] * 24), number, 100 + number, 0.5 + number, number)


def make_store(path: Path) -> None:
    with Store(path) as store:
        for plan in PLANS:
            for number in range(6):
                store.add(plan, Chunk(20 * number, 20), tally(number))
        for number in range(5):
            store.add_trial("study", Trial(number, {"hint": number}, number / 4))


def contents(store: Store) -> tuple[list[StoredResult], list[dict[Chunk, Tally]], list[Trial]]:
    return store.results(), [store.finished(plan) for plan in PLANS], store.trials("study")


def check_damaged_stores(folder: Path, count: int, seed: int) -> int:
    """Damage a store so many times, and return how often that was noticed."""
    path = folder / "store.sqlite"
    make_store(path)
    data = path.read_bytes()
    with Store(path) as store:
        results, finished, trials = contents(store)
    noticed = 0
    for number in range(count):
        damaged = damaged_bytes(Random(f"{seed}/{number}"), data)
        if not damaged:  # an empty file is a new store
            continue
        for leftover in folder.iterdir():
            leftover.unlink()
        path.write_bytes(damaged)
        try:
            with told() as words, Store(path) as store:
                found = contents(store)
        except HandfulError as error:
            assert_one_line(error)
            noticed += 1
            continue
        for mine, right in zip(found[1], finished, strict=True):
            assert mine.items() <= right.items(), (seed, number)
        assert found[2] == trials[: len(found[2])], (seed, number)
        assert all(result.games <= 120 for result in found[0])
        if not words:
            assert found == (results, finished, trials), (seed, number)
        noticed += bool(words)
    return noticed


def test_a_damaged_store_gives_no_other_result(tmp_path: Path) -> None:
    assert check_damaged_stores(tmp_path, 150, seed=1) > 50


@pytest.mark.full
def test_a_store_damaged_2500_times_gives_no_other_result(tmp_path: Path) -> None:
    assert check_damaged_stores(tmp_path, 2500, seed=2) > 1000


@pytest.mark.parametrize("change", ["histogram = '[20]'", "turns = turns + 1", "count = 19", "finished_at = ''"])
def test_a_damaged_chunk_is_left_out_and_put_right(tmp_path: Path, change: str) -> None:
    path = tmp_path / "store.sqlite"
    make_store(path)
    with Store(path) as store:
        with store._transaction() as connection:
            connection.execute(f"UPDATE chunks SET {change} WHERE id = 1")
        with told() as words:
            assert set(store.finished(PLANS[0])) == {Chunk(20 * number, 20) for number in range(1, 6)}
        assert "1 of 6 entries are damaged" in words[0]
        store.add(PLANS[0], Chunk(0, 20), tally(0))
        if not change.startswith("count"):  # that one is elsewhere now
            with told() as words:
                assert store.finished(PLANS[0])[Chunk(0, 20)] == tally(0)
            assert not words


def test_the_words_of_an_experiment_are_checked_too(tmp_path: Path) -> None:
    make_store(tmp_path / "store.sqlite")
    with Store(tmp_path / "store.sqlite") as store:
        with store._transaction() as connection:
            connection.execute("UPDATE experiments SET bot = 'hat' WHERE id = 1")
        with told() as words:
            assert [result.bot for result in store.results()].count("hat") == 0
        assert len(words) == 1
        store.add(PLANS[0], Chunk(0, 20), tally(0))
        with told():
            assert len(store.results("random", seed=1)) == 1


def test_a_store_without_checksums_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    make_store(path)
    with Store(path) as store:
        expected = contents(store)
        with store._transaction() as connection:
            connection.execute("ALTER TABLE chunks DROP COLUMN checksum")
            connection.execute("ALTER TABLE trials DROP COLUMN checksum")
    with told() as words, Store(path) as store:
        assert contents(store) == expected
        with store._transaction() as connection:
            connection.execute("UPDATE chunks SET histogram = '[19, 0]' WHERE id = 1")
        with pytest.raises(HandfulError, match="damaged"):
            store.results()
    assert not words


# Datasets


def make_dataset(folder: Path) -> None:
    write_dataset(folder, "random", games=4, shard_games=2, workers=1)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check_damaged_datasets(folder: Path, count: int, seed: int) -> None:
    whole = folder / "whole"
    make_dataset(whole)
    right, rows = files_of(whole), list(read_dataset(whole))
    for number in range(count):
        random = Random(f"{seed}/{number}")
        name = random.choice(sorted(right))
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(whole, copy)
        (copy / name).write_bytes(damaged_bytes(random, right[name]))
        try:
            for mine, theirs in zip(read_dataset(copy), rows, strict=True):
                assert all((mine[column] == theirs[column]).all() for column in theirs), (seed, number)
            assert name in (MANIFEST, SUMS), (seed, number)  # in which there is what no row depends on
        except HandfulError as error:
            assert_one_line(error)
        try:
            with told() as words:
                make_dataset(copy)
            assert files_of(copy) == right, (seed, number)
            assert words or name in (MANIFEST, SUMS), (seed, number)
        except HandfulError as error:
            assert_one_line(error)
            assert name == MANIFEST, "a shard is made again, and so are the checksums"


def test_a_damaged_dataset_is_made_again(tmp_path: Path) -> None:
    check_damaged_datasets(tmp_path, 60, seed=1)


@pytest.mark.full
def test_a_dataset_damaged_1000_times_is_made_again(tmp_path: Path) -> None:
    check_damaged_datasets(tmp_path, 1000, seed=2)


# Answers of Rummy, and compiled kernels


def check_damaged_answers(folder: Path, count: int, seed: int) -> None:
    solve(3, "low", folder=folder)
    path = folder / Game(3, "low").file_name
    data, right = path.read_bytes(), read_answers(path)
    expected = right.summary(), np.array(right.values)
    for number in range(count):
        path.write_bytes(damaged_bytes(Random(f"{seed}/{number}"), data))
        try:
            found = read_answers(path)
            assert (found.summary(), found.game) == (expected[0], right.game), (seed, number)
            assert (found.values == expected[1]).all(), (seed, number)
        except HandfulError as error:
            assert_one_line(error)


def test_damaged_answers_are_refused(tmp_path: Path) -> None:
    check_damaged_answers(tmp_path, 100, seed=1)


@pytest.mark.full
def test_answers_damaged_1000_times_are_refused(tmp_path: Path) -> None:
    check_damaged_answers(tmp_path, 1000, seed=2)


def check_damaged_entries(folder: Path, count: int, seed: int) -> None:
    path = folder / "entry"
    held = {"code": b"\x00\x01" * 500, "types": ("int64", 3)}
    cache_jit.write_entry(path, held)
    data = path.read_bytes()
    for number in range(count):
        path.write_bytes(damaged_bytes(Random(f"{seed}/{number}"), data))
        assert cache_jit.read_entry(path) is None, (seed, number)


def test_a_damaged_kernel_counts_as_none(tmp_path: Path) -> None:
    check_damaged_entries(tmp_path, 500, seed=1)
