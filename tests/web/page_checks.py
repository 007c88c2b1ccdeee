"""What tests of pages share: games, waiting for a job, and what no page may contain."""

from __future__ import annotations

import re

from handful.web.jobs import Job, Jobs
from tests.web.lab import SECONDS, Lab

WON = (
    "415pagnsvvmkcjbqfqph-drurfleyguthflinwxdi-awmkscaoxpbuk,03ocka-eiepkcgdoaeoebtdeles-"
    "sbeeejxafaewwaereteh-exeneckaeqfme5saekfv-e1ffxaf0edegfuf4fBeC-1af7eIwaf3wae8fzwafA-ey,0"
)
# Three bots of rules of thumb, deal 0 of seed 1: turn 26 throws the last blue 2.
LOST = (
    "315vkuppwhnaxgihmmdy-ufdqlkxqbceapoabfkrr-wivgstlcfjuns,03lbei-laedtcwaeelaxbeblatb-ecffpaeafupaevfwpbfs-"
    "pafkkcfyxafrgaf0ezoc-enf2lcfolcf11af6xcf3-obehfAtbeBf5kcf8e7pc-fFeEtcegeCfx1cfmpbfD-eIetfH,0"
)
# Loaded by a browser by itself: nothing of that may come from elsewhere.
_LOADED = re.compile(r"<(?:link|script|img|iframe|source|use)\b[^>]*?(?:href|src)=\"(?P<address>[^\"]*)\"")


def last_job(lab: Lab, kind: str) -> Job:
    """Return the newest job of a kind, when it is over."""
    jobs: Jobs = lab.app.state.jobs
    job = [job for job in jobs._jobs.values() if job.kind.name == kind][-1]
    with jobs._lock:
        assert jobs._lock.wait_for(lambda: job.is_over and jobs._running == 0, SECONDS)
    return job


def check_policy(text: str) -> None:
    """Assert that a page keeps the policy for content: nothing inline, nothing from elsewhere."""
    assert not re.search(r"<[^>]+\sstyle=", text)
    assert not re.search(r"<[^>]+\son[a-z]+=", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)
    assert all(each["address"][:1] in ("/", "#") for each in _LOADED.finditer(text))
