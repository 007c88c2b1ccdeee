"""Beside the cards of a table, in a real browser: talk, notes, turns that are taken back, spectators, a rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handful.hanabi import Discard
from handful.web.hanabi_table import Table
from tests.browser.conftest import PHONE, NewPage, keep_screenshot, overflow
from tests.web.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Page


def sit_down(lab: Lab, page: Page, table: Table, seat: int) -> None:
    page.goto(f"{lab.address}/play/seats/{table.setup.seats[seat].token}")
    page.wait_for_selector("#table")


def act(table: Table, last: bool = True) -> None:
    state = table.state()
    table.act(state.current, state.turn_number, state.legal_actions()[-1 if last else 0])


def test_talk_notes_and_spectators(lab: Lab, new_page: NewPage) -> None:
    table = lab.set_table(players=2, seat_2="person", name_1="Ada", name_2="Ben")
    first, second, looks_on = new_page(), new_page(PHONE), new_page()
    sit_down(lab, first, table, 0)
    sit_down(lab, second, table, 1)
    looks_on.goto(first.locator("#watch-link").input_value())
    assert looks_on.locator("#watched .hand .card:not(.card-back)").count() == 0
    first.fill(".chat [name=text]", "<i>is it red?</i>")
    first.click(".chat button")
    for page in (first, second, looks_on):
        page.wait_for_selector("#said :text('<i>is it red?</i>')")
    assert first.locator(".chat [name=text]").input_value() == ""
    # A note on the card that is picked; it stays with the card, and with nobody else.
    order = first.locator(".others .pick").nth(1).input_value()
    first.locator(".others .pick").nth(1).check()
    assert first.locator(".notes select").input_value() == order
    first.fill(".notes [name=text]", "red five")
    first.click(".notes button")
    first.wait_for_selector("[data-noted] :text('red five')")
    act(table)
    looks_on.wait_for_selector("#watched .log li")
    first.wait_for_selector(".log li")
    assert "red five" in first.locator("[data-noted]").inner_text()
    assert table.notes(0)[0] == {int(order): "red five"}
    assert "red five" not in second.content() + looks_on.content()
    for page, name in ((first, "talk"), (second, "talk-phone"), (looks_on, "watch")):
        keep_screenshot(page, name)
        assert overflow(page) == 0


def test_what_is_said_below_the_screen_is_announced_until_it_is_seen(lab: Lab, new_page: NewPage) -> None:
    table = lab.set_table(players=2, seat_2="person")
    page = new_page(PHONE)
    sit_down(lab, page, table, 0)
    table.say(1, "hello")
    page.wait_for_selector("#unread:visible")
    page.click("#unread")
    page.wait_for_selector("#unread", state="hidden")
    assert page.locator("#said").is_visible()


def test_a_turn_is_taken_back_when_the_other_agrees(lab: Lab, new_page: NewPage) -> None:
    table = lab.set_table(players=2, seat_2="person", casual="true", clock_minutes="20")
    first, second = new_page(), new_page(PHONE)
    sit_down(lab, first, table, 0)
    sit_down(lab, second, table, 1)
    act(table)
    first.wait_for_selector(".log li")
    first.click("text=Take back my last turn")
    second.click(".take-back >> text=Agree")
    for page in (first, second):
        page.wait_for_function("() => !document.querySelector('.log li, .take-back')")
    assert table.state().taken_back == 1
    keep_screenshot(second, "taken-back-phone")


def test_a_rematch_leads_who_is_still_there_to_their_own_seat(lab: Lab, new_page: NewPage) -> None:
    table = lab.set_table(players=2, seat_2="person")
    first, second = new_page(), new_page()
    sit_down(lab, first, table, 0)
    sit_down(lab, second, table, 1)
    while not (state := table.state()).is_over:
        act(table, last=any(isinstance(each, Discard) for each in state.legal_actions()) and state.turn_number < 4)
    first.click("text=Rematch")
    first.wait_for_selector(".my-turn")
    second.wait_for_selector("[data-stay]:visible")
    second.wait_for_selector("#table:not(:has(.finished))")  # by itself
    following = lab.tables.at_seat(first.url.rsplit("/", 1)[1])
    assert lab.tables.at_seat(second.url.rsplit("/", 1)[1]) == (following[0], 1)
    # In the lobby, and among all games: with date, score and result.
    second.goto(f"{lab.address}/play")
    entry = second.locator(".my-tables li").filter(has_text="of 25")
    assert entry.count() == 1
    assert lab.tables.store.day_of(table.number) in entry.inner_text()
    second.click("text=All my games")
    second.wait_for_selector(".mine tbody tr >> nth=1")
    assert second.locator(".mine tbody tr").count() == 2
    keep_screenshot(second, "mine")
