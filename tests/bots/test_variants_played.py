"""Who plays which variants: some bots all of them, the others a closed list, and every one says so."""

from __future__ import annotations

import pytest

from handful.bots import player_named
from handful.bots.best import best_player
from handful.bots.register import REGISTER
from handful.bots.table import play_game
from handful.errors import RulesError
from handful.hanabi import Deal, Rules, variant_named
from handful.hanabi.listing import live_variants
from tests.hanabi.listed import sample_codes

EVERYTHING = ("random", "rules", "cheat", "oracle", "best")
PLAY_ALL = ("random", "rules(reading=text)", "cheat(worlds=0)")
# By bot: a number of players, for the bots that play where hints work as usual.
USUAL = {"information": 3, "conventions": 2, "partner": 3, "hat": 4}
OPTIONS = ("", "deck_plays", "all_or_nothing, deck_plays")


def usual_names() -> list[str]:
    """The closed list; tests/hanabi/test_variants.py holds it."""
    return [name for name, _code, live_id in live_variants() if variant_named(f"id:{live_id}").has_usual_hints]


def assert_tables_agree(rules: Rules, bot: str, games: int) -> None:
    """Play the same games at the plain and at the compiled table: what hides from one seat hides at both."""
    from handful.bots.table_kernel import CompiledTable

    player = player_named(bot)
    compiled = player.compile(rules)
    assert compiled is not None
    results = CompiledTable(rules, [compiled] * rules.players).play(7, 0, games)
    for game in range(games):
        state = play_game(Deal.from_seed(rules, 7, game), [player.plain] * rules.players, 7, game)
        assert (state.score, len(state.history)) == (results.scores[game], results.turns[game])


def test_the_register_says_who_plays_everything() -> None:
    assert tuple(name for name, entry in REGISTER.items() if not entry.needs_usual_hints) == EVERYTHING


@pytest.mark.parametrize("bot", PLAY_ALL)
def test_some_bots_play_every_variant(bot: str) -> None:
    for number, code in enumerate(sample_codes()):
        rules = Rules(variant_named(code), 2 + number % 4).with_options(OPTIONS[number % 3])
        assert_tables_agree(rules, bot, games=1)


def test_the_oracle_plays_what_the_solver_leaves_open() -> None:
    rules = Rules(variant_named("R+G+B,TH"), 2)
    state = play_game(Deal.from_seed(rules, 1), [player_named("oracle(time_limit=0)").plain] * 2)
    assert state.is_over


@pytest.mark.parametrize("bot", [name for name, entry in REGISTER.items() if entry.needs_usual_hints])
@pytest.mark.parametrize("code", ["R+Y+G+B+Pr", "R+Y+G+B+P,P1", "R+Y+G+B+P:R", "R+Y+G+B+P,TH", "AR1+AR2+AB1+AB2"])
def test_other_bots_refuse_by_name_what_they_do_not_play(bot: str, code: str) -> None:
    players = (REGISTER[bot].players or (3,))[0]
    with pytest.raises(RulesError, match=f"'{bot}' does not play .* random, rules, cheat and oracle play everything"):
        REGISTER[bot].check(Rules(variant_named(code), players))
    with pytest.raises(RulesError, match="does not play No Variant under these rules"):
        REGISTER[bot].check(Rules(players=players, deck_plays=True))


@pytest.mark.parametrize("bot", USUAL)
def test_bots_play_where_hints_work_as_usual(bot: str) -> None:
    for name in ("Omni (5 Suits)", "Null (4 Suits)", "Muddy Rainbow & Light Pink (6 Suits)"):
        assert_tables_agree(Rules(variant_named(name), USUAL[bot]), bot, games=1)


@pytest.mark.full
@pytest.mark.parametrize("bot", USUAL)
def test_bots_play_all_of_the_closed_list(bot: str) -> None:
    for name in usual_names():
        assert_tables_agree(Rules(variant_named(name), USUAL[bot]), bot, games=1)


def test_best_plays_everything() -> None:
    for code in sample_codes():
        for players in (2, 4, 6):
            assert best_player(Rules(variant_named(code), players)).name
    assert best_player(Rules(variant_named("R+Y+G+B+P,UD"), 3)).name == "rules(reading=text)"
