"""A lab for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.lab import Lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as opened:
        yield opened
