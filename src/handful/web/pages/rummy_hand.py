"""What the page says of a Rummy hand: how it melds, what every draw is good for, what every discard costs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from handful.errors import DealError
from handful.rummy.advice import Advice, DrawAdvice, all_draws
from handful.rummy.answers import Answers, Discard
from handful.rummy.cards import NUM_CARDS, SUITS, Card, cards_of, format_cards, parse_card, parse_cards
from handful.rummy.game import HAND_SIZES, Game
from handful.rummy.melds import Melding, check_aces, find_melds
from handful.web.playing_cards import Face, face_of

MOST_MADE_HERE = 7  # cards: the answers of larger games take hours and gigabytes
SHADES = 5
ALL_CARDS = cards_of((1 << NUM_CARDS) - 1)
ACE_TEXTS = {"low": ("low", "A 2 3"), "high": ("high or low", "A 2 3, Q K A"), "wrap": ("round the corner", "K A 2")}


def deck_rows() -> list[list[Card]]:
    """Return all cards, a row for each suit."""
    return [[card for card in ALL_CARDS if card.suit == suit] for suit in range(len(SUITS))]


@dataclass(frozen=True)
class Question:
    """A hand that somebody asks about, checked: so many cards of a deck, an ace rule, a draw, cards that are gone."""

    hand: tuple[Card, ...]
    aces: str
    draw: Card | None = None
    gone: tuple[Card, ...] = ()

    @staticmethod
    def of(hand: str, aces: str, draw: str = "", gone: str = "") -> Question:
        """Return the question that texts ask, or refuse them."""
        cards, others = parse_cards(hand, range(HAND_SIZES.stop)), parse_cards(gone, name="cards gone")
        drawn = parse_card(draw) if draw.strip() else None
        for card in others:
            if card in cards:
                raise DealError(f"{card} is in the hand: it cannot be gone as well")
        if drawn is not None and drawn in (*cards, *others):
            raise DealError(f"{drawn} cannot be drawn: it is {'gone' if drawn in others else 'in the hand'}")
        return Question(cards, check_aces(aces), drawn, others)

    @property
    def is_whole(self) -> bool:
        """Whether there are enough cards for a hand."""
        return len(self.hand) >= HAND_SIZES[0]

    @property
    def game(self) -> Game:
        """The game that the hand belongs to."""
        return Game(len(self.hand), self.aces)

    def query(self, **changed: str) -> dict[str, str]:
        """Return the question as the fields of an address; empty ones are left out."""
        draw = "" if self.draw is None else str(self.draw)
        fields = {"hand": format_cards(self.hand), "aces": self.aces, "draw": draw, "gone": format_cards(self.gone)}
        return {name: value for name, value in {**fields, **changed}.items() if value}


@dataclass(frozen=True)
class DrawCell:
    """A card of the deck: in the hand, gone, or a draw with what to throw for it.

    `shade` is 0 for a draw that does not help, up to `SHADES` for those that save most turns.
    """

    face: Face
    state: str  # own, gone, draw
    throw: Face | None = None
    turns: float = 0.0
    gain: float = 0.0
    shade: int = 0
    is_chosen: bool = False

    @property
    def is_out(self) -> bool:
        """Whether this draw ends the game."""
        return self.state == "draw" and self.turns == 0.0

    @property
    def is_thrown(self) -> bool:
        """Whether the draw itself is thrown again."""
        return self.throw == self.face

    @property
    def words(self) -> str:
        """What to do, in words."""
        if self.throw is None:
            return f"{self.face.words}: {'in your hand' if self.state == 'own' else 'gone'}"
        end = "you are out" if self.is_out else f"{self.turns:.2f} turns then, {self.gain:.2f} saved"
        throw = "throw it again" if self.is_thrown else f"throw the {self.throw.words}"
        return f"draw the {self.face.words}: {throw}; {end}"


@dataclass(frozen=True)
class DiscardRow:
    """A card that may be thrown after the draw, with its cost; `share` is of the greatest cost."""

    face: Face
    turns: float
    cost: float
    share: float
    keeps: str
    is_best: bool


@dataclass(frozen=True)
class HandAnswer:
    """All that the page says of a hand at once; how the turns are spread takes longer, and comes separately."""

    question: Question
    expected: float
    melds: tuple[tuple[Face, ...], ...]
    deadwood: tuple[Face, ...]
    cells: tuple[tuple[DrawCell, ...], ...]
    discards: tuple[DiscardRow, ...]

    @property
    def is_rummy(self) -> bool:
        """Whether the hand is out already."""
        return self.expected == 0.0

    @property
    def draws(self) -> list[DrawCell]:
        """The cells that are draws."""
        return [cell for row in self.cells for cell in row if cell.state == "draw"]


def answer(question: Question, answers: Answers) -> HandAnswer:
    """Return what answers say of a hand."""
    discards = () if question.draw is None else answers.discards(question.hand, question.draw)
    expected, melding = answers.expected_turns(question.hand), find_melds(question.hand, question.aces)
    return _answer(question, expected, melding, all_draws(answers, question.hand), discards)


def answer_of(question: Question, advice: Advice) -> HandAnswer:
    """Return what is said of a hand for which cards are gone."""
    return _answer(question, advice.expected_turns, advice.melding, advice.draws, advice.discards)


def _answer(
    question: Question,
    expected: float,
    melding: Melding,
    draws: tuple[DrawAdvice, ...],
    discards: tuple[Discard, ...],
) -> HandAnswer:
    melds, deadwood = tuple(tuple(map(face_of, meld)) for meld in melding.melds), tuple(map(face_of, melding.deadwood))
    return HandAnswer(question, expected, melds, deadwood, _cells(question, draws), _rows(discards))


def _cells(question: Question, draws: tuple[DrawAdvice, ...]) -> tuple[tuple[DrawCell, ...], ...]:
    if not draws:
        return ()
    by_card = {each.draw: each for each in draws}
    most = max(each.gain for each in draws) or 1.0

    def cell(card: Card) -> DrawCell:
        if card not in by_card:
            return DrawCell(face_of(card), "own" if card in question.hand else "gone")
        each = by_card[card]
        shade = ceil(SHADES * each.gain / most - 1e-9) if each.gain > 1e-9 else 0
        is_chosen = card == question.draw
        return DrawCell(
            face_of(card), "draw", face_of(each.discard), each.expected_turns, each.gain, shade, is_chosen=is_chosen
        )

    return tuple(tuple(map(cell, row)) for row in deck_rows())


def _rows(discards: tuple[Discard, ...]) -> tuple[DiscardRow, ...]:
    most = max((each.cost for each in discards), default=0.0) or 1.0
    return tuple(
        DiscardRow(
            face_of(each.card),
            each.expected_turns,
            each.cost,
            each.cost / most,
            format_cards(each.keeps),
            each.cost < 1e-9,
        )
        for each in discards
    )
