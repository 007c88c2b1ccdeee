from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from typer.testing import Result

from handful.hanabi import Deal, Rules, State, card_text
from handful.hanabi.live.records import load_record
from handful.splitmix import SplitMix64
from tests.cli.conftest import Handful

HELPFUL = "blind(helpful=yes)"
SCRIPT = [
    "hands",
    "hint 2 3",
    "discard b",
    "history",
    "discard c",
    "hint cathy y",
    "help",
    "discard e",
    "hands",
    "discard a",
]
TYPED = "\n".join(SCRIPT) + "\n"
TABLE = ("play", "--players", "3", "--bot", "blind", "--rules", "discard_at_max, empty_hints")


def test_a_game_to_the_end(handful: Handful, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    result = handful("play", "--seed", "7", "--bot", HELPFUL, "--record", str(path), typed="play a\n" * 60)
    assert result.exit_code == 0
    assert "strike 3 ended the game" in result.stdout
    assert "The seed was 7." in result.stdout
    record = load_record(path)
    assert record.names == ("You", "Bob")
    assert record.replay().ending == "strikes"
    assert f"Written: {path}" in result.stdout


def test_bad_words_get_a_sentence_and_another_question(handful: Handful) -> None:
    typed = "dance\nplay\nplay 3\nplay z\nhint red\nhint Zoe red\nhint 2 pink\nhint 1 red\ndiscard a\n\nquit\n"
    shown = handful("play", "--players", "3", "--seed", "7", "--bot", "blind", typed=typed).stdout
    for sentence in (
        "'dance' is not an action: expected play SLOT",
        "'play' names 0 slots: expected one",
        "'3' is not a slot: expected a letter of a to e",
        "'z' is not a slot",
        "a hint is for a player and about something",
        "'zoe' is not a player: expected 1 to 3 or a name of You, Bob, Cathy",
        "'pink' cannot be hinted in No Variant: expected red, yellow",
        "nobody may give a hint to themselves",
        "all 8 hint tokens are there, so nothing may be discarded",
    ):
        assert f"Not so: {sentence}" in shown
    assert shown.count("Your turn: ") == 11
    assert "  1. " not in shown


@pytest.mark.parametrize("typed", ["", "quit\n", "hint 2 3"])
def test_the_end_of_the_input_is_a_polite_way_to_leave(handful: Handful, typed: str) -> None:
    result = handful("play", "--bot", HELPFUL, typed=typed)
    assert result.exit_code == 0
    assert "Goodbye. The seed was " in result.stdout
    assert result.stderr == ""


def test_the_drawn_seed_deals_the_same_game_again(handful: Handful) -> None:
    first = json.loads(handful("play", "--bot", HELPFUL, "--json", typed="play a\n" * 9).stdout)
    again = json.loads(
        handful("play", "--bot", HELPFUL, "--json", "--seed", str(first["seed"]), typed="play a\n" * 9).stdout
    )
    assert again == first


def test_json_alone_is_on_standard_output(handful: Handful) -> None:
    result = handful("play", "--bot", HELPFUL, "--seed", "3", "--seat", "2", "--json", typed="play a\n" * 60)
    told = json.loads(result.stdout)
    assert "Your turn: " in result.stderr
    assert (told["seat"], told["seed"], told["finished"], told["ending"]) == (2, 3, True, "strikes")
    assert told["names"] == ["Alice", "You"]
    assert told["record"]["players"] == ["Alice", "You"]


def test_alone_at_the_table(handful: Handful) -> None:
    result = handful("play", "--players", "1", "--seed", "1", typed="help\nhint 1 red\nplay a\nplay a\nplay a\n")
    assert result.exit_code == 0
    assert "You" in result.stdout


# What nobody may see. The bots here do the same whatever they see, so that nothing a person reads may depend on the
# cards of the own hand and the deck until they are shown: exchange those cards, and the same must be printed.


def _with_hidden_cards_exchanged(deal: Deal, script: list[str], seed: int) -> Deal:
    """Return the same deal for anybody who sees only what the person sees while playing this script."""
    state = State(deal)
    for text in script:
        _person_and_bots(state, text)
    drawn = len(deal.deck) - state.deck_size
    hidden = [held.order for held in state.hands[0]] + list(range(drawn, len(deal.deck)))
    cards = [deal.deck[order] for order in hidden]
    SplitMix64(seed).shuffle(cards)
    deck = list(deal.deck)
    for order, card in zip(hidden, cards, strict=True):
        deck[order] = card
    return Deal(deal.rules, tuple(deck))


def _person_and_bots(state: State, text: str) -> None:
    from handful.hanabi import Discard
    from handful.hanabi.notation import parse_action

    if text in ("hands", "history", "help"):
        return
    state.act(parse_action(state.rules, 0, text, ("You", "Bob", "Cathy")))
    state.act(Discard(0))
    state.act(Discard(0))


def _printed(handful: Handful, monkeypatch: pytest.MonkeyPatch, deal: Deal, *words: str) -> Result:
    monkeypatch.setattr("handful.cli.play.deal_from", lambda _seed, _rules: deal)
    return handful(*TABLE, "--seed", "7", *words, typed=TYPED)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_nothing_printed_depends_on_the_own_cards(
    handful: Handful, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    deal = Deal.from_seed(Rules(players=3, discard_at_max=True, empty_hints=True), 7)
    first = _printed(handful, monkeypatch, deal, *words)
    assert first.exit_code == 0
    assert "18. Cathy discards a" in first.stdout + first.stderr
    for seed in range(5):
        other = _with_hidden_cards_exchanged(deal, SCRIPT, seed)
        assert other.deck != deal.deck
        again = _printed(handful, monkeypatch, other, *words)
        assert (again.stdout, again.stderr) == (first.stdout, first.stderr)


def test_the_own_hand_is_shown_from_the_back(handful: Handful) -> None:
    deal = Deal.from_seed(Rules(players=3), 7)
    own = [card_text(deal.rules.variant, card) for card in State(deal).hand(0)]
    shown = handful("play", "--players", "3", "--bot", "blind", "--seed", "7").stdout
    assert own == ["r4", "y1", "p4", "y3", "r2"]
    # Of these five, Bob holds another y3 and Cathy another p4; the other three must not be on the page at all.
    words = shown.split()
    assert [card for card in own if card in words] == ["p4", "y3"]
    assert (words.count("p4"), words.count("y3"), words.count("anything")) == (1, 1, 5)


def test_no_record_before_the_end(handful: Handful, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    class Keyboard(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            assert not list(tmp_path.iterdir())
            return super().readline() if size is None else super().readline(size)

    monkeypatch.setattr(sys, "stdin", Keyboard("play a\n" * 30))
    from handful.cli.play import play

    play(players=2, bot=[HELPFUL], seed="7", record=path)
    assert path.exists()


def test_leaving_writes_no_record(handful: Handful, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    result = handful("play", "--bot", HELPFUL, "--record", str(path), "--json", typed="play a\nquit\n")
    told = json.loads(result.stdout)
    assert (told["finished"], told["score"], told["record"], told["link"]) == (False, None, None, None)
    assert "No record" in result.stderr
    assert not path.exists()
