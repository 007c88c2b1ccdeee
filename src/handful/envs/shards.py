"""Shards of a dataset on disk: compressed NumPy (.npz) or Parquet, written whole or not at all.

Both have the same columns, a row for every turn:

============  =========  ======================================================================================
observation   uint8      what the player to move saw, `observation_size` numbers: see `handful.envs.fields`
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
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from handful._files import write_whole
from handful.errors import HandfulError

COLUMNS = ("observation", "legal_mask", "action", "return", "game", "turn", "seat", "score")
FORMATS = ("npz", "parquet")

COMPRESSION = 3  # of 9: NumPy's own, 6, takes three times as long for files that are a third smaller

Arrays = dict[str, npt.NDArray[Any]]


def check_format(name: str) -> None:
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


def write_shard(path: Path, arrays: Arrays) -> None:
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
