"""The table as players expect it, in a real browser: one screen, nothing that moves, keys, signs and alerts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from handful.hanabi import Discard, HintSuit, HintValue
from handful.hanabi.cards import card_index
from handful.web.hanabi_table import Table
from tests.browser.conftest import NewPage, keep_screenshot, overflow, shown_layout_shift
from tests.web.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Page

LAPTOP, PHONE = (1280, 800), (390, 844)

# Where everything lies: hands, cards, stacks, the bar and what is above the table.
PARTS = "#table :is(.status, .stacks, .hand, .holder, .bar, .turns)"
PLACES = """(parts) => [...document.querySelectorAll(parts)].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [each.className.split(" ")[0], x, y, width, height].join(" ");
})"""
# What of the table is not on the screen, or lies under the bar.
HIDDEN = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const hidden = ({ top, bottom }, lowest) => top < 0 || bottom > lowest + 0.5;
  return [...document.querySelectorAll("#table :is(.status, .stacks, .holder, .bar)")]
    .filter((each) => hidden(each.getBoundingClientRect(), each.matches(".bar") ? innerHeight : bar.top))
    .map((each) => each.className);
}"""
FOCUS = "() => document.activeElement.dataset?.at ?? document.activeElement.name ?? document.activeElement.tagName"


def sit_down(lab: Lab, page: Page, table: Table, seat: int = 0) -> None:
    page.goto(f"{lab.address}/play/seats/{table.setup.seats[seat].token}")
    page.wait_for_selector("#table")


def table_of_people(lab: Lab, players: int, **fields: Any) -> Table:
    return lab.set_table(players=players, **{f"seat_{seat}": "person" for seat in range(2, players + 1)}, **fields)


def act(table: Table, kind: type = Discard) -> None:
    """Let whoever is to move do something of a kind, or a hint where that cannot be done."""
    state = table.state()
    legal = state.legal_actions()
    table.act(state.current, state.turn_number, next((each for each in legal if isinstance(each, kind)), legal[-1]))


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("players", [2, *(pytest.param(each, marks=pytest.mark.full) for each in (3, 4, 5)), 6])
def test_all_of_it_is_on_one_screen_and_nothing_moves(
    lab: Lab, new_page: NewPage, size: tuple[int, int], players: int
) -> None:
    is_phone = size == PHONE
    page = new_page(size, has_touch=is_phone, is_mobile=is_phone)
    clock = {"clock_minutes": "20"} if players == 6 else {}
    table = table_of_people(lab, players, variant="6 Suits", deal="seed", seed="5", **clock)
    for _ in range(players):
        act(table)
    sit_down(lab, page, table)
    assert overflow(page) <= 0
    assert page.evaluate(HIDDEN) == []
    before = page.evaluate(PLACES, PARTS)
    shift = shown_layout_shift(page)
    for place in (".own .holder >> nth=1", ".others .holder >> nth=0", ".others .holder >> nth=-1"):
        page.locator(place).tap() if is_phone else page.locator(place).click()
        button = page.locator(".bar button:visible").first
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]
        assert page.evaluate(PLACES, PARTS) == before
        assert page.evaluate("() => scrollY") == 0
    assert shown_layout_shift(page) == shift
    keep_screenshot(page, f"table-{players}-{size[0]}")


def test_the_past_says_that_the_game_goes_on_and_when_it_is_the_own_move(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = table_of_people(lab, 3)
    act(table)
    sit_down(lab, page, table)
    page.click("#step-first")
    page.wait_for_selector(".bar.is-past:has-text('After turn 0 of 1')")
    act(table)
    page.wait_for_selector("#gone-on:has-text('The game has gone on: turn 2')")
    assert not page.title().startswith("●")
    act(table)
    page.wait_for_selector("#gone-on:has-text('It is your move')")
    page.wait_for_function("() => document.title.startsWith('● Your turn')")
    assert page.locator(".bar.is-past:has-text('After turn 0 of 1')").count() == 1
    page.click("text=Go to now")
    page.wait_for_selector(".my-turn")
    assert page.evaluate("() => document.querySelector('#table').contains(document.activeElement)")


def test_the_focus_stays_where_the_person_works(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = table_of_people(lab, 2)
    sit_down(lab, page, table)
    page.locator(".own .pick").nth(2).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUS) == "0.2"
    page.locator(".others .pick").nth(1).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table[data-turn='1']")
    assert page.evaluate(FOCUS) == "1.1"
    # What was chosen is done: nothing is chosen any more, and the live region does not say that it is the own turn.
    assert page.locator(".pick:checked").count() == 0
    assert "Your turn" not in page.locator("#announce").inner_text()
    act(table, HintValue)
    page.wait_for_function("() => document.querySelector('#announce').textContent.includes('Your turn')")
    assert page.evaluate(FOCUS) == "1.1"


def test_points_are_out_of_what_is_still_possible(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = table_of_people(lab, 2, deal="seed", seed="5")
    sit_down(lab, page, table)
    lost = False
    while not lost:
        state = table.state()
        critical = state.common_knowledge().critical_mask
        variant, hand = state.rules.variant, state.hand(state.current)
        slots = [slot for slot, card in enumerate(hand) if critical >> card_index(variant, card) & 1]
        legal = state.legal_actions()
        throw = Discard(slots[0]) if slots else Discard(0)
        lost = bool(slots) and throw in legal
        table.act(state.current, state.turn_number, throw if throw in legal else legal[-1])
    page.wait_for_selector(f"#table[data-turn='{len(table.state().history)}']")
    told = page.locator(".figures").inner_text()
    best = int(re.findall(r"0\s*/(\d+)", told)[0])
    assert best < 25
    seen = lab.see(table.setup.seats[0].token)
    assert (best, seen["points"]) == (seen["best_score"], 0)
    assert re.search(rf"pace\s+{seen['pace']}\s+{seen['risk']}", told)


# Colours as the browser draws them: of the ring around a chosen card against what lies around it, and of the digits of
# what a card can be against their ground.
RING = """(holder) => {
  const face = holder.querySelector(".face"), style = getComputedStyle(face);
  return [style.outlineColor, getComputedStyle(holder.closest(".hand")).backgroundColor, parseFloat(style.outlineWidth),
    parseFloat(style.outlineOffset)];
}"""
DIGITS = """() => [...document.querySelectorAll(".own .face > .can-be g")].map((row) => [
  getComputedStyle(row.querySelector("text")).fill,
  getComputedStyle(row.querySelector(".card-plate") ?? row.querySelector("path")).fill])"""


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours as the browser names them."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    lower, upper = sorted((light(first), light(second)))
    return upper / lower


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ring_and_the_digits_can_be_seen(lab: Lab, new_page: NewPage, scheme: str) -> None:
    page = new_page(LAPTOP, color_scheme=scheme)
    sit_down(lab, page, table_of_people(lab, 2, variant="6 Suits"))
    for holder in page.locator(".holder").all():
        holder.locator(".pick").check()
        ring, ground, width, offset = holder.evaluate(RING)
        assert contrast(ring, ground) >= 4.5
        assert (width, offset) == (3, 2)  # on the panel, with a gap: no colour of a card touches it
    digits = page.evaluate(DIGITS)
    assert len(digits) == 30
    assert min(contrast(ink, ground) for ink, ground in digits) >= 4.5


def test_a_whole_game_by_keyboard_alone(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = lab.set_table(players=2, seat_2="rules", variant="3 Suits", deal="seed", seed="3")
    sit_down(lab, page, table)
    kinds: set[str] = set()
    while page.locator("#table:is(.my-turn, :has(.finished))").first.is_visible():
        state = table.state()
        if state.is_over:
            break
        keys, kind = keys_of_a_turn(table)
        kinds.add(kind)
        turn = page.get_attribute("#table", "data-turn")
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_function("turn => document.querySelector('#table').dataset.turn !== turn", arg=turn)
        assert page.evaluate("() => document.activeElement !== document.body")
        page.wait_for_selector("#table.my-turn, .finished")
    page.wait_for_selector(".finished")
    assert kinds == {"play", "discard", "hint of a suit", "hint of a value"}
    # Through the turns of the game that is over, and on to the next one.
    page.keyboard.press("Home")
    page.wait_for_selector("#table[data-turn='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#table[data-turn='1']")
    page.keyboard.press("End")
    page.wait_for_selector(".finished")
    page.locator("text=Rematch").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#table:not(:has(.finished))")


def test_a_table_is_set_by_keyboard_alone(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    page.goto(f"{lab.address}/play")
    for _ in range(20):  # past the links of the pages
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.name") == "players":
            break
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/seats/*")
    assert page.locator("#table.of-2").count() == 1


def keys_of_a_turn(table: Table) -> tuple[list[str], str]:
    """Return the keys for something sensible, so that all kinds of actions come: play what fits, tell, discard."""
    state = table.state()
    variant, legal = state.rules.variant, state.legal_actions()
    playable = state.common_knowledge().playable_mask
    if Discard(0) in legal and state.turn_number % 6 == 5:
        return ["1", "d"], "discard"
    fitting = [slot for slot, card in enumerate(state.hand(0)) if playable >> card_index(variant, card) & 1]
    if fitting:
        return [str(fitting[0] + 1), "p"], "play"
    hints = [each for each in legal if isinstance(each, HintSuit | HintValue)]
    if hints and (state.hints or 0) > 2:
        given = sum(isinstance(turn.action, HintSuit | HintValue) for turn in state.history if turn.actor == 0)
        hint = hints[0] if given % 2 == 0 else hints[-1]  # suits come first
        if isinstance(hint, HintSuit):
            return ["h", variant.hint_suits[hint.suit].letter, "Enter"], "hint of a suit"
        return ["h", str(hint.value), "Enter"], "hint of a value"
    return (["1", "d"], "discard") if Discard(0) in legal else (["1", "p"], "play")


def test_keys_that_only_look(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = table_of_people(lab, 3)
    act(table, HintSuit)
    sit_down(lab, page, table)
    page.keyboard.press("?")
    page.wait_for_selector("#sheet[open]")
    page.keyboard.press("Escape")
    assert page.locator("#sheet[open]").count() == 0
    assert page.locator(".others .knows:visible").count() == 0
    page.keyboard.down("e")
    assert page.locator(".others .knows:visible").count() == 10
    page.keyboard.up("e")
    assert page.locator(".others .knows:visible").count() == 0
    # Out of turn nothing is done by any key, and a text is only a text.
    for key in ("1", "p", "d", "h", "r", "Enter"):
        page.keyboard.press(key)
    page.locator(".chat [name=text]").focus()
    page.keyboard.type("1pd? he")
    assert page.locator(".chat [name=text]").input_value() == "1pd? he"
    assert page.locator("#sheet[open]").count() == 0
    assert len(table.state().history) == 1


def test_who_told_whom_what_is_seen_by_pointing(lab: Lab, new_page: NewPage) -> None:
    table = table_of_people(lab, 3)
    act(table, HintSuit)
    touched = table.state().history[-1].touched
    for page, address in (
        (new_page(LAPTOP), f"/play/seats/{table.setup.seats[2].token}"),
        (new_page(LAPTOP), f"/play/watch/{table.setup.watch}"),
    ):
        page.goto(f"{lab.address}{address}")
        page.hover(".log li")
        assert page.locator(".hand-0.giver").count() == 1
        assert page.locator(f".hand-{table.state().history[-1].action.player}.receiver").count() == 1  # type: ignore[union-attr]
        assert page.locator(".touched-by-it").count() == len(touched)
        page.mouse.move(640, 5)
        assert page.locator(".touched-by-it, .giver, .receiver").count() == 0


def test_a_finger_that_stays_shows_what_the_others_know(lab: Lab, new_page: NewPage) -> None:
    page = new_page(PHONE, has_touch=True, is_mobile=True)
    sit_down(lab, page, table_of_people(lab, 2))
    card = page.locator(".others .holder").first
    card.dispatch_event("pointerdown")
    page.wait_for_selector("#table.empathy")
    card.dispatch_event("pointerup")
    page.wait_for_selector("#table:not(.empathy)")


NOTIFIES = """
window.said = [];
window.Notification = class {
  constructor(title, more) { said.push(`${title}: ${more.body}`); }
  addEventListener() {}
  close() {}
};
Notification.permission = "granted";
Notification.requestPermission = async () => "granted";
window.notes = 0;
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) { notes += 1; return begin.apply(this, given); };
"""


def test_the_own_turn_is_told_by_a_notification_and_a_sound_if_asked_for(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    page.add_init_script(NOTIFIES)
    table = table_of_people(lab, 2)
    sit_down(lab, page, table)
    act(table)
    page.wait_for_selector("#table[data-turn='1']")
    act(table, HintSuit)
    page.wait_for_selector(".my-turn")
    assert page.evaluate("[said, notes]") == [[], 0]  # nobody has asked for anything
    page.click("[data-opens-sheet]")
    page.click("#notify")
    page.click("#sound")
    assert page.get_attribute("#notify", "aria-pressed") == page.get_attribute("#sound", "aria-pressed") == "true"
    assert page.evaluate("notes") == 2  # how it sounds
    page.click("[data-closes-sheet]")
    act(table)
    page.wait_for_selector("#table[data-turn='3']")
    page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true })")
    act(table, HintSuit)
    page.wait_for_selector(".my-turn")
    assert page.evaluate("[said, notes]") == [["Your turn: Alice, Bob"], 4]


def test_marks_say_what_cards_are_worth(lab: Lab, new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    table = table_of_people(lab, 3)
    sit_down(lab, page, table)
    state = table.state()
    common, variant = state.common_knowledge(), state.rules.variant
    for kind, mask in (("is-playable", common.playable_mask), ("is-critical", common.critical_mask)):
        held = [card for player in (1, 2) for card in state.hand(player)]
        expected = sum(mask >> card_index(variant, card) & 1 for card in held)
        assert page.locator(f".others .{kind}").count() == expected
    assert page.locator(".others .slot").all_inner_texts() == list("abcde") * 2
    assert page.locator(".own .slot").all_inner_texts() == list("abcde")
    # Cards in sight are counted: both copies of no card of the others' hands stay possible.
    counted = lab.see(table.setup.seats[0].token)["hands"][0][0]["can_be_counted"]
    twice = [card for card in held if held.count(card) == variant.copies[card_index(variant, card)]]
    assert (counted == "anything") == (not twice)
