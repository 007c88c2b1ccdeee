"""Every page, light and dark, as axe-core judges it: nothing serious and nothing critical."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from handful.hanabi import Discard
from tests.browser.conftest import MILLISECONDS
from tests.live_site.played import some_games
from tests.live_site.server import FakeSite
from tests.web.lab import Lab
from tests.web.page_checks import LOST, last_job

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("axe_playwright_python", reason="axe-core comes with axe-playwright-python, which is not installed")

GRAVE = ("serious", "critical")
# In the dark only colours are others.
RULES = {"light": None, "dark": {"type": "rule", "values": ["color-contrast"]}}
RUN = """(only) => axe.run(document, {resultTypes: ["violations"], ...(only ? {runOnly: only} : {})})"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path_factory.mktemp("tables")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        with Lab(tmp_path_factory.mktemp("lab")) as opened:
            opened.app.state.review_worlds = 8
            yield opened


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    # Without motion, so that no colour is on its way to another one.
    context = browser.new_context(base_url=lab.address, reduced_motion="reduce")
    context.set_default_timeout(MILLISECONDS)
    yield context.new_page()
    context.close()


def table(lab: Lab) -> str:
    form = {"players": "3", "seat_2": "rules", "seat_3": "rules"}
    return str(lab.client.post("/play/tables", data=form).headers["location"])


def table_of(players: int, turns: int = 0, look: str = "/play/seats/{seat}", **fields: str) -> Callable[[Lab], str]:
    """Return what sets a table of people at which so much has happened, and says where to look at it."""

    def find(lab: Lab) -> str:
        people = {f"seat_{seat}": "person" for seat in range(2, players + 1)}
        made = lab.set_table(players=players, deal="seed", seed="8", **people, **fields)
        while (state := made.state()).turn_number <= turns and not state.is_over:
            legal = state.legal_actions()
            throws = state.turn_number % 2 == 0 and Discard(0) in legal
            made.act(state.current, state.turn_number, Discard(0) if throws else legal[0 if turns > 50 else -1])
        made.say(0, "hello")
        return look.format(seat=made.setup.seats[0].token, watch=made.setup.watch, host=made.setup.host)

    return find


def gin_table(lab: Lab) -> str:
    return str(lab.client.post("/gin/tables", data={"opponent": "simple"}).headers["location"])


def lost_game(lab: Lab) -> str:
    place = str(lab.client.post("/analyse", data={"text": LOST}).headers["location"])
    last_job(lab, "analyse")
    return place


def deal(lab: Lab) -> str:
    place = str(lab.client.post("/analyse", data={"text": "p4v0s415"}).headers["location"])
    last_job(lab, "analyse")
    return place


def rummy_hand(lab: Lab) -> str:
    hand = {"hand": "AC 4C 7C", "aces": "low"}
    lab.client.post("/rummy/advice", data=hand, headers={"HX-Request": "true"})
    last_job(lab, "rummy-table")
    return f"/rummy?{urlencode({**hand, 'draw': '5C'})}"


def solitaire(lab: Lab) -> str:
    form = {"text": "p cnf 3 2\n1 -2 3 0\n1 2 -3 0\n"}
    place = str(lab.client.post("/explorer/solitaire", data=form).headers["location"])
    last_job(lab, "solitaire")
    return f"{place}&step=183"


def simulation(lab: Lab) -> str:
    form = {"bot": "random", "games": "200"}
    place = str(lab.client.post("/results/simulate", data=form).headers["location"])
    last_job(lab, "simulate")
    return place


def comparison(lab: Lab) -> str:
    form = {"bot": "random", "against": "rules", "games": "100"}
    place = str(lab.client.post("/results/compare", data=form).headers["location"])
    last_job(lab, "compare")
    return place


def reviewed(lab: Lab) -> str:
    place = lost_game(lab)
    lab.client.post("/analyse/review", data={"game": place.partition("game=")[2].replace("%2C", ",")})
    last_job(lab, "review")
    return place


def games_of_a_player(lab: Lab) -> str:
    """Look at the games of a player, at a site on this machine."""
    with FakeSite(some_games()) as site, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANDFUL_SITE", site.address)
        place = str(lab.client.post("/history", data={"player": "ann", "limit": "3"}).headers["location"])
        last_job(lab, "history")
    return place


def at(address: str) -> Callable[[Lab], str]:
    return lambda lab: address


# Where a page is, and what is on it when it is whole.
PAGES: dict[str, tuple[Callable[[Lab], str], str]] = {
    "home": (at("/"), ".doing"),
    "new table": (at("/play"), "h1"),
    "table": (table, "main > *"),
    "table of 2, an old turn": (table_of(2, 4, "/play/seats/{seat}?turn=2", casual="true"), ".bar.is-past"),
    "table of 6": (table_of(6, 4, variant="Rainbow (6 Suits)", clock_minutes="20"), ".clock"),
    "table, the end": (table_of(2, 60), ".finished"),
    "spectators": (table_of(4, 6, "/play/watch/{watch}", variant="Black (5 Suits)"), "#watched .can-be"),
    "invitation": (table_of(3, 0, "/play/tables/{host}"), "h1"),
    "my games": (at("/play/mine"), "h1"),
    "new gin": (at("/gin"), "h1"),
    "gin table": (gin_table, "main > *"),
    "gin adviser": (at("/gin/adviser"), ".pick"),
    "analyse": (at("/analyse"), "#text"),
    "lost game": (lost_game, ".verdict"),
    "reviewed game": (reviewed, ".players.number"),
    "deal": (deal, ".verdict"),
    "history": (at("/history"), "h1"),
    "games of a player": (games_of_a_player, "svg.plot"),
    "rummy": (at("/rummy"), ".pick"),
    "rummy hand": (rummy_hand, ".spread svg"),
    "explorer": (at("/explorer?x=2&x=2&x=2"), "#line li"),
    "solitaire": (at("/explorer/solitaire"), "#text"),
    "solved solitaire": (solitaire, "#scene-body .tag.good"),
    "leaderboard": (at("/results"), ".standing"),
    "simulate": (simulation, "#outcome svg"),
    "compare": (at("/results/compare"), "h1"),
    "compared": (comparison, "#outcome .verdict"),
    "stored": (at("/results/stored"), "h1"),
    "under way": (at("/results/under-way"), "h1"),
    "no page": (at("/nothing"), "h1"),
}


# What takes seconds until it is there, and has little that is on no other page.
SLOW = ("deal", "reviewed game", "games of a player", "solved solitaire", "simulate", "compared")


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.full if each in SLOW else ()) for each in PAGES])
def test_nothing_serious_is_wrong_with_a_page(name: str, lab: Lab, page: Page) -> None:
    find, whole = PAGES[name]
    page.emulate_media(color_scheme="light")
    page.goto(find(lab))
    page.wait_for_selector(whole, state="attached")
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found: list[str] = []
    for scheme, only in RULES.items():
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        violations: list[dict[str, Any]] = page.evaluate(RUN, only)["violations"]
        found += [f"{scheme}: {told(each)}" for each in violations if each["impact"] in GRAVE]
    assert not found, "\n".join(found)


def told(violation: dict[str, Any]) -> str:
    """Return what is wrong, and where."""
    nodes = [f"    {node['html'][:160]}\n      {node['failureSummary']}" for node in violation["nodes"][:4]]
    return "\n".join([f"{violation['id']}, {violation['impact']}: {violation['help']}", *nodes])
