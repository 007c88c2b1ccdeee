"""``python -m handful`` is the command `handful`."""

from handful.cli.main import run

if __name__ == "__main__":
    run()
