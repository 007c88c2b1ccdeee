"""A real browser for the tests: Chromium as the system has it, led by Playwright. Without it they are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.lab import Lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = (1280, 900), (375, 740)
MILLISECONDS = 60_000  # after which what a test waits for has not happened

NewPage = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: .ci/install-chromium installs it where it can")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab"), bot_pause=0.0) as opened:
        yield opened


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Return a function that opens a page as somebody else; at the end no page may have complained of anything.

    `allowed` are pieces of complaints that a test provokes.
    """
    complaints: list[str] = []

    with ExitStack() as contexts:

        def opened(size: tuple[int, int] = WIDE, allowed: tuple[str, ...] = (), **settings: Any) -> Page:
            context: BrowserContext = browser.new_context(viewport={"width": size[0], "height": size[1]}, **settings)
            contexts.callback(context.close)
            context.set_default_timeout(MILLISECONDS)
            page = context.new_page()

            # Who takes a picture hides the cursor by a style of their own, which the policy of our pages forbids.
            expected = allowed if screenshot_folder() is None else (*allowed, "Applying inline style")

            def complain(text: str) -> None:
                if not any(piece in text for piece in expected):
                    complaints.append(text)

            page.on("console", lambda said: complain(said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: complain(str(error)))
            # Whatever a page asks of another machine is a mistake.
            page.on("request", lambda asked: None if "//127.0.0.1:" in asked.url else complain(f"asks {asked.url}"))
            return page

        yield opened
    assert not complaints


def shown_layout_shift(page: Page) -> float:
    """Return how much of the page has moved since it was loaded, as browsers count it (the bar for "good" is 0.1)."""
    found: float = page.evaluate(
        """() => new Promise((resolve) => {
            let total = 0;
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)));
        })"""
    )
    return found


def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the screen."""
    found: int = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return found


def screenshot_folder() -> Path | None:
    """Return where screenshots go, if somebody wants to look at them."""
    folder = os.environ.get("HANDFUL_SCREENSHOTS")
    return Path(folder) if folder else None


def keep_screenshot(page: Page, name: str) -> None:
    """Keep a picture of the page, if somebody wants to look at it."""
    if (folder := screenshot_folder()) is not None:
        page.screenshot(path=folder / f"{name}.png", full_page=True)
