from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handful.cli.main import app
from handful.reproduce.contents import Experiment
from handful.reproduce.outcome import Line, Outcome, Source

pytest.importorskip("matplotlib")


def test_the_table_ends_with_the_path_of_the_report(tmp_path: Path) -> None:
    out = tmp_path / "report"
    result = CliRunner().invoke(app, ["reproduce", "--only", "bergh-2016-playing-cards", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "Bergh et al. 2016" in result.stdout
    assert result.stdout.rstrip().endswith(str(out / "report.html"))
    assert (out / "report.md").exists()


def test_json_is_a_list_and_nothing_else(tmp_path: Path) -> None:
    arguments = ["reproduce", "--only", "baffier-2016-figure-3", "--out", str(tmp_path), "--json"]
    result = CliRunner().invoke(app, arguments)
    (found,) = json.loads(result.stdout)
    assert {"name", "source", "published", "ours", "verdict", "reason", "further", "lines"} <= set(found)
    assert found["verdict"] == "differs"
    assert "third copy" in found["reason"]


def test_the_experiments_can_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["reproduce", "--list", "--only", "finkle-2017-appendix"])
    assert result.stdout.split() == ["finkle-2017-appendix-7.2", "finkle-2017-appendix-7.3"]
    assert json.loads(CliRunner().invoke(app, ["reproduce", "--list", "--json"]).stdout)[0] == "bergh-2015-theorem-3.25"
    assert not list(tmp_path.iterdir())


def test_an_unknown_name_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["reproduce", "--only", "bergh", "--out", str(tmp_path), "--list"])
    assert result.exit_code == 0
    result = CliRunner().invoke(app, ["reproduce", "--only", "nobody", "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "there is no experiment 'nobody'" in result.stderr


def test_a_difference_without_a_reason_is_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def strange(self: Experiment, effort: object) -> Outcome:
        return Outcome(self.name, "Strange", Source("S", "1"), "1", "2", (Line.exact("a", 1, 2),))

    monkeypatch.setattr(Experiment, "run", strange)
    arguments = ["reproduce", "--only", "doorn-win-rates", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert "nobody knows why: doorn-win-rates" in result.stderr
