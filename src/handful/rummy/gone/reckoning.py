"""What is said of a hand when cards are gone: by which of three methods, and how far it may be off.

*exact*: all hands of the cards that are left are solved, if they are few. *nearby*: the hands that share enough cards
with this one are solved, those further out judged by the turns that each card adds. *play-outs*: with 9 and 10 cards,
or before those tables are made, the game is played to its end many times by the table of the whole deck; the hands
nearby, judged by a bound, say what each throw costs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import comb, sqrt
from typing import TYPE_CHECKING, Any

from handful.errors import DealError
from handful.rummy.answers import Answers, Discard, discards_of
from handful.rummy.cards import NUM_CARDS, Card, HandLike, format_cards, mask_of, parse_card, parse_cards
from handful.rummy.distribution import LEAST_VISITS, Turns
from handful.rummy.game import ADDED_SIZES, GONE_SIZES, SOLVED_AT_ONCE
from handful.rummy.gone.added import Added, added_estimate, added_of, open_added
from handful.rummy.gone.measured import measured_for
from handful.rummy.gone.nearby import Nearby, check_left, make_judgement
from handful.rummy.melds import rummies
from handful.rummy.reduced_deck import ReducedDeck
from handful.rummy.solver.solve import ready_answers

if TYPE_CHECKING:
    from handful.rummy.gone.kernels.judgement import Judgement
    from handful.rummy.solver.long_run import Report

EXACT_HANDS = 400_000  # as many are solved in less than a second
BOUND_TOLD = 300_000  # hands told for a bound: a tenth of a second
GAMES = {"nearby": 4_000, "play-outs": 20_000}
MOST_TURNS = 2_000


@dataclass(frozen=True)
class How:
    """By which method the expected turns were found, and how good they are.

    `error` is the mean error that was measured on `positions` like this one (None: not measured; 0: exact). `at_least`
    is a bound from below, by a theorem. `interval` is that of the play-outs, 95 %: they play by what no one has proved
    best, so that their mean is a bound from above.
    """

    method: str
    at_least: float
    error: float | None = None
    positions: int = 0
    interval: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        told = asdict(self)
        return {**told, "interval": None if self.interval is None else list(self.interval)}

    def __str__(self) -> str:
        if self.method == "exact":
            return "exact: all hands of the cards that are left are solved"
        if self.interval is not None:
            low, high = self.interval
            return f"{GAMES['play-outs']:,} play-outs, {low:.2f} to {high:.2f} (95 %); at least {self.at_least:.2f}"
        off = "its error is not measured"
        if self.error is not None:
            off = f"mean error {self.error:.2f} turns on {self.positions} such positions"
        return f"the game nearby, and added turns beyond: {off}; at least {self.at_least:.2f}"


@dataclass(frozen=True)
class Reckoned:
    """What is known of a hand when cards are gone: who answers for it, how its turns are spread, by which method."""

    source: ReducedDeck | Nearby | Shifted
    turns: Turns
    how: How


class Shifted:
    """Hands near a hand, all of them as much longer as play-outs say that it takes than was thought."""

    def __init__(self, near: Nearby, expected: float) -> None:
        self.near, self.hand, self.shift = near, near.hand, expected - float(near.turns[0])

    def expected_turns(self, hand: HandLike) -> float:
        """Return how many turns the hand, or one that differs from it by a card, takes on average."""
        turns = self.near.expected_turns(hand)
        return max(1.0, turns + self.shift) if turns else 0.0

    def discards(self, hand: HandLike, draw: Card | str) -> tuple[Discard, ...]:
        """Return every card that may be thrown after a draw, the best first."""
        drawn = draw if isinstance(draw, Card) else parse_card(draw)
        return discards_of(parse_cards(hand, len(self.hand)), drawn, self.expected_turns)


def reckon(hand: tuple[Card, ...], aces: str, gone: tuple[Card, ...], progress: Report | None = None) -> Reckoned:
    """Return what is known of a hand of 3 to 10 cards when others are gone."""
    size = len(hand)
    check_left(hand, gone)
    left_mask = (1 << NUM_CARDS) - 1 & ~mask_of(gone)
    if not any(not rummy & ~left_mask for rummy in rummies(aces, size)):
        raise DealError(f"with {format_cards(gone)} gone, no {size} cards that are left meld")
    if is_solved_anew(size, len(gone)):
        deck = ReducedDeck(size, aces, gone)
        turns = deck.turns_of(hand, 0.0 if size in GONE_SIZES else LEAST_VISITS)
        return Reckoned(deck, turns, How("exact", turns.expected, 0.0))
    answers = ready_answers(size, aces, progress=progress)
    from handful.rummy.gone.kernels.judgement import BOUND, PLAIN, SUMMED

    added = ready_added(answers, progress)
    rows = None if added is None else added.rows
    judgement = make_judgement(answers, rows, gone, PLAIN if added is None else SUMMED)
    if added is None:
        near = Nearby(judgement, hand)
        turns = _played(judgement, hand, GAMES["play-outs"], None)
        half = 1.96 * turns.sd / sqrt(GAMES["play-outs"])
        interval = (turns.expected - half, turns.expected + half)
        how = How("play-outs", float(near.turns[0]), interval=interval)
        return Reckoned(Shifted(near, turns.expected), turns, how)
    near = Nearby(judgement, hand)
    bound = Nearby(make_judgement(answers, rows, gone, BOUND), hand, BOUND_TOLD)
    measured = measured_for(size, len(gone)) if aces == "low" else None
    error, positions = (None, 0) if measured is None else (measured.error, measured.positions)
    expected = float(near.turns[0])
    turns = _played(judgement, hand, GAMES["nearby"], expected)
    return Reckoned(near, turns, How("nearby", float(bound.turns[0]), error, positions))


def is_solved_anew(cards: int, gone: int) -> bool:
    """Return whether the hands that are left when so many cards are gone are all solved, which needs no table."""
    return cards in GONE_SIZES or comb(NUM_CARDS - gone, cards) <= EXACT_HANDS


def ready_added(answers: Answers, progress: Report | None = None) -> Added | None:
    """Return what each card adds: from disk, or found now if that takes less than a minute; None otherwise."""
    if answers.game.cards not in ADDED_SIZES:
        return None
    found = open_added(answers)
    if found is None and added_estimate(answers.game).seconds <= SOLVED_AT_ONCE:
        found = added_of(answers, progress=progress)
    return found


def _played(judgement: Judgement, hand: tuple[Card, ...], games: int, expected: float | None, seed: int = 0) -> Turns:
    """Return how the turns of a hand are spread over games that are played by a judgement."""
    import numpy as np

    from handful.rummy.gone.kernels.play_outs import play_outs

    turns = np.zeros(games, np.int64)
    play_outs(judgement, mask_of(hand), seed, 0, MOST_TURNS, turns)
    turns[turns < 0] = MOST_TURNS
    chances = np.bincount(turns) / games
    mean = float(turns.mean()) if expected is None else expected
    tail = 1.0 - 1.0 / mean if mean > 1.0 else 0.0
    sd = float(turns.std(ddof=1))
    return Turns(mean, sd, tuple(chances.tolist()), tail, 0, 0.0, games, is_sd_exact=mean == 0.0)
