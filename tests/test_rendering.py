"""Results show themselves in notebooks: as HTML and as Markdown, with everything escaped."""

from __future__ import annotations

from typing import Any

import pytest

from handful.display import MOST_ITEMS, Listing, Shown, as_html, as_markdown, cell_text


class Sample(Shown):
    def to_dict(self) -> dict[str, Any]:
        return {
            "mean_score": 17.5,
            "bot": "<rules>",
            "link": "https://hanab.live/x?a=1&b=2",
            "is_won": False,
            "none": None,
        }


def test_a_result_is_a_table_of_what_it_has() -> None:
    page, text = Sample()._repr_html_(), Sample()._repr_markdown_()
    assert "<th style='text-align:left'>mean score</th><td>17.5</td>" in page
    assert "<td>&lt;rules&gt;</td>" in page
    assert "<a href='https://hanab.live/x?a=1&amp;b=2'>link</a>" in page
    assert "<rules>" not in page
    assert "| is won | no |" in text
    assert "| none | – |" in text


def test_columns_have_names_and_a_sentence_stands_above() -> None:
    listing = Listing("Two & three.", ("card", "a|b"), [("7D", 1.5)])
    assert as_html(listing) == (
        "<p>Two &amp; three.</p><table><tr><th>card</th><th>a|b</th></tr><tr><td>7D</td><td>1.5</td></tr></table>"
    )
    assert as_markdown(listing).splitlines() == [
        "Two & three.",
        "",
        "| card | a\\|b |",
        "| --- | --- |",
        "| 7D | 1.5 |",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((0.25, 0.5), "0.25 to 0.5"),
        ([1, 2], "1, 2"),
        ([], ""),
        (list(range(MOST_ITEMS)), "0, 1, 2, 3, 4, 5, 6, 7"),
        (list(range(MOST_ITEMS + 1)), "9 values"),
        ({"pace": 3}, "pace 3"),
        ({str(number): number for number in range(20)}, "20 values"),
        (41.887345371, "41.8873"),
        (True, "yes"),
    ],
)
def test_values_are_short(value: object, text: str) -> None:
    assert cell_text(value) == text


def test_what_cannot_say_what_it_has_cannot_be_shown() -> None:
    class Silent(Shown):
        pass

    with pytest.raises(TypeError, match="to_dict"):
        Silent()  # type: ignore[abstract]
