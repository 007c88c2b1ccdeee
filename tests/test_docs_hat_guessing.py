"""The worked example of docs/hat-guessing.md is played again, and worked out again."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from handful.bots.hat.recommendation import hint_code, number_of_hint, recommendation_text, recommended
from handful.bots.players import player_named
from handful.bots.table import play_game
from handful.cli.main import app
from handful.hanabi import Deal, HintSuit, Rules, State, card_text
from handful.hanabi.notation import NAMES, parse_action

PAGE = (Path(__file__).parent.parent / "docs" / "hat-guessing.md").read_text()
RULES = Rules(players=5)
DEAL = Deal.from_seed(RULES, 5)


def table_rows() -> list[list[str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("|")]
    return rows[2:]  # below the header and its rule


def test_the_game_is_what_the_command_prints() -> None:
    command = re.search(r"`handful (watch [^`]*--explain)` begins so", PAGE)
    assert command is not None
    shown = CliRunner().invoke(app, shlex.split(command[1]), env={"COLUMNS": "120", "NO_COLOR": "1"}).stdout
    printed = PAGE.partition("```\n")[2].partition("\n```")[0]
    lines = [line.rstrip() for line in shown.splitlines()]
    assert lines[: len(printed.splitlines())] == printed.splitlines()
    assert len(printed.splitlines()) > 20


def test_the_table_is_worked_out_again() -> None:
    state = State(DEAL)
    table, numbers = state.common_knowledge(), hint_code(RULES).numbers
    wanted = [recommended(table, state.hand(seat), numbers) for seat in range(5)]
    hint = number_of_hint(RULES, 0, HintSuit(1, 0), misses_newest=False)
    assert sum(wanted[1:]) % numbers == hint
    expected = []
    for seat in range(1, 5):
        seen = [wanted[other] for other in range(1, 5) if other != seat]
        hand = " ".join(card_text(RULES.variant, card) for card in state.hand(seat))
        own = (hint - sum(seen)) % numbers
        sums = [" + ".join(map(str, seen)), f"{hint} − {sum(seen)}", str(own)]
        expected.append([NAMES[seat], hand, recommendation_text(RULES, wanted[seat]), str(wanted[seat]), *sums])
        assert own == wanted[seat]
    assert table_rows() == expected


def test_the_story_goes_on_as_it_is_told() -> None:
    """Bob plays, Cathy plays a green 1, Donald gives a hint although he was told to play b."""
    maker = player_named("recommendation").plain
    history = play_game(DEAL, [maker] * 5, seed=5).history
    told = [parse_action(RULES, seat, text) for seat, text in enumerate(["hint Bob red", "play a", "play b"])]
    assert [turn.action for turn in history[:3]] == told
    assert history[2].card is not None
    assert card_text(RULES.variant, history[2].card) == "g1"
    assert history[3].card is None
