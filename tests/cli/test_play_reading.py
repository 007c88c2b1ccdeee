"""`handful play` with bots that keep to conventions: what turns meant, and what a hint would."""

from __future__ import annotations

from tests.cli.conftest import Handful

TABLE = ("play", "--players", "3", "--seed", "7")


def test_a_hint_is_read_before_it_is_given(handful: Handful) -> None:
    shown = handful(*TABLE, typed="hint bob red?\nplay a?\nwhy\nquit\n").stdout
    assert "Bob: play hint: slot d is red 1, playable" in shown
    assert "Bob d: red 1" in shown
    assert "Not so: only hints can be asked about." in shown
    assert "Nothing has happened so far." in shown
    assert "1. You tell" not in shown


def test_what_was_understood_is_told_afterwards(handful: Handful) -> None:
    shown = handful(*TABLE, typed="hint bob red\nwhy\nhelp\nquit\n").stdout
    assert "Misunderstood: by what You had told, it was red 1, and not red 3" in shown
    assert "what the others would read into this hint" in shown
    explained = handful(*TABLE, "--explain", typed="hint bob red\nquit\n").stdout
    assert explained.index("Misunderstood") < explained.index("3. Cathy")


def test_other_bots_are_not_read(handful: Handful) -> None:
    shown = handful(*TABLE, "--bot", "rules", typed="why\nhint bob red?\nquit\n").stdout
    assert "'why' is not an action" in shown
    assert "'red?' cannot be hinted" in shown


def test_where_partner_cannot_play_rules_of_thumb_do(handful: Handful) -> None:
    assert "Bob (rules)" in handful(*TABLE, "--variant", "Orange (5 Suits)", typed="quit\n").stdout
