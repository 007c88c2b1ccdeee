"""What is being compiled at the moment: told to a user who waits for it, or counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from handful._dispatcher_jit import KernelDispatcher


def kernels_called(kernel: Any) -> set[Any]:
    """Return a kernel and all kernels that it may call, near and far, by the names in its code."""
    found, unseen = {kernel}, [kernel]
    while unseen:
        function = unseen.pop().py_func
        named = {function.__globals__.get(name) for name in function.__code__.co_names}
        new = {each for each in named if isinstance(each, KernelDispatcher)} - found
        found |= new
        unseen += new
    return found


class _Listener(event.Listener):  # type: ignore[misc]  # numba has no types
    """Hears when kernels of ours are compiled; numba's own functions are parts of them."""

    def on_start(self, compiled: event.Event) -> None:
        kernel = compiled.data["dispatcher"]
        if isinstance(kernel, KernelDispatcher):
            self.begin(kernel, compiled.data.get("is_inner", False))

    def on_end(self, compiled: event.Event) -> None:
        kernel = compiled.data["dispatcher"]
        if isinstance(kernel, KernelDispatcher):
            self.end(kernel, compiled.data.get("is_inner", False))

    def begin(self, kernel: Any, is_inner: bool) -> None:
        """A kernel is going to be compiled."""

    def end(self, kernel: Any, is_inner: bool) -> None:
        """It is compiled, or could not be."""


class _Notice(_Listener):
    """Tells how many kernels are compiled, of how many, whenever one begins, and when none is left."""

    def __init__(self, tell: Callable[[int, int], None]) -> None:
        self.tell = tell
        self.needed: set[Any] = set()
        self.done: set[Any] = set()

    def begin(self, kernel: Any, is_inner: bool) -> None:
        if not is_inner:
            self.needed |= kernels_called(kernel)
        self.tell(len(self.done), len(self.needed))

    def end(self, kernel: Any, is_inner: bool) -> None:
        self.done.add(kernel)
        if not is_inner:
            self.done |= self.needed  # some are never called with this kernel's arguments
            self.tell(len(self.done), len(self.needed))


class _Names(_Listener):
    """Notes the names of the kernels that were made into machine code."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def end(self, kernel: Any, is_inner: bool) -> None:
        if not is_inner:
            self.names.append(f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}")


def announce_compilation(tell: Callable[[int, int], None]) -> None:
    """Let somebody be told of what has to be compiled from now on: kernels that are done, and all that are needed."""
    event.register("numba:compile", _Notice(tell))


@contextmanager
def count_compilations() -> Iterator[list[str]]:
    """Give a list that gets the name of every kernel that has to be compiled meanwhile."""
    listener = _Names()
    with event.install_listener("numba:compile", listener):
        yield listener.names
