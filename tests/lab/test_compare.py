"""Comparisons: exact sums of paired differences, the same whatever the workers."""

from __future__ import annotations

import json
from math import sqrt
from statistics import mean, stdev

import pytest

from handful.bots import Bot
from handful.errors import HandfulError
from handful.hanabi import Action, Deal, Rules, View
from handful.lab import simulate
from handful.lab.compare import Comparison, compare
from handful.lab.games import Chunk, make_plan, play_chunk
from handful.lab.statistics import Z95, Differences
from tests.lab.sample_bots import Sure

KEPT = "strike_score=keep"


class Timid(Bot):
    """Does the last thing that the rules allow: it hints as long as it can."""

    def choose(self, view: View) -> Action:
        return view.legal_actions()[-1]


def scores(bot: str | type[Bot], players: int, deals: int, repeat: int) -> list[list[int]]:
    """Return the scores of each deal's repeats."""
    plan = make_plan(bot, players, "No Variant", KEPT, seed=4, repeat=repeat)
    flat = play_chunk(plan, Chunk(0, deals)).scores.tolist()
    return [flat[first : first + repeat] for first in range(0, len(flat), repeat)]


@pytest.mark.parametrize("repeat", [1, 3])
def test_the_interval_is_that_of_the_differences_deal_by_deal(repeat: int) -> None:
    result = compare("random", Timid, players=3, games=30 * repeat, seed=4, rules=KEPT, repeat=repeat, workers=1)
    ours, theirs = scores("random", 3, 30, repeat), scores(Timid, 3, 30, repeat)
    differences = [mean(one) - mean(other) for one, other in zip(ours, theirs, strict=True)]
    half = Z95 * stdev(differences) / sqrt(30)
    assert result.difference == pytest.approx(mean(differences))
    assert result.difference_ci95 == pytest.approx((mean(differences) - half, mean(differences) + half))
    assert result.wins == sum(difference > 0 for difference in differences) > 0
    assert result.losses == sum(difference < 0 for difference in differences)
    assert result.wins + result.ties + result.losses == 30
    assert result.difference == pytest.approx(result.first.mean - result.second.mean)


def test_both_results_are_those_of_simulations() -> None:
    result = compare(Sure, "random", players=3, games=42, seed=2, workers=1)
    assert result.first == simulate(Sure, players=3, games=42, seed=2, workers=1)
    assert result.second == simulate("random", players=3, games=42, seed=2)
    assert (result.wins, result.ties, result.losses) == (42, 0, 0)


def test_the_result_does_not_depend_on_the_workers() -> None:
    one = compare("random", "rules", players=3, games=9000, seed=8, rules=KEPT, workers=1)
    assert one == compare("random", "rules", players=3, games=9000, seed=8, rules=KEPT, workers=2)
    plain = compare(Sure, "random", players=2, games=42, seed=2, workers=1)
    assert plain == compare(Sure, "random", players=2, games=42, seed=2, workers=2)


def test_a_bot_ties_with_itself() -> None:
    result = compare("rules", "rules", players=2, games=100)
    assert result.difference == 0
    assert result.difference_ci95 == (0, 0)
    assert result.ties == 100
    assert "cannot be told apart" in result.sentence
    low, high = result.perfect_difference_ci95
    assert low == -high
    assert 0.02 < high < 0.04  # a hundred deals without a difference prove little about rare ones


def test_one_deal_many_times() -> None:
    deal = Deal.from_seed(Rules(players=3, strike_score="keep"), 6)
    result = compare("random", "rules", deal=deal, games=50)
    assert result.first.seed == result.second.seed == "6"
    assert result.losses > 40


def test_sentences_name_the_better_bot() -> None:
    better = compare("rules", "random", players=3, games=200)
    worse = compare("random", "rules", players=3, games=200)
    assert better.sentence == worse.sentence
    assert better.sentence.startswith("rules is better by ")
    assert better.difference == -worse.difference
    assert (better.wins, better.losses) == (worse.losses, worse.wins)


def test_it_can_be_read_by_people_and_programs() -> None:
    result = compare("rules", "random", players=3, games=20)
    assert "rules (mean" in repr(result)
    assert "rules is better by" in repr(result)
    assert "<table>" in result._repr_html_()
    values = json.loads(json.dumps(result.to_dict()))
    assert values["bot"] == "rules"
    assert values["against"]["bot"] == "random"
    assert values["difference_ci95"] == list(result.difference_ci95)


def test_progress_counts_the_games_of_both() -> None:
    done: list[int] = []
    compare("random", "rules", games=300, repeat=3, on_progress=done.append)
    assert sum(done) == 600


@pytest.mark.parametrize(
    ("first", "second"), [("random", "montecarlo(playouts=1)"), ("montecarlo(playouts=1)", "random")]
)
def test_chunks_suit_the_slower_bot(first: str, second: str) -> None:
    done: list[int] = []
    compare(first, second, games=12, on_progress=done.append)
    assert done == [8, 8, 8]  # four games of each at a time, as the register says of `montecarlo`


def test_nonsense_is_refused() -> None:
    with pytest.raises(HandfulError, match="games=0"):
        compare("random", "rules", games=0)


def test_shares_have_the_interval_of_bonett_and_price() -> None:
    """Their formula, for 1 repeat: b = 12 deals for the first, c = 5 for the second, n = 60."""
    p, q, m = 13 / 62, 6 / 62, 62
    half = Z95 * sqrt((p + q - (p - q) ** 2) / m)
    interval = Differences(total=12 - 5, squares=12 + 5).share_interval(deals=60, repeat=1)
    assert interval == pytest.approx((p - q - half, p - q + half))
    # Repeats that always agree are as good as none: the same deals, each played twice.
    assert Differences(total=14, squares=4 * 17).share_interval(deals=60, repeat=2) == pytest.approx(interval)
    assert Differences(total=2, squares=2).share_interval(deals=2, repeat=1)[1] == 1.0


def test_a_single_deal_has_no_spread() -> None:
    assert Differences(total=3, squares=9).mean_interval(deals=1, repeat=1) == (3, 3)


def test_the_interval_is_narrower_than_that_of_independent_games() -> None:
    """Two bots that differ in a detail do well on the same deals."""
    result: Comparison = compare("rules", "rules(omega_p=0.61)", players=3, games=400)
    low, high = result.difference_ci95
    independent = Z95 * sqrt((result.first.sd**2 + result.second.sd**2) / 400)
    assert (high - low) / 2 < independent
