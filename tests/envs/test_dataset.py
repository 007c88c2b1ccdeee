"""Datasets: the lab's games turn by turn, in whole files, the same bytes after any interruption."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from handful.bots import Bot, player_named
from handful.bots.table import play_game
from handful.envs import dataset as module
from handful.envs.dataset import COLUMNS, Arrays, read_dataset, read_manifest, read_shard, write_dataset
from handful.envs.observation import encode
from handful.errors import HandfulError, RulesError, UnknownNameError
from handful.hanabi import Deal, Rules, State, Turn, Variant, action_index
from handful.lab.games import Chunk, make_plan, play_chunk


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def whole(folder: Path) -> Arrays:
    shards = list(read_dataset(folder))
    return {name: np.concatenate([shard[name] for shard in shards]) for name in COLUMNS}


def test_rows_are_the_turns_of_the_plain_table(tmp_path: Path) -> None:
    bots = ["rules", "random", "rules(hint=2)"]
    write_dataset(tmp_path, bots, players=3, games=4, seed=9, shard_games=3)
    rows = whole(tmp_path)
    expected: list[tuple[object, ...]] = []

    for number in range(4):
        deal = Deal.from_seed(Rules(players=3), 9, number)
        before = [State(deal)]

        def follow(state: State, turn: Turn, before: list[State] = before) -> None:
            past = before[-1]
            legal = [action_index(past.rules, past.current, action) for action in past.legal_actions()]
            seen, chosen = encode(past.view(turn.actor)), action_index(past.rules, turn.actor, turn.action)
            expected.append((seen, legal, chosen, past.score, turn.number - 1, turn.actor))
            before[-1] = state.copy()

        game = play_game(deal, [player_named(bot).plain for bot in bots], 9, number, on_turn=follow)
        mine = rows["game"] == number
        assert mine.sum() == len(game.history)
        assert (rows["score"][mine] == game.score).all()
        assert rows["return"][mine].tolist() == [game.score - row[3] for row in expected[-len(game.history) :]]  # type: ignore[operator]
    assert rows["observation"].tolist() == [row[0] for row in expected]
    assert [np.flatnonzero(row).tolist() for row in rows["legal_mask"]] == [row[1] for row in expected]
    assert rows["action"].tolist() == [row[2] for row in expected]
    assert rows["turn"].tolist() == [row[4] for row in expected]
    assert rows["seat"].tolist() == [row[5] for row in expected]


def test_games_are_those_of_the_lab(tmp_path: Path) -> None:
    summary = write_dataset(tmp_path, "recommendation", players=4, games=50, seed=3, shard_games=20)
    scores = play_chunk(make_plan("recommendation", 4, "No Variant", "hanab-live", seed=3), Chunk(0, 50)).scores
    rows = whole(tmp_path)
    assert rows["score"][rows["turn"] == 0].tolist() == scores.tolist()
    assert summary.mean_score == scores.mean()
    assert (summary.rows, summary.shards, summary.shards_found) == (len(rows["action"]), 3, 0)


@pytest.mark.kernel
def test_tiny_games_are_written_down() -> None:
    from handful.envs.recording_kernel import Recorder

    rules = Rules(Variant.custom(1, 5), 2, 2, 3, 1)
    bot = player_named("random").compile(rules)
    assert bot is not None
    rows = Recorder(rules, [bot, bot], (1.0, 0.0, 0.0, 0.0, 0.0)).play(seed=0, first=0, count=2)
    assert (rows.legal[np.arange(len(rows.actions)), rows.actions] == 1).all()
    assert rows.observations[0].tolist() == encode(State(Deal.from_seed(rules, 0)).view(0))
    assert set(rows.games) == {0, 1}


def test_manifest_says_how_to_read_it(tmp_path: Path) -> None:
    summary = write_dataset(tmp_path, "random", variant="3 Suits", games=5, reward="perfect", shard_games=2)
    manifest = read_manifest(tmp_path)
    assert manifest["is_complete"] is True
    assert (manifest["bots"], manifest["players"], manifest["variant"]) == (["random"], 2, "3 Suits")
    assert manifest["reward"]["perfect"] == 1
    assert sum(manifest["shards"].values()) == manifest["rows"] == summary.rows
    first = next(read_dataset(tmp_path))
    assert first["observation"].shape[1] == manifest["observation_size"]
    assert first["legal_mask"].shape[1] == manifest["num_actions"]
    assert list(first) == manifest["columns"] == list(COLUMNS)
    assert json.loads(json.dumps(summary.to_dict()))["bots"] == ["random"]


def test_both_formats_have_the_same_rows(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for name in ("npz", "parquet"):
        write_dataset(tmp_path / name, "rules", games=7, shard_games=4, format=name)
    ours, theirs = whole(tmp_path / "npz"), whole(tmp_path / "parquet")
    for name in COLUMNS:
        assert ours[name].dtype == theirs[name].dtype
        assert (ours[name] == theirs[name]).all()


def test_numpy_reads_a_shard_by_itself(tmp_path: Path) -> None:
    write_dataset(tmp_path, "random", games=3)
    with np.load(next(tmp_path.glob("*.npz"))) as shard:
        assert sorted(shard) == sorted(COLUMNS)
        assert shard["observation"].dtype == np.uint8


def interrupt_after(shards: int) -> Callable[[int], None]:
    done: list[int] = []

    def progress(games: int) -> None:
        done.append(games)
        if len(done) > shards:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_interrupted_ends_with_the_same_bytes(tmp_path: Path, workers: int) -> None:
    write_dataset(tmp_path / "whole", "rules", games=50, shard_games=2)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(
            tmp_path / "cut", "rules", games=50, shard_games=2, workers=workers, on_progress=interrupt_after(2)
        )
    with pytest.raises(HandfulError, match="not finished"):
        list(read_dataset(tmp_path / "cut"))
    found = len(list((tmp_path / "cut").glob("*.npz")))
    assert 2 < found < 25
    (tmp_path / "cut" / ".1234.tmp").write_text("half a shard of a run that was killed")
    done: list[int] = []
    summary = write_dataset(tmp_path / "cut", "rules", games=50, shard_games=2, on_progress=done.append)
    assert summary.shards_found == found
    assert sum(done) == 50
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_a_killed_run_leaves_only_whole_files(tmp_path: Path) -> None:
    """The process dies between writing the third temporary file and giving it its name."""
    code = f"""
import os
from handful import _files as files
from handful.envs.dataset import write_dataset
replace, calls = os.replace, []
def die(*names):
    calls.append(names)
    if len(calls) == 4:
        os._exit(9)
    replace(*names)
files.os.replace = die
write_dataset({str(tmp_path / "cut")!r}, "random", games=30, shard_games=5, workers=1)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    assert len(list((tmp_path / "cut").glob("*.tmp"))) == 1
    for path in (tmp_path / "cut").glob("*.npz"):
        assert len(read_shard(path)["action"])
    write_dataset(tmp_path / "cut", "random", games=30, shard_games=5)
    write_dataset(tmp_path / "whole", "random", games=30, shard_games=5)
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_a_dataset_grows(tmp_path: Path) -> None:
    write_dataset(tmp_path / "grown", "random", games=12, shard_games=5)
    summary = write_dataset(tmp_path / "grown", "random", games=23, shard_games=5)
    assert summary.shards_found == 2  # the short third one is made again
    write_dataset(tmp_path / "whole", "random", games=23, shard_games=5)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    with pytest.raises(HandfulError, match="has 23 games already"):
        write_dataset(tmp_path / "grown", "random", games=12, shard_games=5)


def test_a_damaged_shard_is_made_again(tmp_path: Path) -> None:
    write_dataset(tmp_path, "random", games=10, shard_games=5)
    before = contents(tmp_path)
    path = next(tmp_path.glob("*.npz"))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(HandfulError, match="damaged, or not a shard"):
        read_shard(path)
    assert write_dataset(tmp_path, "random", games=10, shard_games=5).shards_found == 1
    assert contents(tmp_path) == before


class Own(Bot):
    """Has no compiled form."""

    def choose(self, view):  # type: ignore[no-untyped-def]
        return view.legal_actions()[0]


def test_what_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_dataset(tmp_path / "there", "random", games=2)
    with pytest.raises(HandfulError, match=r"there has bots \['random'\]: expected \['rules'\], or another folder"):
        write_dataset(tmp_path / "there", "rules", games=2)
    with pytest.raises(HandfulError, match="has seed 0: expected 1"):
        write_dataset(tmp_path / "there", "random", games=2, seed=1)
    monkeypatch.setattr(module, "_code_hash", lambda: "other")
    with pytest.raises(HandfulError, match="another version of the code"):
        write_dataset(tmp_path / "there", "random", games=2)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    for folder in (tmp_path / "full", tmp_path / "full" / "notes.txt"):
        with pytest.raises(HandfulError, match="expected a new or empty folder"):
            write_dataset(folder, "random", games=2)
    fresh = tmp_path / "new"
    with pytest.raises(HandfulError, match="games=0"):
        write_dataset(fresh, "random", games=0)
    with pytest.raises(HandfulError, match="format 'xml'"):
        write_dataset(fresh, "random", games=1, format="xml")
    with pytest.raises(UnknownNameError, match="bot 'nobody'"):
        write_dataset(fresh, "nobody", games=1)
    with pytest.raises(RulesError, match="2 bots for 3 seats"):
        write_dataset(fresh, ["random", "random"], players=3, games=1)
    for bot in ("cheat", "oracle"):
        with pytest.raises(
            RulesError, match=f"the bot '{bot}' sees .*: its choices would not follow from what the rows"
        ):
            write_dataset(fresh, bot, games=1)
    with pytest.raises(HandfulError, match="Own has no compiled form"):
        write_dataset(fresh, Own, games=1)
    with pytest.raises(HandfulError, match="expected a folder that handful dataset has written"):
        list(read_dataset(fresh))
    assert not fresh.exists()
