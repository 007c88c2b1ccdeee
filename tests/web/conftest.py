"""A lab for the tests of a file, and a watch over its event loop."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from handful._sqlite import Database
from tests.web.lab import Lab


@pytest.fixture(scope="package", autouse=True)
def _no_database_on_the_event_loop() -> Iterator[None]:
    """Fail if a file is read or written where all pages would have to wait for it.

    Only here: the tests of pages in a browser have a loop of their own in the thread in which they run.
    """
    borrow, found = Database._borrowed, []

    def watched(database: Database) -> AbstractContextManager[object]:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return borrow(database)
        found.append("".join(traceback.format_stack()))
        raise AssertionError(f"{database.label} is used on the event loop")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_borrowed", watched)
        yield
    assert not found, found[0]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as opened:
        yield opened
