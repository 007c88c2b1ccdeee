"""Hanabi in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from handful.hanabi import State
from tests.browser.conftest import PHONE, WIDE, NewPage, keep_screenshot, overflow, shown_layout_shift
from tests.web.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Page


def deal(page: Page, lab: Lab, players: int, people: int, variant: str = "No Variant") -> None:
    """Fill in the form for a new table, and send it."""
    page.goto(f"{lab.address}/play")
    page.check(f'[name="players"][value="{players}"]')
    for seat in range(1, people + 1):
        page.select_option(f'[name="seat_{seat}"]', "person")
    if variant != "No Variant":
        page.fill("#variant", variant)
        page.wait_for_selector(f"#variant-found:has-text('{variant}:')")
    page.click("text=Deal the cards")
    page.wait_for_url("**/play/seats/*" if people == 1 else "**/play/tables/*")


def wait_for_turn(page: Page) -> bool:
    """Wait until it is this page's turn, or the game is over; return whether it goes on."""
    page.wait_for_selector(".my-turn, .finished")
    return page.locator(".finished").count() == 0


@contextmanager
def turn_taken(page: Page) -> Iterator[None]:
    """Do something, and wait until the page shows that it was done."""
    turn = page.get_attribute("#table", "data-turn")
    yield
    page.wait_for_function("turn => document.querySelector('#table').dataset.turn !== turn", arg=turn)


def give_hint(page: Page) -> None:
    with turn_taken(page):
        page.locator(".others .pick").first.check()
        page.locator(".tell .hint:visible").first.click()


def use_card(page: Page, verb: str, slot: int = 0) -> None:
    with turn_taken(page):
        page.locator(".own .pick").nth(slot).check()
        page.locator(f".do button:visible:has-text('{verb}')").click()


def move(page: Page) -> None:
    """Do something sensible: hint while there are tokens, discard otherwise, and play what is known to be a 1."""
    tokens = page.locator(".tokens.hints i.on").count()
    if tokens > 3:
        give_hint(page)
    elif page.locator(".strikes i.on").count() == 0 and tokens == 3:
        use_card(page, "Play", 1)
    else:
        use_card(page, "Discard")


def token_in(page: Page) -> str:
    found = re.search(r"/play/seats/([\w-]+)", page.url)
    assert found is not None
    return found[1]


def state_of(lab: Lab, page: Page) -> State:
    return lab.tables.at_seat(token_in(page))[0].state()


def test_a_whole_game_of_two_people_and_a_bot(lab: Lab, new_page: NewPage) -> None:
    first, second = new_page(), new_page(PHONE, has_touch=True)
    deal(first, lab, players=3, people=2, variant="3 Suits")
    keep_screenshot(first, "invite")
    links = [first.locator("input.code").nth(number).input_value() for number in range(2)]
    assert len(set(links)) == 2
    first.goto(links[0])
    second.goto(links[1])
    assert first.locator("text=away").count() + first.locator(".presence.on").count() > 0
    first.wait_for_selector(".presence.on")  # the second one has come: this page was told
    turns = 0
    while True:
        player, other = (first, second) if turns % 2 == 0 else (second, first)
        if not wait_for_turn(player):
            break
        seat = lab.tables.at_seat(token_in(player))[1]
        assert player.locator(".own .card:not(.card-back)").count() == 0
        assert player.locator(".own .card-back").count() == len(state_of(lab, player).hand(seat))
        assert other.locator(".do button").count() == 0
        if turns in (6, 7):
            keep_screenshot(player, f"game-{turns}")
        move(player)
        turns += 1
    state = state_of(lab, first)
    assert state.is_over
    assert turns > 10
    for page in (first, second):
        page.wait_for_selector(".finished")
        assert page.locator(".score b").inner_text() == str(state.score)
        assert state.deal.seed in page.locator(".finished").inner_text()
        page.wait_for_selector(".verdict, .job, .perfect")  # how long it takes depends on the game
    keep_screenshot(first, "end")
    keep_screenshot(second, "end-phone")
    # The same players go on: who is first sets the table, the other one finds it.
    first.click("text=Rematch")
    first.wait_for_selector(".my-turn")
    second.wait_for_selector("text=A rematch is set")
    second.click("text=To your seat")
    second.wait_for_selector("#table:not(:has(.finished))")
    assert lab.tables.at_seat(token_in(first))[0] is lab.tables.at_seat(token_in(second))[0]


def test_after_the_end_the_line_that_wins_is_shown(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    table = lab.set_table(players=2, seat_2="person", deal="seed", seed="2")
    page.goto(f"{lab.address}/play/seats/{table.setup.seats[0].token}")
    for turn in range(1, 4):  # three misplays
        table.act((turn - 1) % 2, turn, table.state().legal_actions()[0])
    page.wait_for_selector(".verdict:has-text('lost the game')")
    keep_screenshot(page, "verdict")
    page.click("text=Step through the winning line")
    page.wait_for_url("**/analyse?*show=line*")
    page.wait_for_selector("#replay")


def test_an_answer_that_comes_late_does_not_turn_the_table_back(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    table = lab.set_table(players=2, seat_2="person")
    seat = f"/play/seats/{table.setup.seats[0].token}"
    page.goto(f"{lab.address}{seat}")
    old = page.evaluate("document.querySelector('#table').outerHTML")
    give_hint(page)
    page.route(f"**{seat}/table", lambda route: route.fulfill(body=old, content_type="text/html"))
    ask = "address => htmx.ajax('GET', address, {target: '#table', swap: 'outerHTML'})"
    page.evaluate(ask, f"{seat}/table")
    assert page.get_attribute("#table", "data-turn") == "1"
    assert page.locator(".my-turn").count() == 0


def test_the_game_goes_on_after_a_restart_of_the_server(tmp_path: Path, new_page: NewPage) -> None:
    page = new_page(allowed=("net::ERR_",))
    lab = Lab(tmp_path, bot_pause=0.0)
    try:
        deal(page, lab, players=2, people=1)
        for _ in range(2):
            assert wait_for_turn(page)
            give_hint(page)
        assert wait_for_turn(page)
        before = state_of(lab, page).common_knowledge()
        page.locator(".own .pick").nth(2).check()
        lab.close()
        page.wait_for_selector("#offline:visible")
        keep_screenshot(page, "offline")
        lab = Lab(tmp_path, bot_pause=0.0, port=lab.port)
        page.wait_for_selector("#offline", state="hidden")
        assert state_of(lab, page).common_knowledge() == before
        # Nothing of the page is lost either: the card is still chosen.
        assert page.locator(".own .pick").nth(2).is_checked()
        page.click(".do button:visible:has-text('Discard c')")
        page.wait_for_selector(".log li:has-text('Alice discards c')")
        page.reload()
        assert wait_for_turn(page)
        assert page.locator(".log li").count() == len(state_of(lab, page).history)
    finally:
        lab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone(lab: Lab, new_page: NewPage, scheme: str) -> None:
    page = new_page(PHONE, has_touch=True, is_mobile=True, color_scheme=scheme)
    page.goto(f"{lab.address}/play")
    assert overflow(page) <= 0
    deal(page, lab, players=5, people=1, variant="Rainbow (6 Suits)")
    assert wait_for_turn(page)
    assert overflow(page) <= 0
    page.locator(".others .holder").nth(1).tap()
    hint = page.locator(".tell .hint:visible").first
    box = hint.bounding_box()
    assert box is not None
    assert box["height"] >= 44  # a thumb
    keep_screenshot(page, f"phone-{scheme}")
    with turn_taken(page):
        hint.tap()
    assert wait_for_turn(page)
    page.locator(".own .holder").nth(3).tap()
    page.locator(".do button:visible:has-text('Play d')").tap()
    page.wait_for_selector(".log li:has-text('plays d'), .log li:has-text('misplays d')")
    assert overflow(page) <= 0


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_a_colourful_table(lab: Lab, new_page: NewPage, size: tuple[int, int], scheme: str) -> None:
    page = new_page(size, color_scheme=scheme)
    page.goto(f"{lab.address}/play")
    page.fill("#variant", "valentine")
    page.click("[data-variant='Valentine Mix (6 Suits)']")
    page.wait_for_selector("#variant-found:has-text('Light Pink: touched by no suit hint')")
    page.click("summary")
    page.check("[value='seed']")
    page.fill("#seed", "7")
    page.click("text=Deal the cards")
    page.wait_for_url("**/play/seats/*")
    assert wait_for_turn(page)
    assert overflow(page) <= 0
    suits = page.locator(".stacks .card")
    assert suits.count() == 6
    fills = "each => each.map((card) => getComputedStyle(card.querySelector('use')).fill)"
    assert len(set(suits.evaluate_all(fills))) == 6
    striped = page.locator(".can-be .suit-cocoa-rainbow path").first
    assert "suit-cocoa-rainbow-stripes" in striped.evaluate("path => getComputedStyle(path).fill")
    keep_screenshot(page, f"valentine-{scheme}")
    with turn_taken(page):
        page.locator(".others .holder:has(:is(.suit-red, .suit-pink, .suit-light-pink)) .pick").first.check()
        page.locator(".tell .hint:visible").first.click()


def test_the_keyboard_alone(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    deal(page, lab, players=2, people=1)
    assert wait_for_turn(page)
    page.locator(".own .pick").first.focus()
    page.keyboard.press("Space")
    assert page.locator(".own .pick").first.is_checked()
    page.keyboard.press("ArrowRight")
    assert page.locator(".own .pick").nth(1).is_checked()
    page.keyboard.press("Escape")
    assert page.locator(".pick:checked").count() == 0
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent.trim()") == "Play b"
    page.keyboard.press("Enter")
    page.wait_for_selector(".log li:has-text('plays b'), .log li:has-text('misplays b')")


def test_a_refresh_takes_neither_the_focus_nor_the_choice(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    deal(page, lab, players=2, people=1)
    assert wait_for_turn(page)
    table = lab.tables.at_seat(token_in(page))[0]
    page.locator(".own .pick").nth(1).focus()
    page.keyboard.press("Space")
    for key, focused in (("", "card-1"), ("Tab", "Play b")):
        if key:
            page.keyboard.press(key)
        version = page.get_attribute("#table", "data-version")
        table.say_trouble(f"something to draw anew for: {key}")
        page.wait_for_function("old => document.querySelector('#table').dataset.version !== old", arg=version)
        assert page.evaluate("() => document.activeElement.id || document.activeElement.textContent.trim()") == focused
        assert page.locator(".own .pick").nth(1).is_checked()
    page.keyboard.press("Enter")
    page.wait_for_selector(".log li:has-text('plays b'), .log li:has-text('misplays b')")


def test_the_title_says_whose_turn_it_is(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    table = lab.set_table(players=2, seat_2="person")
    page.goto(f"{lab.address}/play/seats/{table.setup.seats[0].token}")
    assert page.title().startswith("● Your turn")
    for turn in range(1, 4):
        table.act((turn - 1) % 2, turn, table.state().legal_actions()[-1])
        page.wait_for_selector(f"#table[data-turn='{turn}']")
        assert page.title().startswith("● Your turn") == (turn % 2 == 0)
        assert (page.locator(".my-turn").count() == 1) == (turn % 2 == 0)


def test_history_is_gone_through_while_the_game_goes_on(lab: Lab, new_page: NewPage) -> None:
    first, second = new_page(), new_page()
    deal(first, lab, players=2, people=2)
    links = [first.locator("input.code").nth(number).input_value() for number in range(2)]
    first.goto(links[0])
    second.goto(links[1])
    assert wait_for_turn(first)
    give_hint(first)
    assert wait_for_turn(second)
    first.click("#step-first")
    first.wait_for_selector(".whose:has-text('After turn 0 of 1')")
    give_hint(second)
    second.wait_for_selector(".log li:nth-child(2)")
    # Who looks at the past is not torn out of it; a step leads back to the game as it is now.
    assert first.locator(".whose:has-text('After turn 0 of 1')").count() == 1
    assert first.locator("[name='action']").count() == 0
    keep_screenshot(first, "past")
    first.click("#step-now")
    first.wait_for_selector(".my-turn")
    assert first.locator(".log li").count() == 2


def test_a_mistake_in_the_form_is_told_beside_it(lab: Lab, new_page: NewPage) -> None:
    page = new_page(allowed=("status of 400",))
    page.goto(f"{lab.address}/play")
    page.click("summary")
    page.check("[value='seed']")
    page.fill("#seed", "nonsense")
    page.click("text=Deal the cards")
    page.wait_for_selector("#message:has-text('expected a number such as 7')")
    assert page.input_value("#seed") == "nonsense"
    keep_screenshot(page, "mistake")
    page.click("[data-close]")
    page.fill("#seed", "7")
    page.click("text=Deal the cards")
    page.wait_for_selector("text=open deal")


def test_a_page_that_does_not_exist(lab: Lab, new_page: NewPage) -> None:
    page = new_page(allowed=("status of 404",))
    page.goto(f"{lab.address}/play/seats/{'x' * 32}")
    page.wait_for_selector("text=there is no such seat")
    keep_screenshot(page, "error")


def test_tables_of_this_device_are_listed(lab: Lab, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"{lab.address}/play")
    assert not page.locator(".my-tables").is_visible()
    deal(page, lab, players=2, people=1)
    seat = page.url
    page.goto(f"{lab.address}/play")
    page.click(".my-tables a")
    page.wait_for_selector("#table")
    assert page.url == seat


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_moves_while_a_page_loads(lab: Lab, new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(size)
    page.goto(f"{lab.address}/play", wait_until="networkidle")
    assert shown_layout_shift(page) < 0.05
    deal(page, lab, players=3, people=1)
    assert wait_for_turn(page)
    assert shown_layout_shift(page) < 0.05
