"""Whole games reviewed: a function of the seed, kept, marked as said; reports and puzzles that show no hidden card."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from handful.bots.players import player_named
from handful.bots.table import play_game, play_on
from handful.errors import HandfulError, RulesError
from handful.hanabi import Deal, Record, Rules
from handful.hanabi.actions import Discard, Play
from handful.hanabi.live.records import save_record
from handful.lab.review import Review, ReviewedTurn, review
from handful.lab.review.doubt import Doubt, Kept
from handful.lab.review.graph import graph_of, graph_svg
from handful.lab.review.many import ReviewedGame, Settings, review_each, reviewed
from handful.lab.review.puzzles import is_puzzle, puzzle_markdown, puzzle_page, puzzles_in, write_puzzles
from handful.lab.review.report import html_page, markdown_page, write_page
from handful.lab.review.reviewed import Option, player_line
from handful.lab.review.reviewing import begin, check_worlds, judge_position, judge_tried, judged_turns
from handful.lab.review.trust import Trust, Use

WORLDS = 8


def record_of(players: int, bot: str, seed: int = 5) -> Record:
    state = play_game(Deal.from_seed(Rules(players=players), seed=seed), [player_named(bot).plain] * players, seed)
    return Record.from_state(state)


@pytest.fixture(scope="module")
def game() -> Record:
    """A game of three that turn 39 loses."""
    return replace(record_of(3, "rules(reading=text)"), names=("Uma", "<b>Vera</b>", "W|im"))


@pytest.fixture(scope="module")
def found(game: Record) -> Review:
    return review(game, worlds=WORLDS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HANDFUL_REVIEWS", str(tmp_path / "reviews"))
    return tmp_path / "reviews"


def turn_with(**fields: object) -> ReviewedTurn:
    option = Option("play a", 0.5, 20.0, 10)
    usual: dict[str, object] = {"number": 1, "player": 0, "kind": "play", "action": "play a", "text": "", "chance": 0.5}
    usual |= {"score": 20.0, "played": option, "best": option, "loss": 0.0, "margin": 0.02, "points_lost": 0.0}
    usual |= {
        "lead": 0.0,
        "is_clear": False,
        "is_best": False,
        "is_obvious": False,
        "trust": 0.0,
        "doubt": 0.0,
        "options": (),
    }
    return ReviewedTurn(**usual | fields)  # type: ignore[arg-type]


def test_a_review_does_not_depend_on_the_workers_and_has_every_turn(game: Record, found: Review) -> None:
    short = replace(game, actions=game.actions[:12])
    alone, both = (review(short, worlds=WORLDS, workers=workers) for workers in (1, 2))
    assert alone == both
    (turn,) = judged_turns(begin(game, worlds=WORLDS), [6])
    assert replace(turn, is_possible=True) == found.turns[5], "a turn is judged for itself"
    assert review(short, worlds=WORLDS, seed=1) != alone
    assert [turn.number for turn in found.turns] == list(range(1, 61))
    assert alone.last_chance is None
    assert found.last_chance == 0.0


def test_what_the_solver_proves_is_said_of_its_turn(found: Review) -> None:
    assert found.proof is not None
    assert found.proof.lost_at_turn == 39
    assert [turn.number for turn in found.turns if turn.is_fatal] == [39]
    assert [turn.is_possible for turn in found.turns] == [True] * 38 + [False] * 22


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        ({"loss": 0.04}, ""),
        ({"loss": 0.05}, "?!"),
        ({"loss": 0.12}, "?"),
        ({"loss": 0.2}, "??"),
        ({"loss": 0.12, "margin": 0.13}, ""),
        ({"is_best": True, "is_clear": True, "lead": 0.1}, "!!"),
        ({"is_best": True, "is_clear": True, "lead": 0.09}, ""),
        ({"is_best": True, "is_clear": False, "lead": 0.3}, ""),
        ({"is_best": True, "is_clear": True, "lead": 0.3, "is_obvious": True}, ""),
    ],
)
def test_marks(fields: dict[str, object], mark: str) -> None:
    assert turn_with(**fields).mark == mark


def test_accuracy_is_what_was_kept_of_what_could_have_been() -> None:
    best, worse, dead = Option("a", 0.8, 24, 9), Option("b", 0.4, 22, 9), Option("c", 0.0, 10, 9)
    turns = [turn_with(best=best, played=best), turn_with(best=best, played=worse, loss=0.4)]
    line = player_line("Uma", turns)
    assert line.accuracy == pytest.approx(0.75)
    assert line.mean_loss == 0.2
    assert line.marks["play"] == {"??": 1}
    assert line.blunders == "1 play ??"
    assert player_line("Uma", [turn_with(best=dead, played=replace(dead, score=5.0))]).accuracy == 0.5
    assert player_line("Uma", []).accuracy == 1.0


def test_trust_is_read_off_the_other_turns() -> None:
    trust = Trust(list(record_of(3, "rules(reading=text)").states()))
    trust.uses = {1: Use(True, 0.5, True), 2: Use(True, 0.5, True), 3: Use(True, 0.2, False), 4: Use(False, 0.5, True)}
    # Of turns 2 and 3: (1 − 0.5 + 0 − 0.2) / (1 + 0.5 + 0.8).
    assert trust.of(1) == pytest.approx(0.3 / 2.3)
    assert trust.of(3) == pytest.approx(1.0 / 2.0)
    assert trust.of(4) == trust.of(5) == 0.0


def test_a_team_that_reads_each_other_is_trusted_and_chance_is_not() -> None:
    def mean_trust(bot: str) -> float:
        trust = Trust(list(record_of(3, bot).states()))
        plays = [trust.of(number) for number, use in trust.uses.items() if use.is_play]
        return sum(plays) / len(plays)

    assert mean_trust("information") > 0.8
    assert mean_trust("random") < 0.3


def test_doubt_is_read_off_the_cards_that_others_kept() -> None:
    doubt = Doubt(list(record_of(3, "rules(reading=text)").states()))
    doubt.kept = {0: Kept(2.0, 4.0), 1: Kept(0.5, 6.0), 5: Kept(9.0, 1.0)}
    doubt.hands = [[0, 9], [5, 8], [0, 5]]
    assert doubt.of(1) == 0.0, "(1 + 0.5 + 9) / (1 + 6 + 1) is more than 1"
    assert doubt.of(2) == pytest.approx(1 - 3.5 / 11)
    assert doubt.of(3) == pytest.approx(1 - 1.5 / 7)


def test_a_team_that_reads_each_other_does_not_keep_what_can_be_played() -> None:
    def mean_doubt(bot: str) -> float:
        record = record_of(3, bot)
        doubt = Doubt(list(record.states()))
        return sum(doubt.of(number) for number in range(1, len(record.actions) + 1)) / len(record.actions)

    assert mean_doubt("information") > mean_doubt("random") + 0.2


def test_an_action_that_is_tried_is_judged_in_the_worlds_of_the_one_played(game: Record) -> None:
    job = begin(game, worlds=WORLDS)
    number = next(n for n, turn in enumerate(job.states[-1].history, 1) if isinstance(turn.action, Play) and n > 30)
    before = job.states[number - 1]
    played = job.turn(number)
    other = next(action for action in before.legal_actions() if isinstance(action, Discard))
    tried = judge_tried(job, replace(game, actions=(*game.actions[: number - 1], other), ends=(), notes=()))
    assert (tried.trust, tried.doubt) == (played.trust, played.doubt)
    assert tried.action.startswith("discard")
    same = judge_tried(job, replace(game, actions=game.actions[:number], ends=(), notes=()))
    assert same == played
    branch = replace(game, actions=(*game.actions[: number - 1], other), ends=(), notes=())
    further = next(action for action in branch.replay().legal_actions() if isinstance(action, Discard))
    assert judge_tried(job, replace(branch, actions=(*branch.actions, further))).trust == 0.0


def test_reviews_are_kept_and_damaged_ones_made_anew(game: Record, folder: Path) -> None:
    short, settings = replace(game, actions=game.actions[:3]), Settings(WORLDS)
    first = reviewed(short, settings)
    (file,) = folder.glob("*.json")
    told: list[ReviewedTurn] = []
    assert reviewed(short, settings, told.append) == first
    assert told == list(first.turns)
    fields = json.loads(file.read_text())
    file.write_text(json.dumps(fields | {"score": 99}))
    assert reviewed(short, settings).score == 99, "it is the file that is read"
    file.write_text("{")
    assert reviewed(short, settings) == first
    assert json.loads(file.read_text())["score"] == first.score
    reviewed(short, replace(settings, seed=1))
    assert len(list(folder.glob("*.json"))) == 2


def test_what_cannot_be_read_stops_nothing(game: Record, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    games: Sequence[str | Record] = [str(tmp_path / "bad.json"), replace(game, actions=game.actions[:1])]
    results = list(review_each(games, Settings(WORLDS)))
    assert "players is missing" in results[0].error
    assert results[1].given == "game 2"
    assert results[1].review is not None


def test_a_time_is_spent_and_says_its_worlds(game: Record) -> None:
    short = replace(game, actions=game.actions[:2])
    assert review(short, seconds=0.001, time_limit=1.0).worlds == 48
    same = review(short, worlds=48)
    assert [turn.options for turn in same.turns] == [turn.options for turn in review(short, seconds=0.001).turns]


def test_one_turn_in_depth(game: Record) -> None:
    job = begin(game, worlds=WORLDS)
    turn = judge_position(job, 56, 3.0)
    assert (turn.number, turn.played.worlds) == (56, 3 * WORLDS)
    for number in (0, 61):
        with pytest.raises(HandfulError, match="expected 1 to 60"):
            judge_position(job, number)


@pytest.mark.parametrize("worlds", [0, 7, 200_001])
def test_worlds_have_bounds(worlds: int) -> None:
    with pytest.raises(HandfulError, match="expected 8 to"):
        check_worlds(worlds)


def test_rules_without_an_end_are_refused(game: Record) -> None:
    endless = replace(game, deal=replace(game.deal, rules=replace(game.rules, end_of_deck="never")), actions=())
    with pytest.raises(RulesError, match="cannot be reviewed"):
        begin(endless)


# Pages


def test_the_pages_have_all_turns_and_no_foreign_markup(game: Record, found: Review, tmp_path: Path) -> None:
    games = [ReviewedGame("my <game>", game, found)]
    page = html_page(games)
    assert "<b>Vera</b>" not in page
    assert "&lt;b&gt;Vera&lt;/b&gt;" in page
    assert not re.search(r"(?:src|href)=['\"]?https?:", page)
    assert page.count("<tr") == 1 + 3 + 1 + 60
    text = markdown_page(games)
    assert text.count("\n| ") == 2 + 3 + 2 + 60
    assert "W\\|im" in text
    for name in ("a.html", "a.md"):
        write_page(games, tmp_path / name)
        assert (tmp_path / name).read_text()
    with pytest.raises(HandfulError, match=r"ends in \.html or \.md"):
        write_page(games, tmp_path / "a.txt")


def test_the_graph_leaves_gaps_and_marks_the_fatal_turn(found: Review) -> None:
    turns = {turn.number: turn for turn in found.turns if turn.number not in (10, 11)}
    answers = [turn.is_possible for turn in found.turns]
    graph = graph_of(turns, 60, 0.0, answers)
    assert graph.chances[9:11] == (None, None)
    assert graph.fatal == 39
    svg = graph_svg(graph)
    assert svg.count("<polyline") == 2
    assert svg.count('<rect class="possible"') == svg.count('<rect class="lost"') == 1
    assert graph_svg(graph_of({}, 0, None))


def test_puzzles_are_clear_and_hide_the_own_hand(game: Record, found: Review, tmp_path: Path) -> None:
    turn = found.turns[28]
    missed = replace(turn, is_clear=True, is_best=False, loss=0.3, margin=0.05, best=replace(turn.best, chance=0.6))
    assert is_puzzle(missed)
    assert not is_puzzle(replace(missed, is_clear=False))
    assert not is_puzzle(replace(missed, loss=0.04))
    assert not is_puzzle(replace(missed, best=replace(turn.best, chance=0.01)))
    turns = tuple(missed if each.number == 29 else replace(each, is_clear=False) for each in found.turns)
    (puzzle,) = puzzles_in([ReviewedGame("g", game, replace(found, turns=turns)), ReviewedGame("h", error="bad")])
    seen = dict(puzzle.seen)
    state = game.replay(28)
    # With another own hand and another deck, as far as hints and counting allow, the puzzle is the same.
    own = seen[f"{game.names[1]} (own)"]
    assert all(each.split(": ")[1].startswith(("one of", "anything")) for each in own.split(", "))
    assert len(own.split(", ")) == len(state.hands[1])
    page = puzzle_page([puzzle])
    assert page.index("<details>") < page.index("wins 60 %")
    assert "wins 60 %" in puzzle_markdown([puzzle]).partition("## The answers")[2]
    assert "No position" in puzzle_page([])
    write_puzzles([puzzle], tmp_path / "p.html")
    with pytest.raises(HandfulError, match=r"ends in \.html or \.md"):
        write_puzzles([puzzle], tmp_path / "p.pdf")


def test_games_are_written_and_given_by_name(game: Record, tmp_path: Path) -> None:
    save_record(tmp_path / "g.json", replace(game, actions=game.actions[:1]))
    assert len(review(str(tmp_path / "g.json"), worlds=WORLDS).turns) == 1


# Bots that play on


def test_bots_play_on_from_a_position() -> None:
    record = record_of(3, "rules(reading=text)")
    makers = [player_named("information").plain] * 3
    for turns in (0, 1, 2, 30):
        begun = record.replay(turns)
        once, again = play_on(begun, makers), play_on(begun, makers)
        assert once.is_over
        assert once.history == again.history
        assert once.history[:turns] == begun.history
        assert len(play_on(begun, makers, turns=2).history) == turns + 2
    assert len(play_on(record.replay(), makers).history) == len(record.actions)
