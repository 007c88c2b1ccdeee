"""Positions to learn from: the best action was clear, and was missed. A page of them, with the answers hidden.

A puzzle shows what the player to move saw, and nothing else: of the own cards, what hints left possible.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from handful._files import write_whole
from handful.display import Listing, Shown
from handful.errors import HandfulError
from handful.hanabi.cards import Card, card_text, cards_in
from handful.hanabi.live.links import link_from_record
from handful.hanabi.live.records import Record
from handful.hanabi.measures import pace
from handful.hanabi.notation import slot_text, turn_text
from handful.hanabi.variants import Variant
from handful.hanabi.view import View
from handful.lab.review.many import ReviewedGame
from handful.lab.review.report import STYLE, page_around
from handful.lab.review.reviewed import COSTS, Option, ReviewedTurn, percent, points

TITLE = "What would you do?"
ONE_OF = "one of"
LEAST_CHANCE = 0.05  # of the best action: in a position that is as good as lost nothing is to be learned
SHOWN_OPTIONS = 4


@dataclass(frozen=True)
class Puzzle(Shown):
    """A position with a clear best action that was missed: where it comes from, what was seen, what is best."""

    given: str
    turn: int
    player: str
    seen: tuple[tuple[str, str], ...]
    best: Option
    played: Option
    loss: float
    lead: float
    options: tuple[Option, ...]
    link: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)

    def shown(self) -> Listing:
        """Return what a notebook shows: the position, and the answer at the end."""
        rows: list[tuple[object, ...]] = [*self.seen, ("best", self.best.action), ("played", self.played.action)]
        return Listing(f"{self.given}, turn {self.turn}: what should {self.player} do?", (), rows)


def puzzles_in(games: Iterable[ReviewedGame], most: int | None = None) -> list[Puzzle]:
    """Return the puzzles of reviewed games, those in which most was lost first."""
    found = [
        _puzzle(game.given, game.record, turn)
        for game in games
        if game.review is not None and game.record is not None
        for turn in game.review.turns
        if is_puzzle(turn)
    ]
    found.sort(key=lambda puzzle: (-puzzle.loss, puzzle.given, puzzle.turn))
    return found if most is None else found[:most]


def is_puzzle(turn: ReviewedTurn) -> bool:
    """Whether the best action was clear, and missed by more than the margin."""
    return turn.is_clear and not turn.is_best and turn.mark in COSTS and turn.best.chance >= LEAST_CHANCE


def _puzzle(given: str, record: Record, turn: ReviewedTurn) -> Puzzle:
    state = record.replay(turn.number - 1)
    try:
        link = f"{link_from_record(record.bare())}#{turn.number}"
    except HandfulError:
        link = ""
    return Puzzle(
        given=given,
        turn=turn.number,
        player=record.names[turn.player],
        seen=tuple(_seen(state.view(turn.player), record.names, pace(state))),
        best=turn.best,
        played=turn.played,
        loss=turn.loss,
        lead=turn.lead,
        options=turn.options[:SHOWN_OPTIONS],
        link=link,
    )


def _seen(view: View, names: Sequence[str], spare: int | None) -> Iterable[tuple[str, str]]:
    """Yield what a player sees, line by line."""
    variant = view.rules.variant
    heights = zip(variant.suits, view.stacks, strict=True)
    yield "stacks", " ".join(f"{suit.letter}{height}" if height else f"{suit.letter}–" for suit, height in heights)
    tokens = "∞" if view.hints is None else str(view.hints)
    left = f", {view.turns_left} turns left" if view.turns_left is not None else ""
    tempo = "" if spare is None else f", pace {spare}"
    yield "state", f"{tokens} hints, {view.strikes} strikes, {view.deck_size} in the deck{left}{tempo}"
    yield "discards", _cards(variant, sorted(view.discards)) or "none"
    for ahead in range(1, view.rules.players):
        seat = (view.me + ahead) % view.rules.players
        cards = [
            f"{slot_text(slot)}: {card_text(variant, card)}"
            + (f" ({told})" if (told := _told(view, seat, slot)) else "")
            for slot, card in enumerate(view.cards[seat])
        ]
        yield names[seat], ", ".join(cards)
    own = [f"{slot_text(slot)}: {_told(view, view.me, slot) or 'anything'}" for slot in range(len(view.my_hand))]
    yield f"{names[view.me]} (own)", ", ".join(own)
    yield "last turns", "; ".join(_last(view, names)) or "none"


def _last(view: View, names: Sequence[str]) -> list[str]:
    return [turn_text(view.rules, turn, names) for turn in view.history[-view.rules.players :]]


def _told(view: View, seat: int, slot: int) -> str:
    """Return what hints leave a card to be; empty where they have excluded nothing."""
    mask, variant = view.hands[seat][slot].knowledge.possible_mask, view.rules.variant
    if mask == variant.all_mask:
        return ""
    return f"{ONE_OF} " * (mask.bit_count() > 1) + _cards(variant, cards_in(variant, mask))


def _cards(variant: Variant, cards: Iterable[Card]) -> str:
    """Return cards suit by suit: ``r135 y2``."""
    values: dict[int, list[str]] = {}
    for card in cards:
        values.setdefault(card.suit, []).append(str(card.value))
    between = "" if variant.num_values < 10 else ","
    return " ".join(variant.suits[suit].letter + between.join(each) for suit, each in sorted(values.items()))


# The page

_STYLE = """
article { border: 1px solid #8886; border-radius: 10px; padding: .5rem 1.2rem 1rem; margin: 1.5rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { opacity: .75; } dd { margin: 0; }
dd { font-family: ui-monospace, monospace; font-size: .92rem; overflow-wrap: anywhere; }
summary { cursor: pointer; font-weight: 600; padding: .4rem 0; } .best td { font-weight: 650; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
"""


def write_puzzles(puzzles: Sequence[Puzzle], path: Path) -> None:
    """Write the page of puzzles: HTML with the answers folded away, or Markdown with the answers at the end."""
    if path.suffix.lower() in (".html", ".htm"):
        text = puzzle_page(puzzles)
    elif path.suffix.lower() in (".md", ".markdown"):
        text = puzzle_markdown(puzzles)
    else:
        raise HandfulError(f"{path}: expected a name that ends in .html or .md")
    write_whole(path, text.encode())


def puzzle_page(puzzles: Sequence[Puzzle]) -> str:
    """Return the puzzles as one HTML page."""
    note = (
        "Each position is from a real game, as the player to move saw it. The best action there was clear, and was "
        "missed. Slot a is the oldest card; in brackets, what hints leave a card to be."
    )
    body = "".join(_article(number, puzzle) for number, puzzle in enumerate(puzzles, start=1))
    nothing = "<p>No position of these games had a clear best action that was missed.</p>"
    return page_around(TITLE, f"<h1>{TITLE}</h1><p>{note}</p>{body or nothing}", STYLE + _STYLE)


def _article(number: int, puzzle: Puzzle) -> str:
    seen = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in puzzle.seen)
    rows = "".join(
        f"<tr{' class=best' if option.action == puzzle.best.action else ''}><td>{html.escape(option.action)}</td>"
        f"<td>{percent(option.chance)}</td></tr>"
        for option in _answers(puzzle)
    )
    link = f"<p><a href='{html.escape(puzzle.link, quote=True)}' rel='noreferrer'>The game on hanab.live</a></p>"
    return (
        f"<article><h2>{number}. What should {html.escape(puzzle.player)} do?</h2><dl>{seen}</dl>"
        f"<details><summary>The answer</summary><p>{html.escape(_answer(puzzle))}</p>"
        f"<table><tr><th>action</th><th>wins</th></tr>{rows}</table>"
        f"<p class='note'>{html.escape(puzzle.given)}, turn {puzzle.turn}</p>{link if puzzle.link else ''}"
        "</details></article>"
    )


def _answers(puzzle: Puzzle) -> list[Option]:
    """Return the actions that are shown with the answer: the best one, the one played, and others of the race."""
    others = [each for each in puzzle.options if each.action not in (puzzle.best.action, puzzle.played.action)]
    return [puzzle.best, *others, puzzle.played]


def _answer(puzzle: Puzzle) -> str:
    return (
        f"{puzzle.best.action[:1].upper()}{puzzle.best.action[1:]}: it wins {percent(puzzle.best.chance)}, "
        f"{points(puzzle.lead)} points more than anything else. Played was {puzzle.played.action}, "
        f"which cost {points(puzzle.loss)} points."
    )


def puzzle_markdown(puzzles: Sequence[Puzzle]) -> str:
    """Return the puzzles as Markdown, the answers after all of them."""
    parts = [f"# {TITLE}"]
    for number, puzzle in enumerate(puzzles, start=1):
        lines = "\n".join(f"- {name}: {text}" for name, text in puzzle.seen)
        parts.append(f"## {number}. What should {puzzle.player} do?\n\n{lines}")
    parts.append("## The answers")
    parts += [
        f"{n}. {_answer(puzzle)} ({puzzle.given}, turn {puzzle.turn})" for n, puzzle in enumerate(puzzles, start=1)
    ]
    return "\n\n".join(parts) + "\n"
