"""What turns mean by the conventions of partner, on the page of a seat."""

from __future__ import annotations

from handful.hanabi import Deal, Rules, State
from handful.splitmix import SplitMix64
from handful.web.bot_process import read_turns
from tests.bots.conformance import redeal_hidden
from tests.web.lab import Lab, wait_for
from tests.web.test_hidden_cards import some_game


def test_a_seat_is_told_what_turns_mean_and_what_hints_would(lab: Lab) -> None:
    table = lab.set_table(players=3, deal="seed", seed="7")
    token = table.setup.seats[0].token
    before = lab.client.get(f"/api/seats/{token}/meanings").json()
    assert before["turns"] == []
    legal = {str(each["action"]) for each in lab.client.get(f"/api/seats/{token}").json()["actions"]}
    assert set(before["hints"]) <= legal
    assert before["hints"]
    assert all(before["hints"].values())
    action = int(next(iter(before["hints"])))
    lab.client.post(f"/api/seats/{token}/actions", json={"turn": 1, "action": action})
    wait_for(table, lambda state: state.turn_number >= 4)
    after = lab.client.get(f"/api/seats/{token}/meanings").json()
    told = before["hints"][str(action)]
    assert after["turns"][0][: len(told)] == told  # who then sees that a card is not what it said, says so below
    assert len(after["turns"]) >= 3
    page = lab.client.get(f"/play/seats/{token}/meanings").text
    assert "What the turns meant" in page
    assert f"/play/seats/{token}/meanings" in lab.client.get(f"/play/seats/{token}").text


def test_without_such_a_bot_there_is_nothing_to_tell(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="rules")
    token = table.setup.seats[0].token
    assert lab.client.get(f"/play/seats/{token}/meanings").status_code == 409
    assert "meanings" not in lab.client.get(f"/play/seats/{token}").text


def test_what_turns_mean_stays_the_same_if_all_that_is_hidden_is_dealt_anew() -> None:
    deal = Deal.from_seed(Rules(players=3), 4)
    state, chance, compared = State(deal), SplitMix64(3), 0
    for number, action in enumerate(some_game(deal)):
        if number % 12 == 7:
            seat, history = state.current, [turn.action for turn in state.history]
            other = redeal_hidden(state, seat, chance)
            compared += other.hand(seat) != state.hand(seat)
            assert read_turns(other.deal, 3, seat, history) == read_turns(deal, 3, seat, history)
        state.act(action)
    assert compared >= 2
