"""The bot `best` stands for another one: which, and what becomes of it where that one is missing."""

from __future__ import annotations

import pytest

from handful.bots import play_game, player_named
from handful.bots.best import CHOICES, Choice, best_player, plays_as, reference_player
from handful.bots.players import REGISTER, BotEntry
from handful.errors import RulesError
from handful.hanabi import VARIANTS, Deal, Rules, Variant
from handful.lab import simulate

RULES = "rules(reading=text)"


def entry(name: str, module: str, players: tuple[int, ...] = ()) -> BotEntry:
    return BotEntry(name, module, "for tests", "no source", players=players)


@pytest.fixture
def strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for the strong bots: what matters here is who is asked."""
    for name in ("learned", "conventions"):
        monkeypatch.setitem(REGISTER, name, entry(name, "handful.bots.simple.random_legal", (2,)))
    monkeypatch.setitem(REGISTER, "information", entry("information", "handful.bots.simple.random_legal", (2, 3, 4, 5)))


@pytest.mark.usefixtures("strong")
def test_the_table_says_who_plays() -> None:
    names = [best_player(Rules(players=players)).name for players in range(1, 7)]
    assert names == [RULES, "learned", "information", "information", "information", RULES]
    assert best_player(Rules(VARIANTS["6 Suits"], 2)).name == "conventions"


@pytest.mark.usefixtures("strong")
def test_who_judges_the_play_of_others_stays_the_same() -> None:
    names = [reference_player(Rules(players=players)).name for players in range(1, 7)]
    assert names == [RULES, "conventions", "information", "information", "information", RULES]


@pytest.mark.usefixtures("strong")
def test_a_line_can_be_for_a_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Choice("random", players=(3,), variants=("Black (6 Suits)",))
    monkeypatch.setattr("handful.bots.best.CHOICES", (line, *CHOICES))
    assert best_player(Rules(VARIANTS["Black (6 Suits)"], 3)).name == "random"
    assert best_player(Rules(VARIANTS["6 Suits"], 3)).name == "information"
    assert best_player(Rules(VARIANTS["Black (6 Suits)"], 4)).name == "information"


def test_bots_that_are_missing_or_refuse_the_game_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("information", "learned"):
        monkeypatch.delitem(REGISTER, name, raising=False)
    monkeypatch.setitem(REGISTER, "conventions", entry("conventions", "handful.bots.simple.random_legal", (5,)))
    assert [best_player(Rules(players=players)).name for players in (2, 3)] == [RULES, RULES]


def test_a_bot_that_is_missing_without_a_reason_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTER, "information", entry("information", "handful.bots.no_such_module"))
    with pytest.raises(ModuleNotFoundError):
        best_player(Rules(players=3))


def test_a_game_that_nobody_plays_is_refused() -> None:
    with pytest.raises(RulesError, match="no bot plays Custom"):
        best_player(Rules(Variant.custom(8), 2))


def test_it_plays_the_games_of_the_bot_that_it_stands_for() -> None:
    rules = Rules(players=6)
    state, other = (play_game(Deal.from_seed(rules, 1), [player_named(name).plain] * 6, 1) for name in ("best", RULES))
    assert state.history == other.history
    assert simulate("best", players=6, games=50).histogram == simulate(RULES, players=6, games=50).histogram


def test_it_explains_as_the_bot_that_it_stands_for(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Alice", "Bob", "Cathy", "Donald", "Emily")
    assert player_named("best").explainer(Rules(players=6), [*names, "Frank"]) is None
    monkeypatch.setattr("handful.bots.best.CHOICES", (Choice("recommendation"),))
    explainer = player_named("best").explainer(Rules(players=5), names)
    assert type(explainer).__name__ == "RecommendationExplainer"


def test_only_an_alias_stands_for_another() -> None:
    rules = Rules(players=6)
    assert plays_as(player_named("best"), rules) == RULES
    assert plays_as(player_named("random"), rules) is None


def test_the_bot_that_it_stands_for_says_how_many_games_make_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = BotEntry("information", "handful.bots.simple.random_legal", "for tests", "no source", games_a_chunk=7)
    monkeypatch.setitem(REGISTER, "information", slow)
    assert [player_named("best").games_a_chunk(Rules(players=players)) for players in (3, 6)] == [7, None]
