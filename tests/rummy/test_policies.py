from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handful.errors import NotationError, RulesError, UnknownNameError
from handful.rummy import Card, Game, solve
from handful.rummy.cards import cards_of, mask_of
from handful.rummy.melds import rummies
from handful.rummy.policies import Policy, compiled_rules, policy_named
from handful.splitmix import SplitMix64


@pytest.fixture(autouse=True)
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDFUL_RUMMY_TABLES", str(tmp_path))


def greedy_throw(cards: int, aces: str, held: list[Card], drawn: Card) -> Card:
    """The greedy player in plain words."""
    masks = rummies(aces, cards)

    def goodness(thrown: Card) -> tuple[int, int, bool, int]:
        kept = mask_of(card for card in held if card != thrown)
        shared = [(kept & mask).bit_count() for mask in masks]
        return max(shared), shared.count(max(shared)), thrown == drawn, -thrown.bit

    return max(held, key=goodness)


@pytest.mark.kernel
@pytest.mark.parametrize(("cards", "aces"), [(3, "low"), (4, "wrap"), (5, "high")])
def test_greedy_is_what_it_says(cards: int, aces: str) -> None:
    from handful.rummy.kernels.play import choose_card

    policy = policy_named("greedy").compile(Game(cards, aces))
    deck = [Card(rank, suit) for rank in range(13) for suit in range(4)]
    for seed in range(10):
        SplitMix64(seed).shuffle(deck)
        held, drawn = deck[: cards + 1], deck[0]
        thrown, _ = choose_card(policy, mask_of(held), drawn.bit, 0, 0, np.zeros(1, np.uint64))
        assert cards_of(int(thrown)) == (greedy_throw(cards, aces, held, drawn),)


def test_optimal_throws_what_costs_nothing() -> None:
    from handful.rummy.kernels.play import choose_card

    answers = solve(3, "low")
    policy = policy_named("optimal").compile(Game(3, "low"))
    deck = [Card(rank, suit) for rank in range(13) for suit in range(4)]
    for seed in range(100):
        SplitMix64(seed).shuffle(deck)
        hand, drawn = deck[:3], deck[3]
        thrown, left = choose_card(policy, mask_of(deck[:4]), drawn.bit, 0, 0, np.zeros(1, np.uint64))
        best = answers.discards(hand, drawn)[0]
        (card,) = cards_of(int(thrown))
        assert left == pytest.approx(best.expected_turns, abs=1e-9)
        # Where throwing the drawn card is as good as any, that is done.
        assert card == drawn if best.card == drawn else card != drawn


def test_who_counts_goes_by_what_may_come_next() -> None:
    from handful.rummy.kernels.play import choose_card

    answers, chance = solve(3, "low"), np.zeros(1, np.uint64)
    policy, plain = policy_named("counting").compile(Game(3, "low")), policy_named("optimal").compile(Game(3, "low"))
    deck = [Card(rank, suit) for rank in range(13) for suit in range(4)]
    others = 0
    for seed in range(40):
        SplitMix64(seed).shuffle(deck)
        held, drawn, to_come = deck[:4], deck[3], deck[4:14]
        thrown, least = choose_card(policy, mask_of(held), drawn.bit, 0, mask_of(to_come), chance)

        def ahead(kept: list[Card], to_come: list[Card] = to_come) -> float:
            best = []
            for card in to_come:
                more = [*kept, card]
                best.append(min(answers.expected_turns([each for each in more if each != out]) for out in more))
            return sum(best) / len(best)

        turns = {card: ahead([each for each in held if each != card]) for card in held}
        assert least == pytest.approx(min(turns.values()))
        assert turns[cards_of(int(thrown))[0]] == pytest.approx(least)
        others += thrown != choose_card(plain, mask_of(held), drawn.bit, 0, 0, chance)[0]
        # Where any card may come, the answers say all.
        assert choose_card(policy, mask_of(held), drawn.bit, 0, 0, chance) == choose_card(
            plain, mask_of(held), drawn.bit, 0, 0, chance
        )
    assert 0 < others < 40


def test_a_card_that_was_taken_is_kept() -> None:
    from handful.rummy.kernels.play import choose_card

    for name in ("optimal", "counting", "greedy", "random"):
        policy = policy_named(name).compile(Game(3, "low"))
        held = [Card(0, 0), Card(5, 1), Card(9, 2), Card(12, 3)]
        thrown, _ = choose_card(policy, mask_of(held), 0, Card(12, 3).bit, 0, np.zeros(1, np.uint64))
        assert cards_of(int(thrown))[0] in held[:3]


def test_an_open_card_is_taken_if_it_beats_a_draw() -> None:
    from handful.rummy.kernels.play import wants

    policy = policy_named("optimal").compile(Game(3, "low"))
    answers = solve(3, "low")
    deck = [Card(rank, suit) for rank in range(13) for suit in range(4)]
    seen = set()
    for seed in range(200):
        SplitMix64(seed).shuffle(deck)
        hand, offered = deck[:3], deck[3]
        after = min(each.expected_turns for each in answers.discards(hand, offered) if each.card != offered)
        # A draw leaves E − 1 on average.
        answer = bool(wants(policy, mask_of(hand), offered.bit, np.zeros(1, np.uint64)))
        assert answer == (after < answers.expected_turns(hand) - 1)
        seen.add(answer)
    assert seen == {True, False}


def test_rummies_of_the_rules() -> None:
    from handful.rummy.kernels.play import is_rummy

    for game in (Game(3, "high"), Game(6, "low")):
        masks = rummies(game.aces, game.cards)
        rules = compiled_rules(game)
        assert all(is_rummy(rules, mask) for mask in masks[::50])
        assert not is_rummy(rules, (1 << (game.cards - 1)) - 1 | 1 << 51)


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("random", Policy("random")),
        (" optimal ( aces = low,tolerance=.5) ", Policy("optimal", "low", 0.5)),
        ("optimal()", Policy("optimal")),
    ],
)
def test_names(text: str, policy: Policy) -> None:
    assert policy_named(text) == policy
    assert policy_named(policy.name) == policy


def test_what_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'greedy'"):
        policy_named("greed")
    with pytest.raises(UnknownNameError, match="setting of the policy 'random'"):
        policy_named("random(aces=low)")
    with pytest.raises(UnknownNameError, match="no ace rule 'round'"):
        policy_named("optimal(aces=round)")
    with pytest.raises(NotationError, match="is not a tolerance"):
        policy_named("optimal(tolerance=-1)")
    with pytest.raises(NotationError, match="expected a name"):
        policy_named("optimal(")
    with pytest.raises(RulesError, match="would wait for ever"):
        policy_named("optimal(aces=wrap)").compile(Game(3, "low"))
