"""Between the plain rules of Gin and kernels: rules, rounds and views as records."""

from __future__ import annotations

from typing import Any

import numpy as np

from handful.rummy.cards import Card, mask_of
from handful.rummy.gin.deal import number_of
from handful.rummy.gin.kernels.layout import GIN_RULES, ROUND, VIEW, Rounds, Rulebook, Views
from handful.rummy.gin.round import ENDINGS, PHASES, Round
from handful.rummy.gin.rules import GinRules
from handful.rummy.gin.view import GinView


def rulebook(rules: GinRules) -> Rulebook:
    """Return rules as kernels read them."""
    book = np.zeros(1, GIN_RULES)
    for name in GIN_RULES.names or ():
        book[0][name] = rules.lays_off == "before melding" if name == "lays_off_first" else getattr(rules, name)
    return book


def _number(card: Card | None) -> int:
    return -1 if card is None else number_of(card)


def round_record(game: Round) -> Rounds:
    """Return a plain round as a record."""
    rounds = np.zeros(1, ROUND)
    r = rounds[0]
    for player in range(2):
        r["hands"][player] = mask_of(game.hands[player])
        r["known"][player] = mask_of(game.known[player])
        r["refused"][player] = mask_of(game.refused[player])
        r["scores"][player] = game.scores[player]
    r["deck"] = [number_of(card) for card in game.deal.deck]
    r["next_card"] = len(game.deal.deck) - len(game.stock)
    r["pile"] = mask_of(game.pile)
    r["upcard"], r["last_upcard"], r["taken"] = map(_number, (game.upcard, game.last_upcard, game.taken))
    for name in ("current", "starter", "phase", "passes", "takes", "repeated", "knock_limit", "factor"):
        r[name] = getattr(game, name)
    _write_turns(r, game.turns)
    r["first_player"] = game.turns[0].player if game.turns else game.starter
    settlement = game.settlement
    r["ending"] = ENDINGS.index(settlement.ending) if settlement else 0
    r["winner"] = -1 if settlement is None or settlement.winner is None else settlement.winner
    r["points"] = settlement.points if settlement else 0
    return rounds


def _write_turns(record: Any, turns: Any) -> None:
    record["num_turns"] = len(turns)
    for place, turn in enumerate(turns):
        record["took"][place] = _number(turn.took)
        record["threw"][place] = number_of(turn.threw)


def view_record(view: GinView) -> Views:
    """Return a plain view as a record."""
    views = np.zeros(1, VIEW)
    w = views[0]
    w["hand"], w["pile"] = mask_of(view.hand), mask_of(view.pile)
    w["known"], w["own_known"], w["refused"] = mask_of(view.known), mask_of(view.own_known), mask_of(view.refused)
    w["stock"], w["phase"] = view.stock_size, PHASES.index(view.phase)
    w["upcard"], w["taken"] = _number(view.upcard), _number(view.taken)
    w["is_starter"] = view.starter == view.player
    w["passes"], w["takes"], w["repeated"] = view.passes, view.takes, view.repeated
    w["knock_limit"], w["factor"] = view.knock_limit, view.factor
    w["last_upcard"] = _number(view.last_upcard)
    w["own_score"], w["score"] = view.scores
    _write_turns(w, view.turns)
    w["has_first"] = (view.turns[0].player if view.turns else view.starter) == view.player
    return views
