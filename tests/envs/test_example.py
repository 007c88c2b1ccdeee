"""The example trains, evaluates and prints, where PyTorch is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "train_ppo.py"


@pytest.mark.full
def test_the_example_learns_something() -> None:
    command = [sys.executable, str(EXAMPLE), "--steps", "250000", "--games", "200"]
    result = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    scores = {line.split()[0]: float(line.split()[-4]) for line in result.stdout.splitlines() if "±" in line}
    assert scores["Trained"] > scores["random"] + 0.5
    assert set(scores) == {"Trained", "random", "rules", "rules(reading=text)", "best"}
