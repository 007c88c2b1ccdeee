from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from handful.errors import HandfulError
from handful.lab.rummy_play import PlayResult, play_rummy
from handful.rummy import Answers, parse_cards, solve
from handful.rummy.cards import cards_of, mask_of
from handful.rummy.distribution import LEAST_VISITS, Turns, follow, solved_answers, turns_of
from handful.rummy.kernels.chain import TIE
from handful.rummy.kernels.hand_index import hand_at
from handful.rummy.solver.spread import second_moments


@pytest.fixture(autouse=True)
def own_tables(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))


def matrix_of(answers: Answers) -> tuple[list[int], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """The chain of optimal play over all kinds of hands, as a matrix of chances: the oracle, in plain steps."""
    kinds = [int(index) for index in np.flatnonzero(answers.values > 0)]
    place = {index: number for number, index in enumerate(kinds)}
    matrix = np.zeros((len(kinds), len(kinds)))
    for index in kinds:
        hand = cards_of(int(hand_at(answers.hand_index, index)))
        own = answers.values[index]
        draws = cards_of((1 << 52) - 1 & ~mask_of(hand))
        for draw in draws:
            held = (*hand, draw)
            kept = [answers.index([card for card in held if card != thrown]) for thrown in held]
            least = min(answers.values[other] for other in kept)
            target = min(other for other in kept if answers.values[other] <= least + TIE)
            target = index if least >= own - TIE else target
            if answers.values[target] > 0:
                matrix[place[index], place[target]] += 1 / len(draws)
    return kinds, matrix


def test_all_of_three_cards_against_a_matrix() -> None:
    answers = solve(3, "wrap", keep=False)
    kinds, matrix = matrix_of(answers)
    identity = np.eye(len(kinds))
    means = np.linalg.solve(identity - matrix, np.ones(len(kinds)))
    squares = np.linalg.solve(identity - matrix, 2 * means - 1)
    assert means == pytest.approx(answers.values[kinds], abs=1e-9)
    spreads = np.sqrt(squares - means**2)
    assert second_moments(answers).moments[kinds] == pytest.approx(squares, rel=1e-12)
    left = np.ones(len(kinds))  # P(T > t) by kind
    chances = [np.zeros(len(kinds))]
    for _ in range(120):
        chances.append(left - matrix @ left)
        left = matrix @ left
    for hand in ("AC 4C 7C", "2C 2D 3C", "AC 2D 5H"):
        number = kinds.index(answers.index(hand))
        turns = turns_of(answers, hand)
        assert turns.sd == pytest.approx(spreads[number], abs=1e-8)
        assert turns.chances[:121] == pytest.approx([chance[number] for chance in chances], abs=1e-12)
        assert turns.not_followed == 0


def test_the_best_hands_wait_plainly() -> None:
    turns = turns_of(solve(3, "low", keep=False), "7C 7D 8C")
    assert turns.expected == 12.25  # four cards of 49
    assert turns.sd == pytest.approx(sqrt(12.25**2 - 12.25))
    assert turns.chances[1:4] == pytest.approx([4 / 49, 4 / 49 * 45 / 49, 4 / 49 * (45 / 49) ** 2])
    assert turns.tail_ratio == 45 / 49
    assert turns.hands_met == 1


def test_a_rummy_takes_no_turn() -> None:
    turns = turns_of(solve(3, "low", keep=False), "7C 7D 7H")
    assert (turns.expected, turns.sd, turns.chances, turns.quantile(0.99)) == (0.0, 0.0, (1.0,), 0)


@pytest.mark.parametrize("hand", ["AC 2D 5C 6D", "3C 4C 9D 9H"])
def test_the_distribution_has_the_mean_of_the_table(hand: str) -> None:
    turns = turns_of(solve(4, "low", keep=False), hand)
    numbers = np.arange(len(turns.chances))
    chances = np.array(turns.chances)
    assert chances.sum() == pytest.approx(1, abs=2e-9)
    assert (numbers * chances).sum() == pytest.approx(turns.expected, abs=2e-6)
    assert sqrt((numbers**2 * chances).sum() - turns.expected**2) == pytest.approx(turns.sd, abs=1e-4)
    assert list(turns.quantiles.values()) == sorted(turns.quantiles.values())
    assert turns.chance_within(turns.quantile(0.5)) >= 0.5 > turns.chance_within(turns.quantile(0.5) - 1)
    assert turns.to_dict()["distribution"] == list(turns.chances)


def greatest_difference(one: Turns, other: Turns) -> float:
    """The greatest difference of the chances to be done within so many turns."""
    turns = range(max(len(one.chances), len(other.chances)))
    return max(abs(one.chance_within(turn) - other.chance_within(turn)) for turn in turns)


def test_some_hands_by_lot_stand_for_all_that_are_met_rarely() -> None:
    answers = solve(4, "low", keep=False)
    game, hand = solved_answers(answers), answers.index("AC 5D 9H KS")
    whole = follow(game, hand)
    off = []
    for least_visits in (1e-2, 1e-3, 1e-4):
        rough = follow(game, hand, least_visits)
        assert rough.hands_met < whole.hands_met
        assert 0 < rough.not_followed <= 1
        assert not rough.is_sd_exact
        assert sum(rough.chances) == pytest.approx(1)
        assert rough.sd == pytest.approx(whole.sd, rel=20 * least_visits)
        off.append(greatest_difference(rough, whole))
    assert off == sorted(off, reverse=True)
    assert off[-1] < 0.001


def within_four_errors(played: PlayResult, turns: Turns) -> bool:
    """Whether mean and standard deviation of the games agree with the exact ones within four standard errors."""
    fourth = sum(times * (turn - turns.expected) ** 4 for turn, times in played.histogram.items()) / played.games
    error_of_mean = turns.sd / sqrt(played.games)
    error_of_sd = sqrt(fourth - turns.sd**4) / (2 * turns.sd * sqrt(played.games))
    return abs(played.mean - turns.expected) < 4 * error_of_mean and abs(played.sd - turns.sd) < 4 * error_of_sd


@pytest.mark.parametrize(("hand", "aces"), [("AC QH KD", "low"), ("AC 4C 7C", "wrap"), ("AC 2D 5C 6D", "wrap")])
def test_played_games_agree_with_mean_and_spread(hand: str, aces: str) -> None:
    cards = len(parse_cards(hand))
    played = play_rummy("optimal", cards=cards, aces=aces, hand=hand, games=20_000, seed=1)
    assert played.unfinished == 0
    assert within_four_errors(played, turns_of(solve(cards, aces), hand))


@pytest.mark.full
def test_seven_cards_by_lot_beside_all_hands() -> None:
    answers, hand = solve(7, "wrap"), "AC 2D 3H 4S 5C 6D 7H"
    whole = turns_of(answers, hand)
    assert whole.not_followed == 0
    rough = follow(solved_answers(answers), answers.index(hand), LEAST_VISITS)
    assert greatest_difference(rough, whole) < 0.003


def test_what_is_refused() -> None:
    with pytest.raises(HandfulError, match="expected a chance"):
        Turns(1.0, 0.0, (0.0, 1.0), 0.0, 1, 0.0).quantile(1.0)
