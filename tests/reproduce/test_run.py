"""The report: its pages, its figures, and that a full run goes on where it stopped."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from handful.errors import HandfulError
from handful.reproduce import run
from handful.reproduce.contents import Experiment, experiments_named
from handful.reproduce.outcome import Effort, Line, Outcome, Picture, Source
from handful.reproduce.report import MOST_LINES, html_page, markdown_page, shown_lines
from handful.reproduce.run import reproduce

pytest.importorskip("matplotlib")
NAMES = ["bergh-2016-playing-cards", "baffier-2016-figure-1", "baffier-2016-figure-3"]


def test_both_pages_and_all_figures_are_written(tmp_path: Path) -> None:
    told = []
    found = reproduce(experiments_named(NAMES), tmp_path / "report", Effort(most=50), lambda *each: told.append(each))
    files = {path.name for path in (tmp_path / "report").rglob("*") if path.is_file()}
    assert files == {
        "report.md",
        "report.html",
        *(f"baffier-2016-figure-{number}.{kind}" for number in (1, 3) for kind in ("svg", "png")),
    }
    assert found.page == tmp_path / "report" / "report.html"
    assert not found.unexplained
    page, text = found.page.read_text(), (tmp_path / "report" / "report.md").read_text()
    for outcome in found.outcomes:
        assert outcome.title in text
        assert outcome.name in page
    assert page.count("data:image/svg+xml;base64,") == 2
    assert not re.search(r"""(src|href)=['"](?!data:|#)""", page), "the page needs nothing else"
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (tmp_path / "report" / target).exists()
    assert told[0] == (NAMES[0], 0)
    assert told[-1] == ("the report", 3)


def test_a_full_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    effort = Effort(full=True, most=50)
    chosen = experiments_named(NAMES)
    first = reproduce(chosen, tmp_path, effort)

    def not_again(self: Experiment, effort: Effort) -> Outcome:
        raise AssertionError(f"{self.name} is run again")

    monkeypatch.setattr(Experiment, "run", not_again)
    again = reproduce(chosen, tmp_path, effort)
    assert [outcome.to_dict() for outcome in again.outcomes] == [outcome.to_dict() for outcome in first.outcomes]
    (tmp_path / "figures" / "baffier-2016-figure-1.png").unlink()
    with pytest.raises(AssertionError, match="baffier-2016-figure-1 is run again"):
        reproduce(chosen, tmp_path, effort)
    monkeypatch.setattr(run, "code_version", lambda: "another")
    with pytest.raises(AssertionError, match="bergh-2016-playing-cards is run again"):
        reproduce(chosen, tmp_path, effort)


def test_a_damaged_file_of_a_full_run_is_not_used(tmp_path: Path) -> None:
    effort, chosen = Effort(full=True, most=50), experiments_named(NAMES[:1])
    reproduce(chosen, tmp_path, effort)
    (tmp_path / "finished" / f"{NAMES[0]}.json").write_text("{")
    assert reproduce(chosen, tmp_path, effort).outcomes[0].verdict == "same"
    assert json.loads((tmp_path / "finished" / f"{NAMES[0]}.json").read_text())["verdict"] == "same"


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a-file"
    file.write_text("")
    with pytest.raises(HandfulError, match="expected a folder"):
        reproduce(experiments_named(NAMES[:1]), file)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HandfulError, match=r"pip install 'handful\[plots\]'"):
        reproduce(experiments_named(NAMES[:1]), tmp_path)


def test_signs_of_markup_are_shown_as_they_are(tmp_path: Path) -> None:
    line = Line("x < y | `code`", "<b>", "&", "differs", 1, "because 1 < 2")
    picture = Picture("a", "it's <so>", lambda sheet: None)
    outcome = Outcome("a", "A <title>", Source("S", "Table 1"), "<1>", "`2`", (line,), "", (picture,))
    (tmp_path / "a.svg").write_text("<svg/>")
    page = html_page([outcome], tmp_path, False)
    assert "A &lt;title&gt;" in page
    assert "<code>code</code>" in page
    assert "<b>" not in page
    assert "it&#x27;s &lt;so&gt;" in page
    assert "x < y \\| `code`" in markdown_page([outcome], False)


def test_long_tables_are_cut_but_never_what_differs() -> None:
    lines = [Line.exact(str(number), 1, 1) for number in range(500)]
    lines += [Line.exact("slip", 1, 2, "a slip"), Line.further("more", 3)]
    shown, left_out = shown_lines(lines)
    assert len(shown) < MOST_LINES
    assert left_out + len(shown) == len(lines)
    assert {"slip", "more"} <= {line.what for line in shown}
    assert shown_lines(lines[-3:]) == (lines[-3:], 0)
