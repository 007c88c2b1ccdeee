from __future__ import annotations

import pytest

from handful.errors import DealError
from handful.rummy.cards import format_cards
from handful.rummy.gin.deal import GinDeal
from handful.rummy.gin.round import Round
from handful.web.gin_question import GinQuestion
from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

TEN = "2S 3C 3S 6H 7H 9H 9S QH QS KH"  # what the first player of deal 7 holds; the upcard is 9D
ELEVEN = f"{TEN} 9D"


def question(
    hand: str = TEN, upcard: str = "9D", discards: str = "", took: str = "", first: bool = False
) -> GinQuestion:
    return GinQuestion.of(hand, upcard, discards, took, (0, 0), "eaai", first)


def test_a_place_that_is_described_is_what_its_player_would_see() -> None:
    round_ = Round(GinDeal.from_seed(7))
    assert question(first=True).view() == round_.view(0)
    for action in (54, 54, 53):  # both pass, and the first player draws
        round_.act(action)
    shown = round_.view(0)
    asked = question(format_cards(shown.hand), "", "9D").view()
    for name in ("hand", "pile", "stock_size", "legal", "phase", "known", "knock_limit", "upcard"):
        assert getattr(asked, name) == getattr(shown, name)


def test_who_threw_what() -> None:
    view = question(discards="KS 4D", took="8C").view()
    assert [(turn.player, str(turn.threw)) for turn in view.turns] == [(1, "KS"), (0, "4D"), (1, "9D")]
    assert format_cards(view.known) == "8C"
    assert view.stock_size == 52 - 20 - 3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hand": ELEVEN, "upcard": "KD"}, "11 cards"),
        ({"hand": TEN, "upcard": ""}, "10 cards"),
        ({"upcard": "2S"}, "2S is named twice"),
        ({"discards": "4D 4D"}, "4D is named twice"),
        ({"took": "2S"}, "2S is named twice"),
        ({"took": "AC 2C 4C 5C 6C 7C 8C 9C 10C JC QC"}, "holds 11 cards"),
        ({"discards": "4D", "first": "yes"}, "nothing has been thrown"),
        ({"hand": "2S 3C"}, "2 cards"),
    ],
)
def test_places_that_make_no_sense(lab: Lab, fields: dict[str, str], message: str) -> None:
    with pytest.raises(DealError, match=message):
        question(**fields)  # type: ignore[arg-type]
    answer = lab.client.post("/gin/adviser", data={"hand": TEN, "upcard": "9D"} | fields)
    assert answer.status_code == 400
    assert message in answer.text


def test_the_page_advises(lab: Lab) -> None:
    empty = lab.client.get("/gin/adviser")
    check_policy(empty.text)
    assert "Click ten cards" in empty.text
    address = lab.client.post("/gin/adviser", data={"card": ELEVEN.split()}).headers["location"]
    job = last_job(lab, "gin-advice")
    assert job.status == "done", job.error
    page = lab.client.get(address).text
    check_policy(page)
    assert "Played out in 4096 worlds" in page
    assert job.result.best.text in page
    assert len(job.result.actions) > 5
    assert "Play it out" in lab.client.get("/gin/adviser", params={"hand": TEN, "upcard": "9D"}).text  # nobody asked
