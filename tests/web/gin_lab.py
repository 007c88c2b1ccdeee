"""What tests of Gin in the browser share: tables, moves through the JSON interface, and hidden cards dealt anew."""

from __future__ import annotations

import json
from typing import Any

import httpx

from handful.rummy.gin.game import GinPlan
from handful.rummy.gin.players import player_named
from handful.rummy.gin.rules import gin_rules
from handful.splitmix import SplitMix64
from handful.web.gin_seats import SeatedGame
from handful.web.gin_tables import GinTable
from tests.web.lab import Lab

PEOPLE = [("Anna", ""), ("Boris", "")]


def gin_table(lab: Lab, seed: int = 7, rules: str = "eaai", bot: str = "", has_hints: bool = True) -> GinTable:
    """Return a new table, at which the first to start is in seat 0."""
    places = [("Anna", ""), ("Boris", bot)]
    tables = lab.app.state.gin_tables
    table: GinTable = tables.create(GinPlan(gin_rules(rules), seed), places, is_open=False, has_hints=has_hints)
    return table


def token_of(table: GinTable, seat: int = 0) -> str:
    return table.setup.seats[seat].token


def see(lab: Lab, token: str) -> dict[str, Any]:
    """Return what a seat sees, from the JSON interface."""
    answer = lab.client.get(f"/api/gin/seats/{token}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = json.loads(answer.text)
    return found


def act(lab: Lab, token: str, turn: int, action: int) -> httpx.Response:
    """Take an action through the JSON interface."""
    return lab.client.post(f"/api/gin/seats/{token}/actions", json={"turn": turn, "action": action})


def chosen(state: SeatedGame, player: str = "simple") -> int:
    """Return what a player would do in the place of whoever is to move; between hands, to go on."""
    seat = state.current
    if state.game.round_is_over:
        return state.legal_numbers(seat)[0]
    return player_named(player).choose(state.game.round.view(seat), SplitMix64(5, state.turn_number)).number


def play_on(table: GinTable, turns: int = 10_000, until_round: int | None = None) -> SeatedGame:
    """Let both seats play by themselves for some turns, or until so many hands are over."""
    for _ in range(turns):
        state = table.state()
        if state.is_over or (until_round is not None and len(state.game.played) >= until_round):
            break
        table.act(state.current, state.turn_number, chosen(state))
    return table.state()


def redealt(state: SeatedGame, seat: int, chance: SplitMix64) -> SeatedGame:
    """Return the same game with other cards wherever this seat cannot see: in the other hand, and in the stock."""
    other = state.copy()
    round_ = other.game.round
    known = round_.known[1 - seat]
    hidden = [*sorted(round_.hands[1 - seat] - known), *round_.stock]
    chance.shuffle(hidden)
    num_held = len(round_.hands[1 - seat]) - len(known)
    round_.hands[1 - seat] = known | set(hidden[:num_held])
    round_.stock = hidden[num_held:]
    return other
