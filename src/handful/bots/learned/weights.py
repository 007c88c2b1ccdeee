"""The network of the bot `learned` on disk: a compressed NumPy file of half-precision numbers, a layer each.

``python -m benchmarks.learn_two_players`` makes it. `CHECKSUM` is of what is in it, so that a file that was damaged, or
exchanged without a word, is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import write_whole
from handful.errors import HandfulError

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    Layers: TypeAlias = list[npt.NDArray[np.float32]]

FILE = Path(__file__).with_name("network.npz")
CHECKSUM = "3de8c5102b22b260"


def checksum_of(layers: Layers) -> str:
    """Return the first 16 digits of the SHA-256 of the layers, in half precision."""
    return hashlib.sha256(b"".join(layer.astype("<f2").tobytes() for layer in layers)).hexdigest()[:16]


def write_layers(path: Path, layers: Layers) -> None:
    """Write the layers in half precision; whole or not at all."""
    import io

    import numpy as np

    text = io.BytesIO()
    named: dict[str, Any] = {f"layer_{number}": layer.astype("<f2") for number, layer in enumerate(layers)}
    np.savez_compressed(text, **named)
    write_whole(path, text.getvalue())


def read_layers(path: Path) -> Layers:
    """Return the layers of a file."""
    import numpy as np

    with np.load(path) as file:
        return [file[name].astype(np.float32) for name in sorted(file.files)]


def words_of_layers(layers: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float64]:
    """Return layers as a row of words, as `network_kernel.network_in` reads them."""
    import numpy as np

    numbers = np.concatenate([layer.astype(np.float32).ravel() for layer in layers])
    numbers = np.append(numbers, np.zeros(len(numbers) % 2, np.float32))
    widths = [float(layer.shape[1]) for layer in layers[:2]]
    words: npt.NDArray[np.float64] = np.concatenate([widths, numbers.view(np.float64)])
    return words


@cache
def shipped_words() -> npt.NDArray[np.float64]:
    """Return the network that comes with the package, as a row of words."""
    layers = read_layers(FILE)
    if checksum_of(layers) != CHECKSUM:
        raise HandfulError(f"{FILE.name}: this is not the network that belongs to the bot 'learned'")
    words = words_of_layers(layers)
    words.flags.writeable = False
    return words
