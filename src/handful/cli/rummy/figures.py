"""`handful rummy figures`: the figures of Finkle 2017, drawn from our tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handful.cli.shared.options import JsonOption, positive_number
from handful.cli.shared.output import print_json
from handful.cli.shared.progress import prepare_solver, progress_bar


def figures(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Write them into this folder.")],
    only: Annotated[
        list[int] | None,
        typer.Option("--only", parser=positive_number, metavar="N", help="Only this figure; repeat it for several."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the twelve figures of Finkle 2017 from our tables, as SVG and PNG.

    Example: handful rummy figures --out figures

    Example: handful rummy figures --out figures --only 2 --only 12
    """
    from handful.errors import HandfulError
    from handful.rummy.figures import FIGURES, draw_figures

    if out.exists() and not out.is_dir():
        raise HandfulError(f"--out {out}: expected a folder")
    prepare_solver()
    with progress_bar("figures", len(only or FIGURES), "figures") as advance:
        files = draw_figures(out, only or (), advance)
    if as_json:
        print_json({"files": [str(path) for path in files]})
    else:
        print(*files, sep="\n")
