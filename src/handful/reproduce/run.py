"""Run experiments one after the other, and write the report: pictures as they are made, the pages at the end.

A full run takes long. What is finished is kept in the report's folder, under `finished/`, together with the version of
the code and of the sample; an interrupted run takes it from there. Games that were played are in the store besides.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from handful import __version__
from handful._files import write_whole
from handful._sources import all_files, hash_of
from handful.errors import HandfulError
from handful.lab.plots import check_matplotlib
from handful.reproduce.contents import Experiment
from handful.reproduce.outcome import Effort, Line, Outcome, Picture, Source
from handful.reproduce.pictures import FORMATS, save
from handful.reproduce.report import write_report

FINISHED = "finished"


@dataclass(frozen=True)
class Reproduction:
    """All outcomes of a run, and where the report is."""

    outcomes: tuple[Outcome, ...]
    report: Path
    page: Path
    seconds: float

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The experiments that differ although nobody knows why."""
        return tuple(outcome.name for outcome in self.outcomes if not outcome.is_explained)


def reproduce(
    chosen: Sequence[Experiment],
    out: Path,
    effort: Effort | None = None,
    on_progress: Callable[[str, float], None] = lambda _name, _done: None,
) -> Reproduction:
    """Run experiments and write their report into a folder.

    `on_progress` is called with the name of the present experiment and how many are done, counted with fractions.
    """
    check_matplotlib("figures")
    if out.exists() and not out.is_dir():
        raise HandfulError(f"--out {out}: expected a folder")
    (out / "figures").mkdir(parents=True, exist_ok=True)
    effort = effort or Effort()
    started = time.monotonic()
    outcomes = []
    for number, experiment in enumerate(chosen):
        on_progress(experiment.name, number)
        outcome = _finished(out, experiment) if effort.full else None
        if outcome is None:
            told = replace(effort, on_progress=_part_of(on_progress, experiment.name, number))
            outcome = experiment.run(told)
            for picture in outcome.pictures:
                save(picture, out / "figures")
            if effort.full:
                _keep(out, outcome)
        outcomes.append(outcome)
    on_progress("the report", len(chosen))
    page = write_report(outcomes, out, effort.full)
    return Reproduction(tuple(outcomes), out, page, time.monotonic() - started)


def _part_of(on_progress: Callable[[str, float], None], name: str, number: int) -> Callable[[float], None]:
    return lambda share: on_progress(name, number + min(max(share, 0.0), 1.0))


def _keep(out: Path, outcome: Outcome) -> None:
    """Write down a finished outcome."""
    folder = out / FINISHED
    folder.mkdir(exist_ok=True)
    captions = [{"name": picture.name, "caption": picture.caption} for picture in outcome.pictures]
    source = {"document": outcome.source.document, "place": outcome.source.place}
    kept = {**outcome.to_dict(), "source": source, "pictures": captions, "code": code_version()}
    write_whole(folder / f"{outcome.name}.json", json.dumps(kept, indent=1, ensure_ascii=False).encode())


def _finished(out: Path, experiment: Experiment) -> Outcome | None:
    """Return the outcome of an earlier full run by the same code, if all of its figures are there."""
    path = out / FINISHED / f"{experiment.name}.json"
    try:
        kept: dict[str, Any] = json.loads(path.read_text())
        if kept["code"] != code_version():
            return None
        pictures = tuple(Picture(each["name"], each["caption"], _not_drawn_again) for each in kept["pictures"])
        outcome = Outcome(
            kept["name"],
            kept["title"],
            Source(**kept["source"]),
            kept["published"],
            kept["ours"],
            tuple(_line_of(line) for line in kept["lines"]),
            kept["note"],
            pictures,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    files = [out / "figures" / f"{picture.name}.{kind}" for picture in pictures for kind in FORMATS]
    return outcome if all(file.exists() for file in files) else None


def _line_of(kept: dict[str, Any]) -> Line:
    value = kept["value"]
    return Line(**{**kept, "value": tuple(value) if isinstance(value, list) else value})


def _not_drawn_again(_sheet: object) -> None:
    raise AssertionError("a picture of an earlier run is on disk")


@cache
def code_version() -> str:
    """Return the version of the code: ours, with a hash of all sources."""
    return f"{__version__}+{hash_of(all_files())[:12]}"
