"""No answer, event, page or error ever holds a card of Gin that its reader may not know, while a hand goes on."""

from __future__ import annotations

import re
import threading

import httpx
import pytest

from handful.rummy.cards import Card, parse_card
from handful.splitmix import SplitMix64
from handful.web.bots import Bots
from handful.web.gin_seats import READY, SeatedGame
from handful.web.gin_tables import GinTable
from handful.web.playing_cards import RANK_NAMES, SUIT_NAMES, SUIT_SIGNS
from tests.web.gin_lab import act, chosen, gin_table, play_on, redealt, token_of
from tests.web.lab import Lab, Listener

SEED = 8_127_364_550_912_345  # long enough not to be found by accident
RANKS = "A|[2-9]|10|J|Q|K"
FORMS = (
    re.compile(rf"(?<![A-Za-z0-9])(?P<rank>{RANKS})(?P<suit>[CDHS])(?![A-Za-z0-9])"),
    re.compile(rf"(?P<rank>{RANKS})(?P<suit>[♣♦♥♠])"),
    re.compile(rf"(?P<rank>{'|'.join(RANK_NAMES)}) of (?P<suit>{'|'.join(SUIT_NAMES)})"),
)
DRAWN = re.compile(rf"pc-(?P<suit>[cdhs]) [^>]*>\s*<b>(?P<rank>{RANKS})</b>")


def cards_in(text: str) -> set[Card]:
    """Return all cards that a text names or draws, in whatever form."""
    suits = {sign[0]: number for number, sign in enumerate(SUIT_SIGNS)}
    suits |= {name: number for number, name in enumerate(SUIT_NAMES)}
    suits |= {letter: number for number, letter in enumerate("CDHS")} | {x: n for n, x in enumerate("cdhs")}
    ranks = {name: number for number, name in enumerate(RANK_NAMES)}
    found = set()
    for form in (*FORMS, DRAWN):
        for each in form.finditer(text):
            rank, suit = each["rank"], suits[each["suit"]]
            found.add(Card(ranks[rank] if rank in ranks else parse_card(f"{rank}C").rank, suit))
    return found


def test_whatever_names_a_card_is_found() -> None:
    text = '<span class="gc pc-h mini" role="img"><b>10</b> 7♠ value="AC" card-QD king of clubs ASK K2H'
    assert cards_in(text) == {parse_card(each) for each in ("10H", "7S", "AC", "QD", "KC")}


def visible(state: SeatedGame, seat: int) -> set[Card]:
    """Return all that a seat may know, and nothing of the last hands: they lie open on pages of their own."""
    view = state.game.round.view(seat)
    seen = {*view.hand, *view.pile, *view.known, *view.own_known, *view.refused}
    return seen | ({view.upcard} if view.upcard else set()) | ({view.taken} if view.taken else set())


def everything(lab: Lab, table: GinTable, seat: int, with_hint: bool = False) -> dict[str, httpx.Response]:
    """Return every answer that a seat can get, errors included, without changing the game."""
    token = token_of(table, seat)
    state = table.state()
    turn, base, piece = state.turn_number, f"/gin/seats/{token}", {"hx-request": "true"}
    get, post = lab.client.get, lab.client.post
    answers = {
        "page": get(base),
        "piece": get(f"{base}/table"),
        "api": get(f"/api/gin/seats/{token}"),
        "version": get(f"{base}/version"),
        "this hand": get(f"{base}/hands/{len(state.game.played) + 1}"),
        "its review": post(f"{base}/hands/{len(state.game.played) + 1}/review"),
        "again": post(f"{base}/again"),
        "next hand": post(f"{base}/next", data={"hand": len(state.game.played) + 1}),
        "wrong turn": post(f"{base}/act", data={"turn": turn + 1, "action": 0}),
        "no such action": post(f"{base}/act", data={"turn": turn, "action": 9999}),
        "for the other": post(f"{base}/act", data={"turn": turn, "action": READY + 1 - seat}),
        "no number": post(f"{base}/act", data={"turn": turn, "action": "7H"}, headers=piece),
        "not JSON": post(f"/api/gin/seats/{token}/actions", content=b"{", headers={"content-type": "application/json"}),
        "host": get(f"/gin/tables/{table.setup.host}"),
        "a stranger": get(f"/gin/seats/{'x' * 32}"),
        "a stranger's program": get(f"/api/gin/seats/{'x' * 32}"),
        "the first page": get("/gin"),
        "computations": get("/results/under-way"),
    }
    if state.may_act(seat) and with_hint:
        answers["hint"] = post(f"{base}/hint", headers=piece)
    if not state.may_act(seat):
        answers["out of turn"] = post(f"{base}/act", data={"turn": turn, "action": 53})
        answers["a hint out of turn"] = post(f"{base}/hint")
    assert table.state().history == state.history
    return answers


SHOWS_THE_ROUND = ("page", "piece", "api", "hint", "no such action")


def check(state: SeatedGame, seat: int, name: str, answer: httpx.Response) -> None:
    """Look for what a seat must not see, in all bytes of an answer and its headers."""
    text = answer.content.decode() + str(answer.headers)
    assert str(SEED) not in text, name
    assert answer.status_code < 500, name
    if name in SHOWS_THE_ROUND[:-1]:
        assert answer.status_code == 200, text
        assert set(state.game.round.hands[seat]) <= cards_in(text)
    for token in re.findall(r"[\w-]{32}", text):
        text = text.replace(token, "")
    if name in SHOWS_THE_ROUND:
        assert cards_in(text) <= visible(state, seat), name
    else:
        assert not cards_in(text), name


@pytest.mark.parametrize("rules", ["eaai", "openspiel, oklahoma=yes", "hoyle"])
def test_hands_as_both_seats(lab: Lab, rules: str) -> None:
    table = gin_table(lab, SEED, rules)
    heard = [Listener(lab, f"/gin/seats/{token_of(table, seat)}/events") for seat in range(2)]
    for number in range(120):
        state = table.state()
        if state.game.round_is_over:
            assert table.state().game.is_over or number > 3
            break
        for seat in range(2):
            check(state, seat, "piece", lab.client.get(f"/gin/seats/{token_of(table, seat)}/table"))
        if number % 6 in (0, 3):
            for name, answer in everything(lab, table, number % 2, with_hint=number < 7).items():
                check(state, number % 2, name, answer)
        seat = state.current
        answer = act(lab, token_of(table, seat), state.turn_number, chosen(state))
        assert answer.status_code == 200, answer.text
        if not table.state().game.round_is_over:
            check(table.state(), seat, "api", answer)
    assert table.state().game.played
    for listener in heard:
        assert listener.close(table) > 6  # events say that something has changed, and nothing else
    # Once the hand is over it lies open, but not the seed: from that the next hands follow.
    page = lab.client.get(f"/gin/seats/{token_of(table)}").text
    assert set(table.state().game.played[0].end.hands[1]) <= cards_in(page)
    assert str(SEED) not in page


def test_after_the_game_the_seed_is_told(lab: Lab) -> None:
    table = gin_table(lab, SEED)
    play_on(table)
    assert table.state().is_over
    for address in (f"/gin/seats/{token_of(table)}", f"/api/gin/seats/{token_of(table)}"):
        assert str(SEED) in lab.client.get(address).text


@pytest.mark.parametrize("rules", ["eaai", "hoyle"])
def test_answers_stay_the_same_if_all_that_is_hidden_is_dealt_anew(lab: Lab, rules: str) -> None:
    table = gin_table(lab, SEED, rules)
    chance, compared = SplitMix64(2), 0
    while not (state := table.state()).game.round_is_over:
        if state.turn_number % 5 == 2:
            seat = state.turn_number % 2
            before = all_texts(lab, table, seat)
            with table._lock:
                table._state = redealt(state, seat, chance)
            assert all_texts(lab, table, seat) == before
            compared += table.state().game.round.hands[1 - seat] != state.game.round.hands[1 - seat]
            with table._lock:
                table._state = state
        table.act(state.current, state.turn_number, chosen(state))
    assert compared >= 2


def all_texts(lab: Lab, table: GinTable, seat: int) -> dict[str, str]:
    return {name: answer.text for name, answer in everything(lab, table, seat).items()}


@pytest.mark.parametrize("first_actions", [[54], [52, 0]], ids=["raises", "illegal"])
def test_a_bot_that_fails_shows_nothing_of_its_cards(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, first_actions: list[int]
) -> None:
    table = gin_table(lab, SEED, bot="random")
    failing, told = Bots(module="tests.web.failing_bots"), threading.Event()
    with monkeypatch.context() as broken:
        broken.setattr(lab.app.state.gin_tables, "bots", failing)
        for action in first_actions:
            state = table.state()
            number = action if action in state.game.round.legal_numbers() else state.game.round.legal_numbers()[0]
            table.act(0, state.turn_number, number)
        follower = table.follow(0, told.set)
        lab.app.state.gin_tables.wake_bots(table)
        while not table.trouble:
            assert told.wait(60)
            told.clear()
        table.leave(0, follower)
        page = lab.client.get(f"/gin/seats/{token_of(table)}/table").text
        assert "cannot go on (" in page
        assert "I hold" not in page
        # Whoever looks wakes the bot again, which fails again: the state is the same all the time.
        assert cards_in(page) <= visible(table.state(), 0)
    failing.kill()
