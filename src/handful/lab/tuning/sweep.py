"""A sweep: a bot under every combination of some settings, on the same deals. A TOML file says which.

::

    name = "how daring?"      # optional, a title
    bot = "rules"             # with settings that stay the same, if any: "rules(reading=plain)"
    players = 3               # or several: [2, 3]
    games = 20000             # for each combination
    seed = 0
    rules = "thesis"
    variant = "No Variant"
    repeat = 1
    [grid]                    # settings of the bot, or players
    omega_p = [0.4, 0.5, 0.6]
    hint = [2, 3]
    [plot]                    # optional: x with y is a heat map, x with lines (or alone) is a line plot
    x = "omega_p"
    y = "hint"
    value = "mean"            # or "perfect"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from handful.bots.players import Player, player_named
from handful.display import Shown
from handful.errors import HandfulError, UnknownNameError, shown
from handful.hanabi.deal import check_seed
from handful.hanabi.rules import Rules, rules_from_text
from handful.hanabi.variants import variant_named
from handful.lab.games import check_games
from handful.lab.running.dask_cluster import kept_open
from handful.lab.simulate import Simulation, simulate

if TYPE_CHECKING:
    from handful.lab.store import Store

Value = Literal["mean", "perfect"]
Setting = str | int | float | bool
MAX_BYTES = 1_000_000
MAX_POINTS = 100_000  # more is a slip of the pen: it could not even be listed

_FIELDS: dict[str, Any] = {
    "name": "",
    "bot": None,
    "players": 2,
    "games": 10_000,
    "seed": 0,
    "rules": "hanab-live",
    "variant": "No Variant",
    "repeat": 1,
    "grid": None,
    "plot": None,
}


class Axis(NamedTuple):
    """What is varied: `players` or a setting of the bot, and its values in their order."""

    name: str
    values: tuple[Setting, ...]


@dataclass(frozen=True)
class PlotPlan:
    """What a plot shows: x with y is a heat map; x alone or with lines is a line plot."""

    x: str
    y: str | None = None
    lines: str | None = None
    value: Value = "mean"


@dataclass(frozen=True)
class Point:
    """One combination of a sweep: the values on each axis, who plays, and by which rules."""

    values: dict[str, Setting]
    player: Player
    rules: Rules


@dataclass(frozen=True)
class Sweep:
    """A sweep as a file describes it. `points` are all its combinations, the last axis fastest."""

    name: str
    axes: tuple[Axis, ...]
    points: tuple[Point, ...]
    games: int
    seed: int
    repeat: int
    plot: PlotPlan | None = None

    @property
    def total_games(self) -> int:
        """How many games all points are together."""
        return self.games * len(self.points)


@dataclass(frozen=True)
class Row(Shown):
    """The result of one point of a sweep."""

    values: dict[str, Setting]
    result: Simulation

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {"values": self.values, **self.result.to_dict()}


def read_sweep(path: Path) -> Sweep:
    """Return the sweep that a TOML file describes."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise HandfulError(f"{path} has more than {MAX_BYTES:,} bytes: expected at most that many")
    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, or thousands of brackets
        raise HandfulError(f"{path}: not TOML: {error}") from error
    try:
        return sweep_from(table)
    except HandfulError as error:
        raise HandfulError(f"{path}: {error}") from error


def sweep_from(table: Mapping[str, Any]) -> Sweep:
    """Return the sweep of a table, as TOML files are read. Everything is checked before the first game."""
    for name in table:
        if name not in _FIELDS:
            raise UnknownNameError("field", name, _FIELDS)
    fields = {**_FIELDS, **table}
    for name in ("name", "bot", "rules", "variant"):
        if not isinstance(fields[name], str):
            raise _wrong(name, fields[name], "a text in quotes")
    for name, least in (("games", 1), ("seed", 0), ("repeat", 1)):
        _check_number(name, fields[name], least)
    axes = _axes(fields["players"], fields["grid"])
    points = tuple(_points(fields, axes))
    check_seed(fields["seed"])
    check_games(fields["games"])
    if fields["games"] % fields["repeat"]:
        raise _wrong("games", fields["games"], f"a multiple of repeat = {fields['repeat']}")
    plot = None if fields["plot"] is None else _plot_plan(fields["plot"], axes)
    return Sweep(fields["name"], axes, points, fields["games"], fields["seed"], fields["repeat"], plot)


def run_sweep(
    sweep: Sweep,
    *,
    store: Store | None = None,
    workers: int | None = None,
    dask: str | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Return the result of every point, in the order of the points; all on the same deals.

    With a `store`, a sweep that was interrupted goes on where it stopped. `on_progress` is called with the number of
    games that were just finished, `on_row` with each point as it is done.
    """
    rows = []
    with kept_open(dask, workers) as address:
        for point in sweep.points:
            result = simulate(
                point.player,
                games=sweep.games,
                seed=sweep.seed,
                rules=point.rules,
                repeat=sweep.repeat,
                workers=workers if dask is None else None,
                dask=address,
                store=store,
                on_progress=on_progress,
            )
            rows.append(Row(point.values, result))
            if on_row is not None:
                on_row(rows[-1])
    return rows


def _wrong(field: str, value: object, expected: str) -> HandfulError:
    return HandfulError(f"{field} = {shown(value)}: expected {expected}")


def _check_number(field: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise _wrong(field, value, f"a whole number of at least {least}")
    return value


def _axes(players: object, grid: object) -> tuple[Axis, ...]:
    """Return what is varied: several players first, then the grid. One number of players is no axis."""
    grid = {} if grid is None else grid
    if not isinstance(grid, dict):
        raise _wrong("grid", grid, "a table [grid] of lists, one for each setting")
    axes = [Axis(name, _values(f"grid.{name}", values)) for name, values in grid.items()]
    if isinstance(players, list):
        if "players" in grid:
            raise HandfulError("players are a list and in the grid too: expected one of the two")
        axes.insert(0, Axis("players", _values("players", players)))
    for axis in axes:
        if axis.name == "players":
            for value in axis.values:
                _check_number("players", value, 1)
    if not any(len(axis.values) > 1 for axis in axes):
        raise _wrong("grid", grid, "a table [grid] with at least two values of something")
    return tuple(axes)


def _values(field: str, values: object) -> tuple[Setting, ...]:
    if not isinstance(values, list) or not values:
        raise _wrong(field, values, "a list of values")
    for value in values:
        is_word = not isinstance(value, str) or re.fullmatch(r"[\w.-]+", value)
        if not isinstance(value, Setting) or not is_word or value in (inf, -inf) or value != value:
            raise _wrong(field, value, "numbers, words, true or false")
    if len(set(values)) < len(values):
        raise _wrong(field, values, "different values")
    return tuple(values)


def _points(fields: Mapping[str, Any], axes: tuple[Axis, ...]) -> Iterator[Point]:
    variant = variant_named(fields["variant"])
    fixed = player_named(fields["bot"])
    count = 1
    for axis in axes:
        count *= len(axis.values)
        if axis.name in dict(fixed.settings):
            raise HandfulError(
                f"{axis.name} is set in bot = {shown(fields['bot'])} and in the grid: expected one of the two"
            )
    if count > MAX_POINTS:
        raise HandfulError(f"the grid has {count} combinations: expected at most {MAX_POINTS}")
    for combination in product(*(axis.values for axis in axes)):
        values = {axis.name: value for axis, value in zip(axes, combination, strict=True)}
        players = _check_number("players", values.get("players", fields["players"]), 1)
        settings = {name: value for name, value in values.items() if name != "players"}
        yield Point(values, with_settings(fixed, settings), rules_from_text(fields["rules"], players, variant))


def with_settings(player: Player, settings: Mapping[str, Setting]) -> Player:
    """Return a bot of the register with further settings, checked and named as the register does.

    >>> with_settings(player_named("random"), {}).name
    'random'
    """
    assert player.entry is not None, "a sweep's bots are of the register"
    all_settings = {**dict(player.settings), **settings}
    return player_named(f"{player.entry.name}({', '.join(f'{name}={value}' for name, value in all_settings.items())})")


def _plot_plan(table: object, axes: tuple[Axis, ...]) -> PlotPlan:
    if not isinstance(table, dict):
        raise _wrong("plot", table, 'a table [plot] with x = "…"')
    known = ("x", "y", "lines", "value")
    names = [axis.name for axis in axes]
    for name, value in table.items():
        if name not in known:
            raise UnknownNameError("field of [plot]", name, known)
        if name == "value" and value not in get_args(Value):
            raise _wrong("plot.value", value, " or ".join(get_args(Value)))
        if name != "value" and value not in names:
            raise _wrong(f"plot.{name}", value, f"what the grid varies: {' or '.join(names)}")
    if "x" not in table:
        raise HandfulError(f"[plot] has no x: expected what the grid varies: {' or '.join(names)}")
    return check_plot(PlotPlan(**table), axes)


def check_plot(plot: PlotPlan, axes: tuple[Axis, ...]) -> PlotPlan:
    """Return the plot, or refuse one that would draw several results in one place."""
    if plot.y is not None and plot.lines is not None:
        raise HandfulError("[plot] has y and lines: expected y for a heat map, or lines for a line plot")
    shown = [name for name in (plot.x, plot.y, plot.lines) if name is not None]
    if len(set(shown)) < len(shown):
        raise HandfulError(f"[plot] shows {plot.x} twice: expected different axes")
    hidden = [axis.name for axis in axes if axis.name not in shown and len(axis.values) > 1]
    if hidden:
        raise HandfulError(f"[plot] shows {' and '.join(shown)} only, but the grid varies {' and '.join(hidden)} too")
    return plot


def plot_of(sweep: Sweep) -> PlotPlan:
    """Return what a plot of a sweep shows: what the file says, or else one axis as a line and two as a heat map."""
    if sweep.plot is not None:
        return sweep.plot
    varied = [axis.name for axis in sweep.axes if len(axis.values) > 1]
    if len(varied) > 2:
        raise HandfulError(f"the grid varies {', '.join(varied)}: a plot shows two of them at most")
    return PlotPlan(varied[0], y=varied[1] if len(varied) > 1 else None)
