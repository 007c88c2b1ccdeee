"""Run the example notebooks from the top, and write them with what they show: ``python -m benchmarks.notebooks``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from handful._files import write_whole

NOTEBOOKS = Path(__file__).parent.parent / "examples" / "notebooks"
SECONDS_A_CELL = 300


def executed(path: Path) -> Any:
    """Return a notebook as it is after all of its cells were run, in its own folder."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        startup_timeout=SECONDS_A_CELL,
    )
    client.execute()
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"  # the same notebook gives the same file
        cell["metadata"] = {}
        if cell["cell_type"] == "code":  # what libraries grumble about on standard error is of no interest to a reader
            cell["outputs"] = [output for output in cell["outputs"] if output.get("name") != "stderr"]
    notebook.metadata = {"language_info": {"name": "python"}, "kernelspec": dict(notebook.metadata["kernelspec"])}
    return notebook


def texts_of(notebook: Any) -> list[str]:
    """Return what the cells show, as plain text, without what differs from run to run."""
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = str(data.get("text/markdown") or data.get("text/plain") or output.get("text") or "")
            text = re.sub(r"\| (seconds|cpu seconds|games per second|peak memory mb) \|[^\n]*", r"\1", text)
            shown.append(re.sub(r"(0x[0-9a-f]+|[\d.]+ (s|ms)\b)", "", text))
    return shown


def main(*names: str) -> None:
    """Run all notebooks, or those that are named."""
    import nbformat

    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not names or path.stem in names:
            print(path.stem, flush=True)
            write_whole(path, (nbformat.writes(executed(path)).rstrip("\n") + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
