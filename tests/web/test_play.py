from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handful.hanabi import (
    NO_VARIANT,
    VARIANTS,
    Deal,
    Discard,
    HintValue,
    Record,
    Rules,
    State,
    read_record,
    variant_named,
)
from handful.hanabi.live.seeds import deal_from_live_seed
from handful.web.jobs import MAX_WAITING, Jobs
from handful.web.live_tables import MAX_FOLLOWERS
from handful.web.tables import Table
from tests.web.lab import Lab, wait_for


@pytest.fixture(scope="module", autouse=True)
def no_computations(lab: Lab) -> None:
    """Let computations wait for ever: the pages ask for one after every game."""
    lab.app.state.jobs = Jobs(max_running=0)


def token_of(table: Table, seat: int = 0) -> str:
    return table.setup.seats[seat].token


def finish(lab: Lab, table: Table) -> State:
    """Play a table of people to its end, by misplays."""
    while not (state := table.state()).is_over:
        table.act(state.current, state.turn_number, state.legal_actions()[0])
    return state


def test_the_page_offers_every_variant_and_the_bots_that_may_sit_there(lab: Lab) -> None:
    text = lab.client.get("/play").text
    for name in VARIANTS:
        assert f'<option value="{name}">' in text
    for bot in (
        "partner",
        "rules(reading=text)",
        "random",
        "best",
        "hat",
        "information",
        "conventions",
        "recommendation",
    ):
        assert f'<option value="{bot}"' in text


def test_one_person_is_led_to_the_seat(lab: Lab) -> None:
    answer = lab.client.post("/play/tables", data={"players": "3"})
    assert re.fullmatch(r"/play/seats/[\w-]{32}", answer.headers["location"])
    page = lab.client.get(answer.headers["location"]).text
    assert "Your turn" in page
    assert page.count('name="action"') > 10


def test_two_people_are_led_to_the_links(lab: Lab) -> None:
    answer = lab.client.post("/play/tables", data={"players": "3", "seat_2": "person", "name_2": "  Ada   King "})
    assert re.fullmatch(r"/play/tables/[\w-]{32}", answer.headers["location"])
    page = lab.client.get(answer.headers["location"]).text
    links = re.findall(rf"{lab.address}/play/seats/[\w-]{{32}}", page)
    assert len(links) == 2
    assert "Ada King" in page
    assert "bot: partner" in page


def test_htmx_is_led_without_a_page(lab: Lab) -> None:
    answer = lab.client.post("/play/tables", data={"players": "2"}, headers={"hx-request": "true"})
    assert answer.status_code == 204
    assert answer.headers["hx-redirect"].startswith("/play/seats/")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id:1342", "Reversed (6 Suits)"),
        ("r+y+g+b+Pi,R1", "Rainbow-Ones &amp; Pink (5 Suits)"),
        ("sudoku omni", 'data-variant="Sudoku &amp; Omni (5 Suits)"'),
        ("Prism (5 Suits)", "touched by the suit hint that its value counts to"),
        ("id:99999", "there is no variant with hanab.live"),
        ("", "No Variant"),
        ("<b>", "there is no variant"),
    ],
)
def test_the_form_finds_variants(lab: Lab, text: str, says: str) -> None:
    piece = lab.client.get("/play/variants", params={"variant": text})
    assert piece.status_code == 200
    assert says in piece.text
    assert "<b>" not in piece.text


def test_a_table_of_six_with_all_options(lab: Lab) -> None:
    seats = {f"seat_{seat}": "person" for seat in range(2, 7)}
    options = {"deck_plays": "true", "all_or_nothing": "true", "empty_hints": "true", "cards": "more"}
    table = lab.set_table(players=6, variant="R+Y+G+B+P+Om,CS", **seats, **options)
    assert table.setup.deal.rules == Rules(
        variant_named("R+Y+G+B+P+Om,CS"), 6, 4, deck_plays=True, all_or_nothing=True, empty_hints=True
    )
    assert lab.tables.opened(table.number).setup == table.setup
    for page in (f"/play/seats/{token_of(table)}", f"/play/tables/{table.setup.host}"):
        text = lab.client.get(page).text
        assert "half a hint token" in text
        assert "Only a perfect game counts" in text


def test_the_last_card_of_the_deck_has_a_button(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person", variant="3 Suits", deal="seed", seed="4", deck_plays="true")
    while (state := table.state()).deck_size > 1:
        legal = state.legal_actions()
        playable = [each for each in legal if isinstance(each, Discard)] or legal[-1:]
        table.act(state.current, state.turn_number, playable[0])
    page = lab.client.get(f"/play/seats/{token_of(table, state.current)}").text
    assert f'name="action" value="{state.rules.num_actions - 1}">Play the last card of the deck, unseen' in page
    waiting = lab.client.get(f"/play/seats/{token_of(table, 1 - state.current)}").text
    assert "Play the last card" not in waiting


def test_half_tokens_and_starts_are_written(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person", variant="Clue Starved (5 Suits)", deal="seed", seed="4")
    for kind in (HintValue, Discard):
        state = table.state()
        table.act(state.current, state.turn_number, next(a for a in state.legal_actions() if isinstance(a, kind)))
    assert lab.see(token_of(table))["hints"] == 7.5
    assert 'aria-label="7½ of 8"' in lab.client.get(f"/play/seats/{token_of(table)}").text
    table = lab.set_table(players=2, seat_2="person", variant="Up or Down (5 Suits)", deal="seed", seed="4")
    page = lab.client.get(f"/play/seats/{token_of(table)}").text
    assert len(re.findall(r">[1-5]*S</text>", page)) >= 25  # what five own cards can be
    assert not re.search(r">[1-5S]*6[^<]*</text>", page)
    assert "up or down</small>" in page
    table = lab.set_table(players=2, seat_2="person", variant="Reversed (5 Suits)")
    assert "reversed: 5 to 1</small>" in lab.client.get(f"/play/seats/{token_of(table)}").text


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 5])
def test_every_variant_can_be_played(lab: Lab, variant: str, players: int) -> None:
    table = lab.set_table(players=players, variant=variant, **{f"seat_{seat}": "person" for seat in range(2, 6)})
    assert table.setup.deal.rules == Rules(VARIANTS[variant], players)
    page = lab.client.get(f"/play/seats/{token_of(table)}")
    assert page.status_code == 200
    finish(lab, table)
    assert lab.client.get(f"/play/seats/{token_of(table, 1)}").status_code == 200


def test_drawn_deals_differ_and_their_seeds_are_long(lab: Lab) -> None:
    deals = [lab.set_table(players=2).setup.deal for _ in range(5)]
    assert len({deal.deck for deal in deals}) == 5
    assert all(int(deal.seed) < 2**63 for deal in deals)
    assert max(int(deal.seed) for deal in deals) > 10**12  # too many to be tried
    assert Deal.from_seed(deals[0].rules, int(deals[0].seed)) == deals[0]


def test_a_deal_of_a_seed_is_marked_as_open(lab: Lab) -> None:
    table = lab.set_table(players=2, deal="seed", seed="5/3")
    assert table.setup.deal == Deal.from_seed(Rules(players=2), 5, 3)
    page = lab.client.get(f"/play/seats/{token_of(table)}").text
    assert "open deal" in page
    drawn = lab.client.get(f"/play/seats/{token_of(lab.set_table(players=2))}").text
    assert "open deal" not in drawn


def test_a_seed_of_hanab_live_says_who_plays_what(lab: Lab) -> None:
    table = lab.set_table(players=2, deal="seed", seed=" p4v0s415 ")
    assert table.setup.deal == deal_from_live_seed("p4v0s415")
    assert len(table.setup.seats) == 4


def test_a_deal_from_a_file(lab: Lab) -> None:
    deal = Deal.from_seed(Rules(VARIANTS["6 Suits"], 2), 9)
    text = Record(("Xaver", "Yvonne"), deal).to_text()
    answer = lab.client.post("/play/tables", data={"deal": "file"}, files={"file": ("game.json", text)})
    table, _seat = lab.tables.at_seat(answer.headers["location"].rsplit("/", 1)[1])
    assert table.setup.deal.deck == deal.deck
    assert table.setup.is_open


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({"players": "1"}, 422, "players"),
        ({"players": "many"}, 422, "players"),
        ({"variant": "Seven Suits"}, 400, "there is no variant"),
        (
            {"variant": "6 Suits", "players": "6", "cards": "more", "deck_plays": "true"},
            400,
            "64 actions, while kernels",
        ),
        ({"cards": "twice"}, 422, "cards"),
        ({"rules": "mine"}, 400, "there is no rules preset"),
        ({"rules": "max_hints=none"}, 400, "for ever"),
        ({"deal": "stolen"}, 422, "deal"),
        ({"deal": "seed", "seed": "nonsense"}, 400, "expected a number such as 7"),
        ({"deal": "seed", "seed": ""}, 400, "expected a number such as 7"),
        ({"deal": "seed", "seed": "99999999999999999999"}, 400, "2^63"),
        ({"deal": "seed", "seed": "7/"}, 400, "expected a number"),
        ({"deal": "file"}, 400, "no file was chosen"),
        ({"seat_2": "skynet"}, 400, "there is no bot"),
        ({"name_2": "Alice", "seat_2": "person"}, 400, "two players are called Alice"),
        ({"name_1": "x" * 201}, 422, "name_1"),
        ({"seat_1": "random"}, 400, "at least one person"),
    ],
)
def test_forms_that_make_no_sense(lab: Lab, fields: dict[str, str], status: int, message: str) -> None:
    answer = lab.client.post("/play/tables", data=fields)
    assert answer.status_code == status
    assert message.lower() in answer.text.replace("&#39;", "'").lower()
    piece = lab.client.post("/play/tables", data=fields, headers={"hx-request": "true"})
    assert piece.status_code == status
    assert piece.headers["hx-retarget"] == "#message"


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"{}", b'{"players": ["a"], "deck": []}'])
def test_files_that_are_no_games(lab: Lab, content: bytes) -> None:
    answer = lab.client.post("/play/tables", data={"deal": "file"}, files={"file": ("game.json", content)})
    assert answer.status_code == 400


def test_names_are_shown_as_text(lab: Lab) -> None:
    table = lab.set_table(players=2, name_1="<b>Bobby</b>", name_2='"><script>', seat_2="person")
    for page in (f"/play/seats/{token_of(table)}", f"/play/tables/{table.setup.host}"):
        text = lab.client.get(page).text
        assert "<b>Bobby" not in text
        assert '"><script>' not in text
        assert "&lt;b&gt;Bobby" in text


def test_an_action_by_the_form_leads_back_or_draws_the_table(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    first = lab.client.post(f"/play/seats/{token_of(table)}/act", data={"turn": 1, "action": 5})
    assert (first.status_code, first.headers["location"]) == (303, f"/play/seats/{token_of(table)}")
    second = lab.client.post(
        f"/play/seats/{token_of(table, 1)}/act", data={"turn": 2, "action": 6}, headers={"hx-request": "true"}
    )
    assert second.status_code == 200
    assert second.text.lstrip().startswith('<div id="table"')
    assert len(table.state().history) == 2


def test_the_buttons_of_a_seat_are_its_legal_actions(lab: Lab) -> None:
    table = lab.set_table(players=3, seat_2="person", seat_3="person")
    for _ in range(6):
        state = table.state()
        for seat in range(3):
            page = lab.client.get(f"/play/seats/{token_of(table, seat)}/table").text
            buttons = sorted(int(number) for number in re.findall(r'name="action" value="(\d+)"', page))
            legal = sorted(each["action"] for each in lab.see(token_of(table, seat))["actions"])
            assert buttons == legal
            assert bool(legal) == (seat == state.current)
        numbers = [each["action"] for each in lab.see(token_of(table, state.current))["actions"]]
        assert lab.act(token_of(table, state.current), state.turn_number, numbers[-1]).status_code == 200


def test_history_is_replayed_without_taking_anything_back(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    for turn, action in enumerate((5, 6, 7), start=1):  # the third strike ends it: stop before
        if turn < 3:
            assert lab.act(token_of(table, (turn - 1) % 2), turn, action).status_code == 200
    past = lab.client.get(f"/play/seats/{token_of(table)}/table", params={"turn": 1}).text
    assert "After turn 1" in past
    assert 'name="action"' not in past
    assert "Nothing is taken back" in past
    assert table.state().turn_number == 3


def test_after_the_end_there_is_the_seed_a_record_and_a_next_game(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person")
    seat = f"/play/seats/{token_of(table)}"
    for early in (
        lab.client.get(f"{seat}/record"),
        lab.client.post(f"{seat}/again"),
        lab.client.get(f"{seat}/analysis"),
    ):
        assert early.status_code == 409
        assert "The game is not over" in early.text
    state = finish(lab, table)
    page = lab.client.get(seat).text
    assert table.setup.deal.seed in page
    record = read_record(lab.client.get(f"{seat}/record").text)
    assert record.replay().common_knowledge() == state.common_knowledge()
    first, second = (
        lab.client.post(f"/play/seats/{token_of(table, place)}/again").headers["location"] for place in range(2)
    )
    assert first != second
    tables = [lab.tables.at_seat(place.rsplit("/", 1)[1]) for place in (first, second)]
    assert tables[0][0] is tables[1][0]
    assert [seat for _table, seat in tables] == [0, 1]
    assert tables[0][0].setup.deal != table.setup.deal
    assert "To the rematch" in lab.client.get(seat).text


def test_after_the_end_there_is_the_analysis(tmp_path: Path) -> None:
    with Lab(tmp_path) as lab:
        table = lab.set_table(players=2, seat_2="person", deal="seed", seed="2")
        finish(lab, table)
        seat = f"/play/seats/{token_of(table)}"
        jobs = lab.app.state.jobs
        assert f'hx-post="{seat}/analysis"' in lab.client.get(seat).text
        assert not jobs._jobs
        asked = lab.client.post(f"{seat}/analysis", headers={"hx-request": "true"})
        assert f'hx-get="{seat}/analysis"' in asked.text
        (job,) = jobs._jobs.values()
        with jobs._lock:
            assert jobs._lock.wait_for(lambda: job.is_over and jobs._running == 0, 300)
        assert job.status == "done", job.error
        for verdict in (lab.client.get(seat).text, lab.client.get(f"{seat}/analysis").text):
            assert "lost the game" in verdict
            assert "This would have won" in verdict
            assert "Step through the winning line" in verdict
        assert len(jobs._jobs) == 1


def test_without_a_free_worker_the_end_is_shown_all_the_same(lab: Lab) -> None:
    for _ in range(MAX_WAITING + 1):
        table = lab.set_table(players=2, seat_2="person", variant="3 Suits")
        finish(lab, table)
        seat = f"/play/seats/{token_of(table)}"
        analysis = lab.client.post(f"{seat}/analysis", headers={"hx-request": "true"})
        assert analysis.status_code == 200
    assert "No analysis: 20 computations are waiting" in analysis.text
    assert "place 21 in the queue" in analysis.text
    assert table.setup.deal.seed in lab.client.get(seat).text


def test_nothing_is_lost_when_the_server_stops_in_mid_game(tmp_path: Path) -> None:
    with Lab(tmp_path) as lab:
        table = lab.set_table(players=3, seat_2="person", seat_3="rules")
        first, second = token_of(table), token_of(table, 1)
        for _ in range(2):
            for token in (first, second):
                seen = lab.see(token)
                hint = next(each["action"] for each in seen["actions"] if each["text"].startswith("hint"))
                assert lab.act(token, seen["turn"], hint).status_code == 200
            wait_for(table, lambda state: state.current == 0)
        before = {token: lab.see(token) for token in (first, second)}
    with Lab(tmp_path) as lab:
        assert {token: lab.see(token) for token in (first, second)} == before
        seen = lab.see(first)
        assert lab.act(first, seen["turn"], seen["actions"][0]["action"]).status_code == 200
        again = lab.tables.at_seat(first)[0]
        for token in (second,):
            seen = lab.see(token)
            assert lab.act(token, seen["turn"], seen["actions"][0]["action"]).status_code == 200
        wait_for(again, lambda state: state.current == 0 or state.is_over)


def test_a_bot_whose_turn_it_was_moves_after_a_restart(tmp_path: Path) -> None:
    with Lab(tmp_path, bot_pause=60) as lab:  # too slow to move before the server stops
        table = lab.set_table(players=2, seat_2="rules")
        token = token_of(table)
        assert lab.act(token, 1, lab.see(token)["actions"][-1]["action"]).status_code == 200
        assert lab.see(token)["to_move"] == 2
    with Lab(tmp_path) as lab:
        table, _seat = lab.tables.at_seat(token)
        assert wait_for(table, lambda state: state.current == 0).turn_number == 3


def test_the_interface_for_programs(lab: Lab) -> None:
    table = lab.set_table(players=2, seat_2="person", name_1="Ada")
    seen = lab.see(token_of(table))
    assert seen["names"] == ["Ada", "Bob"]
    assert (seen["seat"], seen["to_move"], seen["turn"], seen["hints"]) == (1, 1, 1, 8)
    assert {"action": 5, "text": "play a"} in seen["actions"]
    assert len(seen["hands"][1]) == 5
    assert json.dumps(seen)
    bad = lab.client.post(f"/api/seats/{token_of(table)}/actions", json={"turn": 1, "action": "5; DROP TABLE"})
    assert bad.status_code == 422
    assert bad.json()["error"].startswith("action: ")
    assert seen["variant"] == NO_VARIANT.name


def test_a_seat_may_be_followed_by_a_few_pages_only(lab: Lab) -> None:
    table = lab.set_table(players=2)
    numbers = [table.follow(0, lambda: None) for _ in range(MAX_FOLLOWERS)]
    answer = lab.client.get(f"/play/seats/{token_of(table)}/events")
    assert answer.status_code == 429
    for number in numbers:
        table.leave(0, number)
