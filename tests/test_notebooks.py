"""The example notebooks: run again from the top, they show what they showed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.notebooks import NOTEBOOKS, executed, texts_of

nbformat: Any = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))


def test_there_are_three() -> None:
    assert [path.stem for path in PATHS] == ["analyse-a-game", "rummy-advice", "tune-a-strategy"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_they_were_run_and_show_tables(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert all(cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", ()) if "data" in output]
    assert any("text/html" in data and "<table>" in data["text/html"] for data in shown)
    text = path.read_text()
    assert "Traceback" not in text
    assert "site-packages" not in text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")  # the kernel's machinery has warnings of its own
def test_run_again_they_show_the_same(path: Path) -> None:
    assert texts_of(executed(path)) == texts_of(nbformat.read(path, as_version=4))
