"""The games of bots as a dataset on disk: (observation, legal mask, action, return) for every turn, in shards.

A folder has `dataset.json`, which says what is in it, and the shards, each with the turns of some games. A shard is
written to a temporary file and renamed, so that what is there is whole: work that was interrupted, even killed, goes on
where it stopped, and ends with the same bytes. Game i is game i of the lab with the same seed.

Shards are compressed NumPy (.npz) or Parquet, with the same columns, a row for every turn:

============  =========  ======================================================================================
observation   uint8      what the player to move saw, `observation_size` numbers: see `handful.envs.observation`
legal_mask    uint8      which actions were legal, `num_actions` numbers
action        uint8      the number of the action that was chosen: see `handful.hanabi.actions`
return        float32    the rewards from this turn to the end of the game, added up: see `handful.envs.rewards`
game          int64      which deal of the seed
turn          int16      how many turns had been before it
seat          int8       who was to move
score         int8       what the game scored in the end
============  =========  ======================================================================================
"""

from __future__ import annotations

import io
import json
import os
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from handful import __version__
from handful._files import write_whole
from handful._sources import all_files, files_needed, hash_of
from handful.bots.players import Player, player_of
from handful.envs.observation import observation_size
from handful.envs.rewards import Reward, reward_of
from handful.envs.seating import AnyBot, compiled_form, rules_of
from handful.errors import HandfulError, RulesError
from handful.hanabi.deal import check_seed
from handful.hanabi.rules import Rules
from handful.hanabi.variants import NO_VARIANT, Variant

if TYPE_CHECKING:
    from handful.bots.protocol import CompiledBot
    from handful.envs.recording_kernel import Recorder

MANIFEST = "dataset.json"
SHARD_GAMES = 1000
COLUMNS = ("observation", "legal_mask", "action", "return", "game", "turn", "seat", "score")
FORMATS = ("npz", "parquet")
COMPRESSION = 3  # of 9: NumPy's own, 6, takes three times as long for files that are a third smaller

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class DatasetSummary:
    """What a dataset has, and what was done for it just now."""

    out: str
    bots: tuple[str, ...]
    players: int
    variant: str
    rules: str
    seed: int
    reward: str
    format: str
    games: int
    rows: int
    shards: int
    shards_found: int
    mean_score: float
    observation_size: int
    num_actions: int
    megabytes: float
    seconds: float = field(compare=False)
    cpu_seconds: float = field(compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return asdict(self) | {"bots": list(self.bots)}


@dataclass(frozen=True)
class _Plan:
    """All that the rows of a dataset depend on."""

    bots: tuple[Player, ...]
    rules: Rules
    seed: int
    reward: Reward
    format: str
    shard_games: int

    def manifest(self) -> dict[str, Any]:
        """Return what the rows depend on, and how to read them, as plain values."""
        return {
            "made_by": f"handful {__version__}",
            "code": _code_hash(),
            "bots": [bot.name for bot in self.bots],
            "players": self.rules.players,
            "variant": self.rules.variant.name,
            "rules": self.rules.options_text(),
            "seed": self.seed,
            "reward": asdict(self.reward),
            "format": self.format,
            "shard_games": self.shard_games,
            "columns": list(COLUMNS),
            "observation_size": observation_size(self.rules),
            "num_actions": self.rules.num_actions,
        }


@dataclass(frozen=True)
class _Shard:
    """Some games of a dataset: first, …, first + count − 1."""

    path: Path
    first: int
    count: int


class DatasetOptions(TypedDict, total=False):
    """What the rows of a dataset depend on, beside the bots, all by name: what is not given is as the lab has it."""

    players: int
    variant: str | Variant
    rules: str | Rules
    seed: int
    reward: str | Reward
    format: str
    shard_games: int


def write_dataset(
    out: str | Path,
    bots: AnyBot | Sequence[AnyBot],
    *,
    games: int,
    workers: int | None = None,
    on_progress: Callable[[int], None] | None = None,
    **options: Unpack[DatasetOptions],
) -> DatasetSummary:
    """Write the games of bots into a folder, and return what is there then.

    One bot plays all seats; several play one seat each. What the folder has already is not done again, and with more
    `games` than before it grows. `on_progress` is called with the number of games that were just done. The `options`
    are players (2), variant, rules, seed (0), reward ("score"), format ("npz"; or "parquet") and shard_games (1000).
    """
    plan = _make_plan(bots, **options)
    if games < 1:
        raise HandfulError(f"games={games}: expected at least 1")
    folder = Path(out)
    wall, cpu = time.perf_counter(), time.process_time()
    _open_folder(folder, plan, games)
    shards = _shards_of(folder, plan, games)
    counts = {shard: found for shard in shards if (found := _look_into(shard)) is not None}
    shards_found = len(counts)
    if on_progress is not None and counts:
        on_progress(sum(shard.count for shard in counts))
    missing = [shard for shard in shards if shard not in counts]
    for shard, count in _write_all(plan, missing, workers):
        counts[shard] = count
        if on_progress is not None:
            on_progress(shard.count)
    _remove_others(folder, shards)
    rows = sum(count[0] for count in counts.values())
    files = {shard.path.name: counts[shard][0] for shard in shards}
    _write_manifest(folder, plan.manifest() | {"games": games, "rows": rows, "is_complete": True, "shards": files})
    reward = options.get("reward", "score")
    return DatasetSummary(
        out=str(folder),
        bots=tuple(bot.name for bot in plan.bots),
        players=plan.rules.players,
        variant=plan.rules.variant.name,
        rules=plan.rules.options_text(),
        seed=plan.seed,
        reward=reward if isinstance(reward, str) else repr(reward),
        format=plan.format,
        games=games,
        rows=rows,
        shards=len(shards),
        shards_found=shards_found,
        mean_score=sum(count[1] for count in counts.values()) / games,
        observation_size=observation_size(plan.rules),
        num_actions=plan.rules.num_actions,
        megabytes=sum(shard.path.stat().st_size for shard in shards) / 1e6,
        seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
    )


def read_dataset(folder: str | Path, columns: Sequence[str] = COLUMNS) -> Iterator[Arrays]:
    """Yield the shards of a dataset, in their order, as arrays by the name of the column."""
    manifest = read_manifest(Path(folder))
    if not manifest.get("is_complete"):
        raise HandfulError(f"{folder}: the dataset is not finished; the command that began it goes on with it")
    for name in manifest["shards"]:
        yield read_shard(Path(folder) / name, columns)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return what `dataset.json` says."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError):
        raise HandfulError(f"{folder}: expected a folder that handful dataset has written") from None
    return manifest


def _make_plan(
    bots: AnyBot | Sequence[AnyBot],
    *,
    players: int = 2,
    variant: str | Variant = NO_VARIANT,
    rules: str | Rules = "hanab-live",
    seed: int = 0,
    reward: str | Reward = "score",
    format: str = "npz",  # noqa: A002  # the word for it
    shard_games: int = SHARD_GAMES,
) -> _Plan:
    """Return what the rows depend on, or refuse what makes no sense."""
    chosen, worth = rules_of(players, variant, rules), reward_of(reward)
    check_seed(seed)
    _check_format(format)
    if shard_games < 1:
        raise HandfulError(f"shard_games={shard_games}: expected at least 1")
    is_one = isinstance(bots, str | type | Player)
    seated = [player_of(bots)] if is_one else [player_of(bot) for bot in bots]  # type: ignore[arg-type, union-attr]
    for player in seated:
        player.check_sees_a_view("its choices would not follow from what the rows show")
    if len(seated) not in (1, chosen.players):
        raise RulesError(
            f"{len(seated)} bots for {chosen.players} seats: expected one bot for all, or one for each seat"
        )
    plan = _Plan(tuple(seated), chosen, seed, worth, format, shard_games)
    _compiled_bots(plan)  # refuses now what it would refuse later
    return plan


def _compiled_bots(plan: _Plan) -> list[CompiledBot]:
    """Return the bots of all seats."""
    bots = [compiled_form(player, plan.rules) for player in plan.bots]
    return bots * plan.rules.players if len(bots) == 1 else bots


# The folder


def _open_folder(folder: Path, plan: _Plan, games: int) -> None:
    """Make the folder, or check that it has the beginning of this very dataset."""
    if (folder / MANIFEST).exists():
        _check_same(folder, plan.manifest(), read_manifest(folder), games)
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HandfulError(f"{folder}: expected a new or empty folder, or one that handful dataset has written")
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(".*.tmp"):  # of a run that was killed
        leftover.unlink(missing_ok=True)
    if not (folder / MANIFEST).exists():
        _write_manifest(folder, plan.manifest() | {"games": games, "is_complete": False})


def _check_same(folder: Path, ours: Mapping[str, Any], theirs: Mapping[str, Any], games: int) -> None:
    for name, value in ours.items():
        if name != "made_by" and theirs.get(name) != value:
            what = "was made by another version of the code" if name == "code" else f"has {name} {theirs.get(name)!r}"
            raise HandfulError(f"{folder} {what}: expected {value!r}, or another folder")
    if theirs.get("games", 0) > games:
        raise HandfulError(f"{folder} has {theirs['games']} games already: expected at least as many, not {games}")


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    write_whole(folder / MANIFEST, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())


def _shards_of(folder: Path, plan: _Plan, games: int) -> list[_Shard]:
    """Return the shards of so many games; the last one may be short."""
    shards = []
    for first in range(0, games, plan.shard_games):
        count = min(plan.shard_games, games - first)
        shards.append(_Shard(folder / f"games-{first:09}-{first + count - 1:09}.{plan.format}", first, count))
    return shards


def _look_into(shard: _Shard) -> tuple[int, int] | None:
    """Return the rows of a shard that is there, and the sum of its games' scores; None if it has to be made."""
    if not shard.path.exists():
        return None
    try:
        return _count(read_shard(shard.path, ("turn", "score", "action")))
    except HandfulError:
        return None  # damaged by something else: it is made again


def _count(arrays: Arrays) -> tuple[int, int]:
    return len(arrays["turn"]), int(arrays["score"][arrays["turn"] == 0].sum())


def _remove_others(folder: Path, shards: Sequence[_Shard]) -> None:
    """Remove the short last shard of a smaller dataset that has grown."""
    wanted = {shard.path.name for shard in shards}
    for path in folder.glob("games-*"):
        if path.name not in wanted:
            path.unlink()


@cache
def _code_hash() -> str:
    """Return a hash of the sources that the rows come from, so that two versions are never mixed in a folder."""
    return hash_of(files_needed(all_files("bots", "envs")))[:12]


# The work


def _write_all(plan: _Plan, shards: Sequence[_Shard], workers: int | None) -> Iterator[tuple[_Shard, tuple[int, int]]]:
    """Write shards, and yield each when it is done. Threads do it: kernels and compression release the interpreter."""
    threads = min(len(shards), workers or os.cpu_count() or 1)
    if not threads:
        return
    own = threading.local()
    with ThreadPoolExecutor(threads) as pool:
        try:
            waiting: dict[Future[tuple[int, int]], _Shard] = {
                pool.submit(_write_one, plan, shard, own): shard for shard in shards
            }
            while waiting:
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _write_one(plan: _Plan, shard: _Shard, own: threading.local) -> tuple[int, int]:
    """Write a shard, and return its rows and the sum of its games' scores."""
    if not hasattr(own, "recorder"):
        own.recorder = _make_recorder(plan)
    rows = own.recorder.play(plan.seed, shard.first, shard.count)
    arrays: Arrays = dict(zip(COLUMNS, rows, strict=True))
    _write_shard(shard.path, arrays)
    return _count(arrays)


def _make_recorder(plan: _Plan) -> Recorder:
    from handful.envs.recording_kernel import Recorder

    return Recorder(plan.rules, _compiled_bots(plan), plan.reward.weights)


# Shards on disk, written whole or not at all


def _check_format(name: str) -> None:
    """Refuse a format that there is not, or for which a library is missing."""
    if name not in FORMATS:
        raise HandfulError(f"format {name!r}: expected {' or '.join(FORMATS)}")
    if name == "parquet":
        _parquet()


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise HandfulError("Parquet needs pyarrow: pip install 'handful[envs]'; or choose the format npz") from None
    return pyarrow.parquet


def _write_shard(path: Path, arrays: Arrays) -> None:
    """Write a shard, in the format that its name ends in."""
    write_whole(path, _parquet_bytes(arrays) if path.suffix == ".parquet" else _npz_bytes(arrays))


def _npz_bytes(arrays: Arrays) -> bytes:
    """Return the arrays as `numpy.load` reads them.

    `numpy.savez_compressed` would write the time of day into the file, and take longer for little less.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data.getbuffer(), zipfile.ZIP_DEFLATED, COMPRESSION)
    return buffer.getvalue()


def _parquet_bytes(arrays: Arrays) -> bytes:
    parquet = _parquet()
    import pyarrow

    columns = {
        name: pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.reshape(-1)), array.shape[1])
        if array.ndim == 2
        else pyarrow.array(array)
        for name, array in arrays.items()
    }
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


def read_shard(path: Path, columns: Iterable[str] = COLUMNS) -> Arrays:
    """Return columns of a shard as arrays."""
    try:
        return _read_parquet(path, list(columns)) if path.suffix == ".parquet" else _read_npz(path, columns)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        if isinstance(error, HandfulError):
            raise
        raise HandfulError(f"{path}: damaged, or not a shard of handful dataset") from error


def _read_npz(path: Path, columns: Iterable[str]) -> Arrays:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in columns}


def _read_parquet(path: Path, columns: list[str]) -> Arrays:
    table = _parquet().read_table(path, columns=columns)
    arrays = {}
    for name in columns:
        column = table.column(name).combine_chunks()
        is_list = hasattr(column.type, "list_size")
        flat = (column.flatten() if is_list else column).to_numpy(zero_copy_only=False)
        arrays[name] = flat.reshape(len(column), -1) if is_list else flat
    return arrays
