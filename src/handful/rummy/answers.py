"""What a solved game knows: the expected turns of every hand, in memory or on disk. A question is a look-up.

`open_answers` finds those of a game in the user's cache folder (or that of HANDFUL_RUMMY_TABLES); `solve` makes them if
there are none, or if they are damaged.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from handful._files import user_folder
from handful.display import Shown
from handful.errors import DealError, HandfulError
from handful.rummy.array_files import DamagedFileError, map_arrays, read_header, read_only, remove, write_arrays
from handful.rummy.cards import Card, HandLike, cards_of, format_cards, mask_of, parse_card, parse_cards
from handful.rummy.game import HAND_SIZES, Game
from handful.rummy.melds import ACE_RULES, Melding, find_melds

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.kernels.hand_index import HandIndex
    from handful.rummy.solver.spread import SpreadFigures

ANSWERS_VERSION = 1
EQUAL = 1e-9  # expected turns closer than this are shown as equal; rounding is a thousand times smaller
KEPT = ("*.table", "*.spread", "*.added", "*.partial", "*.tmp")  # answers, what was made from them, what runs have left


@dataclass(frozen=True)
class Summary(Shown):
    """A solved game in figures.

    `hands` is C(52, cards), and `kinds` how many of them are different up to symmetry. `classes` is how many different
    expected turns there are, the 0 of the rummies among them, counted exactly (None if nobody counted); with a
    tolerance it is the number of cohorts and the rummies. `near_ties` are pairs of different values so close that
    rounding may have locked them in in the wrong order; if there are none, the count of classes is beyond doubt. `best`
    and `worst` are the least and greatest expected turns of a hand that is no rummy, `mean` is over all hands, the
    rummies counted as 0: the expected turns of a deal.
    """

    cards: int
    aces: str
    tolerance: float
    hands: int
    kinds: int
    rummies: int
    classes: int | None
    near_ties: int
    best: float
    worst: float
    mean: float
    best_hand: str
    worst_hand: str
    seconds: float
    cpu_seconds: float
    peak_memory_mb: float

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        within = f", within {self.tolerance:g} turns" if self.tolerance else ""
        classes = "" if self.classes is None else f", {self.classes:,} classes"
        return (
            f"{self.cards}-card rummy, aces {self.aces}{within}: {self.hands:,} hands, "
            f"{self.rummies:,} rummies{classes}; expected turns {self.best:.6f} ({self.best_hand}) "
            f"to {self.worst:.6f} ({self.worst_hand}), mean {self.mean:.6f}"
        )


@dataclass(frozen=True)
class Discard:
    """A card that may be thrown: the hand that is kept, the turns it then takes, and how many more than the best."""

    card: Card
    keeps: tuple[Card, ...]
    expected_turns: float
    cost: float

    def __str__(self) -> str:
        return f"throw {self.card}: {self.expected_turns:.6f} turns (+{self.cost:.6f})"

    def to_dict(self) -> dict[str, Any]:
        """Return the discard for JSON."""
        return {
            "card": str(self.card),
            "keeps": format_cards(self.keeps),
            "expected_turns": self.expected_turns,
            "cost": self.cost,
        }


def discards_of(
    cards: tuple[Card, ...], drawn: Card, expected_turns: Callable[[tuple[Card, ...]], float]
) -> tuple[Discard, ...]:
    """Return every card that may be thrown after a draw, the best first. Of equals, the draw, then the lowest.

    `expected_turns` tells how long a hand takes that is kept.
    """
    if drawn in cards:
        raise DealError(f"draw {drawn}: it is in the hand {format_cards(cards)} already")
    held = tuple(sorted((*cards, drawn)))
    kept = {card: tuple(other for other in held if other != card) for card in held}
    turns = {card: expected_turns(kept[card]) for card in held}
    least = min(turns.values())
    discards = [Discard(card, kept[card], turns[card], turns[card] - least) for card in held]
    return tuple(sorted(discards, key=lambda each: (round(each.cost / EQUAL), each.card != drawn, each.card)))


@dataclass(frozen=True)
class HandClass:
    """Hands of the same expected turns (or of one cohort, with its least): how many, and the first in card order."""

    hands: int
    example: str
    expected_turns: float

    def to_dict(self) -> dict[str, Any]:
        """Return the class for JSON."""
        return asdict(self)


class Answers(Shown):
    """The expected turns of every hand of a game, under optimal play.

    `values`, float64, has the expected turns by canonical index (`hand_index`), and NaN at the indices of no hand.
    """

    def __init__(self, game: Game, summary: Summary, arrays: Mapping[str, npt.NDArray[Any]], path: Path | None) -> None:
        self.game = game
        self.path = path
        self._summary = summary
        self._arrays = arrays
        self.values: npt.NDArray[np.float64] = read_only(arrays["values"])

    def __repr__(self) -> str:
        return f"Answers({self._summary})"

    @property
    def hand_index(self) -> HandIndex:
        """What kernels need to find the index of a hand."""
        from handful.rummy.kernels.hand_index import make_hand_index

        return make_hand_index(self.game.aces, self.game.cards)

    @property
    def hands(self) -> HandIndex:
        """The former name of `hand_index`."""
        warnings.warn("Answers.hands is now Answers.hand_index", DeprecationWarning, stacklevel=2)
        return self.hand_index

    def summary(self) -> Summary:
        """Return the solved game in figures."""
        return self._summary

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        return self._summary.to_dict()

    def index(self, hand: HandLike) -> int:
        """Return the canonical index of a hand."""
        from handful.rummy.kernels.hand_index import mask_index

        return int(mask_index(self.hand_index, mask_of(parse_cards(hand, self.game.cards))))

    def expected_turns(self, hand: HandLike) -> float:
        """Return how many turns a hand takes on average, played best: 0 for a rummy."""
        return float(self.values[self.index(hand)])

    def melds(self, hand: HandLike) -> Melding:
        """Return how to lay down most cards of a hand."""
        return find_melds(hand, self.game.aces)

    def discards(self, hand: HandLike, draw: Card | str) -> tuple[Discard, ...]:
        """Return every card that may be thrown after a draw, the best first.

        Of equally good throws the drawn card comes first, then the lowest.
        """
        drawn = draw if isinstance(draw, Card) else parse_card(draw)
        return discards_of(parse_cards(hand, self.game.cards), drawn, self.expected_turns)

    def best_discard(self, hand: HandLike, draw: Card | str) -> Card:
        """Return the card to throw after a draw."""
        return self.discards(hand, draw)[0].card

    def classes(self, within: float = EQUAL) -> tuple[HandClass, ...]:
        """Return the classes of hands of equal expected turns, in increasing order; the rummies are the first.

        Values are taken as equal if they are not further than `within` from the next. (The exact number of classes is
        in the summary.) With a tolerance, return its cohorts: their order, and the least value of each. Made for games
        of few cards: it looks at all hands.
        """
        import numpy as np

        from handful.rummy.kernels.hand_index import all_orbits, first_alike

        orbits = all_orbits(self.hand_index)
        kinds = np.flatnonzero(orbits)
        if "cohorts" in self._arrays:
            labels = self._arrays["cohorts"][kinds]
            order = np.argsort(labels, kind="stable")
            cuts = np.flatnonzero(np.diff(labels[order])) + 1
        else:
            order = np.argsort(self.values[kinds], kind="stable")
            cuts = np.flatnonzero(np.diff(self.values[kinds][order]) > within) + 1
        found = []
        for members in np.split(kinds[order], cuts):
            example = cards_of(first_alike(self.hand_index, members))
            turns = float(self.values[members].min())
            found.append(HandClass(int(orbits[members].sum(dtype=np.int64)), format_cards(example), turns))
        return tuple(found)


def answers_folder() -> Path:
    """Return where answers are kept."""
    given = os.environ.get("HANDFUL_RUMMY_TABLES")
    return Path(given) if given else user_folder("cache") / "rummy"


def save_answers(path: Path, game: Game, summary: Summary, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write answers to their file."""
    header = {"kind": "table", "version": ANSWERS_VERSION, "game": asdict(game), "summary": summary.to_dict()}
    write_arrays(path, header, arrays)


def open_answers(game: Game, folder: Path | None = None) -> Answers | None:
    """Return the answers of a game from their file, or None if there is none. If it is damaged, `DamagedFileError`."""
    path = (folder or answers_folder()) / game.file_name
    return read_answers(path, game) if path.exists() else None


def read_answers(path: Path, game: Game | None = None) -> Answers:
    """Return the answers in a file, checked: its header always, its data once."""
    header = read_header(path, "table", ANSWERS_VERSION)
    try:
        found = Game(**header["game"])
        summary = Summary(**{field.name: header["summary"][field.name] for field in fields(Summary)})
    except (KeyError, TypeError, HandfulError) as error:
        raise DamagedFileError(f"{path}: its header does not describe a game") from error
    if game is not None and found != game:
        raise DamagedFileError(f"{path}: the answers of another game, {found}")
    return Answers(found, summary, map_arrays(path, header), path)


@dataclass(frozen=True)
class StoredAnswers:
    """A file of answers: the summary of its game, or what is wrong with it; its spread, if it is there."""

    path: Path
    size_mb: float
    summary: Summary | None
    problem: str | None
    spread: SpreadFigures | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for JSON."""
        return {
            "file": str(self.path),
            "size_mb": self.size_mb,
            "problem": self.problem,
            **(self.summary.to_dict() if self.summary else {}),
            "spread": self.spread and self.spread.to_dict(),
        }


def list_answers(folder: Path | None = None) -> tuple[StoredAnswers, ...]:
    """Return the answers on disk, in order of cards, aces and tolerance; damaged ones last."""
    from handful.rummy.solver.spread import open_spread

    stored = []
    for path in sorted((folder or answers_folder()).glob(KEPT[0])):
        size_mb = path.stat().st_size / 1e6
        try:
            answers = read_answers(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a damaged spread is as if it were not there
                spread = open_spread(answers)
            stored.append(StoredAnswers(path, size_mb, answers.summary(), None, spread.figures if spread else None))
        except HandfulError as error:
            stored.append(StoredAnswers(path, size_mb, None, str(error)))

    def order(entry: StoredAnswers) -> tuple[Any, ...]:
        summary = entry.summary
        if summary is None:
            return (HAND_SIZES.stop, 0, 0.0, entry.path)
        return (summary.cards, ACE_RULES.index(summary.aces), summary.tolerance, entry.path)

    return tuple(sorted(stored, key=order))


def clear_answers(folder: Path | None = None) -> tuple[Path, ...]:
    """Remove all answers, what was made from them, and what interrupted runs have left; return what is gone."""
    gone = [path for pattern in KEPT for path in sorted((folder or answers_folder()).glob(pattern))]
    for path in gone:
        remove(path)
    return tuple(gone)
