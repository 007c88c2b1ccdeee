"""What the adviser says of a place in a round of Gin, as pages show it: choices with their worth and cost, and reasons.

It is asked in processes of their own: a hint where the bots think, the review of a hand as a job. What it says is a
function of the view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handful.rummy.cards import NUM_CARDS, Card
from handful.rummy.gin.actions import GinAction, action_at
from handful.rummy.gin.deadwood import best_arrangement, deadwood, least_after_throw, ordered
from handful.rummy.gin.deal import GinDeal, card_at
from handful.rummy.gin.round import Round
from handful.rummy.gin.rules import gin_rules
from handful.rummy.gin.view import GinView
from handful.web.playing_cards import Face, face_of

if TYPE_CHECKING:
    from handful.rummy.gin.advice import GinAdvice, GinChoice

HINT_WORLDS = 2048  # a quarter of a second
REVIEW_WORLDS = 512
SMALL_COST = 0.005  # of the win chance: less than this is as good
MISTAKE = 0.03


@dataclass(frozen=True)
class AdvisedAction:
    """A choice: its number, in words, and what it is worth; `cost` is what it gives away, in win chance."""

    number: int
    text: str
    win_chance: float
    interval: tuple[float, float]
    points: float
    cost: float
    round_win_chance: float
    gin_chance: float
    undercut_risk: float
    expected_turns: float

    @property
    def is_as_good(self) -> bool:
        """Whether it gives away next to nothing."""
        return self.cost < SMALL_COST


@dataclass(frozen=True)
class GinAdvised:
    """What is said to a player: the choices, the best first, and why; and from how many worlds that is known."""

    actions: tuple[AdvisedAction, ...]
    reasons: tuple[str, ...]
    worlds: int

    @property
    def best(self) -> AdvisedAction:
        """What to do."""
        return self.actions[0]


def action_text(action: GinAction, view: GinView) -> str:
    """Return a choice in words.

    >>> from handful.rummy.gin import GinDeal, Round
    >>> action_text(GinAction("take"), Round(GinDeal.from_seed(7)).view(0))
    'Take 9♦︎'
    """
    if action.card is not None:
        gin = action.kind == "knock" and deadwood([card for card in _held(view) if card != action.card]) == 0
        words = "Go gin, throwing" if gin else "Knock, throwing" if action.kind == "knock" else "Throw"
        return f"{words} {face_of(action.card).short}"
    if action.kind == "take" and view.upcard is not None:
        return f"Take {face_of(view.upcard).short}"
    return {"draw": "Draw", "pass": "Pass", "big-gin": "Big gin"}.get(action.kind, action.kind)


def _held(view: GinView) -> tuple[Card, ...]:
    """Return the cards of which one goes: at the wall the upcard is one of them."""
    return (*view.hand, view.upcard) if view.phase == "wall" and view.upcard is not None else view.hand


def advised(view: GinView, worlds: int = HINT_WORLDS) -> GinAdvised:
    """Return what is said of a place that is shown by a view."""
    from handful.rummy.gin.advice import advise

    advice = advise(view, worlds=worlds)
    return GinAdvised(tuple(_row(each, advice, view) for each in advice.choices), _reasons(view, advice), advice.worlds)


def _row(choice: GinChoice, advice: GinAdvice, view: GinView) -> AdvisedAction:
    return AdvisedAction(
        number=choice.action.number,
        text=action_text(choice.action, view),
        win_chance=choice.win_chance,
        interval=choice.win_chance_ci95,
        points=choice.points,
        cost=advice.best.win_chance - choice.win_chance,
        round_win_chance=choice.round_win_chance,
        gin_chance=choice.gin_chance,
        undercut_risk=choice.undercut_risk,
        expected_turns=choice.expected_turns,
    )


# Reasons


def _reasons(view: GinView, advice: GinAdvice) -> tuple[str, ...]:
    """Return why the best choice is best: what it leaves, what may come, and what the play-outs say."""
    best = advice.best
    reasons = [_of_kind(view, best.action)]
    if best.action.kind == "throw" and best.action.card is not None:
        reasons.append(_danger(view, best.action.card))
    reasons.append(_outlook(best))
    if len(advice.choices) > 1:
        second = advice.choices[1]
        lead = best.win_chance - second.win_chance
        words = action_text(second.action, view)
        words = words[:1].lower() + words[1:]
        if lead < SMALL_COST:
            reasons.append(f"As good: {words}.")
        else:
            reasons.append(f"Next best: {words}, which gives away {100 * lead:.1f} % of games.")
    return tuple(filter(None, reasons))


def _of_kind(view: GinView, action: GinAction) -> str:
    if action.kind == "take" and view.upcard is not None:
        after = least_after_throw((*view.hand, view.upcard))
        melds = [meld for meld in best_arrangement((*view.hand, view.upcard)).melds if view.upcard in meld]
        if melds:
            return f"It melds: {' '.join(face_of(card).short for card in melds[0])}; deadwood {after} after the throw."
        return f"It leaves deadwood {after} after the throw, against {deadwood(view.hand)} now."
    if action.kind in ("draw", "pass") and view.upcard is not None and view.phase != "wall":
        return f"With the upcard {_drop(view)}."
    if action.kind == "throw" and action.card is not None:
        kept = [card for card in view.hand if card != action.card]
        return f"{deadwood(kept)} are left then; {_helping(view, kept)}."
    if action.kind == "knock" and action.card is not None:
        left = deadwood([card for card in _held(view) if card != action.card])
        return "Nothing is left." if left == 0 else f"{left} are left, and knocking ends the hand now."
    return ""


def _drop(view: GinView) -> str:
    assert view.upcard is not None
    now, after = deadwood(view.hand), least_after_throw((*view.hand, view.upcard))
    return f"deadwood would only go from {now} to {after}" if after < now else f"deadwood would stay at {now}"


def unseen(view: GinView) -> list[Card]:
    """Return the cards that this player has not seen: in the other hand, or in the stock."""
    seen = {*view.hand, *view.pile, *view.known, view.upcard}
    return [card_at(number) for number in range(NUM_CARDS) if card_at(number) not in seen]


def _helping(view: GinView, kept: Sequence[Card]) -> str:
    """Return how many unseen cards would lower the deadwood of ten cards, and how many would make gin."""
    now, left = deadwood(kept), unseen(view)
    after = [least_after_throw((*kept, card)) for card in left]
    # Any low card may replace a high one: what counts is a card that takes off more than its own place does.
    melding = sum(any(card in meld for meld in best_arrangement((*kept, card)).melds) for card in left)
    gins = sum(each == 0 for each in after)
    better = sum(each < now for each in after)
    more = f", {gins} make gin" if gins else ""
    return f"{melding} of the {len(left)} unseen cards meld, {better} lower it{more}"


def _danger(view: GinView, card: Card) -> str:
    """Return whether a thrown card fits what is known of the opponent, or can hardly be of use."""
    near = [
        other
        for other in view.known
        if other.rank == card.rank or (other.suit == card.suit and abs(other.rank - card.rank) <= 2)
    ]
    if near:
        return f"It could fit {' '.join(face_of(other).short for other in near)}, which the opponent took."
    gone = {*view.hand, *view.pile}
    same = [other for other in gone if other.rank == card.rank and other != card]
    if len(same) >= 2:
        return "Two or more of its rank are out of play or yours: for the opponent it fits a run at most."
    return ""


def _outlook(best: GinChoice) -> str:
    low, high = best.win_chance_ci95
    parts = [f"you win the game in {100 * best.win_chance:.0f} % ({100 * low:.0f} to {100 * high:.0f})"]
    parts.append(
        f"this hand in {100 * best.round_win_chance:.0f} %, {best.points:+.1f} points on average".replace("-", "−")
    )
    text = f"Played out: {', '.join(parts)}"
    if best.action.kind in ("knock", "big-gin"):
        return f"{text}; an undercut in {100 * best.undercut_risk:.0f} %."
    return f"{text}; gin in {100 * best.gin_chance:.0f} %; about {best.expected_turns:.0f} turns to go."


# The review of a hand


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a hand: who, what was done, what would have been best, and what it cost; None: nobody looked.

    `hand` is what the player held, and `upcard` what lay there; a cost of next to nothing is 0.
    """

    turn: int
    player: int
    text: str
    best: str
    hand: tuple[Face, ...]
    upcard: Face | None
    win_chance: float
    cost: float | None
    points_cost: float | None

    @property
    def is_mistake(self) -> bool:
        """Whether it gave away more than a little."""
        return self.cost is not None and self.cost >= MISTAKE

    @property
    def is_fine(self) -> bool:
        """Whether it was as good as anything."""
        return self.cost == 0.0


@dataclass(frozen=True)
class GinReview:
    """All decisions of a hand that were any, and what each player gave away in all (win chance, and points)."""

    decisions: tuple[ReviewedDecision, ...]
    costs: tuple[float, float]
    points: tuple[float, float]
    worlds: int

    @property
    def costly(self) -> tuple[ReviewedDecision, ...]:
        """The decisions that gave something away, or that nobody can tell."""
        return tuple(each for each in self.decisions if not each.is_fine)


def review_round(
    deck: Sequence[int],
    rules: str,
    starter: int,
    scores: tuple[int, int],
    actions: Sequence[int],
    report: Callable[[int, int], None] = lambda done, total: None,
    worlds: int = REVIEW_WORLDS,
) -> GinReview:
    """Return what each decision of a hand cost, by what its player could know then."""
    from handful.rummy.gin.advice import advise

    round_ = Round(GinDeal(tuple(map(card_at, deck))), gin_rules(rules), starter, scores)
    decisions = []
    for done, number in enumerate(actions):
        report(done, len(actions))
        action, player = action_at(number), round_.current
        if len(round_.legal_numbers()) > 1:
            view = round_.view(player)
            advice = advise(view, worlds=worlds)
            decisions.append(_decision(done + 1, view, advice, action))
        round_.act(action)
    costs = [sum(each.cost or 0.0 for each in decisions if each.player == player) for player in range(2)]
    points = [sum(each.points_cost or 0.0 for each in decisions if each.player == player) for player in range(2)]
    return GinReview(tuple(decisions), (costs[0], costs[1]), (points[0], points[1]), worlds)


def _decision(turn: int, view: GinView, advice: GinAdvice, action: GinAction) -> ReviewedDecision:
    known = [each for each in advice.choices if each.action == action]
    if not known and action.kind == "knock":  # of the knocks one is looked at: others are as good, or leave more
        known = [each for each in advice.choices if each.action.kind == "knock"]
    best = advice.best
    cost = best.win_chance - known[0].win_chance if known else None
    points_cost = max(0.0, best.points - known[0].points) if known else None
    if cost is not None and cost < SMALL_COST:
        cost = points_cost = 0.0
    return ReviewedDecision(
        turn=turn,
        player=view.player,
        text=action_text(action, view),
        best=action_text(best.action, view),
        hand=tuple(map(face_of, ordered(view.hand))),
        upcard=None if view.upcard is None else face_of(view.upcard),
        win_chance=best.win_chance,
        cost=cost,
        points_cost=points_cost,
    )
