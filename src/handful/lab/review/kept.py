"""Reviews that are kept, so that nothing is reviewed twice, and long work goes on after a kill.

They are in the user's cache folder, or where HANDFUL_REVIEWS says, each under a hash of all that it is a function of:
the game, the seed, the worlds, the team, and the code.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from handful._files import user_folder, write_whole
from handful._sources import files_needed, hash_of, source_of
from handful.bots.best import reference_player
from handful.bots.players import player_named
from handful.errors import HandfulError
from handful.hanabi.live.records import Record
from handful.hanabi.rules import Rules
from handful.lab.review.reviewed import Review
from handful.lab.store import code_version, key_text, registered

DAYS_KEPT = 60


def kept_review(record: Record, seed: int, worlds: int, team: str | None) -> Review | None:
    """Return the review of a game, if there is one; what cannot be read is as if it were not there."""
    with suppress(OSError, ValueError, KeyError, TypeError, HandfulError):
        fields = json.loads(_file(record, seed, worlds, team).read_text(encoding="utf-8"))
        return Review.from_dict(record.rules, fields)
    return None


def keep_review(record: Record, review: Review, team: str | None) -> None:
    """Keep a review, and drop what is old. Where nothing can be written, nothing is kept."""
    with suppress(OSError, HandfulError):
        path = _file(record, review.seed, review.worlds, team)
        if not path.parent.exists():
            path.parent.mkdir(parents=True)
        for old in path.parent.glob("*.json"):
            if time.time() - old.stat().st_mtime > DAYS_KEPT * 24 * 3600:
                old.unlink(missing_ok=True)
        write_whole(path, json.dumps(review.to_dict(), ensure_ascii=False).encode())


def _file(record: Record, seed: int, worlds: int, team: str | None) -> Path:
    key = key_text(game=record.to_json(), seed=seed, worlds=worlds, code=_code(record.rules, team))
    named = os.environ.get("HANDFUL_REVIEWS")
    folder = Path(named) if named else user_folder("cache") / "reviews"
    return folder / f"{sha256(key.encode()).hexdigest()[:32]}.json"


@cache
def _code(rules: Rules, team: str | None) -> str:
    """Return the version of the code that reviews come from: that of the team, of the judge and of the solver."""
    player = reference_player(rules) if team is None else player_named(team).for_game(rules)
    names = ("handful.lab.review.reviewing", "handful.lab.review.worlds_kernel", "handful.playability.deals.solve")
    files = [file for name in names if (file := source_of(name)) is not None]
    own = hash_of(files_needed(files))[:8]
    return f"{player.name} {code_version(registered(player))} {own}"
