"""How many turns each card adds to each hand when it is gone: tables made once, kept on disk beside the answers.

They are made in sweeps over all hands (see the kernels), in about the order of their expected turns; the figures say by
how much the last sweep changed any entry.
"""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful.display import Shown
from handful.errors import HandfulError, RulesError
from handful.rummy.array_files import DamagedFileError, map_arrays, read_header, write_arrays
from handful.rummy.cards import sizes_text
from handful.rummy.game import ADDED_SIZES, Game
from handful.rummy.solver.long_run import LongRun, Report
from handful.rummy.solver.solve import Estimate, estimate
from handful.rummy.solver.spread import in_order, mark_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.answers import Answers

ADDED_VERSION = 1
SWEEPS = 3  # with 5 cards, a fourth changes one entry in a thousand by more than a tenth of a turn
STEP = 1 << 14  # hands between two reports of progress
# Microseconds for a row in a sweep, measured on one core of a small server under load: so much, and so much for each card.
_MICROSECONDS, _MICROSECONDS_A_CARD = 20.0, 6.0
_ROW_BYTES = 128


@dataclass(frozen=True)
class AddedFigures(Shown):
    """A table of added turns in figures; `last_change` is by how much the last sweep changed an entry, at most."""

    cards: int
    aces: str
    sweeps: int
    last_change: float
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Added:
    """What each card adds: `figures`, and `rows`, int16, by canonical index: 64 columns, in parts of a turn."""

    figures: AddedFigures
    rows: npt.NDArray[np.int16]


def added_of(
    answers: Answers,
    *,
    keep: bool = True,
    fresh: bool = False,
    progress: Report | None = None,
    checkpoint_seconds: float | None = None,
) -> Added:
    """Return what each card adds to the hands of a solved game: from disk, beside its answers, or found and put there.

    As with answers, a run of seven cards or more that was stopped goes on from its last checkpoint.
    """
    game = answers.game
    if game.tolerance:
        raise HandfulError("cards that are gone, by an approximation: expected exact answers (tolerance 0)")
    if game.cards not in ADDED_SIZES:
        raise RulesError(f"cards {game.cards}: expected hands of {sizes_text(ADDED_SIZES)}")
    path = added_path(answers) if keep else None
    if path is not None and not fresh:
        found = open_added(answers)
        if found is not None:
            return found
    run = LongRun(game, None if path is None else path.with_name(f"{path.name}.partial"), progress, checkpoint_seconds)
    if fresh:
        run.forget()
    rows, last_change = _sweep(answers, run)
    figures = AddedFigures(game.cards, game.aces, SWEEPS, last_change, run.seconds, run.cpu_seconds, run.peak_memory_mb)
    if path is not None:
        header = {"kind": "added", "version": ADDED_VERSION, "table": mark_of(answers), "figures": figures.to_dict()}
        try:
            write_arrays(path, header, {"rows": rows.reshape(-1)})
        except OSError as error:
            warnings.warn(f"the added turns are not kept: {error}", stacklevel=2)
        else:
            run.forget()
    return Added(figures, _read_only(rows))


def open_added(answers: Answers) -> Added | None:
    """Return the added turns from their file beside the answers, or None if there is none that can be used."""
    from handful.rummy.gone.kernels.added import COLUMNS

    path = added_path(answers)
    if path is None or not path.exists():
        return None
    try:
        header = read_header(path, "added", ADDED_VERSION)
        if header.get("table") != mark_of(answers):
            raise DamagedFileError(f"{path}: not the added turns of these answers")
        rows = map_arrays(path, header)["rows"].reshape(-1, COLUMNS)
        return Added(AddedFigures(**header["figures"]), _read_only(rows))
    except DamagedFileError as error:
        warnings.warn(f"{error}. It is not used", stacklevel=2)
        return None


def added_path(answers: Answers) -> Path | None:
    """Return where the added turns of a game are kept; None if its answers are not."""
    return None if answers.path is None else answers.path.with_suffix(".added")


def added_estimate(game: Game) -> Estimate:
    """Return what it takes to find what each card adds, beside the answers: seconds of one core, memory, disk."""
    solved = estimate(game.cards, game.aces)
    size_mb = solved.kinds * _ROW_BYTES / 1e6
    microseconds = SWEEPS * (_MICROSECONDS + _MICROSECONDS_A_CARD * game.cards)
    seconds = 0.5 + solved.kinds * microseconds / 1e6
    return Estimate(game, solved.kinds, seconds, 180.0 + size_mb + 3 * solved.disk_mb, size_mb)


def _sweep(answers: Answers, run: LongRun) -> tuple[npt.NDArray[np.int16], float]:
    """Return the rows of all hands, and by how many turns the last sweep changed an entry at most."""
    import numpy as np

    from handful.rummy.gone.kernels.added import COLUMNS, MOST_ADDED, Sweep, make_room, sweep_hands
    from handful.rummy.gone.kernels.place import rank_maps
    from handful.rummy.kernels.neighbours import make_work

    before = run.resumed()
    if before is None:
        done_before, last_change = 0, 0.0
        rows = np.full((len(answers.values), COLUMNS), MOST_ADDED, np.int16)
    else:
        done_before, last_change = int(before[0]["done"]), float(before[0]["last_change"])
        rows = before[1]["rows"].reshape(-1, COLUMNS)
    kinds = answers.summary().kinds
    sweep = Sweep(answers.hand_index, answers.values, rows, rank_maps(answers.game.aces))
    work, room, done, total = make_work(), make_room(answers.game.cards), 0, SWEEPS * kinds
    run.report(done_before, total)
    for _ in range(SWEEPS):
        if done >= done_before:
            last_change = 0.0
        for band in in_order(answers.values, kinds):
            for first in range(0, len(band), STEP):
                hands = band[first : first + STEP]
                done += len(hands)
                if done <= done_before:
                    continue
                last_change = max(last_change, sweep_hands(sweep, hands, work, room))
                run.step(done, total, {"done": done, "last_change": last_change}, {"rows": rows.reshape(-1)})
    return rows, last_change


def _read_only(rows: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return rows, in memory or on disk, as an array that cannot be written to: one type for kernels."""
    import numpy as np

    view = np.asarray(rows).view()
    view.flags.writeable = False
    return view
