"""Many command lines in one process with two gigabytes: a JSON list of them comes in, what they say goes out."""

from __future__ import annotations

import json
import resource
import sys

from typer.testing import CliRunner

from handful.cli.main import app
from tests.hostile.generators import MEMORY


def run_all(lines: list[list[str]]) -> list[tuple[int, str, str]]:
    """Return for each command line its exit code, and what it wrote to standard output and standard error."""
    came = []
    for words in lines:
        result = CliRunner().invoke(app, words)
        error = "" if result.exception is None or isinstance(result.exception, SystemExit) else repr(result.exception)
        came.append((result.exit_code, result.stdout, result.stderr + error))
    return came


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(run_all(json.load(sys.stdin))))
