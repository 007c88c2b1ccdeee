"""Tables of `handful rummy` that have to be made first: what that takes is said, and shown by bars."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from handful.cli.shared.output import complain
from handful.cli.shared.progress import make_progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from handful.rummy import Answers, Game, Progress

LONG = 60.0  # seconds: what takes longer says so before it starts
PATIENCE = 300.0  # seconds: what takes longer is made only by who asks for it


@contextmanager
def solving_bar(what: str = "") -> Iterator[Callable[[Progress], None]]:
    """Give a function that shows how far tables are, a bar for each. Nothing is shown where nobody looks."""
    from rich.console import Console

    bars: list[Bar] = []
    tasks: dict[Game, TaskID] = {}

    def show(progress: Progress) -> None:
        if not sys.stderr.isatty():
            return
        game = progress.game
        if not bars:
            bars.append(make_progress("{task.description}", "hands", console=Console(stderr=True), transient=True))
            bars[0].start()
        if game not in tasks:
            tasks[game] = bars[0].add_task(f"{what}{game.cards} cards, aces {game.aces}", total=progress.total)
        bars[0].update(tasks[game], completed=progress.done)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def made_tables(games: Sequence[Game], fresh: bool = False) -> list[tuple[Answers, bool]]:
    """Return the tables of games, and whether each was there; who has to wait is told for how long."""
    from handful.rummy import DamagedFileError, estimate
    from handful.rummy.answers.answers import open_table
    from handful.rummy.solver.side_by_side import solve_side_by_side

    found: dict[Game, Answers] = {}
    for game in [] if fresh else games:
        try:
            table = open_table(game)
        except DamagedFileError as error:
            complain(f"{error}; it is made again")
        else:
            found |= {} if table is None else {game: table}
    missing = [game for game in dict.fromkeys(games) if game not in found]
    for game in missing:
        needed = estimate(game.cards, game.aces, game.tolerance)
        if needed.seconds > LONG:
            complain(str(needed))
    with warnings.catch_warnings(), may_be_interrupted(missing), solving_bar() as show:
        warnings.filterwarnings("ignore", message=".*it is made again")  # that a table is damaged was said above
        made = dict(zip(missing, solve_side_by_side(missing, fresh=fresh, progress=show), strict=True))
    return [(found[game], True) if game in found else (made[game], False) for game in games]


def make_ready(cards: int, aces: str) -> None:
    """Make the table of a game that somebody asks something about, if it is missing and takes a few minutes at most."""
    from handful.rummy import Game, answers_folder, estimate

    game = Game(cards, aces)
    if not (answers_folder() / game.file_name).exists() and LONG < estimate(cards, aces).seconds <= PATIENCE:
        made_tables([game])


@contextmanager
def may_be_interrupted(games: Sequence[Game]) -> Iterator[None]:
    """Say how an interrupted run goes on, if it does."""
    from handful.cli.shared.progress import INTERRUPTED
    from handful.rummy.solver.long_run import CHECKPOINT_FROM

    try:
        yield
    except KeyboardInterrupt:
        if all(game.cards < CHECKPOINT_FROM for game in games):
            raise
        complain("interrupted. The same command goes on from the last checkpoint")
        raise typer.Exit(INTERRUPTED) from None
