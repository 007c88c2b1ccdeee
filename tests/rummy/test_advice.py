from __future__ import annotations

from pathlib import Path

import pytest

from handful.errors import DealError
from handful.rummy import DamagedFileError, Game, NotSolvedError, solve
from handful.rummy.advice import advise
from handful.rummy.cards import cards_of
from handful.rummy.gone import reckoning
from handful.rummy.reduced_deck import ReducedDeck
from handful.rummy.solver.solve import ready_answers


@pytest.fixture(autouse=True)
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))
    return tmp_path


def test_every_draw_has_its_best_discard() -> None:
    advice = advise("AC 4C 7C", aces="wrap")
    assert advice.expected_turns == pytest.approx(18.24424854, abs=1e-8)
    assert len(advice.draws) == 49
    # The Bellman equation: this turn, and what is left on average after the best throw.
    assert 1 + sum(each.expected_turns for each in advice.draws) / 49 == pytest.approx(advice.expected_turns, abs=1e-10)
    answers = solve(3, "wrap")
    for each in advice.draws:
        assert each.discard == answers.best_discard("AC 4C 7C", each.draw)
        assert each.gain >= 0
    assert advice.discards == ()


def test_a_draw_has_the_cost_of_every_discard() -> None:
    advice = advise("AC 4C 7C", draw="5C", aces="wrap")
    assert [str(each.card) for each in advice.discards][-1] in ("4C", "5C", "7C")
    assert advice.discards[0].cost == 0
    assert [each.cost for each in advice.discards] == sorted(each.cost for each in advice.discards)
    told = advice.to_dict()
    assert (told["hand"], told["draw"], len(told["discards"])) == ("AC 4C 7C", "5C", 4)
    assert {"expected_turns", "sd", "quantiles", "distribution", "discards", "draws"} <= set(told)


def test_cards_that_are_gone() -> None:
    without = advise("7C 7D 8C", seen="7H 7S")
    assert without.expected_turns > advise("7C 7D 8C").expected_turns
    assert len(without.draws) == 47
    assert without.to_dict()["seen"] == "7H 7S"


def test_with_few_cards_left_larger_hands_are_exact() -> None:
    gone = cards_of((1 << 52) - 1)[20:]
    advice = advise("AC 2C 3C 4D 5D", draw="4C", seen=gone)
    assert advice.how is not None
    assert (advice.how.method, advice.how.error) == ("exact", 0.0)
    assert 1 + sum(each.expected_turns for each in advice.draws) / 15 == pytest.approx(advice.expected_turns, abs=1e-9)
    assert advice.expected_turns == pytest.approx(ReducedDeck(5, "low", gone).expected_turns(advice.hand))
    assert advice.discards[0].keeps != advice.hand
    assert advice.to_dict()["how"]["method"] == "exact"


def test_what_is_solved_anew_needs_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reckoning, "ready_answers", None)
    gone = cards_of((1 << 52) - 1)[20:]  # left: aces to fives
    advice = advise("AC AD 2C 2D 3C 4H 4S 5C 5D 5H", seen=gone)
    assert advice.how is not None
    assert advice.how.method == "exact"
    mean = sum(turn * chance for turn, chance in enumerate(advice.turns.chances))
    assert mean == pytest.approx(advice.expected_turns, rel=1e-3)


def test_games_are_played_out_where_no_table_says_what_cards_add() -> None:
    """The mean of games by some way to play is above the best there is; the hands nearby, judged by a bound, below."""
    advice = advise("AC 2C 3C 7D 7H KS", seen="4C 7S 9D 10D")
    assert advice.how is not None
    assert advice.how.method == "play-outs"
    assert advice.how.interval is not None
    low, high = advice.how.interval
    assert low < advice.expected_turns < high
    assert advice.how.at_least < high
    assert advice.turns.sampled_games == 20_000
    assert "play-outs" in str(advice.how)
    assert min(each.expected_turns for each in advice.draws) >= 0


def test_a_rummy_needs_no_advice() -> None:
    advice = advise("7C 7D 7H")
    assert (advice.expected_turns, advice.draws, advice.melding.is_rummy) == (0.0, (), True)


def test_a_notebook_shows_it() -> None:
    advice = advise("7C 7D 8C", draw="9C")
    assert "throw 7D" in repr(advice)
    assert "<td>7D</td><td>7C 8C 9C</td><td>0</td><td>0</td>" in advice._repr_html_()  # throw, keep, turns, cost
    assert "<td>9C</td><td>7D</td>" in advise("7C 7D 8C")._repr_html_()  # for each draw what to throw


def test_what_is_refused() -> None:
    with pytest.raises(DealError, match="twice"):
        advise("AC AC 2D")
    with pytest.raises(DealError, match="2 cards, expected 3 to 10"):
        advise("AC 2D")
    with pytest.raises(DealError, match="cannot be gone as well"):
        advise("AC 2D 3D", seen="AC")
    with pytest.raises(DealError, match="in the hand"):
        advise("AC 2D 3D", draw="AC")
    with pytest.raises(DealError, match="KC is among the cards that are gone"):
        advise("AC 2D 3D 4D 9S", draw="KC", seen="KC")


def test_a_table_that_takes_long_is_not_made_unasked() -> None:
    with pytest.raises(NotSolvedError, match=r"not solved yet .*10-card rummy, aces low.* minutes") as refused:
        ready_answers(10, "low")
    assert refused.value.game == Game(10, "low")


def test_a_damaged_table_is_not_used(own_tables: Path) -> None:
    path = solve(3, "low").path
    assert path is not None
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.unlink()
    path.write_bytes(data)
    with pytest.raises(DamagedFileError, match=r"damaged .* It is not used") as refused:
        advise("AC 2D 3D")
    assert refused.value.game == Game(3, "low")
