"""Every suit has colours, a shape of its own, and a value that can be read on it."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from handful.hanabi.listing import LAST_ID
from handful.hanabi.suits import MULTICOLOUR, SUITS, Suit
from handful.hanabi.variants import Variant, variant_with_live_id
from handful.web.rendering import environment
from handful.web.suit_pictures import class_of, contrast, gradients, ground_of, ink_of, mark_of, stylesheet, symbols
from handful.web.suit_shapes import path_of
from tests.web.lab import Lab

EVERY = [*SUITS.values(), MULTICOLOUR]


@pytest.mark.parametrize("suit", EVERY, ids=lambda suit: suit.name)
def test_a_value_can_be_read_on_every_suit(suit: Suit) -> None:
    assert contrast(ink_of(suit), ground_of(suit)) >= 4.5
    grounds = {"#ecebe5", "#ffffff", "#272a33", "#1e2027"}
    assert all(contrast(mark_of(suit, ground), ground) >= 3 for ground in grounds)


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.005)
    assert contrast("#0000ff", "#ffffff") == pytest.approx(8.59, abs=0.005)


def test_the_stylesheet_and_the_symbols_have_every_suit(lab: Lab) -> None:
    page = lab.client.get("/play").text
    address = re.search(r'href="(/static/suits\.css\?\w+)"', page)
    assert address is not None
    answer = lab.client.get(address[1])
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.text == stylesheet()
    assert "style=" not in page
    names, stripes = {name for name, _path, _bar in symbols()}, dict(gradients())
    for suit in EVERY:
        name = class_of(suit)
        assert name != "suit-other"
        assert f".{name} {{" in answer.text
        assert name in names
        assert f'<symbol id="{name}"' in page
        if len(suit.fill) > 1:
            assert f'url("#{name}-stripes")' in answer.text
            assert {colour for _offset, colour in stripes[f"{name}-stripes"]} == set(suit.fill)
            assert f'<linearGradient id="{name}-stripes"' in page


def test_every_suit_is_drawn_with_its_value_and_name() -> None:
    template = environment().from_string('{% import "cards.html" as cards %}{{ cards.card(suit, "S") }}')
    for suit in EVERY:
        drawn = template.render(suit=suit)
        assert f'<use class="card-shape" href="#{class_of(suit)}"' in drawn
        assert f'aria-label="{suit.name.lower()} start"' in drawn
        assert ("card-plate" in drawn) == (len(suit.fill) > 1)


def test_the_suits_of_a_variant_and_of_its_hints_have_different_shapes() -> None:
    together: set[tuple[str, str]] = set()
    for live_id in range(LAST_ID + 1):
        variant = variant_with_live_id(live_id)
        together.update(combinations(sorted({suit.name for suit in (*variant.suits, *variant.hint_suits)}), 2))
    alike = [pair for pair in together if path_of(pair[0]) == path_of(pair[1])]
    assert len(together) > 500
    assert not alike


def test_suits_of_other_names_share_a_look() -> None:
    assert {class_of(suit) for suit in Variant.custom(suits=20).suits[11:]} == {"suit-other"}
