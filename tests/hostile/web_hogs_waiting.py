"""Bots that wait; the system ends them after 1000 seconds of a core."""

from __future__ import annotations

from tests.hostile.web_hogs import main

if __name__ == "__main__":
    main("wait", 1000)
