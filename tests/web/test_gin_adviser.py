from __future__ import annotations

import pytest

from tests.web.lab import Lab
from tests.web.page_checks import check_policy, last_job

TEN = "2S 3C 3S 6H 7H 9H 9S QH QS KH"  # what the first player of deal 7 holds; the upcard is 9D
ELEVEN = f"{TEN} 9D"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hand": ELEVEN, "upcard": "KD"}, "leven cards, and an upcard"),
        ({"upcard": ""}, "en cards, and no upcard"),
        ({"upcard": "2S"}, "2S is in the hand and in the upcard"),
        ({"took": "2S"}, "2S is in the hand and in what the opponent took"),
        ({"discards": "nonsense"}, "there is no suit"),
        ({"hand": "2S 3C"}, "2 cards, expected 10"),
        ({"hand": f"{TEN} 2S"}, "twice"),
        ({"own": "100"}, "core 100-0"),
        ({"rules": "mine"}, "here is no preset"),
    ],
)
def test_places_that_make_no_sense(lab: Lab, fields: dict[str, str], message: str) -> None:
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
