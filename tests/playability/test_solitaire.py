"""Solitaire Hanabi: the methods agree with one another and with trying everything; the lemmas hold as stated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handful.errors import DealError, HandfulError, IllegalActionError, NotationError, RulesError, UnknownNameError
from handful.playability.solitaire import METHODS, Solitaire, is_won_by, read_solitaire, replay, solve
from handful.playability.solitaire.easy import last_useful, solve_greedy, widest_overlap
from handful.playability.solitaire.formula import solve_formula
from handful.playability.solitaire.positions import TooManyStatesError, solve_states
from handful.splitmix import SplitMix64
from tests.playability.solitaire_oracles import brute_force, random_game, recurrence, wins_by_recurrence


def applicable(game: Solitaire) -> list[str]:
    is_refused = {"greedy": game.copies > 1, "lazy": game.suits > 1}
    return [method for method in METHODS if not is_refused.get(method, False)]


def one_suit(hand: int, *values: int, up_to: int | None = None) -> Solitaire:
    return Solitaire.of(hand, [(value, 1) for value in values], values=up_to)


def check_agreement(numbers: range) -> None:
    """All applicable methods, and trying everything, agree; and every "yes" has moves that win."""
    won = dict.fromkeys(METHODS, 0)
    for number in numbers:
        game = random_game(SplitMix64(8, number))
        truth = brute_force(game)
        for method in applicable(game):
            answer = solve(game, method)
            assert answer.winnable is truth, (number, game, game.sequence, method)
            assert is_won_by(game, answer.moves) if truth else answer.moves == ()
            won[method] += truth
    # Each method had games of both kinds: won ones are counted here, lost ones are the rest.
    assert all(len(numbers) * 0.1 < count < len(numbers) * 0.9 for count in won.values())


def test_all_methods_and_brute_force_agree_on_2000_games() -> None:
    check_agreement(range(2000))


@pytest.mark.full
def test_all_methods_and_brute_force_agree_on_10000_games() -> None:
    check_agreement(range(2000, 10_000))


@given(
    cards=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=1, max_size=11),
    hand=st.integers(0, 3),
)
def test_any_sequence(cards: list[tuple[int, int]], hand: int) -> None:
    game = Solitaire.of(hand, cards)
    truth = brute_force(game)
    for method in applicable(game):
        assert solve(game, method).winnable is truth


@given(order=st.permutations([(value, suit) for value in range(1, 5) for suit in (1, 2)]), hand=st.integers(0, 6))
def test_lemma_1(order: list[tuple[int, int]], hand: int) -> None:
    game = Solitaire.of(hand, order)
    assert (solve_greedy(game) is not None) == (widest_overlap(game) <= hand)


def test_lemma_1_does_not_count_cards_that_need_not_wait() -> None:
    # [1, 2] for the 2 and [2, 2] for the 1: two intervals share place 2, and a hand of one is enough.
    assert widest_overlap(one_suit(1, 2, 1)) == 1
    assert brute_force(one_suit(1, 2, 1))


@given(values=st.lists(st.integers(1, 5), min_size=1, max_size=12), hand=st.integers(0, 3))
def test_lemma_3_strikes_out_useless_cards_and_no_others(values: list[int], hand: int) -> None:
    game = one_suit(hand, *values, up_to=5)
    # The definition, applied over and over to what is left.
    left = list(enumerate(values))
    while True:
        useful = [
            (place, value)
            for place, value in left
            if sum(all(other != above for later, other in left if later > place) for above in range(value + 1, 6))
            <= hand
        ]
        if useful == left:
            break
        left = useful
    last = {value: place for place, value in left}
    assert last_useful(game) == ([last[value] for value in range(1, 6)] if len(last) == 5 else None)
    assert (len(last) == 5) == brute_force(game)


def test_the_table_recovers_moves_for_several_suits() -> None:
    game = Solitaire.of(1, [(2, 1), (2, 2), (1, 2), (1, 1), (2, 1)])
    moves, size = solve_states(game)
    assert moves == ("discard", "store", "play", "play", "play")
    assert size.most <= 3


def test_a_table_that_is_too_large_is_refused_and_auto_asks_sat() -> None:
    cards = [(value, suit) for value in range(1, 13) for suit in range(1, 7)] * 2
    SplitMix64(1).shuffle(cards)
    game = Solitaire.of(26, cards)
    with pytest.raises(TooManyStatesError, match="try the method sat"):
        solve_states(game, max_states=1000)
    answer = solve(game)
    assert answer.method == "sat"
    assert answer.winnable
    assert is_won_by(game, answer.moves)
    assert solve_formula(game, time_limit=0.0) == (None, (), "not decided in the time given")


# The recurrence of section 4


def test_the_printed_recurrence_never_fills_the_hand() -> None:
    game = one_suit(1, 2, 1)
    assert brute_force(game)
    assert not wins_by_recurrence(game, largest_hand=game.hand - 1)
    assert wins_by_recurrence(game, largest_hand=game.hand)


def test_the_printed_recurrence_plays_with_a_hand_of_one_less() -> None:
    differences = 0
    for number in range(300):
        game = random_game(SplitMix64(9, number), most_cards=9)
        assert wins_by_recurrence(game, largest_hand=game.hand) == brute_force(game)
        if game.hand:
            smaller = Solitaire.of(game.hand - 1, game.sequence, values=game.values, suits=game.suits)
            printed = wins_by_recurrence(game, largest_hand=game.hand - 1)
            assert printed == brute_force(smaller)
            differences += printed != brute_force(game)
    assert differences > 10


def test_an_entry_of_the_recurrence_may_count_a_card_twice() -> None:
    # Lemma 5 says that entries are exact. After 2 1 with the 2 kept in hand, one card can have been played, not two: a
    # single 2 cannot be on the stack and in the hand. The answer does not suffer: it asks only for stacks below H.
    game = one_suit(1, 2, 1)
    entry = recurrence(game, largest_hand=1, scanned=2, kept=frozenset({(2, 1)}), required=())
    assert entry == 2


# What a method is not for, and what is no game


@pytest.mark.parametrize(
    ("method", "cards", "complaint"),
    [
        ("greedy", [(1, 1), (2, 1), (1, 1)], "card 1 appears again as card 3: greedy expects every card once"),
        ("lazy", [(1, 1), (1, 2)], "there are 2 suits: lazy expects one"),
    ],
)
def test_methods_refuse_what_they_are_not_for(method: str, cards: list[tuple[int, int]], complaint: str) -> None:
    with pytest.raises(RulesError, match=complaint):
        solve(Solitaire.of(1, cards), method)


def test_a_refusal_does_not_depend_on_the_answer() -> None:
    with pytest.raises(RulesError):
        solve(one_suit(0, 3, 2, 1, 1), "greedy")
    with pytest.raises(UnknownNameError, match="Did you mean 'table'"):
        solve(one_suit(0, 1), "tabel")


def test_missing_cards_lose() -> None:
    game = Solitaire.of(3, [(1, 1), (1, 2), (2, 2)], suits=3)
    assert game.missing_card() == (2, 1)
    assert [solve(game, method).winnable for method in applicable(game)] == [False] * 4
    # Also where it would take for ever to look at all of them.
    assert not solve(one_suit(3, 1, 1, up_to=10**9)).winnable


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        (["play", "play"], "card 1, 2, does not fit on 0"),
        (["store"], "1 moves for 2 cards"),
        (["wait", "play"], "expected play, store or discard"),
        (["discard", "store"], "need not be stored"),
    ],
)
def test_replay_refuses(moves: list[str], complaint: str) -> None:
    with pytest.raises(IllegalActionError, match=complaint):
        replay(one_suit(1, 2, 1), moves)


def test_replay_refuses_a_hand_that_overflows() -> None:
    with pytest.raises(IllegalActionError, match=r"the hand is full \(1\)"):
        replay(one_suit(1, 3, 2, 1), ["store", "store", "play"])


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("hand=1\n2 1 # one suit\n", ((2, 1), (1, 1))),
        ("# comment\nr2 Y1\thand=0\r\nR1", ((2, 1), (1, 2), (1, 1))),
        ("\ufeff2:1 1:12 hand=3 values=9 suits=12 copies=1", ((2, 1), (1, 12))),
        ('{"hand": 2, "sequence": [[2, 1], [1, 1]], "copies": 1, "notes": "more"}', ((2, 1), (1, 1))),
    ],
)
def test_files(text: str, sequence: tuple[tuple[int, int], ...]) -> None:
    game = read_solitaire(text.encode())
    assert game.sequence == sequence
    if game.suits < 12:
        assert game.copies == 1
    again = read_solitaire(" ".join([f"hand={game.hand}", *map(game.card_text, game.sequence)]))
    assert again.sequence == sequence


def test_what_is_given_stands_above_the_file() -> None:
    game = read_solitaire("hand=1 values=3 r1", hand=2, suits=4)
    assert (game.hand, game.values, game.suits) == (2, 3, 4)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there are no cards"),
        ("# nothing\n hand=2", "there are no cards"),
        ("1 2", "the hand size is missing"),
        ("hand=2 1 0", "line 1: the value of 0 is 0: expected at least 1"),
        ("hand=2 1:0", "the suit of 1:0 is 0"),
        ("hand=2\n1 r2", "line 2: 'r2' after other cards: expected a value"),
        ("hand=2 1-2", "'1-2' is no card"),
        ("hand=-1 1", "hand is '-1': expected a whole number"),
        ("hnad=1 1", "expected one of hand, values, suits, copies"),
        ("hand=1 copies=1 r1 r1", "card r1 appears 2 times: expected at most 1"),
        ("hand=1 values=1 r1 r2", "card 2 has value 2: expected 1 to 1"),
        ("hand=1 suits=1 r1 y1", "card 2 has suit 2: expected 1 to 1"),
        ("hand=9999999 1", "hand is 9999999: expected a whole number from 0 to 1000000"),
        ("hand=1 " + "9" * 10_000, "expected a whole number of at most 9 digits"),
        ("[[1, 1]]", "expected an object with hand and sequence"),
        ('{"hand": 1}', "sequence is None"),
        ('{"hand": 1, "sequence": []}', "there are no cards"),
        ('{"hand": 1, "sequence": [[0, 1]]}', "card 1 is \\[0, 1\\]: expected a value and a suit of at least 1"),
        ('{"hand": 1, "sequence": [[1, true]]}', "expected \\[value, suit\\]"),
        ('{"hand": 1, "sequence": [1, 2]}', "expected \\[value, suit\\]"),
        ('{"hand": true, "sequence": [[1, 1]]}', "hand is True"),
        ('{"hand": 1.5, "sequence": [[1, 1]]}', "hand is 1.5"),
        ('{"hand": 1, "sequence": [[1, 1]', "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
    ],
)
def test_files_that_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(HandfulError, match=complaint):
        read_solitaire(text)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(NotationError, match="byte 1 is not text"):
        read_solitaire(b"\xff\xfe1")


@given(data=st.binary(max_size=60) | st.text(alphabet='123:r=hand {}[],"#\n', max_size=60).map(str.encode))
def test_any_file_is_read_or_refused(data: bytes) -> None:
    try:
        game = read_solitaire(data, hand=1)
    except HandfulError:
        return
    assert game.sequence


def test_games_that_are_refused() -> None:
    with pytest.raises(DealError, match="card 2 has suit -3: expected at least 1"):
        Solitaire.of(1, [(1, 1), (1, -3)])
    with pytest.raises(DealError, match="there are no cards"):
        Solitaire.of(1, [])
