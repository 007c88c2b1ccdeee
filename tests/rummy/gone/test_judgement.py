from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from handful.errors import RulesError
from handful.rummy import Answers, Progress, solve
from handful.rummy.cards import Card, cards_of, mask_of, parse_cards
from handful.rummy.gone.added import Added, added_estimate, added_of, open_added
from handful.rummy.gone.kernels.added import PER_TURN, column
from handful.rummy.gone.kernels.judgement import BOUND, OUTS, PLAIN, SUMMED, judge_all
from handful.rummy.gone.kernels.place import column_of, place_of, placed_mask, rank_maps
from handful.rummy.gone.nearby import Nearby, last_layer, make_judgement
from handful.rummy.kernels.hand_index import hand_at, make_hand_index, mask_index
from handful.rummy.reduced_deck import ReducedDeck
from handful.splitmix import SplitMix64

ALL_CARDS = cards_of((1 << 52) - 1)


def shuffled(seed: int) -> list[Card]:
    cards = list(ALL_CARDS)
    SplitMix64(seed).shuffle(cards)
    return cards


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return solve(3, "low", folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module")
def added(three: Answers) -> Added:
    return added_of(three)


@pytest.mark.kernel
@pytest.mark.parametrize(("aces", "size"), [("low", 3), ("low", 6), ("high", 4), ("wrap", 5), ("low", 8), ("wrap", 10)])
def test_a_place_takes_a_hand_to_the_one_that_is_kept(aces: str, size: int) -> None:
    hand_index, maps = make_hand_index(aces, size), rank_maps(aces)
    for seed in range(20):
        cards = shuffled(seed)
        # Suits of equal size, and symmetric ones, are the hard cases.
        for hand in (mask_of(cards[:size]), mask_of(ALL_CARDS[4 * seed % 40 : 4 * seed % 40 + size])):
            index, place = place_of(hand_index, hand)
            assert index == mask_index(hand_index, hand)
            assert placed_mask(maps, place, hand) == hand_at(hand_index, index)


@pytest.mark.parametrize("gone", ["AC", "2D", "4H", "7S"])
def test_what_a_card_adds_is_what_the_deck_without_it_says(three: Answers, added: Added, gone: str) -> None:
    deck, maps, card = ReducedDeck(3, "low", gone), rank_maps("low"), parse_cards(gone)[0]
    number, off = card.bit.bit_length() - 1, []
    for seed in range(200):
        hand = [each for each in shuffled(seed)[:4] if each != card][:3]
        index, place = place_of(three.hand_index, mask_of(hand))
        adds = added.rows[index, column(column_of(maps, place, number))] / PER_TURN
        off.append(three.expected_turns(hand) + adds - deck.expected_turns(hand))
    # From above, but for rounding to 1/512 of a turn.
    assert min(off) > -0.002
    assert max(off) < 0.2
    assert np.mean(np.abs(off)) < 0.005


def test_outs_never_grow_when_a_card_is_gone() -> None:
    """The theorem behind the bound: (m − n) / E falls, or stays."""
    for seed in range(3):
        cards = shuffled(seed)
        decks = [ReducedDeck(3, "low", cards[:gone]) for gone in (0, 1, 6, 12)]
        for other in range(30):
            hand = [each for each in shuffled(1000 * seed + other) if each not in cards[:12]][:3]
            turns = [deck.expected_turns(hand) for deck in decks]
            if turns[0]:
                outs = [deck.draws / each for deck, each in zip(decks, turns, strict=True)]
                assert all(before >= after - 1e-9 for before, after in pairwise(outs))


def test_sums_are_no_bounds_from_either_side() -> None:
    def turns(gone: str) -> float:
        return ReducedDeck(3, "low", gone).expected_turns("7C 7D 9C")

    assert turns("7H") + turns("7S") - turns("") > turns("7H 7S") + 0.8
    assert turns("7H") + turns("8C") - turns("") < turns("7H 8C") - 0.3


@pytest.mark.parametrize(("way", "most"), [(PLAIN, 0.0), (BOUND, 0.0), (SUMMED, 2.0), (OUTS, 2.0)])
def test_judgements_beside_a_deck_that_is_solved(three: Answers, added: Added, way: int, most: float) -> None:
    cards = shuffled(7)
    gone, left = cards[:10], cards[10:]
    deck, judgement = ReducedDeck(3, "low", gone), make_judgement(three, added.rows, gone, way)
    hands = [left[first : first + 3] for first in range(0, 39, 3)]
    found = np.zeros(len(hands))
    judge_all(judgement, np.array([mask_of(hand) for hand in hands]), found)
    off = [judged - deck.expected_turns(hand) for judged, hand in zip(found, hands, strict=True)]
    assert max(off) < most + 0.01  # the first two are bounds from below
    assert way < SUMMED or way == BOUND or np.mean(np.abs(off)) < 1


def test_a_hand_whose_neighbours_are_all_hands_is_solved_exactly(three: Answers, added: Added) -> None:
    gone = shuffled(3)[:30]
    deck = ReducedDeck(3, "low", gone)
    hand = [card for card in shuffled(4) if card not in gone][:3]
    for way in (SUMMED, PLAIN):
        near = Nearby(make_judgement(three, added.rows, gone, way), hand)
        assert near.last == 4  # no hand is left to be judged
        assert near.expected_turns(hand) == pytest.approx(deck.expected_turns(hand), abs=0.01)
        bound = Nearby(make_judgement(three, added.rows, gone, way), hand, 0)
        assert bound.last == 2
        assert way != PLAIN or bound.expected_turns(hand) <= deck.expected_turns(hand) + 0.01


def test_nearby_answers_of_hands_beside_it(three: Answers, added: Added) -> None:
    deck = ReducedDeck(3, "low", "7H 8C KD")
    near = Nearby(make_judgement(three, added.rows, "7H 8C KD", SUMMED), "7C 7D 9C")
    for drawn in ("7S", "10C", "2H"):
        told = {each.card: each.expected_turns for each in near.discards("7C 7D 9C", drawn)}
        for each in deck.discards("7C 7D 9C", drawn):
            assert told[each.card] == pytest.approx(each.expected_turns, abs=0.2)


def test_more_others_mean_fewer_layers() -> None:
    assert [last_layer(5, others) for others in (15, 37, 46)] == sorted(
        (last_layer(5, others) for others in (15, 37, 46)), reverse=True
    )
    assert last_layer(10, 40) >= 2


class _EnoughError(Exception):
    pass


def test_a_run_that_is_stopped_goes_on_to_the_same_rows(tmp_path: Path, added: Added) -> None:
    answers = solve(3, "low", folder=tmp_path)
    told: list[Progress] = []

    def stop(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 2:
            raise _EnoughError

    with pytest.raises(_EnoughError):
        added_of(answers, progress=stop, checkpoint_seconds=1e9)
    assert 0 < told[-1].done < told[-1].total
    assert (tmp_path / "rummy-3-low.added.partial").exists()
    assert np.array_equal(added_of(answers).rows, added.rows)
    assert not (tmp_path / "rummy-3-low.added.partial").exists()
    found = open_added(answers)
    assert found is not None
    assert np.array_equal(found.rows, added.rows)


def test_what_is_refused() -> None:
    with pytest.raises(RulesError, match="expected hands of 3 to 8"):
        _of_nine()
    assert added_estimate(solve(3, "wrap", keep=False).game).disk_mb < 1


def _of_nine() -> None:
    from handful.rummy import Game

    class Nine:
        game = Game(9, "low")

    added_of(Nine())  # type: ignore[arg-type]
