"""The house keeps its promises: quick imports, one way of saying things, nothing of a machine or a workplace."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def imported_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import handful.hanabi",
        "import handful.bots",
        "import handful.lab",
        "import handful.rummy",
        "import handful.cli.main",
    ],
)
def test_importing_loads_no_compiler(statement: str) -> None:
    modules = imported_by(statement)
    assert not modules & {"numba", "numpy", "rich.table"}


def test_only_files_with_kernels_import_the_compiler_at_the_top() -> None:
    for path in SOURCES:
        tops = re.findall(r"^(?:from|import) (handful\._jit|numba)", path.read_text(), re.MULTILINE)
        is_kernel_file = path.name in ("_jit.py", "_bits.py", "splitmix_jit.py", "kernel_types.py") or (
            "kernel" in path.name or path.parent.name == "kernels"
        )
        assert is_kernel_file or not tops, path


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_files_have_one_subject_and_stay_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 500


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_file_knows_a_machine(path: Path) -> None:
    assert not re.search(r"/(home|root|work|Users)/", path.read_text())
