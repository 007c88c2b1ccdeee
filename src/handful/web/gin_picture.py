"""What one seat is shown of a game of Gin: of a round that goes on, from that player's view and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from handful.rummy.cards import Card
from handful.rummy.gin.actions import PASS, TAKE, GinAction
from handful.rummy.gin.deadwood import Arrangement, best_arrangement, deadwood, layoff_steps, ordered, points_of
from handful.rummy.gin.game import GinEvent, GinGame, PlayedRound, ScoreLine, final_lines, final_scores, score_sheet
from handful.rummy.gin.rules import HAND_SIZE, GinRules
from handful.rummy.gin.view import GinView
from handful.web.gin_seats import SeatedGame, number_text
from handful.web.playing_cards import Face, face_of

LOOSE = -1  # the number of the meld of a card that is in none


@dataclass(frozen=True)
class HeldCard:
    """A card of the own hand: its face, the meld that it is in, and what may be done with it.

    `left` is the deadwood that is left when it is thrown; None where it may not be thrown now. `throw` and `knock` are
    the numbers of these actions. `slot` is its place on the screen: what was just drawn comes last.
    """

    slot: int
    face: Face
    meld: int
    is_new: bool
    left: int | None = None
    throw: int | None = None
    knock: int | None = None


@dataclass(frozen=True)
class ShownEvent:
    """Something that happened: who, what, and the card that both saw."""

    player: int
    kind: str
    face: Face | None
    text: str


@dataclass(frozen=True)
class Step:
    """A step of laying out the hands after a knock: in words, and the groups of cards that are on the table by it."""

    text: str
    player: int | None
    groups: tuple[tuple[Face, ...], ...]
    loose: tuple[Face, ...]
    laid: Face | None = None


@dataclass(frozen=True)
class Result:
    """How a round ended, step by step, as both may see it."""

    number: int
    ending: str
    winner: int | None
    points: int
    headline: str
    steps: tuple[Step, ...]
    hands: tuple[tuple[Face, ...], ...]  # as they lay at the end
    events: tuple[ShownEvent, ...]


@dataclass(frozen=True)
class SheetRow:
    """A line of the score sheet: what for, the points of both, and what they have by then."""

    text: str
    points: tuple[int, int]
    totals: tuple[int, int]
    round_number: int | None = None


@dataclass(frozen=True)
class GinPicture:
    """The table as one seat sees it. Of a round that goes on, there is nothing in it that this player may not know."""

    rules: GinRules
    names: tuple[str, ...]
    me: int
    round_number: int
    starter: int
    is_over: bool
    result: Result | None
    may_act: bool
    waits_for: int
    phase: str
    limit: int
    stock_size: int
    upcard: Face | None
    pile: tuple[Face, ...]
    hand: tuple[HeldCard, ...]
    deadwood: int
    opponent_known: tuple[Face, ...]
    opponent_hidden: int
    opponent_took: Face | None
    events: tuple[ShownEvent, ...]
    scores: tuple[int, int]
    sheet: tuple[SheetRow, ...]
    legal: tuple[int, ...]
    final: tuple[int, int] | None

    @property
    def opponent(self) -> int:
        """The seat on the other side."""
        return 1 - self.me

    @property
    def is_my_turn(self) -> bool:
        """Whether this seat is to move, in a round that goes on."""
        return self.may_act and self.result is None

    def number(self, kind: str) -> int | None:
        """Return the number of an action that needs no card, if it is legal."""
        found = GinAction(kind).number
        return found if found in self.legal else None

    @property
    def what_to_do(self) -> str:
        """What this player is asked for."""
        if self.phase == "throw":
            return "throw a card"
        if self.phase == "wall":
            return "knock with the upcard, or pass"
        if PASS in self.legal:
            return "take the upcard, or pass"
        return "take the upcard, or draw" if TAKE in self.legal else "both have passed: draw"

    def to_dict(self) -> dict[str, Any]:
        """Return what is seen, as plain values; seats count from 1."""
        return {
            "names": list(self.names),
            "seat": self.me + 1,
            "rules": self.rules.name,
            "round": self.round_number + 1,
            "to_move": None if self.is_over else self.waits_for + 1,
            "is_over": self.is_over,
            "round_is_over": self.result is not None,
            "phase": self.phase,
            "knock_limit": self.limit,
            "hand": [card.face.text for card in self.hand],
            "deadwood": self.deadwood,
            "upcard": self.upcard and self.upcard.text,
            "pile": [face.text for face in self.pile],
            "stock_size": self.stock_size,
            "opponent_has": [face.text for face in self.opponent_known],
            "events": [event.text for event in self.events],
            "scores": list(self.scores),
            "result": None if self.result is None else [step.text for step in self.result.steps],
            "final": None if self.final is None else list(self.final),
        }


def gin_picture(state: SeatedGame, names: Sequence[str], seat: int) -> GinPicture:
    """Return the table as a seat sees it now."""
    game = state.game
    view = game.round.view(seat)
    legal = tuple(state.legal_numbers(seat))
    got = game.got if view.current == seat else None
    hand = held_cards(view, legal, got)
    return GinPicture(
        rules=game.rules,
        names=tuple(names),
        me=seat,
        round_number=len(game.played) - game.round_is_over,
        starter=view.starter,
        is_over=game.is_over,
        result=result_of(game.played[-1], names) if game.round_is_over else None,
        may_act=state.may_act(seat),
        waits_for=state.current,
        phase=view.phase,
        limit=view.knock_limit,
        stock_size=view.stock_size,
        upcard=_face(view.upcard),
        pile=tuple(map(face_of, reversed(view.pile))),
        hand=hand,
        deadwood=min((card.left for card in hand if card.left is not None), default=deadwood(view.hand)),
        opponent_known=tuple(map(face_of, view.known)),
        opponent_hidden=HAND_SIZE + (view.phase == "throw" and view.current != seat) - len(view.known),
        opponent_took=face_of(view.taken) if view.taken is not None and view.current != seat else None,
        events=tuple(shown_event(event, names) for event in game.events),
        scores=game.scores,
        sheet=tuple(sheet_rows(game)),
        legal=legal,
        final=final_scores(game) if game.is_over else None,
    )


def held_cards(view: GinView, legal: Sequence[int], got: Card | None) -> tuple[HeldCard, ...]:
    """Return the own hand as it lies: melds, then loose cards, then what was just drawn, with what may be done."""
    before = [card for card in view.hand if card != got]
    laid, best = best_arrangement(before), best_arrangement(view.hand)
    meld_of = {card: number for number, meld in enumerate(best.melds) for card in meld}
    order = [*(card for meld in laid.melds for card in meld), *laid.loose, *([got] if got is not None else [])]
    if view.phase == "wall" and view.upcard is not None and view.current == view.player:
        order.append(view.upcard)  # with which one may still knock
    held = []
    for slot, card in enumerate(order):
        throw, knock = GinAction("throw", card).number, GinAction("knock", card).number
        may = throw in legal or knock in legal
        left = deadwood([other for other in order if other != card]) if may else None
        held.append(
            HeldCard(
                slot=slot,
                face=face_of(card),
                meld=meld_of.get(card, LOOSE),
                is_new=card == got,
                left=left,
                throw=throw if throw in legal else None,
                knock=knock if knock in legal else None,
            )
        )
    return tuple(held)


def _face(card: Card | None) -> Face | None:
    return None if card is None else face_of(card)


_TEXTS = {
    "take": "takes {card}",
    "draw": "draws",
    "pass": "leaves {card}",
    "throw": "throws {card}",
    "knock": "knocks, throwing {card}",
    "big-gin": "has big gin",
}


def shown_event(event: GinEvent, names: Sequence[str]) -> ShownEvent:
    """Return what happened, in words."""
    face = _face(event.card)
    words = _TEXTS[event.kind].format(card=face.short if face else "the upcard")
    return ShownEvent(event.player, event.kind, face, f"{names[event.player]} {words}")


# The end of a round: everything lies open


def result_of(played: PlayedRound, names: Sequence[str]) -> Result:
    """Return how a round ended, step by step."""
    found = played.settlement
    hands = tuple(tuple(map(face_of, ordered(hand))) for hand in played.end.hands)
    events = tuple(shown_event(event, names) for event in played.events)
    headline = _headline(played, names)
    steps: list[Step] = []
    if found.knocker is not None and found.knocked is not None and found.defence is not None:
        knocker, defender = names[found.knocker], names[1 - found.knocker]
        words = {"gin": "has gin", "big gin": "has big gin"}.get(found.ending, "knocks")
        points = found.knocked.deadwood
        text = f"{knocker} {words}" + (f" with {points}" if points else "")
        steps.append(_step(text, found.knocker, found.knocked.melds, found.knocked.loose))
        melds, loose, off = found.defence.arrangement.melds, found.defence.arrangement.loose, found.defence.laid_off
        kept = tuple(sorted((*loose, *off)))
        text = f"{defender} lays out {_count(len(melds), 'meld')}: {points_of(kept)} left"
        steps.append(_step(text, 1 - found.knocker, melds, kept))
        steps.extend(_layoffs(found.knocked, (*loose, *off), off, found.knocker, defender))
        left = f"{defender} is left with {found.defence.deadwood}, against {points}"
        steps.append(_step(f"{left}. {headline}", None, (), ()))
    else:
        steps.append(_step(headline, None, (), ()))
    winner, points = found.winner, found.points
    return Result(played.number, found.ending, winner, points, headline, tuple(steps), hands, events)


def _step(
    text: str, player: int | None, melds: Iterable[tuple[Card, ...]], loose: Iterable[Card], laid: Card | None = None
) -> Step:
    groups = tuple(tuple(map(face_of, meld)) for meld in melds)
    return Step(text, player, groups, tuple(map(face_of, loose)), _face(laid))


def _layoffs(
    knocked: Arrangement, kept: Iterable[Card], off: Iterable[Card], knocker: int, defender: str
) -> Iterable[Step]:
    left = set(kept)
    for card, meld in layoff_steps(off, knocked.melds):
        left.remove(card)
        text = f"{defender} lays off {face_of(card).short} on {' '.join(face_of(each).short for each in meld)}"
        grown = tuple(sorted((*meld, card)))
        yield _step(f"{text}: {points_of(left)} left", knocker, [grown], (), card)


def _count(number: int, what: str) -> str:
    return f"{'no' if number == 0 else number} {what}{'' if number == 1 else 's'}"


def _headline(played: PlayedRound, names: Sequence[str]) -> str:
    found = played.settlement
    if found.winner is None:
        return "Nobody wins: the hand is void" if found.ending == "void" else "Nobody wins: both have the same"
    name = names[found.winner]
    how = {"undercut": f"Undercut: {name} wins", "gin": f"Gin: {name} wins", "big gin": f"Big gin: {name} wins"}
    return f"{how.get(found.ending, f'{name} wins')} {_count(found.points, 'point')}"


# The score sheet


def sheet_rows(game: GinGame) -> Iterable[SheetRow]:
    """Yield the lines of the score sheet: a line for each round, and at the end what the house adds."""
    totals = (0, 0)
    for played in game.played:
        totals = (totals[0] + played.points[0], totals[1] + played.points[1])
        yield SheetRow(played.settlement.ending, played.points, totals, played.number)
    lines: tuple[ScoreLine, ...] = final_lines(game)
    for line in lines:
        totals = (totals[0] + line.points[0], totals[1] + line.points[1])
        yield SheetRow(line.text, line.points, totals)


def seen(state: SeatedGame, names: Sequence[str], seat: int) -> dict[str, Any]:
    """Return what a seat sees and may do, as plain values for programs."""
    shown = gin_picture(state, names, seat)
    return {
        **shown.to_dict(),
        "turn": state.turn_number,
        "sheet": score_sheet(state.game),
        "actions": [{"action": number, "text": number_text(number)} for number in state.legal_numbers(seat)],
    }
