"""The cache of compiled kernels: a file compiles anew when it, or anything that it depends on, has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import event
from numba.core.caching import NullCache

from handful import _cache_jit as cache_jit
from handful import _compilations_jit as compilations
from handful import _jit
from handful import _sources as sources
from handful._dispatcher_jit import KernelDispatcher

FILES = {
    "game.py": "from handful.cards import (\n    SUITS,\n    VALUES,\n)\n",
    "cards.py": "SUITS = 5\nVALUES = 5\n",
    "bots/__init__.py": "",
    "bots/helper.py": "import handful.cards\n",
    "bots/player.py": "def play():\n    from handful.bots import helper as friend\n    return friend\n",
    "rummy.py": "CARDS = 52  # from handful.cards import SUITS\n",
}


@pytest.fixture
def fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """A package of a few files, and the fingerprint of each as it is now."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def of(name: str) -> str:
        sources._read.cache_clear()
        _jit._source_fingerprint.cache_clear()
        return _jit._source_fingerprint(tmp_path / name)

    return of


@pytest.mark.parametrize(
    ("edited", "changes"),
    [
        ("cards.py", {"cards.py", "game.py", "bots/helper.py", "bots/player.py"}),
        ("bots/helper.py", {"bots/helper.py", "bots/player.py"}),
        ("rummy.py", {"rummy.py"}),
        ("game.py", {"game.py"}),
    ],
)
def test_an_edit_changes_what_depends_on_it_and_nothing_else(
    fingerprint: Callable[[str], str], tmp_path: Path, edited: str, changes: set[str]
) -> None:
    before = {name: fingerprint(name) for name in FILES}
    (tmp_path / edited).write_text(FILES[edited] + "MORE = 1\n")
    after = {name: fingerprint(name) for name in FILES}
    assert {name for name in FILES if before[name] != after[name]} == changes


@_jit.kernel
def double(number: int) -> int:
    return 2 * number


@_jit.inlined_kernel
def double_twice(number: int) -> int:
    return double(double(number))


@_jit.kernel
def count_down(number: int) -> int:
    return 1 + count_down(number - 1) if number > 0 else double_twice(0)


@_jit.kernel
def member(numbers: Any, index: int) -> int:
    return int(numbers[index])


@_jit.kernel
def follow(numbers: Any, index: int, steps: int) -> int:
    for _ in range(steps):
        index = member(numbers, index)
    return index


is_compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")


@is_compiled
def test_a_kernel_that_only_kernels_call_has_no_machine_code_until_python_calls_it() -> None:
    """What `_dispatcher_jit` relies on in numba: overloads, their entries and their libraries."""

    @_jit.kernel
    def outer(number: int) -> int:
        return double_twice(number) + 1

    outer._cache = NullCache()  # type: ignore[attr-defined]
    assert outer(3) == 13
    for inner in (double, double_twice):
        (overload,) = inner.overloads.values()  # type: ignore[attr-defined]
        assert type(overload.library).__name__ == "_InnerLibrary"
        assert not callable(overload.entry_point)
    assert double(4) == 8
    (overload,) = double.overloads.values()  # type: ignore[attr-defined]
    assert callable(overload.entry_point)
    assert (outer(4), double_twice(5)) == (17, 20)


@_jit.kernel
def zeros_unless(size: int, is_none: bool) -> Any:
    return np.zeros(size) if not is_none else np.ones(1)


@_jit.kernel
def count_zeros(size: int) -> int:
    return len(zeros_unless(size, False)) + len(np.zeros(size)) + len(np.zeros((size, 2)).T)


@_jit.kernel
def count_zeros_after(size: int) -> int:
    return len(zeros_unless(size, True)) + count_zeros(size)


@pytest.mark.kernel
def test_a_kernel_is_linked_with_all_that_any_of_its_parts_needs() -> None:
    """A part may not need, after all, what another one does: memory for arrays, here."""
    assert count_zeros_after(3) == 9


@pytest.mark.kernel
def test_kernels_may_call_themselves() -> None:
    assert count_down(7) == 7


@pytest.mark.kernel
def test_what_goes_wrong_in_an_inner_kernel_is_raised() -> None:
    numbers = np.array([1, 2, 0])
    assert follow(numbers, 0, 4) == 1
    if numba.config.DISABLE_JIT or numba.config.BOUNDSCHECK:
        with pytest.raises(IndexError):
            follow(np.array([1, 5, 0]), 0, 3)


@is_compiled
def test_who_waits_is_told_how_many_kernels_are_done_of_how_many() -> None:
    told: list[tuple[int, int]] = []

    @_jit.kernel
    def outermost(number: int) -> int:
        return count_zeros_after(number) + double(number)

    outermost._cache = NullCache()  # type: ignore[attr-defined]
    listener = compilations._Notice(lambda done, needed: told.append((done, needed)))
    with event.install_listener("numba:compile", listener):
        outermost(3)
    assert compilations.kernels_called(outermost) == {outermost, count_zeros_after, count_zeros, zeros_unless, double}
    assert told[0] == (0, 5)
    assert told[-1] == (5, 5)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def triple(number: int) -> int:
    return 3 * number


def compiled_in(folder: Path | None, shipped: Path | None = None) -> Any:
    """Return `triple` as it is in another process that looks into these folders."""
    dispatcher = KernelDispatcher(triple, {}, {"nopython": True})
    dispatcher._cache = cache_jit.KernelCache(triple, folder, shipped)
    assert dispatcher(14) == 42
    return dispatcher


def was_on_disk(dispatcher: Any) -> bool:
    return bool(sum(dispatcher.stats.cache_hits.values()) == 1)


@is_compiled
def test_a_kernel_is_compiled_once(tmp_path: Path) -> None:
    assert not was_on_disk(compiled_in(tmp_path))
    assert was_on_disk(compiled_in(tmp_path))
    assert not was_on_disk(compiled_in(None))


@is_compiled
@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other"])
def test_a_damaged_entry_is_compiled_again_and_written_again(tmp_path: Path, damage: str) -> None:
    compiled_in(tmp_path)
    (entry,) = tmp_path.iterdir()
    whole = entry.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    entry.write_bytes({"empty": b"", "cut": whole[:-1], "flipped": flipped, "other": b"not an entry"}[damage])
    assert not was_on_disk(compiled_in(tmp_path))
    assert was_on_disk(compiled_in(tmp_path))


@is_compiled
def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    assert not was_on_disk(compiled_in(tmp_path / "gone"))


@is_compiled
def test_kernels_that_came_with_the_package_are_used_if_the_processor_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled_in(tmp_path)
    (entry,) = tmp_path.iterdir()
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    signature = (numba.typeof(14),)
    triple_of_llvm = numba.core.registry.cpu_target.target_context.codegen().magic_tuple()[0]
    level = cache_jit.KernelCache(triple, None, None)._file_name(signature, (triple_of_llvm, cache_jit.LEVEL, ""))
    entry.rename(shipped / level)
    for has_level in (True, False):
        monkeypatch.setattr(cache_jit, "has_level", lambda has=has_level: has)
        assert was_on_disk(compiled_in(None, shipped)) == has_level
