"""Bots that spin; the system ends them after 1 seconds of a core."""

from __future__ import annotations

from tests.hostile.web_hogs import main

if __name__ == "__main__":
    main("spin", 1)
