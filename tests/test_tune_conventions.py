"""``python -m benchmarks.tune_conventions``: a run that is killed goes on as if nothing had happened."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.tune_conventions import main

FEW = ["--population", "4", "--games", "20", "--check", "20", "--seed", "7"]
REPOSITORY = Path(__file__).parents[1]


def test_a_killed_run_comes_to_the_same_weights(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    main([str(whole), "--generations", "4", *FEW])
    command = [sys.executable, "-m", "benchmarks.tune_conventions", str(parts), "--generations", "100000", *FEW]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for _ in range(2):  # generations; the second is told before it is written, and may be lost
            assert run.stdout.readline().startswith("generation")
        run.kill()
    assert run.returncode == -signal.SIGKILL
    reached = json.loads(parts.read_text())["generation"]
    assert reached >= 1
    main([str(whole), "--generations", str(reached + 3), *FEW])
    main([str(parts), "--generations", str(reached + 3), *FEW])
    assert parts.read_bytes() == whole.read_bytes()
    assert json.loads(parts.read_text())["generation"] == reached + 3


def test_a_run_with_other_options_is_not_mixed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "weights.json"
    main([str(out), "--generations", "1", *FEW])
    kept = out.read_bytes()
    with pytest.raises(SystemExit):
        main([str(out), "--generations", "2", *FEW, "--games", "40"])
    assert "is of a run with other options" in capsys.readouterr().err
    assert out.read_bytes() == kept
