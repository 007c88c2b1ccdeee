"""What the games of a player say: each kind of mistake in a position worked out by hand, and many games together."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from handful.errors import HandfulError
from handful.hanabi import Discard, HintSuit, Play, Rules, State
from handful.hanabi.live.archives import StoredGame
from handful.hanabi.live.records import Record, load_record
from handful.lab.history import Given, csv_text, find_chunk, history, link_to
from handful.lab.history.findings import PACE_POINTS, Finding, finding_of, foreseen_chance, mistake_of
from handful.lab.history.kept import Findings, key_of, open_findings
from handful.lab.history.summary import (
    Played,
    line_of,
    periods,
    streaks_of,
    summarise,
)
from tests.lab.test_analyses import REAL, lost_deal, lost_game
from tests.live_site.played import some_games
from tests.positions import RED, arrange

TWO = Rules(players=2)


def after(state: State, action: Play | Discard | HintSuit) -> tuple[State, str]:
    """Return the position before a turn, and which kind of mistake the turn would be, if it lost by pace."""
    before = state.copy()
    return before, mistake_of(before, state.act(action), "pace: too slow")


def test_the_last_copy_of_a_needed_card_is_critical() -> None:
    state = arrange(TWO, ["r5 y1 g1 b1 p1", "r1 y2 g2 b2 p2"], hints=7)
    before, mistake = after(state, Discard(0))
    assert mistake == "critical discarded"
    # Nothing is known of the own cards: of the 45 that are not in the other hand, five are the last of their kind.
    turn = state.history[-1]
    assert foreseen_chance(before, turn) == pytest.approx(5 / 45)


def test_a_copy_whose_other_one_is_in_the_deck_is_lost_to_its_bottom() -> None:
    state = arrange(TWO, ["r4 y1 g1 b1 p1", "r1 y2 g2 b2 p2"], hints=7)
    before, mistake = after(state, Discard(0))
    assert mistake == "bottom deck"
    # Every card that is not known to be played is needed at the start of a game.
    assert foreseen_chance(before, state.history[-1]) == 1.0


def test_a_copy_whose_other_one_is_in_a_hand_is_not() -> None:
    state = arrange(TWO, ["r4 y1 g1 b1 p1", "r4 y2 g2 b2 p2"], hints=7)
    assert after(state, Discard(0))[1] == "time"


def test_a_card_that_does_not_fit_is_a_misplay() -> None:
    state = arrange(TWO, ["r4 y1 g1 b1 p1", "r1 y2 g2 b2 p2"], hints=7)
    before, mistake = after(state, Play(0))
    assert mistake == "misplay"
    # Of the 45 cards that may be there 14 are ones: all but the red one that is seen.
    assert foreseen_chance(before, state.history[-1]) == pytest.approx(1 - 14 / 45)


def test_a_card_that_everybody_knows_was_plain_to_see() -> None:
    state = arrange(TWO, ["r5 y1 g1 b1 p1", "r1 y2 g2 b2 p2"], hints=7)
    state.act(Discard(4))
    state.act(HintSuit(0, RED))
    known = state.copy()
    turn = state.act(Discard(0))
    # A red card: two ones, two of each of 2 to 4, and the five are unseen; one of these nine is the last of its kind.
    assert foreseen_chance(known, turn) == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    ("reason", "mistake"),
    [
        ("pace: too slow", "time"),
        ("capacity: full", "time"),
        ("tokens: none", "tokens"),
        ("who holds what: even so", "order"),
        ("refuted: by search", "other"),
        ("over: the last round is over, with 24 of 25 points", "time"),
    ],
)
def test_a_hint_loses_by_what_is_missing_then(reason: str, mistake: str) -> None:
    state = arrange(TWO, ["r4 y1 g1 b1 p1", "r1 y2 g2 b2 p2"], hints=7)
    before = state.copy()
    turn = state.act(HintSuit(1, RED))
    assert mistake_of(before, turn, reason) == mistake
    assert foreseen_chance(before, turn) is None


# One game


def stored(record: Record, name: str = "game") -> StoredGame:
    return StoredGame(name, record.to_text().encode())


def test_a_game_that_was_won() -> None:
    found = finding_of(stored(load_record(REAL)), 60)
    assert (found.result, found.lost_at, found.mistake, found.score, found.error) == ("perfect", None, "", 25, "")
    assert (found.players, found.turns, found.least_efficiency) == (4, 53, 1.0)
    assert len(found.paces) == PACE_POINTS
    assert Finding.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_game_that_was_lost() -> None:
    record = lost_game()
    found = finding_of(stored(record), 60)
    assert (found.result, found.lost_at) == ("lost", 20)
    assert found.culprit == (20 - 1) % 2
    assert found.link == link_to(found, "").removeprefix("https://hanab.live/replay-json/").removesuffix("#20")
    assert link_to(replace(found, game_id=7), "https://hanab.live") == "https://hanab.live/replay/7#20"


def test_a_deal_that_cannot_be_won_and_a_game_that_cannot_be_read() -> None:
    found = finding_of(stored(lost_deal()), 60)
    assert (found.result, found.cause, found.lost_at, found.culprit) == ("unwinnable", "capacity", 0, None)
    wrong = finding_of(StoredGame("a.json", b"{}"), 60)
    assert (wrong.error, wrong.is_decided) == ("a.json: players is missing", False)


# Many


@pytest.fixture
def games() -> list[Given]:
    texts = [{name: value for name, value in game.items() if name != "score"} for game in some_games(8)]
    given = [
        Given(StoredGame(f"game {text['id']}", json.dumps(text).encode()), date(2026, 1 + number // 4, 1))
        for number, text in enumerate(texts)
    ]
    return [*given, Given(StoredGame("bad.json", b"{}"), date(2026, 3, 1))]


def test_what_was_found_is_kept_and_an_interrupted_run_goes_on(games: list[Given], tmp_path: Path) -> None:
    calm = history(games, ["ann"], workers=1)
    done: list[int] = []
    with open_findings(tmp_path / "findings.sqlite") as kept:
        history(games[:5], ["ann"], workers=1, kept=kept)
        found = history(games, ["ann"], site="https://x", workers=1, kept=kept, on_progress=done.append)
        assert found.analysed == len(games) - 5
        assert sum(done) == len(games)
        assert found.games == calm.games
        again = history(games, ["ann"], workers=1, kept=kept)
        assert again.analysed == 1, "what cannot be read is not kept"
    assert (found.summary.games, found.summary.unread) == (8, {"players is missing": 1})
    assert sum(found.summary.results.values()) == 8
    assert json.loads(json.dumps(found.to_dict()))["site"] == "https://x"
    assert "<table>" in found._repr_html_()
    assert repr(calm).startswith("<History ann: 8 games, ")


def test_other_workers_give_the_same(games: list[Given]) -> None:
    assert history(games[:3] * 12, workers=2).games == history(games[:3] * 12, workers=1).games


def test_only_games_with_all_of_these_players(games: list[Given]) -> None:
    found = history(games, ["ANN", "ben"], workers=1)
    assert 0 < found.summary.games < 8
    assert all({"ann", "ben"} <= set(each.finding.names) for each in found.games if not each.finding.error)


def test_a_row_for_each_game(games: list[Given]) -> None:
    found = history(games, ["ann"], workers=1)
    rows = list(csv.DictReader(io.StringIO(csv_text(found))))
    assert [row["game"] for row in rows] == [each.game.name for each in games]
    for row, each in zip(rows, found.games, strict=True):
        assert row["result"] == each.finding.result
        assert row["is_own"] in ("", "yes", "no")
        assert (row["lost_at"] == "") == (each.finding.lost_at is None)
    assert rows[-1]["error"] == "bad.json: players is missing"


def test_a_worker_is_sent_only_its_games(games: list[Given]) -> None:
    from handful.lab.games import Chunk
    from handful.lab.history import Work

    work = Work(tuple(each.game for each in games), 60)
    part = work.part(Chunk(3, 2))
    assert part.games == work.games[3:5]
    assert [found.game for found in find_chunk(part, Chunk(3, 2))] == [each.game.name for each in games[3:5]]


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"no database at all, but long enough to be one " * 50)
    with pytest.raises(HandfulError, match=r"file of findings .*damaged, or not"):
        Findings(tmp_path / "x")


def test_the_key_is_the_game_and_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    game = stored(load_record(REAL), "one name")
    before = key_of(game)
    assert key_of(replace(game, name="another")) == before
    assert key_of(replace(game, text=(game.text or b"") + b" ")) != before
    monkeypatch.setattr("handful.lab.history.kept.code_version", lambda: "other")
    assert key_of(game) != before


# The summary, from findings made by hand


def finding(result: str, names: str = "ann ben", **more: Any) -> Finding:
    usual: dict[str, Any] = {
        "game": "g",
        "names": tuple(names.split()),
        "variant": "No Variant",
        "max_score": 25,
        "score": 25 if result == "perfect" else 20,
        "points": 20,
        "result": result,
        "ending": "deck",
        "efficiency": 1.2,
        "least_efficiency": 1.0,
        "paces": (10,) * PACE_POINTS,
    }
    return Finding(**(usual | more))


def lost(by: int, turn: int = 15, mistake: str = "misplay", **more: Any) -> Finding:
    return finding("lost", culprit=by, lost_at=turn, mistake=mistake, **more)


def test_counts() -> None:
    findings = [
        finding("perfect"),
        lost(0),
        lost(1, 31, "bottom deck"),
        finding("unwinnable", cause="pace"),
        finding("stopped", "ann cat"),
        finding("undecided"),
    ]
    found = summarise([Played(each) for each in findings], "Ann")
    assert found.results == {"perfect": 1, "unwinnable": 1, "lost": 2, "undecided": 1, "stopped": 1}
    assert (found.mistakes, found.own_mistakes) == ({"bottom deck": 1, "misplay": 1}, {"misplay": 1})
    assert (found.bottom_deck, found.causes) == (1, {"pace": 1})
    assert found.lost_turns == {1: 0, 11: 1, 21: 0, 31: 1}
    assert found.pace_curve["lost"] == (10.0,) * PACE_POINTS
    assert [(line.name, line.games) for line in found.by_partner] == [("ben", 5), ("cat", 1)]
    assert found.perfect_ci95[0] < 1 / 4 < found.perfect_ci95[1]  # one of the four that could be won
    (line,) = found.by_variant
    assert (line.perfect_share, line.mine, line.pace) == (1 / 5, 1, 10)
    assert line.efficiency == pytest.approx(1.2)
    played_out = finding("lost", ending="nothing left to play", efficiency=1.4)
    assert line_of("x", [played_out, finding("perfect")], "ann").efficiency == pytest.approx(1.3)


def test_streaks_pass_over_deals_that_cannot_be_won() -> None:
    findings = [
        finding("perfect"),
        finding("unwinnable"),
        finding("perfect"),
        lost(1),
        finding("perfect"),
        lost(0),
        finding("perfect"),
    ]
    found = streaks_of(findings, "ann")
    assert (found.perfect, found.perfect_now) == (2, 1)
    assert (found.without_own_mistake, found.without_own_mistake_now) == (4, 1)


def test_the_most_instructive_are_ones_own_and_plain_to_see() -> None:
    findings = [
        lost(1, game="by ben, plain", foreseen=1.0),
        lost(0, game="own, unforeseen", foreseen=0.0),
        lost(0, game="own, plain", foreseen=1.0),
        lost(0, game="own, bad luck", foreseen=1.0, mistake="bottom deck"),
        lost(0, game="own, plain, but far away", foreseen=1.0, points=3),
    ]
    found = summarise([Played(each) for each in findings], "ann", lambda each: f"link to {each.game}")
    assert [each.game for each in found.instructive] == [
        "own, plain",
        "own, plain, but far away",
        "own, bad luck",
        "own, unforeseen",
        "by ben, plain",
    ]
    assert (found.instructive[0].player, found.instructive[0].link) == ("ann", "link to own, plain")


def test_over_time_by_days_months_years_or_games() -> None:
    def over(days: list[date | None]) -> list[str]:
        return [line.name for line in periods([Played(finding("perfect"), day) for day in days], "ann")]

    assert over([date(2026, 1, 2), date(2026, 1, 1)]) == ["2026-01-01", "2026-01-02"]
    assert over([date(2026, 1 + day % 3, 1 + day) for day in range(28)]) == ["2026-01", "2026-02", "2026-03"]
    assert over([date(1990 + year, month, 1) for year in range(3) for month in range(1, 13)]) == [
        "1990",
        "1991",
        "1992",
    ]
    assert over([None] * 3) == ["1–1", "2–2", "3–3"]
    assert over([None] * 49)[-1] == "49–49"
    assert over([]) == []


def test_games_that_were_left_do_not_count_for_efficiency() -> None:
    line = line_of("x", [finding("stopped", ending="ended by vote", efficiency=9.0), finding("perfect")], "ann")
    assert line.efficiency == pytest.approx(1.2)
    played_out = finding("lost", ending="nothing left to play", efficiency=1.4)
    assert line_of("x", [played_out, finding("perfect")], "ann").efficiency == pytest.approx(1.3)
