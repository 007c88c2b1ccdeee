from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from handful.errors import HandfulError
from handful.rummy.figures import FIGURES, draw_figures, kinds_of, locked_in_order

pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path / "tables"))


def test_there_are_twelve() -> None:
    assert [figure.number for figure in FIGURES] == list(range(1, 13))


def test_files_are_written_and_the_same_again(tmp_path: Path) -> None:
    files = draw_figures(tmp_path / "one", only=(2, 5))
    assert [path.name for path in files] == ["figure-02.svg", "figure-02.png", "figure-05.svg", "figure-05.png"]
    assert files[1].read_bytes().startswith(b"\x89PNG")
    assert "round the corner" not in files[0].read_text()[:200]
    again = draw_figures(tmp_path / "two", only=(2,))
    assert again[0].read_bytes() == files[0].read_bytes()
    assert not list((tmp_path / "one").glob(".*"))


def test_a_curve_has_every_hand() -> None:
    hands, turns = kinds_of(3, "wrap").curve()
    assert hands[-1] == 22_100
    assert (np.diff(turns) >= 0).all()
    assert turns[-1] == pytest.approx(18.24424854)


def test_the_order_of_locking_in() -> None:
    values = locked_in_order(3, "low", 1.0)
    assert len(values) == 22_100
    assert (values[:96] == 0).all()
    # Cohorts do not overlap: 240 hands of 12.25 come next, and 216 from 14.29 on.
    assert (values[96:336] == 12.25).all()
    assert values[336:552].min() == pytest.approx(14.2916666667)
    assert values[336:552].max() < values[552:].min()


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HandfulError, match="no figure 13: expected 1 to 12"):
        draw_figures(tmp_path, only=(13,))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HandfulError, match=r"pip install 'handful\[plots\]'"):
        draw_figures(tmp_path)
