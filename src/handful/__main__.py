"""``python -m handful`` is the command `handful`."""

from handful.cli import run

if __name__ == "__main__":
    run()
