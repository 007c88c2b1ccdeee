"""Seeds of hanab.live, and the generator behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from handful.errors import NotationError, RulesError
from handful.hanabi import Rules, State, variant_named
from handful.hanabi.cards import sorted_deck
from handful.hanabi.live import seeds as go
from handful.hanabi.live.links import record_from_link
from handful.hanabi.live.seeds import (
    GoRandom,
    compute_cooked_words,
    cooked_words,
    crc64,
    deal_from_live_seed,
    is_live_seed,
    parse_live_seed,
)
from tests.hanabi.test_links import REAL_LINK


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own, with nothing remembered before or after."""
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_: str(tmp_path / "handful"))
    cooked_words.cache_clear()
    yield tmp_path / "handful"
    cooked_words.cache_clear()


def test_seed_gives_the_deck_of_a_real_game() -> None:
    real = record_from_link(REAL_LINK).deal
    dealt = deal_from_live_seed("p4v0s415")
    assert dealt.deck == real.deck
    assert dealt.rules == real.rules == Rules(players=4)
    assert dealt.seed == "p4v0s415"


def test_generator_gives_the_numbers_that_go_programmers_know() -> None:
    # The first output of the Tour of Go and of many a tutorial: rand.Intn(100) with seed 1.
    chance = GoRandom(1)
    assert [chance.intn(100) for _ in range(10)] == [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]


def test_seed_is_taken_modulo_a_prime_and_zero_is_replaced() -> None:
    def first(seed: int) -> list[int]:
        chance = GoRandom(seed)
        return [chance.uint64() for _ in range(5)]

    assert first(0) == first(2**31 - 1) == first(89_482_311)
    assert first(-1) == first(2**31 - 2)
    assert first(1) != first(2)


def test_powers_of_two_take_the_low_bits_and_one_draws_too() -> None:
    chance, same = GoRandom(5), GoRandom(5)
    numbers = [same.int31() for _ in range(3)]
    assert chance.intn(1) == 0
    assert [chance.intn(8), chance.intn(2)] == [numbers[1] % 8, numbers[2] % 2]


def test_numbers_that_would_favour_small_remainders_are_thrown_away() -> None:
    # n = 2^30 + 1 accepts about half of the draws: those up to 2^30.
    n = 2**30 + 1
    chance, same = GoRandom(3), GoRandom(3)
    raw = [same.int31() for _ in range(400)]
    accepted = [number for number in raw if number <= 2**30]
    assert 150 < len(accepted) < 250
    assert [chance.intn(n) for _ in range(100)] == accepted[:100]


def test_jump_agrees_with_single_steps() -> None:
    """The polynomial jump, checked where stepping is possible: 5000 steps from seed 1."""
    steps = 5000
    words = [go._seeded_words(1, 20, 10)[(go.FIRST_FEED - 1 - time) % go.NUM_WORDS] for time in range(go.NUM_WORDS)]
    while len(words) < go.NUM_WORDS + steps:
        words.append((words[-go.NUM_WORDS] + words[-go.LAG]) & go.MASK64)
    power = [int(coefficient) for coefficient in go._power_of_x(steps)]
    for start in (0, 300):
        jumped = sum(coefficient * words[start + place] for place, coefficient in enumerate(power)) & go.MASK64
        assert jumped == words[start + steps]


def test_cooked_words_is_kept_and_read_again(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed = cooked_words()
    kept = cache_folder / go.CACHE_NAME
    assert [path.name for path in cache_folder.iterdir()] == [go.CACHE_NAME]
    body = kept.read_bytes()[go.CHECKSUM_BYTES :]
    assert kept.read_bytes()[: go.CHECKSUM_BYTES] == hashlib.sha256(body).digest()
    cooked_words.cache_clear()

    def not_again() -> tuple[int, ...]:
        raise AssertionError("the table was computed although it is in the cache")

    monkeypatch.setattr(go, "compute_cooked_words", not_again)
    assert cooked_words() == computed


@pytest.mark.parametrize("damage", ["cut", "flipped", "longer", "empty", "a folder"])
def test_damaged_cache_is_computed_again(cache_folder: Path, damage: str) -> None:
    computed = cooked_words()
    kept = cache_folder / go.CACHE_NAME
    good = kept.read_bytes()
    if damage == "a folder":
        kept.unlink()
        kept.mkdir()
    else:
        flipped = good[:1000] + bytes([good[1000] ^ 1]) + good[1001:]
        kept.write_bytes({"cut": good[:-1], "flipped": flipped, "longer": good + b"0", "empty": b""}[damage])
    cooked_words.cache_clear()
    assert cooked_words() == computed
    if damage != "a folder":
        assert kept.read_bytes() == good


def test_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    for folder in (str(tmp_path / "file" / "handful"), "~/.cache/handful"):
        monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, folder=folder: folder)
        cooked_words.cache_clear()
        assert cooked_words()[:2] == compute_cooked_words()[:2]
    assert not Path("~").exists()


def test_crc_is_the_one_of_xz() -> None:
    assert crc64(b"123456789") == 0x995DC9BBDF1939FA
    assert crc64(b"") == 0


@pytest.mark.parametrize(
    ("seed", "players", "variant", "suffix"),
    [
        ("p2v0s1", 2, "No Variant", "1"),
        ("p5v3sgreat-game_2", 5, "Rainbow (6 Suits)", "great-game_2"),
        ("p6v106s0", 6, "Pink (6 Suits)", "0"),
        ("p3v18ssss", 3, "3 Suits", "sss"),
    ],
)
def test_seed_is_read(seed: str, players: int, variant: str, suffix: str) -> None:
    parsed = parse_live_seed(seed)
    assert (parsed.players, parsed.variant.name, parsed.suffix, parsed.text) == (players, variant, suffix, seed)
    deal = deal_from_live_seed(seed)
    assert sorted(deal.deck) == sorted_deck(variant_named(variant))
    assert list(deal.deck) != sorted_deck(variant_named(variant))
    assert State(deal).deck_size > 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "415",
        "p4v0s",
        "p4v0",
        "P4v0s1",
        "p04v0s1",
        "p4v00s1",
        "p4v0s1 ",
        "p4v0sé",
        "p4v0s1,2",
        "p٤v0s1",
        "p4v0s" + "x" * 200,
    ],
)
def test_what_is_no_seed_is_refused(text: str) -> None:
    assert not is_live_seed(text)
    with pytest.raises(NotationError, match=r"is not a seed of hanab\.live: expected players, variant") as caught:
        parse_live_seed(text)
    assert len(str(caught.value)) < 400


def test_seed_of_an_impossible_game_is_refused() -> None:
    with pytest.raises(NotationError, match=r"seed p7v0s1: 7 players, expected 2 to 6"):
        deal_from_live_seed("p7v0s1")
    with pytest.raises(NotationError, match=r"seed p1v0s1: 1 players"):
        deal_from_live_seed("p1v0s1")
    with pytest.raises(NotationError, match=r"seed p2v9977s1: there is no variant .*'9977'"):
        deal_from_live_seed("p2v9977s1")


def test_rules_of_a_seed_may_differ_in_options_only() -> None:
    usual = deal_from_live_seed("p3v0s7")
    other = deal_from_live_seed("p3v0s7", Rules(players=3, hand_size=4, empty_hints=True))
    assert other.deck == usual.deck
    assert other.rules.hand_size == 4
    with pytest.raises(RulesError, match="is for 3 players and No Variant, but the rules are for 2 players"):
        deal_from_live_seed("p3v0s7", Rules(players=2))
    with pytest.raises(RulesError, match="but the rules are for 3 players and 6 Suits"):
        deal_from_live_seed("p3v0s7", Rules(variant_named("6 Suits"), players=3))
