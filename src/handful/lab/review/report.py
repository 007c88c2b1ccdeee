"""A review as a page: Markdown, or one HTML file with the swing of the game inside, which can be sent to anybody."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from handful import __version__
from handful._files import write_whole
from handful.errors import HandfulError
from handful.lab.review.graph import GRAPH_STYLE, MARK_CLASSES, graph_of, graph_svg
from handful.lab.review.many import ReviewedGame
from handful.lab.review.reviewed import MARK_WORDS, Review, ReviewedPlayer, ReviewedTurn, percent, points

TITLE = "What each decision cost"
PLAYERS = ("player", "decisions", "accuracy", "mean loss", "marked", "best find")
TURNS = ("turn", "", "what happened", "chance", "cost", "")
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid #8884; }
.wide { overflow-x: auto; } .note { opacity: .8; font-size: .92rem; }
.m-blunder b { color: #c62828; } .m-mistake b { color: #d55e00; } .m-dubious b { color: #a87900; }
.m-found b { color: #00855b; } tr.fatal td { border-bottom: 2px solid #c62828; }
@media (prefers-color-scheme: dark) { .m-blunder b { color: #ff8a80; } .m-dubious b { color: #f0c544; }
  .m-found b { color: #4fd1a5; } .m-mistake b { color: #ff9b57; } }
.turns tr > :nth-child(5) { white-space: nowrap; }
@media (max-width: 40rem) { table.lines tr { display: grid; border-bottom: 1px solid #8884; padding: .2rem 0; }
  .lines th, .lines td { border: 0; padding: .1rem .4rem; } .lines td:empty, .lines th:empty { display: none; }
  .players tr { grid-template-columns: 2fr 1.5fr 1.5fr 1.2fr; }
  .players tr > :nth-child(5) { grid-column: 1 / span 3; } .players tr > :nth-child(6) { grid-column: 4; }
  .turns tr { grid-template-columns: 2.6rem 1.8rem 1fr 4.6rem; } .lines tr.fatal td { border: 0; }
  .turns tr > :nth-child(3) { grid-column: 3; } .turns tr > :nth-child(4) { grid-column: 4; text-align: right; }
  .turns tr > :nth-child(5) { grid-column: 3; } .turns tr > :nth-child(6) { grid-column: 3 / span 2; }
  .lines tr.fatal { border-bottom: 2px solid #c62828; } }
"""


def write_page(games: Sequence[ReviewedGame], path: Path) -> None:
    """Write reviews into a file: HTML or Markdown, by the end of its name."""
    read = [game for game in games if game.review is not None]
    if path.suffix.lower() in (".html", ".htm"):
        text = html_page(read)
    elif path.suffix.lower() in (".md", ".markdown"):
        text = markdown_page(read)
    else:
        raise HandfulError(f"{path}: expected a name that ends in .html or .md")
    write_whole(path, text.encode())


def summary(review: Review) -> str:
    """Return the head of a review: who played what, and what it came to."""
    options = review.rules.options_text()
    game = review.rules.variant.name + (f" ({options})" if options else "")
    proof = "" if review.proof is None else f" With all cards known: {review.proof.verdict}."
    return (
        f"{game}: {', '.join(review.names)}; score {review.score} of {review.rules.max_score}. "
        f"{review.verdict[:1].upper()}{review.verdict[1:]}.{proof}"
    )


def method(review: Review) -> str:
    """Return how the figures came about, and how to get them again."""
    return (
        f"Chance: what `{review.team}` comes to after the best action found, by what the player to move could know. "
        f"Cost: by how much the action played wins less often than that, in points; {review.worlds:,} worlds a turn, "
        f"seed {review.seed}. A mark needs a cost of 5 (?!), 10 (?) or 20 (??) points that is more than its margin of "
        f"95 %; !! is an only move found. Written by handful {__version__}."
    )


def player_rows(review: Review) -> list[tuple[str, ...]]:
    """Return a row for each player."""
    return [player_row(player) for player in review.players]


def player_row(player: ReviewedPlayer) -> tuple[str, ...]:
    """Return a player as a row."""
    return (
        player.name,
        str(player.decisions),
        f"{100 * player.accuracy:.1f} %",
        points(max(0.0, player.mean_loss)),
        player.blunders,
        "–" if player.best_find is None else f"turn {player.best_find}",
    )


def turn_row(turn: ReviewedTurn) -> tuple[str, ...]:
    """Return a turn as a row."""
    said = [turn.words] if turn.words else []
    said += ["proved lost from here on: the maximum was possible before"] if turn.is_fatal else []
    cost = f"{points(turn.cost)} ± {points(turn.margin)}" if turn.cost else ""
    return (str(turn.number), turn.mark, turn.text, percent(turn.chance), cost, "; ".join(said))


# Markdown


def markdown_page(games: Sequence[ReviewedGame]) -> str:
    """Return reviews as Markdown."""
    parts = [f"# {TITLE}"]
    for game in games:
        assert game.review is not None, "only games that were reviewed get here"
        parts += [f"## {game.given}", summary(game.review)]
        parts += [_markdown_table(PLAYERS, player_rows(game.review))]
        parts += [_markdown_table(TURNS, [turn_row(turn) for turn in game.review.turns]), method(game.review)]
    return "\n\n".join(parts) + "\n"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [" | ".join(header), " | ".join(["---"] * len(header))]
    lines += [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


# HTML


def html_page(games: Sequence[ReviewedGame]) -> str:
    """Return reviews as one HTML page that needs nothing else."""
    body = "".join(_html_game(game) for game in games)
    return page_around(TITLE, f"<h1>{TITLE}</h1>{body}", STYLE + GRAPH_STYLE)


def page_around(title: str, body: str, style: str) -> str:
    """Return a whole HTML page around a body that is markup already."""
    return (
        f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{html.escape(title)}</title>"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'><style>{style}</style></head>"
        f"<body>{body}</body></html>\n"
    )


def _html_game(game: ReviewedGame) -> str:
    review = game.review
    assert review is not None, "only games that were reviewed get here"
    turns = {turn.number: turn for turn in review.turns}
    answers = [turn.is_possible for turn in review.turns] if review.proof is not None else []
    graph = graph_svg(graph_of(turns, len(turns), review.last_chance, answers))
    foot = "; at the foot, whether the maximum was possible with all cards known" if answers else ""
    return (
        f"<h2>{html.escape(game.given)}</h2><p>{html.escape(summary(review))}</p>{graph}"
        f"<p class='note'>The chance to win before every turn{foot}.</p>"
        f"{_html_table('players', PLAYERS, [('', row) for row in player_rows(review)])}"
        f"{_html_table('turns', TURNS, [(_row_class(turn), turn_row(turn)) for turn in review.turns])}"
        f"<p class='note'>{html.escape(method(review)).replace('`', '')}</p>"
    )


def _row_class(turn: ReviewedTurn) -> str:
    names = [f"m-{MARK_CLASSES[turn.mark]}"] if turn.mark in MARK_WORDS else []
    return " ".join(names + (["fatal"] if turn.is_fatal else []))


def _html_table(name: str, header: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    lines = []
    for kind, cells in rows:
        inner = "".join(
            f"<td><b>{html.escape(cell)}</b></td>" if place == 1 and kind else f"<td>{html.escape(cell)}</td>"
            for place, cell in enumerate(cells)
        )
        lines.append(f"<tr class='{kind}'>{inner}</tr>" if kind else f"<tr>{inner}</tr>")
    return f"<div class='wide'><table class='lines {name}'><tr>{head}</tr>{''.join(lines)}</table></div>"
