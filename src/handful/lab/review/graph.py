"""The swing of a game as a picture: the chance to win before every turn, and whether winning was still possible at all.

An SVG of its own classes, which stretches to any width; the page around it has the colours (`GRAPH_STYLE` for pages
that have none). Turns that are not judged yet leave a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from handful.lab.review.reviewed import ReviewedTurn, percent, points

HEIGHT, TOP, BAND = 120, 10, 14  # the line has the height between the top and the band at the foot
MARK_CLASSES = {"??": "blunder", "?": "mistake", "?!": "dubious", "!!": "found"}
ANSWERS = {True: "possible", False: "lost", None: "undecided"}

GRAPH_STYLE = """
.swing { display: block; width: 100%; height: 9rem; background: #8881; border-radius: 6px; }
.swing .possible { fill: #00734f55; } .swing .lost { fill: #b3261e88; } .swing .undecided { fill: #8885; }
.swing .area { fill: #2f7fb533; } .swing .chance { fill: none; stroke: #2f7fb5; stroke-width: 2; }
.swing .half { stroke: #8886; stroke-dasharray: 4 4; } .swing .fatal { stroke: #b3261e; stroke-width: 2; }
.swing .mark { stroke-width: 9; stroke-linecap: round; } .swing .blunder { stroke: #b3261e; }
.swing .mistake { stroke: #d55e00; } .swing .dubious { stroke: #e0a800; } .swing .found { stroke: #008f63; }
"""


class Graph(NamedTuple):
    """What is drawn: chances before turns 1, 2, … and at the end (None: not known), marks, and what the solver says.

    `answers` says for each turn whether the maximum was possible after it, and is empty while that is not known.
    `marks` are those of turns: class and words. `fatal` is the turn that lost the maximum, if there is one.
    """

    chances: tuple[float | None, ...]
    marks: Mapping[int, tuple[str, str]]
    answers: tuple[bool | None, ...] = ()
    fatal: int | None = None


def graph_of(
    turns: Mapping[int, ReviewedTurn], last: int, end: float | None, answers: Sequence[bool | None] = ()
) -> Graph:
    """Return the graph of a game of `last` turns, of which some are judged; `end` is the chance after the last."""
    chances = [turns[number].chance if number in turns else None for number in range(1, last + 1)]
    marks = {
        number: (MARK_CLASSES[turn.mark], f"{number}. {turn.text} {turn.mark} {words_of(turn)}")
        for number, turn in turns.items()
        if turn.mark
    }
    lost = next((place for place, answer in enumerate(answers, start=1) if answer is False), None)
    was_possible = lost is not None and lost > 1 and answers[lost - 2] is True
    return Graph((*chances, end), marks, tuple(answers), lost if was_possible else None)


def words_of(turn: ReviewedTurn) -> str:
    """Return what a turn cost, and what was better."""
    if turn.mark == "!!":
        return turn.words
    return f"−{points(turn.cost)}" + (f"; {turn.words}" if turn.words else "")


def graph_svg(graph: Graph) -> str:
    """Return the picture."""
    turns = len(graph.chances) - 1
    parts = [_band(graph, turns)]
    y = _y(0.5)
    parts.append(f'<line class="half" x1="0" x2="{max(1, turns)}" y1="{y}" y2="{y}" {_STEADY}/>')
    for run in _runs(graph.chances):
        line = " ".join(f"{x},{_y(chance)}" for x, chance in run)
        foot = HEIGHT - BAND
        parts.append(f'<polygon class="area" points="{run[0][0]},{foot} {line} {run[-1][0]},{foot}"/>')
        parts.append(f'<polyline class="chance" points="{line}" {_STEADY}/>')
    if graph.fatal is not None:
        x = graph.fatal - 1
        parts.append(f'<line class="fatal" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}" {_STEADY}/>')
    for number, (kind, words) in sorted(graph.marks.items()):
        chance = graph.chances[number - 1]
        place = f"M{number - 1},{_y(chance or 0.0)}h0"
        parts.append(f'<path class="mark {kind}" d="{place}" {_STEADY}><title>{escape(words)}</title></path>')
    return (
        f'<svg class="swing" viewBox="0 0 {max(1, turns)} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(graph_words(graph), quote=True)}">{"".join(parts)}</svg>'
    )


def graph_words(graph: Graph) -> str:
    """Return the graph in words, for who does not see it."""
    known = [chance for chance in graph.chances if chance is not None]
    if not known:
        return "The chance to win before every turn: not judged yet"
    marked = f"; marked turns: {', '.join(map(str, sorted(graph.marks)))}" if graph.marks else ""
    return f"The chance to win before every turn: {percent(known[0])} at first, {percent(known[-1])} at the end{marked}"


_STEADY = 'vector-effect="non-scaling-stroke"'


def _y(chance: float) -> float:
    return round(HEIGHT - BAND - chance * (HEIGHT - BAND - TOP), 1)


def _band(graph: Graph, turns: int) -> str:
    """Return the band at the foot: whether the maximum was possible after each turn."""
    parts, first = [], 0
    for place in range(1, len(graph.answers) + 1):
        if place == turns or graph.answers[place] is not graph.answers[first]:
            kind = ANSWERS[graph.answers[first]]
            size = f'x="{first}" width="{place - first}" y="{HEIGHT - BAND}" height="{BAND}"'
            parts.append(f'<rect class="{kind}" {size}/>')
            first = place
    return "".join(parts)


def _runs(chances: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return the stretches that are known, as places and chances."""
    runs: list[list[tuple[int, float]]] = [[]]
    for x, chance in enumerate(chances):
        if chance is None:
            runs.append([])
        else:
            runs[-1].append((x, chance))
    return [run for run in runs if run]
