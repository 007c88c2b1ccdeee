"""SplitMix64 is the published one, uniform, and the same for ever: seeds in reports and records depend on it."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from handful.hanabi import VARIANTS, Deal, Rules
from handful.splitmix import GOLDEN, MASK64, SplitMix64, mix, stream_start

# The 0.1 % points of chi-square with n − 1 degrees of freedom.
CHI_SQUARE = {2: 10.83, 3: 13.82, 5: 18.47, 6: 20.52, 7: 22.46, 50: 85.35, 100: 148.23}


@pytest.mark.parametrize(
    ("counter", "published"),
    [
        # Rosetta Code, "Pseudo-random numbers/Splitmix64"; Vigna's splitmix64.c gives the same.
        (
            1234567,
            [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821],
        ),
        # The start of Vigna's splitmix64.c from 0, as used to seed xoshiro in many libraries.
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]),
    ],
)
def test_published_numbers(counter: int, published: list[int]) -> None:
    chance = SplitMix64(0)
    chance.counter = counter
    assert [chance.next() for _ in published] == published


def test_streams_are_as_documented() -> None:
    """stream(seed, k1, k2): counter = mix(seed + GOLDEN), then for each key mix(counter + (k + 1) · GOLDEN)."""
    first = mix((7 + GOLDEN) & MASK64)
    second = mix((first + 3 * GOLDEN) & MASK64)
    third = mix((second + GOLDEN) & MASK64)
    assert (stream_start(7), stream_start(7, 2), stream_start(7, 2, 0)) == (first, second, third)


def test_streams_differ() -> None:
    starts = {stream_start(seed, *keys) for seed in range(50) for keys in [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]}
    assert len(starts) == 300


@pytest.mark.parametrize("n", CHI_SQUARE)
def test_below_is_uniform(n: int) -> None:
    chance, draws = SplitMix64(2024, n), 200 * n
    counts = Counter(chance.below(n) for _ in range(draws))
    assert set(counts) == set(range(n))
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < CHI_SQUARE[n]


def test_below_has_no_bias_where_the_modulus_matters() -> None:
    """With n = 3 · 2^30 a plain multiplication would hit every third number twice as often."""
    chance, n = SplitMix64(1), 3 << 30
    counts = Counter(chance.below(n) % 3 for _ in range(3000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < CHI_SQUARE[3]


def test_below_one_is_zero() -> None:
    assert SplitMix64(0).below(1) == 0


def test_unit_is_in_its_interval() -> None:
    chance = SplitMix64(3)
    numbers = [chance.unit() for _ in range(1000)]
    assert all(0 <= number < 1 for number in numbers)
    assert abs(sum(numbers) / 1000 - 0.5) < 0.04


def test_shuffle_is_uniform() -> None:
    chance = SplitMix64(11)
    counts: Counter[str] = Counter()
    for _ in range(1200):
        items = list("abc")
        chance.shuffle(items)
        counts["".join(items)] += 1
    assert sorted(counts) == ["abc", "acb", "bac", "bca", "cab", "cba"]
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < CHI_SQUARE[6]


def test_draws_are_pinned() -> None:
    chance = SplitMix64(0)
    assert [chance.below(1000) for _ in range(6)] == [652, 701, 387, 656, 787, 146]
    assert chance.unit() == 0.7786519333063061


@pytest.mark.parametrize(
    ("players", "variant", "seed", "game", "first_cards"),
    [
        (2, "No Variant", 0, 0, "r3 r2 b2 b3 y4 b4 y5 g5 r1 y1"),
        (5, "No Variant", 0, 1, "g5 y3 b3 r3 b1 g1 y4 y1 r4 g3"),
        (3, "Rainbow (6 Suits)", 2024, 7, "m3 p3 y1 p3 m5 b3 m1 m1 r4 p4"),
        (4, "Black (5 Suits)", (1 << 63) - 1, 0, "g4 r5 y2 b2 b2 k5 y3 r3 r1 b1"),
    ],
)
def test_deals_are_pinned(players: int, variant: str, seed: int, game: int, first_cards: str) -> None:
    assert Deal.from_seed(Rules(VARIANTS[variant], players), seed, game).text().startswith(first_cards)


def test_a_thousand_deals_are_pinned() -> None:
    text = "\n".join(Deal.from_seed(Rules(), 1, game).text() for game in range(1000))
    assert sha256(text.encode()).hexdigest() == "428f14cf962eca3aae7f845fdde52a8665d4b21febc2c667818f3509543ccdff"
