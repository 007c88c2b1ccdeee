"""Many games reviewed, one after the other, each on all cores; what cannot be read stops nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from handful.display import Listing, Shown
from handful.errors import HandfulError
from handful.hanabi.live.archives import StoredGame
from handful.hanabi.live.records import Record
from handful.lab.analyses import Game, read_game
from handful.lab.review.kept import keep_review, kept_review
from handful.lab.review.reviewed import Review
from handful.lab.review.reviewing import WORLDS, OnTurn, review


@dataclass(frozen=True)
class ReviewedGame(Shown):
    """A game that was given, and its review; if it cannot be read or reviewed, `error` says why, in a sentence."""

    given: str
    record: Record | None = None
    review: Review | None = None
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        if self.review is None:
            return {"input": self.given, "error": self.error}
        return {"input": self.given, **self.review.to_dict()}

    def shown(self) -> Listing:
        """Return what a notebook shows: the turns, or what is wrong."""
        if self.review is None:
            return Listing(f"{self.given}: {self.error}", (), [])
        inner = self.review.shown()
        return inner._replace(sentence=f"{self.given}: {inner.sentence}")


@dataclass(frozen=True)
class Settings:
    """How games are reviewed: see `review`."""

    worlds: int = WORLDS
    seconds: float | None = None
    seed: int = 0
    team: str | None = None
    workers: int | None = None
    time_limit: float | None = 20.0


def review_each(games: Sequence[Game], settings: Settings, on_turn: OnTurn | None = None) -> Iterator[ReviewedGame]:
    """Yield the review of each game, as it is finished. Those that are kept from before take no time."""
    for number, game in enumerate(games, start=1):
        name = name_of(game, number)
        try:
            record = read_game(game)
        except HandfulError as error:  # which has the name of the file in it
            yield ReviewedGame(name, error=str(error))
            continue
        try:
            yield ReviewedGame(name, record, reviewed(record, settings, on_turn))
        except HandfulError as error:
            yield ReviewedGame(name, record, error=f"{name}: {error}")


def name_of(game: Game, number: int) -> str:
    """Return what a game is called: as it was given, "game 3" if the third was given as a record."""
    return f"game {number}" if isinstance(game, Record) else game.name if isinstance(game, StoredGame) else game


def reviewed(record: Record, settings: Settings, on_turn: OnTurn | None = None) -> Review:
    """Return the review of a game: the one that is kept, or else a new one. A time has none that is kept."""
    if settings.seconds is None:
        kept = kept_review(record, settings.seed, settings.worlds, settings.team)
        if kept is not None:
            for turn in kept.turns:
                if on_turn is not None:
                    on_turn(turn)
            return kept
    found = review(record, **settings.__dict__, on_turn=on_turn)
    if settings.seconds is None:
        keep_review(record, found, settings.team)
    return found
