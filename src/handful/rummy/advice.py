"""Which card to throw, what the others would cost, and how long it will then take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from handful.display import Listing, Shown
from handful.errors import DealError
from handful.rummy.answers import Answers, Discard
from handful.rummy.cards import NUM_CARDS, Card, HandLike, cards_of, format_cards, mask_of, parse_card, parse_cards
from handful.rummy.distribution import Turns, turns_of
from handful.rummy.game import HAND_SIZES
from handful.rummy.gone.nearby import Nearby, check_left
from handful.rummy.gone.reckoning import How, Shifted, reckon
from handful.rummy.melds import Melding, check_aces, find_melds
from handful.rummy.reduced_deck import ReducedDeck
from handful.rummy.solver.long_run import Report
from handful.rummy.solver.solve import ready_answers

# Who knows what hands take.
Source: TypeAlias = Answers | ReducedDeck | Nearby | Shifted


@dataclass(frozen=True)
class DrawAdvice:
    """What to do with a draw: the best discard, the turns that it then takes, and the gain over throwing the draw."""

    draw: Card
    discard: Card
    expected_turns: float
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """Return the advice for JSON."""
        return {
            "draw": str(self.draw),
            "discard": str(self.discard),
            "expected_turns": self.expected_turns,
            "gain": self.gain,
        }


@dataclass(frozen=True)
class Advice(Shown):
    """All there is to say of a hand.

    `turns` counts those to come, from now on; the `expected_turns` of a draw or a discard are those that come after
    this turn. `draws` has the best discard for each possible draw; with a draw, `discards` has the cost of every
    discard, the best first. `seen` are the cards that are gone; if there are any, `how`
    says by which method the turns were found, and how good they are.
    """

    hand: tuple[Card, ...]
    aces: str
    seen: tuple[Card, ...]
    melding: Melding
    turns: Turns
    draws: tuple[DrawAdvice, ...]
    draw: Card | None
    discards: tuple[Discard, ...]
    how: How | None = None

    @property
    def expected_turns(self) -> float:
        """How many turns the hand takes on average."""
        return self.turns.expected

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `--json` prints it."""
        return {
            "hand": format_cards(self.hand),
            "aces": self.aces,
            "seen": format_cards(self.seen),
            "is_rummy": self.melding.is_rummy,
            **self.melding.to_dict(),
            **self.turns.to_dict(),
            "draw": None if self.draw is None else str(self.draw),
            "discards": [each.to_dict() for each in self.discards],
            "draws": [each.to_dict() for each in self.draws],
            "how": self.how and self.how.to_dict(),
        }

    def shown(self) -> Listing:
        """Return what a notebook shows: what every discard costs, or without a draw, what to do with each."""
        sentence = f"{format_cards(self.hand)}: {self.turns.expected:.4f} turns, sd {self.turns.sd:.4f}"
        if self.draw is None:
            rows: list[tuple[object, ...]] = [(each.draw, each.discard, each.expected_turns) for each in self.draws]
            return Listing(sentence, ("draw", "throw", "turns after this one"), rows)
        rows = [(each.card, format_cards(each.keeps), each.expected_turns, each.cost) for each in self.discards]
        return Listing(f"{sentence}; drawn {self.draw}", ("throw", "keeps", "turns after this one", "cost"), rows)

    def __repr__(self) -> str:
        throw = f", with {self.draw} throw {self.discards[0].card}" if self.discards else ""
        return f"<Advice {format_cards(self.hand)}, aces {self.aces}: {self.turns!r}{throw}>"


def advise(
    hand: HandLike,
    draw: Card | str | None = None,
    aces: str = "low",
    seen: HandLike = (),
    progress: Report | None = None,
) -> Advice:
    """Return all there is to say of a hand of 3 to 10 cards, without the cards that were `seen` and are gone."""
    check_aces(aces)
    cards = parse_cards(hand, HAND_SIZES)
    gone = parse_cards(seen, name="cards gone")
    for card in gone:
        if card in cards:
            raise DealError(f"{card} is in the hand {format_cards(cards)}: it cannot be gone as well")
    drawn = parse_card(draw) if isinstance(draw, str) else draw
    if drawn is not None:
        check_left((drawn,), gone)
    source: Source
    how = None
    if gone:
        reckoned = reckon(cards, aces, gone, progress)
        source, turns, how = reckoned.source, reckoned.turns, reckoned.how
    else:
        source = ready_answers(len(cards), aces, progress=progress)
        turns = turns_of(source, cards)
    # Before the rest, so that a draw that cannot be is refused.
    discards = () if drawn is None else source.discards(cards, drawn)
    return Advice(
        hand=cards,
        aces=aces,
        seen=gone,
        melding=find_melds(cards, aces),
        turns=turns,
        draws=all_draws(source, cards, gone),
        draw=drawn,
        discards=discards,
        how=how,
    )


def all_draws(source: Source, cards: tuple[Card, ...], gone: tuple[Card, ...] = ()) -> tuple[DrawAdvice, ...]:
    """Return the best discard for each card that may be drawn; none for a rummy, which draws no more."""
    own = source.expected_turns(cards)
    if own == 0.0:
        return ()
    left = cards_of((1 << NUM_CARDS) - 1 & ~mask_of(cards) & ~mask_of(gone))
    found = []
    for draw in left:
        best = source.discards(cards, draw)[0]
        found.append(DrawAdvice(draw, best.card, best.expected_turns, own - best.expected_turns))
    return tuple(found)
