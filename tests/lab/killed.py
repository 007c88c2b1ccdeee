"""Commands that are killed in the middle, for tests of what survives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def killed_after(what: str, *words: str) -> None:
    """Run a command line in a process of its own, and kill it the hard way once so many chunks or trials are done."""
    command = [sys.executable, "-m", "tests.lab.tunable", f"--stop-after={what}", *words]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        told = process.stdout.readline()
        process.kill()
        _, complaint = process.communicate()
    assert told == "committed\n", complaint
    assert process.returncode == -9


def finished(*words: str) -> Any:
    """Run a command line in a process of its own to its end, and return what it prints as JSON."""
    command = [sys.executable, "-m", "tests.lab.tunable", *words, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
