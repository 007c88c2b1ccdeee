"""A place of a round from what one remembers of it: own hand, upcard, discards, what the opponent took and threw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from handful.errors import DealError
from handful.rummy.cards import NUM_CARDS, Card, HandLike, format_cards, parse_cards
from handful.rummy.gin.actions import DRAW, KNOCK, PASS, TAKE, GinAction, action_at
from handful.rummy.gin.deadwood import card_points, deadwood
from handful.rummy.gin.deal import number_of
from handful.rummy.gin.rules import EAAI, HAND_SIZE, GinRules
from handful.rummy.gin.view import GinTurn, GinView


@dataclass(frozen=True)
class Remembered:
    """What one remembers of a round beside the own hand and the upcard.

    `discards` are what else lies in the pile, from the bottom. Of them and the upcard, the opponent threw
    `opponent_threw`, in this order (if nobody says: the last one, and every other before it); `opponent_took` is what
    the opponent took and still has. `taken`: the upcard, if it is among the eleven cards; `passed`: the opponent has
    refused the first upcard.
    """

    discards: HandLike = ()
    opponent_took: HandLike = ()
    opponent_threw: HandLike | None = None
    taken: Card | None = None
    passed: bool = False


NOTHING = Remembered()


def view_of(
    hand: HandLike,
    upcard: Card | None = None,
    remembered: Remembered = NOTHING,
    *,
    rules: GinRules = EAAI,
    score: tuple[int, int] = (0, 0),
) -> GinView:
    """Return the view of player 0 in such a place.

    Ten cards and an upcard: take it or draw? Eleven: which to throw? With no discards it is the first upcard.

    >>> view = view_of("2S 3C 3S 6H 7H 9H 9S QH QS KH", parse_cards("9D")[0])
    >>> view.phase, view.stock_size
    ('first upcard', 31)
    """
    discards, taken, passed = remembered.discards, remembered.taken, remembered.passed
    opponent_took, opponent_threw = remembered.opponent_took, remembered.opponent_threw
    own, pile, known = parse_cards(hand), parse_cards(discards), parse_cards(opponent_took)
    _check(own, upcard, pile, known, taken)
    is_drawing = len(own) == HAND_SIZE
    lying = [*_ordered(discards, pile), *([upcard] if upcard else [])]
    is_first = is_drawing and not pile and not known
    threw = _thrown(lying, opponent_threw, is_first)
    turns = _turns(lying, threw, [] if is_first else list(known), is_drawing)
    stock = NUM_CARDS - len(own) - HAND_SIZE - len(lying)
    if stock < rules.wall:
        raise DealError(f"{len(lying)} cards in the pile: the stock would have {stock}, and the round be over")
    first = turns[0].player if turns else (1 if passed else 0)
    # Of the first upcard only the own knowledge tells; Oklahoma's limit is that of the lowest card of the pile.
    limit = rules.limit_for(card_points((lying or [taken or own[0]])[0]))
    return GinView(
        rules=rules,
        player=0,
        starter=first,
        phase="first upcard" if is_first else "draw" if is_drawing else "throw",
        current=0,
        hand=own,
        upcard=upcard,
        pile=tuple(_ordered(discards, pile)),
        stock_size=stock,
        taken=taken,
        passes=int(passed),
        knock_limit=limit,
        known=known,
        own_known=(taken,) if taken else (),
        refused=(),
        turns=tuple(turns),
        scores=score,
        legal=_legal(own, is_first, is_drawing, taken, rules, limit),
        last_upcard=taken,
    )


def _ordered(cards: HandLike, parsed: tuple[Card, ...]) -> list[Card]:
    """Return cards in the order in which they were given; `parse_cards` sorts them."""
    if isinstance(cards, str):
        places = {card: place for place, text in enumerate(cards.split()) for card in parse_cards(text)}
        return sorted(parsed, key=lambda card: places[card])
    return [card for card in cards if isinstance(card, Card)] or list(parsed)


def _check(
    own: tuple[Card, ...], upcard: Card | None, pile: Sequence[Card], known: Sequence[Card], taken: Card | None
) -> None:
    if len(own) not in (HAND_SIZE, HAND_SIZE + 1):
        raise DealError(f"hand {format_cards(own)}: {len(own)} cards, expected 10, or 11 before a throw")
    if len(own) == HAND_SIZE and upcard is None:
        raise DealError("ten cards, and no upcard: expected what lies on top of the pile, or an eleventh card")
    if len(own) > HAND_SIZE and upcard is not None:
        raise DealError(f"eleven cards, and an upcard {upcard}: expected ten cards, or what lies there as a discard")
    places = [("the hand", own), ("the discards", pile), ("what the opponent took", known)]
    if upcard is not None:
        places.insert(1, ("the upcard", (upcard,)))
    for number, (where, cards) in enumerate(places):
        for before, others in places[:number]:
            for card in cards:
                if card in others:
                    raise DealError(f"{card} is in {before} and in {where}")
    if len(known) > HAND_SIZE:
        raise DealError(f"{len(known)} cards that the opponent took and has: expected at most 10")
    if taken is not None and taken not in own:
        raise DealError(f"{taken} was taken, and is not in the hand")


def _thrown(lying: list[Card], told: HandLike | None, is_first: bool) -> list[Card]:
    """Return what the opponent threw, in order: as told, or the top of the pile and every other below it."""
    if told is not None:
        threw = _ordered(told, parse_cards(told))
        for card in threw:
            if card not in lying:
                raise DealError(f"the opponent threw {card}: expected a card of the discards, or the upcard")
        return threw
    if is_first:
        return []
    every_other = lying[::-1][::2][::-1]
    # The lowest card was turned up, and thrown by nobody.
    return [card for card in every_other if card != lying[0]]


def _turns(lying: list[Card], threw: list[Card], took: list[Card], is_drawing: bool) -> list[GinTurn]:
    """Return turns that fit: backwards from the opponent's last, what the opponent took in the last of them."""
    mine = [card for card in lying if card not in threw]
    turns: list[GinTurn] = []
    for card in reversed(threw):
        given = took.pop() if took else None
        turns.insert(0, GinTurn(1, given, card))
        if given is not None:
            turns.insert(0, GinTurn(0, None, given))
        elif len(mine) > 1:  # the lowest card was turned up
            turns.insert(0, GinTurn(0, None, mine.pop()))
        else:
            break
    return turns


def _legal(
    own: tuple[Card, ...], is_first: bool, is_drawing: bool, taken: Card | None, rules: GinRules, limit: int
) -> tuple[GinAction, ...]:
    if is_drawing:
        return tuple(map(action_at, (TAKE, PASS) if is_first else (TAKE, DRAW)))
    cards = [card for card in own if rules.throw_taken or card != taken]
    throws = [number_of(card) for card in cards]
    knocks = [KNOCK + number_of(card) for card in cards if deadwood([other for other in own if other != card]) <= limit]
    return tuple(map(action_at, [*sorted(throws), *sorted(knocks)]))
