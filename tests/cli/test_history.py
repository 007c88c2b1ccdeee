"""`handful history`, `convert`, and games by number, through the command line and a real server on loopback."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.hanabi.live.records import load_record
from tests.cli.conftest import Handful
from tests.live_site.played import FIRST_ID, some_games
from tests.live_site.server import FakeSite, Fault

REAL = Path(__file__).parent.parent / "hanabi" / "data" / "real_game.json"
ID = FIRST_ID + 7


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSite]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with FakeSite(some_games()) as running:
        monkeypatch.setenv("HANDFUL_SITE", running.address)
        yield running


def test_analyse_a_game_by_its_number_or_a_link(handful: Handful, fake: FakeSite, tmp_path: Path) -> None:
    by_number = handful("analyse", str(ID), "--json")
    assert by_number.exit_code == 0
    told = json.loads(by_number.stdout)
    assert (told["players"], "opened_at_turn" in told) == (3, False)
    opened = handful("analyse", f"https://hanab.live/shared-replay/{ID}#17", "--json")
    assert json.loads(opened.stdout)["opened_at_turn"] == 17
    assert fake.asked == {f"/export/{ID}": 1}
    shown = handful("analyse", f"{fake.address}/replay/{ID}#17", "--offline")
    assert "▶ 17  " in shown.stdout
    several = handful("analyse", str(ID), "5", str(REAL), "--json")
    assert [each["input"] for each in json.loads(several.stdout)] == [str(ID), "5", str(REAL)]
    assert "has no game 5" in several.stderr
    (tmp_path / str(ID)).write_text(REAL.read_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert json.loads(handful("analyse", str(ID), "--json").stdout)["players"] == 4, "a file is a file"


def test_the_numbers_of_a_turn(handful: Handful) -> None:
    turns = json.loads(handful("analyse", str(REAL), "--json").stdout)["turns"]
    # Turn 1 tells player 2 about green, which touches some cards: of these none is worthless, and one hint is spent.
    first = turns[0]
    assert (first["best_score"], first["pace"], first["risk"]) == (25, 13, "low")
    assert first["efficiency"] == first["gotten"] > 0
    last = turns[-1]
    assert (last["points"], last["gotten"], last["best_score"], last["future_efficiency"]) == (25, 25, 25, 0.0)
    shown = handful("analyse", str(REAL)).stdout
    assert " effic." in shown
    assert "25/25" in shown


def test_solve_and_rate_a_deal_by_its_number(handful: Handful, fake: FakeSite) -> None:
    told = json.loads(handful("solve", str(ID), "--json").stdout)
    assert (told["input"], told["players"]) == (str(ID), 3)
    deal = json.loads(handful("deal", f"{fake.address}/replay/{ID}", "--json").stdout)
    assert (deal["seed"], deal["winnable"]) == ("p3v0s2", told["winnable"])
    assert fake.asked.total() == 1


@pytest.mark.parametrize("command", ["analyse", "solve", "deal"])
def test_a_site_that_fails_is_one_line(handful: Handful, fake: FakeSite, command: str) -> None:
    fake.faults = lambda path, times: ("status", 403, {})
    result = handful(command, str(ID))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "status 403, expected 200" in result.stderr
    offline = handful(command, str(ID), "--offline")
    assert (offline.exit_code, offline.stdout) == (2, "")
    assert "is not in cache of games" in offline.stderr
    bad = handful(command, str(ID), "--site", "ftp://x")
    assert (bad.exit_code, "expected an address" in bad.stderr) == (2, True)


def test_the_history_of_a_player(handful: Handful, fake: FakeSite, tmp_path: Path) -> None:
    words = ("history", "--player", "ann", "--workers", "1")
    result = handful(*words, "--json", "--csv", str(tmp_path / "games.csv"))
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["player"], told["games"], told["analysed"], told["unread"]) == ("ann", 12, 12, {})
    assert sum(told["results"].values()) == 12
    assert all(each["link"].startswith(f"{fake.address}/replay/") for each in told["instructive"])
    assert all(each["link"].endswith(f"#{each['turn']}") for each in told["instructive"])
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["game_id"]) for row in rows] == sorted(game["id"] for game in some_games())
    assert rows[0]["date"] == "2024-01-01"
    before = fake.asked.total()
    again = json.loads(handful(*words, "--json", "--offline").stdout)
    assert (again["analysed"], fake.asked.total()) == (0, before)
    shown = handful(*words, "--with", "ben", "--since", "2024-01-03", "--limit", "4").stdout
    assert "The games of ann" in shown
    assert "lost by" in shown
    assert "Games to learn from" in shown


def test_the_games_on_a_seed(handful: Handful, fake: FakeSite) -> None:
    told = json.loads(handful("history", "--seed", "p3v0s1", "--json", "--workers", "1").stdout)
    assert (told["games"], told["player"]) == (1, "")
    assert f"/export/{FIRST_ID}" in fake.asked


def test_ctrl_c_loses_nothing(handful: Handful, fake: FakeSite, tmp_path: Path) -> None:
    """The site itself interrupts the command, in the middle of its fifth game."""
    started, over = threading.Event(), threading.Event()

    def interrupt(path: str, _times: int) -> Fault | None:
        exports = [each for each in fake.asked if each.startswith("/export/")]
        if not path.startswith("/export/") or len(exports) != 5 or over.is_set():
            return None
        started.wait()
        process.send_signal(signal.SIGINT)
        return "hang", over

    fake.faults = interrupt
    process = subprocess.Popen(
        [sys.executable, "-m", "handful", "history", "--player", "ann"], stderr=subprocess.PIPE, text=True
    )
    started.set()
    _, complaint = process.communicate()
    over.set()
    kept = tmp_path / "data" / "handful" / "games.sqlite"
    expected = f"handful: interrupted. What is finished is kept in {kept}: the same command goes on from there\n"
    assert (process.returncode, complaint) == (130, expected)
    assert handful("history", "--player", "ann", "--workers", "1").exit_code == 0
    times = [times for path, times in fake.asked.items() if path.startswith("/export/")]
    assert sorted(times) == [1] * 11 + [2], "only the game that was under way is asked for again"


def test_a_game_that_the_site_has_lost_does_not_stop_the_others(handful: Handful, fake: FakeSite) -> None:
    del fake.games[ID]
    result = handful("history", "--player", "ann", "--json", "--workers", "1")
    told = json.loads(result.stdout)
    assert (told["games"], told["unread"]) == (11, {"it was not fetched": 1})
    assert f"has no game {ID}" in result.stderr


def test_the_history_of_files(handful: Handful, fake: FakeSite, tmp_path: Path) -> None:
    texts = [json.dumps({name: value for name, value in game.items() if name != "score"}) for game in some_games()]
    (tmp_path / "games.jsonl").write_text("\n".join(texts))
    result = handful("history", str(tmp_path / "games.jsonl"), str(REAL), "--workers", "1", "--json")
    told = json.loads(result.stdout)
    assert (told["games"], told["player"], told["by_partner"]) == (13, "", [])
    assert fake.asked.total() == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to look at"),
        (("--player", "ann", "--since", "soon"), "--since 'soon'"),
        (("--player", "ann", "--variant", "Nothing"), "there is no variant"),
        (("--player", "nobody"), "has no games at"),
        (("--player", "ann", "--seed", "p3v0s1"), "both --player and --seed"),
        (("--seed", "7"), "is not a seed of hanab.live"),
        (("--with", "ann"), "--with ann without --player"),
        (("--player", "ann", "--since", "2030"), "there are no such games of ann"),
        (("--player", " "), "expected a name"),
        (("--player", "ann", "--csv", "nowhere/x.csv"), "there is no directory"),
        (("nowhere.json",), ""),
        ((str(REAL), "--limit", "3"), "--limit beside"),
        (("--player", "ann", "--limit", "0"), "at least 1"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    handful: Handful, fake: FakeSite, words: tuple[str, ...], message: str
) -> None:
    result = handful("history", *words, "--json")
    if words == ("nowhere.json",):
        told = json.loads(result.stdout)
        assert (result.exit_code, told["games"], list(told["unread"].values())) == (2, 0, [1])
        return
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert message in result.stderr


def test_games_by_number(handful: Handful, fake: FakeSite) -> None:
    result = handful("history", str(ID), str(ID), str(REAL), "--workers", "1", "--json")
    assert (json.loads(result.stdout)["games"], fake.asked[f"/export/{ID}"]) == (3, 1)
    told = json.loads(handful("history", str(ID), "--workers", "1", "--json").stdout)
    assert all(each["link"].startswith(f"{fake.address}/replay/") for each in told["instructive"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere.json",), "nowhere.json cannot be read"),
        (("nowhere.json", "neither.json"), "none of the 2 games can be read: nowhere.json cannot be read"),
        (("7",), "has no game 7"),
    ],
)
def test_where_nothing_can_be_read_one_line_says_why(
    handful: Handful, fake: FakeSite, words: tuple[str, ...], message: str
) -> None:
    result = handful("history", *words, "--workers", "1")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert message in result.stderr


# Convert


def test_convert(handful: Handful, fake: FakeSite, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    result = handful("convert", str(REAL), str(ID), "-o", str(out), "--licence", "CC0", "--source", "us", "--json")
    assert json.loads(result.stdout) == {"out": str(out), "form": "dataset", "games": 2, "errors": []}
    assert json.loads((tmp_path / "games.parquet.json").read_text())["licence"] == "CC0"
    one = handful("convert", str(REAL), "-o", str(tmp_path / "again.json"))
    assert one.stdout == f"1 game → {tmp_path / 'again.json'} (record)\n"
    assert load_record(tmp_path / "again.json") == load_record(REAL)
    links = handful("convert", str(out), "-o", str(tmp_path / "links.txt"))
    assert links.exit_code == 0
    assert len((tmp_path / "links.txt").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to convert"),
        ((str(REAL),), "expected --out FILE"),
        ((str(REAL), "-o", "nowhere/x.json"), "there is no directory"),
        ((str(REAL), "-o", "x.csv"), "expected a name that ends in"),
        (("nowhere.json", "-o", "x.json"), "nowhere.json cannot be read"),
        (("nowhere.json", "-o", "x.jsonl"), "no game was converted, and x.jsonl was not written"),
        (("nowhere.json", "-o", "folder"), "no game was converted, and folder was not written"),
    ],
)
def test_what_cannot_be_converted(
    handful: Handful, words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = handful("convert", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []


# Deals


def test_deal_and_deals(handful: Handful) -> None:
    hard = handful("deal", "p2v0s40", "--json")
    assert hard.exit_code == 1
    told = json.loads(hard.stdout)
    assert (told["winnable"], told["difficulty"], told["spare"], told["percentile"] > 90) == (False, 1.0, None, True)
    shown = handful("deal", "p3v0s2")
    assert shown.exit_code == 0
    assert "harder than" in shown.stdout
    assert "b1 comes first as card 41" in shown.stdout
    own = json.loads(handful("deal", "--seed", "7", "--players", "4", "--json").stdout)
    assert (own["seed"], own["players"]) == ("7", 4)
    found = json.loads(handful("deals", "--players", "2", "-n", "45", "--hard", "2", "--json").stdout)
    assert found[0]["seed"] == "p2v0s40"
    easy = json.loads(handful("deals", "--players", "3", "-n", "20", "--winnable", "--easy", "3", "--json").stdout)
    assert [each["difficulty"] for each in easy] == sorted(each["difficulty"] for each in easy)
    table = handful("deals", "--players", "2", "-n", "2", "--from", "39", "--unwinnable").stdout
    assert "p2v0s40  no" in table
    assert table.endswith("1 deal of 2 seeds.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("deal",), "expected one deal"),
        (("deal", "p2v0s1", "--seed", "1"), "expected one deal"),
        (("deal", "nowhere.json"), "cannot be read"),
        (("deals", "--winnable", "--unwinnable"), "beside"),
        (("deals", "--hard", "1", "--easy", "1"), "beside"),
        (("deals", "--variant", "Dutch Box"), "has no seeds for it"),
        (("deals", "--deals", "99999999"), "expected at most"),
    ],
)
def test_bad_deals_are_refused_in_one_line(handful: Handful, words: tuple[str, ...], message: str) -> None:
    result = handful(*words)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert message in result.stderr
