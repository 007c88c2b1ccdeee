"""Tables of expected turns: answers on disk. A question is a look-up.

`open_table` finds the table of a game in the user's cache folder (or that of HANDFUL_RUMMY_TABLES); `solve.solve` makes
it if there is none, or if it is damaged.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from handful.display import Shown
from handful.errors import DealError, HandfulError, RulesError
from handful.rummy.answers.files import DamagedFileError, check_data, map_arrays, read_header, write_arrays
from handful.rummy.cards import Card, HandLike, cards_of, format_cards, mask_of, parse_card, parse_cards, suit_masks
from handful.rummy.melds import Melding, check_aces, find_melds

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from handful.rummy.kernels.hand_index import Hands

TABLE_VERSION = 1
MIN_CARDS, MAX_CARDS = 3, 10
EQUAL = 1e-9  # expected turns closer than this are shown as equal; rounding is a thousand times smaller
ENDING, SPREAD_ENDING = ".table", ".spread"


@dataclass(frozen=True)
class Game:
    """Which game is solved: so many cards in hand, an ace rule, and a tolerance (0: exactly)."""

    cards: int
    aces: str
    tolerance: float = 0.0

    def __post_init__(self) -> None:
        check_aces(self.aces)
        if not isinstance(self.cards, int) or not MIN_CARDS <= self.cards <= MAX_CARDS:
            raise RulesError(f"cards {self.cards}: expected a hand of {MIN_CARDS} to {MAX_CARDS}")
        if not 0 <= self.tolerance < float("inf"):
            raise RulesError(f"tolerance {self.tolerance}: expected 0 (exact) or a positive number of turns")

    @property
    def hands(self) -> int:
        """How many hands there are."""
        return comb(52, self.cards)

    @property
    def file_name(self) -> str:
        """What the table of this game is called."""
        tolerance = f"-within-{self.tolerance!r}" if self.tolerance else ""
        return f"rummy-{self.cards}-{self.aces}{tolerance}{ENDING}"


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

    `values`, float64, has the expected turns by canonical index (`hands_kernel`), and NaN at the indices of no hand.
    """

    def __init__(self, game: Game, summary: Summary, arrays: Mapping[str, npt.NDArray[Any]], path: Path | None) -> None:
        self.game = game
        self.path = path
        self._summary = summary
        self._arrays = arrays
        self.values: npt.NDArray[np.float64] = arrays["values"]

    def __repr__(self) -> str:
        return f"Answers({self._summary})"

    @property
    def hands(self) -> Hands:
        """What kernels need to find the index of a hand (see `hands_kernel.hand_index`)."""
        from handful.rummy.kernels.hand_index import make_hands

        return make_hands(self.game.aces, self.game.cards)

    def summary(self) -> Summary:
        """Return the solved game in figures."""
        return self._summary

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for JSON."""
        return self._summary.to_dict()

    def index(self, hand: HandLike) -> int:
        """Return the canonical index of a hand."""
        from handful.rummy.kernels.hand_index import hand_index

        cards = parse_cards(hand, self.game.cards)
        return int(hand_index(self.hands, *suit_masks(mask_of(cards)))[0])

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

        from handful.rummy.kernels.hand_index import first_alike, orbits_of_all

        orbits = np.zeros(len(self.values), np.uint16)
        orbits_of_all(self.hands, 0, len(orbits), orbits)
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
            example = cards_of(first_alike(self.hands, members))
            turns = float(self.values[members].min())
            found.append(HandClass(int(orbits[members].sum(dtype=np.int64)), format_cards(example), turns))
        return tuple(found)


def answers_folder() -> Path:
    """Return where tables are kept."""
    given = os.environ.get("HANDFUL_RUMMY_TABLES")
    return Path(given) if given else Path(platformdirs.user_cache_dir("handful"), "rummy")


def save_table(path: Path, game: Game, summary: Summary, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a table to its file."""
    header = {"kind": "table", "version": TABLE_VERSION, "game": asdict(game), "summary": summary.to_dict()}
    write_arrays(path, header, arrays)


def open_table(game: Game, folder: Path | None = None) -> Answers | None:
    """Return the table of a game from its file, or None if there is none; raise `DamagedFileError` if it is damaged."""
    path = (folder or answers_folder()) / game.file_name
    if not path.exists():
        return None
    return read_table(path, game)


def read_table(path: Path, game: Game | None = None) -> Answers:
    """Return the table in a file, checked: its header always, its data once."""
    header = read_header(path)
    if header.get("kind") != "table" or header.get("version") != TABLE_VERSION:
        raise DamagedFileError(f"{path}: not a table of version {TABLE_VERSION}")
    try:
        found = Game(**header["game"])
        summary = Summary(**{field.name: header["summary"][field.name] for field in fields(Summary)})
    except (KeyError, TypeError, HandfulError) as error:
        raise DamagedFileError(f"{path}: its header does not describe a game") from error
    if game is not None and found != game:
        raise DamagedFileError(f"{path}: the table of another game, {found}")
    check_data(path, header)
    return Answers(found, summary, map_arrays(path, header), path)
