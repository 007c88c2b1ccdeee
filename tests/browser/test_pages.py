"""Analyse, Rummy, Explorer and Bots in a real browser: what people do there, on a screen and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from handful.web.pages.addresses import record_in, token_of
from tests.web.lab import Lab
from tests.web.page_checks import LOST, WON, last_job

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

api: Any = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
expect = api.expect

SIZES = {"screen": (1200, 900), "phone": (390, 844)}
MILLISECONDS = 90_000  # the first time, much is compiled
expect.set_options(timeout=MILLISECONDS)

# How far things have moved by themselves, as browsers add it up.
SHIFT = """() => new Promise(done => {
  let sum = 0;
  const add = list => { for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value; };
  new PerformanceObserver(add).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path_factory.mktemp("tables")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        patch.setenv("HANDFUL_REVIEWS", str(tmp_path_factory.mktemp("reviews")))
        with Lab(tmp_path_factory.mktemp("lab")) as opened:
            opened.app.state.review_worlds = 8
            yield opened


@pytest.fixture(params=["screen"])
def page(lab: Lab, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Give a page; afterwards nothing must have gone wrong in it, and nothing asked for elsewhere."""
    is_phone = request.param == "phone"
    width, height = SIZES[request.param]
    context = browser.new_context(
        base_url=lab.address,
        viewport={"width": width, "height": height},
        has_touch=is_phone,
        color_scheme="dark" if is_phone else "light",
    )
    context.set_default_timeout(MILLISECONDS)
    opened, problems = context.new_page(), list[str]()
    opened.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("request", lambda each: None if each.url.startswith(lab.address) else problems.append(each.url))
    yield opened
    found = list(problems)  # before the page is closed, which breaks off whatever it is still asking for
    context.close()
    assert found == []


on_both = pytest.mark.parametrize("page", ["screen", "phone"], indirect=True)


def check_width(page: Page) -> None:
    """Assert that nothing is wider than the page."""
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@on_both
def test_a_real_link_is_analysed(page: Page) -> None:
    page.goto("/analyse")
    page.fill("#text", f"https://hanab.live/replay-json/{WON}")
    page.click("button.primary")
    expect(page.locator(".verdict h2")).to_have_text("A perfect game: 25 of 25.")
    expect(page.locator("#where")).to_have_text("Turn 53 of 53")
    page.focus("#slider")
    page.keyboard.press("Home")
    expect(page.locator("#where")).to_have_text("Turn 0 of 53")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text("Turn 1 of 53")
    check_width(page)


@on_both
def test_a_lost_game_shows_its_turn_and_the_line_that_wins(page: Page, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(record_in(LOST).to_text())
    page.goto("/analyse")
    page.set_input_files("#file", tmp_path / "game.json")
    page.click("button.primary")
    expect(page.locator(".verdict h2")).to_have_text("Turn 26 lost the game: Bob discards e: blue 2.")
    expect(page.locator("#where")).to_have_text("Turn 25 of 65")
    expect(page.locator(".happened")).to_contain_text("this lost the game")
    expect(page.locator(".swing rect.possible")).to_have_attribute("width", "25")
    expect(page.locator(".swing rect.lost")).to_have_attribute("width", "40")
    page.click("text=Step through the winning line")
    page.click("#step-forward")
    expect(page.locator("#where")).to_have_text("Turn 26 of 53")
    assert page.locator("#slider").input_value() == "26"
    page.click("#step-last")
    expect(page.locator(".happened")).to_contain_text("a perfect game")
    check_width(page)
    with page.expect_download() as download:
        page.click("text=Download the game >> nth=-1")
    assert record_in(download.value.path().read_text()) == record_in(LOST)


def test_a_game_is_watched_and_paused(page: Page) -> None:
    page.goto(f"/analyse?game={LOST}&turn=3")
    page.click("#step-play")
    expect(page.locator("#where")).to_have_text(re.compile(r"Turn ([6-9]|[1-5]\d) of 65"))  # each is there for a second
    page.click("#step-pause")
    expect(page.locator("#step-pause")).to_have_count(0)
    turn = re.search(r"turn=(\d+)\b", page.url)
    assert turn is not None
    expect(page.locator("#where")).to_have_text(f"Turn {turn[1]} of 65")


def test_an_address_that_was_sent_shows_the_game_and_a_button(page: Page, lab: Lab) -> None:
    before = len(lab.app.state.jobs._jobs)
    page.goto(f"/analyse?game={WON}&turn=7")
    expect(page.locator("#where")).to_have_text("Turn 7 of 53")
    page.click("#step-forward")
    expect(page.locator("#where")).to_have_text("Turn 8 of 53")
    one_less = token_of(replace(record_in(WON), actions=record_in(WON).actions[:-1]))
    page.goto(f"/analyse?{urlencode({'game': one_less})}")
    expect(page.locator("#verdict button")).to_have_text("Analyse this game")
    page.goto("/rummy?hand=AC+4C+9C+JD&aces=high")
    expect(page.locator("#advice")).to_contain_text("has to be worked out first")
    page.goto("/results/game?bot=random&players=3&game=4")
    expect(page.locator("button.primary")).to_have_text("Play this game")
    assert len(lab.app.state.jobs._jobs) == before
    page.goto(f"/analyse?{urlencode({'game': one_less})}")
    page.click("text=Analyse this game")
    expect(page.locator(".verdict h2")).to_be_visible()


def test_a_lost_connection_does_not_stop_the_page_from_asking(lab: Lab, browser: Browser) -> None:
    page = browser.new_page(base_url=lab.address)  # a page of its own: browsers report what is not reached as an error
    failures = iter((True, False, True))
    page.route("**/jobs/*", lambda route: route.abort() if next(failures, False) else route.continue_())
    page.goto("/explorer/solitaire")
    page.click("text=One suit, twice, a hand of one")
    expect(page.locator(".verdict h2")).to_contain_text("It can be won")
    page.close()


def test_the_slider_is_dragged(page: Page) -> None:
    page.goto("/analyse")
    page.fill("#text", LOST)
    page.click("button.primary")
    expect(page.locator(".review code")).to_be_attached()
    expect(page.locator(".swing rect.lost")).to_have_attribute("width", "40")  # then nothing is drawn anew any more
    box = page.locator("#slider").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30, steps=8)
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 30, steps=8)
    page.mouse.up()
    expect(page.locator("#where")).to_have_text("Turn 65 of 65")


@on_both
def test_rummy_advice_by_clicking_cards(page: Page) -> None:
    page.goto("/rummy")
    for card in ("AC", "4C"):
        page.check(f"input[value='{card}']", force=True)
    expect(page.locator("#advice")).to_contain_text("1 more card")
    page.check("input[value='7C']", force=True)
    expect(page.locator(".stat b").first).to_have_text("18.60")
    expect(page.locator(".spread svg.plot[role=img]")).to_be_visible()
    page.check("input[value=wrap]", force=True)
    expect(page.locator(".stat b").first).to_have_text("18.24")
    page.click("a.draw[aria-label^='draw the 5 of clubs']")
    expect(page.locator("#discards h2")).to_contain_text("You drew")
    assert page.locator("#discards tbody tr").count() == 4
    check_width(page)
    page.reload()
    expect(page.locator("#discards tbody tr")).to_have_count(4)


def test_a_hand_is_dealt_and_enter_does_not_deal_another(page: Page) -> None:
    page.goto("/rummy?aces=high")
    page.click("button[aria-label='Deal 3 cards']")
    expect(page).to_have_url(re.compile("hand=.*aces=high"))
    expect(page.locator(".stat b, h2.good").first).to_be_visible()
    hand = page.locator("input[name=card]:checked").evaluate_all("cards => cards.map(card => card.value)")
    assert len(hand) == 3
    page.click("summary")
    page.press("#gone", "Enter")
    page.wait_for_load_state()
    assert page.locator("input[name=card]:checked").evaluate_all("cards => cards.map(card => card.value)") == hand


def test_cards_are_chosen_with_the_keyboard(page: Page) -> None:
    page.goto("/rummy")
    page.focus("input[value=AC]")
    for _ in range(3):
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
    expect(page.locator("#advice")).to_contain_text("You are out")


@on_both
def test_decks_are_counted_by_sliders(page: Page) -> None:
    page.goto("/explorer")
    expect(page.locator("#counts")).to_contain_text("5,934")
    page.focus("#x5")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#x5-out")).to_have_text("2")
    expect(page.locator("#counts h2")).to_have_text("11 cards, a hand of one")
    page.click("text=The theorem behind it")
    check_width(page)
    page.fill("#sequence", "3 2 1")
    expect(page.locator("#line")).to_contain_text("It cannot be played")
    page.click("text=Shuffle")
    expect(page.locator("#sequence")).not_to_have_value("3 2 1")
    assert len(page.locator("#sequence").input_value().split()) == 11


def test_a_value_is_added_and_the_sliders_stay(page: Page) -> None:
    page.goto("/explorer?x=2&x=2&x=2")
    page.focus("#x2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#x2-out")).to_have_text("3")
    page.click("text=Add a value")
    expect(page.locator("#x4")).to_be_visible()
    assert [page.locator(f"#x{value}").input_value() for value in range(1, 4)] == ["2", "3", "2"]
    page.click("text=Shuffle")
    expect(page.locator("#sequence")).to_have_value(re.compile(r"^(\S+ ){7,}\S+$"))
    assert page.locator("#sequence").input_value().count("2") == 3  # one deck follows the sliders


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_advice_on_rummy_is_in_sight_on_a_phone_and_keeps_the_ace_rule(page: Page) -> None:
    page.goto("/rummy?aces=wrap")
    page.click("button[aria-label='Deal 3 cards']")
    expect(page).to_have_url(re.compile("hand=.*aces=wrap"))
    assert page.is_checked("input[value=wrap]")
    box = page.locator("#advice").bounding_box()
    assert box is not None
    assert box["y"] < SIZES["phone"][1] - 100
    expect(page.get_by_role("button", name=re.compile("Deal 10 cards"))).to_be_visible()


def test_the_leaderboard_opens_at_three_players_with_best_on_top(page: Page) -> None:
    page.goto("/results")
    expect(page.locator("a[aria-current]", has_text="3 players")).to_be_visible()
    expect(page.locator(".standing tbody tr:has(td:nth-child(3))").first).to_contain_text("best")


@pytest.mark.full
def test_a_seed_that_nobody_played_is_a_deal_with_its_line(page: Page) -> None:
    page.goto("/analyse")
    page.fill("#text", "p4v0s415")
    page.click("button.primary")
    expect(page.locator(".verdict h2")).to_have_text("This deal can be won: 25 of 25.")
    expect(page.locator(".verdict details:has-text('How it was proved')")).not_to_have_attribute("open", "")
    page.click("text=Step through the winning line")
    expect(page.locator("#where")).to_contain_text("Turn 0 of")


@on_both
def test_a_formula_is_watched(page: Page) -> None:
    page.goto("/explorer/solitaire")
    page.fill("#text", "p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n")
    page.click("text=Solve and watch")
    expect(page.locator(".verdict h2")).to_contain_text("the formula can be satisfied")
    page.click("#step-forward")
    expect(page.locator("#scene-body")).to_contain_text("Card 1 of 183")
    page.click("#step-last")
    expect(page.locator("#scene-body .tag.good")).to_have_text("won")
    check_width(page)


@on_both
def test_a_simulation_is_run_and_kept(page: Page) -> None:
    page.goto("/results/simulate")
    page.fill("input[name=bot]", "random")
    page.fill("input[name=games]", "4000")
    page.click("text=Play the games")
    expect(page.locator("#outcome h2")).to_have_text("random: 3 players, No Variant, 4,000 games")
    expect(page.locator("#outcome svg.plot[role=img]")).to_be_visible()
    check_width(page)
    page.click(".chip >> nth=2")
    expect(page.locator(".verdict h2")).to_contain_text("lost the game")  # led on to the analysis by itself
    page.goto("/results/stored")
    expect(page.locator("tbody tr")).to_have_count(1)
    check_width(page)


def test_a_long_run_shows_how_far_it_is_and_is_cancelled(page: Page) -> None:
    page.goto("/results/compare")
    page.fill("input[name=bot]", "rules")
    page.fill("input[name=against]", "rules(reading=text)")
    page.fill("input[name=games]", "200000")
    page.click("button.primary")
    expect(page.locator(".job progress")).to_be_visible()
    expect(page.locator(".job")).to_contain_text("of 400,000 games")
    page.click("text=Cancel")
    expect(page.locator(".job")).to_contain_text("Cancelled.")


@on_both
@pytest.mark.parametrize("address", ["/analyse", "/rummy", "/explorer", "/explorer/solitaire", "/results"])
def test_nothing_is_wider_than_the_page_or_moves_by_itself(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")
    check_width(page)
    assert page.evaluate(SHIFT) < 0.01
    assert page.locator("main h1").count() == 1
    assert page.locator("nav a[aria-current=page]").count() == 1


def test_what_cannot_be_read_is_said_and_what_was_pasted_stays(lab: Lab, browser: Browser) -> None:
    page = browser.new_page(base_url=lab.address)  # a page of its own: browsers report the status 400 as an error
    page.goto("/analyse")
    page.fill("#text", "https://hanab.live/replay-json/315zz")
    page.click("button.primary")
    expect(page.locator("#given-error")).to_contain_text("expected 3, for deck, actions and variant")
    assert page.locator("#text").input_value() == "https://hanab.live/replay-json/315zz"
    page.close()


def test_pages_work_without_scripts(lab: Lab, browser: Browser) -> None:
    context = browser.new_context(base_url=lab.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/analyse")
    page.fill("#text", LOST)
    page.click("button.primary")
    expect(page.locator("#replay")).to_be_visible()
    last_job(lab, "analyse")
    page.reload()
    expect(page.locator(".verdict h2")).to_have_text("Turn 26 lost the game: Bob discards e: blue 2.")
    page.click("#step-forward")
    expect(page.locator("#where")).to_have_text("Turn 26 of 65")
    page.goto("/rummy")
    for card in ("AC", "4C", "7C"):
        page.check(f"input[value='{card}']", force=True)
    page.click("button:has-text('Advise')")
    expect(page).to_have_url(re.compile("card=7C"))
    last_job(lab, "rummy-table")
    page.reload()
    expect(page.locator(".stat b").first).to_have_text("18.60")
    page.click("a.draw[aria-label^='draw the 5 of clubs']")
    expect(page.locator("#discards tbody tr")).to_have_count(4)
    page.goto("/explorer?x=2&x=2")
    expect(page.locator("#counts h2")).to_have_text("4 cards, a hand of one")
    context.close()
