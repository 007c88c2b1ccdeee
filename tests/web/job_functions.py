"""Jobs for the tests: what their processes import."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from handful.errors import NotationError


def double(args: dict[str, Any], report: Callable[..., None]) -> int:
    print("what a computation prints gets lost")
    report(1, 2, "half of it")
    number: int = args["number"]
    if number < 0:
        raise NotationError(f"number {number}: expected at least 0")
    return number * 2


def fail(_args: dict[str, Any], _report: Callable[..., None]) -> None:
    raise ZeroDivisionError("a secret detail")


def never_end(args: dict[str, Any], report: Callable[..., None]) -> None:
    """Start another process, say both ids, and wait for ever."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    Path(args["file"]).write_text(f"{other.pid}")
    report(0, 0, "at it")
    other.wait()


def tell_parts(args: dict[str, Any], report: Any) -> int:
    """Tell parts of the result; with `for_ever`, always another one."""
    number = 0
    while number < 3 or args.get("for_ever"):
        report.partial(number)
        number += 1
        if number >= 3:
            time.sleep(0.01)
    return number
