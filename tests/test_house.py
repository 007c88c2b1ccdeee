"""The house keeps its promises: quick imports, one way of saying things, nothing of a machine or a workplace."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
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
        has_kernels = any(word in path.stem for word in ("jit", "kernel", "_bits")) or path.parent.name == "kernels"
        assert has_kernels or not tops, path


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function's body, without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def test_functions_fit_on_a_screen() -> None:
    assert not [(path, node.name) for path, node in functions() if length_of(node) > 60]


def test_functions_take_at_most_eight_parameters() -> None:
    """But for commands and routes, whose parameters are options that typer and FastAPI read."""
    taken = {
        (path, node.name): len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
        for path, node in functions()
        if not {"cli", "web"} & set(path.relative_to(ROOT).parts)
    }
    assert not {name: number for name, number in taken.items() if number > 8}


def test_no_file_knows_a_machine() -> None:
    assert not [path for path in SOURCES if re.search(r"/(home|root|work|Users)/", path.read_text())]
