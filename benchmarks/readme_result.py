"""Write the result that the README shows, by running its command: ``python -m benchmarks.readme_result``."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
MARK = "result of the command above"


def main() -> None:
    """Run the README's first `handful` command and put what it prints below it."""
    before, _, rest = README.read_text().partition(f"<!-- {MARK} -->")
    after = rest.partition(f"<!-- end {MARK} -->")[2]
    command = before.rsplit("$ handful ", 1)[1].splitlines()[0]
    printed = subprocess.run(
        [Path(sys.executable).with_name("handful"), *shlex.split(command)],
        check=True,
        capture_output=True,
        text=True,
        env={"COLUMNS": "100", "NO_COLOR": "1"},
    ).stdout.rstrip()
    README.write_text(f"{before}<!-- {MARK} -->\n```\n{printed}\n```\n<!-- end {MARK} -->{after}")


if __name__ == "__main__":
    main()
