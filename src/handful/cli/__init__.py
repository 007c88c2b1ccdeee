"""The command line: one file a command, which only parses and prints."""

from __future__ import annotations


def run() -> None:
    """Run the command line: what the console script and ``python -m handful`` call.

    What it needs takes a tenth of a second to load. Who presses Ctrl-C meanwhile is answered here.
    """
    try:
        from handful.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        import sys

        print("handful: interrupted", file=sys.stderr)
        sys.exit(130)  # 128 + SIGINT, as shells have it
