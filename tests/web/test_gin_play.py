from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from handful.errors import IllegalActionError, RulesError
from handful.rummy.gin.game import GinPlan
from handful.rummy.gin.players import PLAYERS
from handful.rummy.gin.rules import gin_rules
from handful.web.errors import ConflictError
from handful.web.gin_picture import gin_picture
from handful.web.gin_seats import READY, GinSeats, SeatedGame
from handful.web.gin_tables import GinTable, GinTables
from tests.web.gin_lab import PEOPLE, act, chosen, gin_table, play_on, see, token_of
from tests.web.lab import SECONDS, Lab
from tests.web.page_checks import check_policy, last_job


def set_table(lab: Lab, **fields: str | int) -> GinTable:
    """Set a table through the form, and return it."""
    answer = lab.client.post("/gin/tables", data={name: str(value) for name, value in fields.items()})
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"]
    secret = place.rsplit("/", 1)[1]
    tables: GinTables = lab.app.state.gin_tables
    return tables.of_host(secret) if "/tables/" in place else tables.at_seat(secret)[0]


def wait_for_person(table: GinTable) -> SeatedGame:
    """Return the game as soon as a person is waited for, or it is over."""
    changed = threading.Event()
    follower = table.follow(0, changed.set)
    try:
        while table.is_bots_turn:
            changed.clear()
            if table.is_bots_turn:
                assert changed.wait(SECONDS), table.trouble
            assert not table.trouble
        return table.state()
    finally:
        table.leave(0, follower)


def test_the_page_offers_every_player_and_every_house(lab: Lab) -> None:
    text = lab.client.get("/gin").text
    check_policy(text)
    for name in PLAYERS:
        assert f'<option value="{name}"' in text
    rules = lab.client.get("/gin/rules").text
    check_policy(rules)
    for name in ("eaai", "openspiel", "hoyle"):
        assert f'value="{name}"' in text
        assert f"<th>{name}</th>" in rules


def test_the_form_says_the_house(lab: Lab) -> None:
    table = set_table(lab, rules="hoyle", target=50, oklahoma="yes", name=" Ada  King ", deal="seed", seed="9")
    plan = table.setup.deal
    assert (plan.rules.target, plan.rules.oklahoma, plan.rules.big_gin_bonus, plan.seed) == (50, True, 31, 9)
    assert table.setup.names == ("Ada King", "Bob")
    page = lab.client.get(f"/gin/seats/{token_of(table)}").text
    assert "open deals" in page
    check_policy(page)


def test_drawn_deals_are_secret_and_differ(lab: Lab) -> None:
    plans = [set_table(lab, opponent="person").setup.deal for _ in range(4)]
    assert len({plan.seed for plan in plans}) == 4
    assert max(plan.seed for plan in plans) > 10**12  # too many to be tried


def test_two_people_get_a_link_each(lab: Lab) -> None:
    answer = lab.client.post("/gin/tables", data={"opponent": "person", "opponent_name": "<b>Bo</b>"})
    page = lab.client.get(answer.headers["location"]).text
    assert len(set(re.findall(rf'value="{lab.address}/gin/seats/[\w-]{{32}}"', page))) == 2
    assert "<b>Bo</b>" not in page
    check_policy(page)


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"opponent": "skynet"}, 400, "there is no player of gin"),
        ({"rules": "mine"}, 400, "there is no preset"),
        ({"rules": "eaai, lays_off=never"}, 400, "lays_off"),
        ({"target": "0"}, 422, "target"),
        ({"target": "many"}, 422, "target"),
        ({"deal": "seed", "seed": "nonsense"}, 400, "expected a number below 2^63"),
        ({"deal": "seed", "seed": "9223372036854775808"}, 400, "expected a number below 2^63"),
        ({"deal": "stolen"}, 422, "deal"),
        ({"hints": "perhaps"}, 422, "hints"),
        ({"name": "Bob"}, 400, "two players are called bob"),
        ({"name": "x" * 25}, 400, "1 to 24"),
        ({}, 400, "nothing was asked for"),
    ],
)
def test_forms_that_make_no_sense(lab: Lab, fields: dict[str, str], status: int, message: str) -> None:
    answer = lab.client.post("/gin/tables", data=fields)
    assert answer.status_code == status
    assert message in answer.text.lower()


def test_requests_that_make_no_sense_change_nothing(lab: Lab) -> None:
    table = gin_table(lab)
    base, other = f"/gin/seats/{token_of(table)}", f"/gin/seats/{token_of(table, 1)}"
    for address, fields, status in (
        (f"{base}/act", {"turn": 2, "action": 52}, 409),
        (f"{base}/act", {"turn": 1, "action": 53}, 400),  # at the first upcard nobody may draw
        (f"{base}/act", {"turn": 1, "action": 9000}, 409),
        (f"{base}/act", {"turn": 1, "action": READY}, 400),
        (f"{base}/act", {"turn": 1, "action": READY + 1}, 409),
        (f"{base}/act", {"turn": 1, "action": -1}, 422),
        (f"{base}/act", {"turn": 1}, 422),
        (f"{other}/act", {"turn": 1, "action": 52}, 409),
        (f"{base}/next", {"hand": 1}, 303),  # nobody has to be told that it is too early
        (f"{base}/hands/1/review", {}, 409),
        (f"{base}/hands/0/review", {}, 422),
        (f"{base}/again", {}, 409),
        (f"{other}/hint", {}, 409),
    ):
        assert lab.client.post(address, data=fields).status_code == status, (address, fields)
    assert lab.client.get(f"{base}/hands/1").status_code == 409
    assert lab.client.get(f"/gin/seats/{'x' * 32}").status_code == 404
    assert lab.client.get(f"/gin/tables/{'x' * 32}").status_code == 404
    assert table.state().history == ()


def test_the_buttons_of_a_seat_are_its_legal_actions(lab: Lab) -> None:
    table = gin_table(lab, rules="hoyle")
    while not (state := table.state()).game.round_is_over:
        for seat in range(2):
            page = lab.client.get(f"/gin/seats/{token_of(table, seat)}/table").text
            buttons = sorted({int(number) for number in re.findall(r'name="action"[^>]* value="(\d+)"', page)})
            assert buttons == state.legal_numbers(seat)
            assert buttons == [each["action"] for each in see(lab, token_of(table, seat))["actions"]]
            assert bool(buttons) == (seat == state.current)
        answer = act(lab, token_of(table, state.current), state.turn_number, chosen(state))
        assert answer.status_code == 200
    page = lab.client.get(f"/gin/seats/{token_of(table)}/table").text
    assert "Next hand" in page
    assert 'name="action"' not in page


def test_a_hand_ends_step_by_step_and_both_ask_for_the_next(lab: Lab) -> None:
    table = gin_table(lab, seed=3)
    state = play_on(table, until_round=1)
    played, tokens = state.game.played[0], [token_of(table, seat) for seat in range(2)]
    result = see(lab, tokens[0])["result"]
    off = played.settlement.defence.laid_off if played.settlement.defence else ()
    assert len(result) == 3 + len(off)
    page = lab.client.get(f"/gin/seats/{tokens[0]}").text
    assert all(f"<p>{step}</p>" in page for step in result)
    assert "wins" in result[-1]
    first = lab.client.post(f"/gin/seats/{tokens[0]}/next", data={"hand": 1})
    assert first.status_code == 303
    assert "still looking" in lab.client.get(f"/gin/seats/{tokens[0]}").text
    assert table.state().game.round_is_over
    lab.client.post(f"/gin/seats/{tokens[0]}/next", data={"hand": 1})  # again: nothing more
    lab.client.post(f"/gin/seats/{tokens[1]}/next", data={"hand": 1})
    state = table.state()
    assert not state.game.round_is_over
    assert state.game.round.starter == 1  # somebody won, so the other one starts
    lab.client.post(f"/gin/seats/{tokens[1]}/next", data={"hand": 1})  # late: this hand goes on
    assert table.state().history == state.history
    assert lab.client.get(f"/gin/seats/{tokens[1]}/hands/1").status_code == 200


def test_both_may_ask_for_the_next_hand_at_once(lab: Lab) -> None:
    table = gin_table(lab)
    play_on(table, until_round=1)
    together = threading.Barrier(8)

    def ask(seat: int) -> int:
        together.wait()
        return lab.client.post(f"/gin/seats/{token_of(table, seat)}/next", data={"hand": 1}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, [0, 1] * 4)) == {303}
    assert table.state().game.round_is_over is False
    assert list(table.state().history[-2:]) in ([READY, READY + 1], [READY + 1, READY])


def test_a_whole_game_against_a_bot_and_the_next_one(lab: Lab) -> None:
    table = set_table(lab, opponent="marjj", target=50, deal="seed", seed="4")
    token = token_of(table)
    while not (state := wait_for_person(table)).is_over:
        if state.game.round_is_over:
            lab.client.post(f"/gin/seats/{token}/next", data={"hand": len(state.game.played)})
        else:
            assert act(lab, token, state.turn_number, chosen(state, "table")).status_code == 200
    seen = see(lab, token)
    assert seen["is_over"]
    assert max(seen["scores"]) >= 50
    assert seen["final"] == seen["scores"]  # this house adds nothing
    assert [sum(row["points"][seat] for row in seen["sheet"]["rounds"]) for seat in range(2)] == seen["scores"]
    page = lab.client.get(f"/gin/seats/{token}").text
    assert "wins the game" in page
    again = lab.client.post(f"/gin/seats/{token}/again").headers["location"]
    assert lab.client.get(again).status_code == 200
    following = lab.app.state.gin_tables.at_seat(again.rsplit("/", 1)[1])[0]
    assert following.setup.deal.rules == table.setup.deal.rules
    assert following.setup.deal.seed != 4
    assert "To the next game" in lab.client.get(f"/gin/seats/{token}").text


def test_a_hint_says_what_and_why_and_a_reload_keeps_it(lab: Lab) -> None:
    table = gin_table(lab)
    base = f"/gin/seats/{token_of(table)}"
    assert lab.client.post(f"{base}/hint").status_code == 303
    for _ in range(2):
        page = lab.client.get(base).text
        assert 'aria-label="Hint"' in page
        assert "you win the game in" in page
    check_policy(page)
    assert 'aria-label="Hint"' not in lab.client.get(f"/gin/seats/{token_of(table, 1)}").text
    assert act(lab, token_of(table), 1, 52).status_code == 200
    assert 'aria-label="Hint"' not in lab.client.get(base).text  # it was for another turn
    strict = gin_table(lab, has_hints=False)
    assert "set without hints" in lab.client.post(f"/gin/seats/{token_of(strict)}/hint").text


def test_the_review_of_a_hand(lab: Lab) -> None:
    table = gin_table(lab, seed=11)
    play_on(table, until_round=1)
    base = f"/gin/seats/{token_of(table)}"
    assert "What did each decision cost?" in lab.client.get(base).text
    asked = lab.client.post(f"{base}/hands/1/review", headers={"hx-request": "true"})
    assert f'hx-get="{base}/hands/1/review"' in asked.text
    job = last_job(lab, "gin-review")
    assert job.status == "done", job.error
    decisions = job.result.decisions
    assert {each.player for each in decisions} == {0, 1}
    assert all(each.cost is None or each.cost >= 0 for each in decisions)
    assert any(each.is_fine for each in decisions)
    for address in (base, f"{base}/hands/1", f"{base}/hands/1/review", f"/gin/seats/{token_of(table, 1)}"):
        page = lab.client.get(address).text
        assert "What each decision cost" in page
        check_policy(page)


def test_the_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    with Lab(tmp_path) as lab:
        table = set_table(lab, opponent="simple", deal="seed", seed="21")
        token = token_of(table)
        for _ in range(5):
            state = wait_for_person(table)
            assert act(lab, token, state.turn_number, chosen(state)).status_code == 200
        history, before = wait_for_person(table).history, see(lab, token)
    with Lab(tmp_path) as lab:
        again = lab.app.state.gin_tables.at_seat(token)[0]
        assert again.setup == table.setup
        assert again.state().history == history
        assert see(lab, token) == before
        # The bot does what it would have done.
        state = again.state()
        act(lab, token, state.turn_number, chosen(state))
        assert wait_for_person(again).history[: len(history)] == history


def test_bots_that_follow_anew_do_what_they_would_have_done() -> None:
    plan, bots = GinPlan(gin_rules(), 5), ("", "random")
    game, together = SeatedGame(plan, bots), GinSeats(plan, bots, 77)
    while not game.game.round_is_over and game.turn_number < 40:
        if game.current == 0:
            game.act(chosen(game))
            continue
        number = together.step(game.history)
        assert GinSeats(plan, bots, 77).step(game.history) == number
        game.act(number)
    assert game.turn_number > 6


def test_places_and_turns_that_make_no_sense(lab: Lab) -> None:
    tables: GinTables = lab.app.state.gin_tables
    for places in ([("Anna", "table"), ("Boris", "simple")], [("Anna", "")], [*PEOPLE, ("Cleo", "")]):
        with pytest.raises(RulesError):
            tables.create(GinPlan(), places, is_open=False)
    table = gin_table(lab)
    with pytest.raises(ConflictError, match="not your turn: Anna is to move"):
        table.act(1, 1, 52)
    with pytest.raises(IllegalActionError):
        table.act(0, 1, READY)


@pytest.mark.parametrize(("rules", "seed"), [("eaai", 1), ("openspiel, wall=17", 2), ("hoyle, oklahoma=yes", 3)])
def test_every_place_can_be_drawn_and_every_action_has_its_place(rules: str, seed: int) -> None:
    """Also at the wall and after void hands, where `simple` never comes: by players that do anything."""
    state, endings = SeatedGame(GinPlan(gin_rules(rules), seed), ("", "")), set()
    while len(state.game.played) < 4 and not state.is_over:
        for seat in range(2):
            shown = gin_picture(state, ("Anna", "Boris"), seat)
            cards = {number for held in shown.hand for number in (held.throw, held.knock) if number is not None}
            plain = {shown.number(kind) for kind in ("take", "draw", "pass", "big-gin")} - {None}
            assert cards | plain == set(state.legal_numbers(seat)) - {READY + seat}
            assert len(shown.hand) <= 11
            assert len(shown.opponent_known) + shown.opponent_hidden == len(state.game.round.hands[1 - seat]) or (
                state.game.round_is_over
            )
        endings.add(shown.result.ending if shown.result else shown.phase)
        state.act(chosen(state, "random" if len(state.game.played) % 2 else "table"))
    assert len(endings & {"void", "knock", "gin", "undercut", "big gin"}) >= 1
    assert "wall" in endings or not state.game.rules.wall_knock
