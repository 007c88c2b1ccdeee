"""Gin in a real browser: by click, by key and by drag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from handful.web.gin_seats import SeatedGame
from tests.browser.conftest import NewPage, keep_screenshot, overflow, shown_layout_shift
from tests.web.gin_lab import chosen, gin_table, play_on, token_of
from tests.web.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from handful.web.gin_tables import GinTable

DESK, PHONE = (1280, 800), (390, 844)


def sit_down(page: Page, lab: Lab, seed: int = 7, opponent: str = "simple") -> GinTable:
    """Set a table through the form, and return it."""
    page.goto(f"{lab.address}/gin")
    page.select_option("#opponent", opponent)
    page.click("summary")
    page.check("[name='deal'][value='seed']", force=True)
    page.fill("#seed", str(seed))
    page.click("text=Deal the cards")
    page.wait_for_url("**/gin/seats/*")
    table: GinTable = lab.app.state.gin_tables.at_seat(page.url.rpartition("/")[2])[0]
    return table


@contextmanager
def turn_taken(page: Page) -> Iterator[None]:
    """Do something, and wait until the page shows that it was done."""
    turn = page.get_attribute("#table", "data-turn")
    yield
    page.wait_for_function("turn => document.querySelector('#table').dataset.turn !== turn", arg=turn)


def wait_for_turn(page: Page) -> bool:
    """Wait until it is this page's turn, or the hand is over; return whether it goes on."""
    page.wait_for_selector("#table.my-turn")
    return page.locator(".result-panel").count() == 0


def card_to_throw(table: GinTable) -> tuple[str, str]:
    """Return what `simple` would do with a full hand: throw or knock, and the card."""
    state: SeatedGame = table.state()
    kind, _, card = str(action_of(chosen(state))).partition(" ")
    return kind, card


def action_of(number: int) -> object:
    from handful.rummy.gin.actions import action_at

    return action_at(number)


def test_a_whole_hand_by_click(lab: Lab, new_page: NewPage) -> None:
    page = new_page(DESK)
    table = sit_down(page, lab)
    turns = 0
    while wait_for_turn(page):
        turns += 1
        with turn_taken(page):
            if page.locator(".throw").count():
                kind, card = card_to_throw(table)
                page.click(f"[data-card='{card}']")
                page.click(f".{kind}:visible")
            elif action_of(chosen(table.state())).kind == "take":  # type: ignore[attr-defined]
                page.click("#upcard")
            else:
                page.click("#pass" if page.locator("#pass").count() else "#stock")
        if turns == 4:
            keep_screenshot(page, "gin-desk")
    assert turns > 4
    page.wait_for_function("() => !document.querySelector('.laying .to-come')")  # step by step, to the end
    keep_screenshot(page, "gin-result")
    assert page.locator(".sheet tbody tr").count() == 1
    page.click("#review")
    page.wait_for_selector(".review")
    page.locator(".decisions summary").first.click()
    keep_screenshot(page, "gin-review")
    page.click("#next")
    page.wait_for_selector(".gin-cards")
    page.click(".sheet a")
    page.wait_for_selector(".review")  # it is known already


def test_a_whole_hand_by_keys(lab: Lab, new_page: NewPage) -> None:
    page = new_page(DESK)
    table = sit_down(page, lab, seed=8)
    press = page.keyboard.press
    while wait_for_turn(page):
        with turn_taken(page):
            if page.locator(".throw").count():
                kind, card = card_to_throw(table)
                for _ in range(12):
                    if page.locator(f"[data-card='{card}'] .pick").is_checked():
                        break
                    press("ArrowRight")
                press("Enter" if kind == "throw" else "k")
            elif action_of(chosen(table.state())).kind == "take":  # type: ignore[attr-defined]
                press("t")
            else:
                press("p" if page.locator("#pass").count() else "d")
    press("n")
    page.wait_for_selector(".gin-cards")
    assert len(table.state().game.played) == 1


def test_drag_sorts_and_throws(lab: Lab, new_page: NewPage) -> None:
    page = new_page(DESK)
    table = gin_table(lab, seed=12)
    page.goto(f"{lab.address}/gin/seats/{token_of(table)}")

    def hand() -> list[str]:
        return [str(each.get_attribute("data-card")) for each in page.locator(".gin-cards .holder").all()]

    def drag(source: str, target: str) -> None:
        page.hover(source)
        page.mouse.down()
        page.hover(target, position={"x": 4, "y": 20}, force=True)
        page.hover(target, position={"x": 5, "y": 20}, force=True)
        page.mouse.up()

    first = hand()
    drag(f"[data-card='{first[5]}']", f"[data-card='{first[0]}']")
    assert hand() == [first[5], *first[:5], *first[6:]]
    assert page.locator(".pick:checked").count() == 0  # a drag is no click
    page.reload()
    assert hand()[0] == first[5]
    page.click("[data-sort='suits']")
    assert [card[-1] for card in hand()] == sorted((card[-1] for card in hand()), key="CDHS".index)
    with turn_taken(page):
        drag("#upcard", f"[data-card='{hand()[4]}']")
    assert len(hand()) == 11
    thrown = next(card for card in hand() if page.locator(f"[data-card='{card}'].fresh").count() == 0)
    with turn_taken(page):
        drag(f"[data-card='{thrown}']", "#upcard")
    assert str(table.state().game.round.upcard) == thrown
    assert len(hand()) == 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(lab: Lab, new_page: NewPage, scheme: str) -> None:
    page = new_page(PHONE, has_touch=True, is_mobile=True, color_scheme=scheme)
    sit_down(page, lab, seed=7)
    assert overflow(page) <= 0
    assert wait_for_turn(page)
    page.locator("#stock:enabled, #pass").first.tap()
    assert wait_for_turn(page)
    if not page.locator(".throw").count():
        page.locator("#stock:enabled").tap()
    page.wait_for_selector(".throw", state="attached")
    before = page.locator(".gin-cards, .tools").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    page.locator(".gin-cards .holder").nth(3).tap()
    button = page.locator(".throw:visible")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44  # a thumb
    assert box["y"] + box["height"] < PHONE[1]  # without scrolling
    after = page.locator(".gin-cards, .tools").evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    assert after == before  # nothing moves when a card is picked
    page.tap("#hint")
    page.wait_for_selector(".hint-panel")
    assert page.locator(".gin-cards .pick").nth(3).is_checked()
    assert overflow(page) <= 0
    keep_screenshot(page, f"gin-phone-{scheme}")
    with turn_taken(page):
        button.tap()


def test_two_people_follow_each_other(lab: Lab, new_page: NewPage) -> None:
    first, second = new_page(DESK), new_page(PHONE, has_touch=True)
    table = gin_table(lab, seed=13)
    for seat, page in enumerate((first, second)):
        page.goto(f"{lab.address}/gin/seats/{token_of(table, seat)}")
    first.wait_for_selector(".presence.on")
    assert first.title().startswith("● Your turn")
    second.locator(".gin-cards .pick").nth(2).focus()
    second.keyboard.press("Space")
    with turn_taken(second):
        first.keyboard.press("p")
    # Who waits loses neither the focus nor what was chosen.
    assert second.locator(".gin-cards .pick").nth(2).is_checked()
    assert second.evaluate("() => document.activeElement.classList.contains('pick')")
    play_on(table, until_round=1)
    for page in (first, second):
        page.wait_for_selector(".result-panel")
        assert overflow(page) <= 0
    first.click("#next")
    first.wait_for_selector("text=is still looking at it")
    second.tap("#next")
    for page in (first, second):
        page.wait_for_selector(".gin-cards")


def test_the_game_goes_on_after_a_restart_of_the_server(tmp_path: Path, new_page: NewPage) -> None:
    page = new_page(DESK, allowed=("net::ERR_",))
    lab = Lab(tmp_path, bot_pause=0.0)
    try:
        table = sit_down(page, lab)
        assert wait_for_turn(page)
        before = table.state()
        page.locator(".gin-cards .pick").nth(4).check()
        lab.close()
        page.wait_for_selector("#offline:visible")
        lab = Lab(tmp_path, bot_pause=0.0, port=lab.port)
        page.wait_for_selector("#offline", state="hidden")
        again = lab.app.state.gin_tables.at_seat(token_of(table))[0]
        assert again.state().history == before.history
        assert page.locator(".gin-cards .pick").nth(4).is_checked()
        with turn_taken(page):
            page.keyboard.press("p" if page.locator("#pass").count() else "d")
    finally:
        lab.close()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_moves_while_a_page_loads(lab: Lab, new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(size)
    page.goto(f"{lab.address}/gin", wait_until="networkidle")
    assert shown_layout_shift(page) < 0.05
    page.goto(f"{lab.address}/gin/rules", wait_until="networkidle")
    assert overflow(page) <= 0
    sit_down(page, lab)
    assert wait_for_turn(page)
    assert shown_layout_shift(page) < 0.05
