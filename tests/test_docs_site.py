"""The documentation site: every page has its place, the reference is written from the code, and it builds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docsite.api import PACKAGES, api_pages, modules_of
from docsite.commands import command_reference
from docsite.doctests import fenced
from docsite.navigation import MORE, SECTIONS, navigation

from handful.cli.main import COMMANDS, load_command

ROOT = Path(__file__).parent.parent
PAGES = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]


def listed(nav: list[str | dict[str, list[str]]]) -> list[str]:
    return [page for part in nav for page in ([part] if isinstance(part, str) else next(iter(part.values())))]


def test_every_page_has_one_place() -> None:
    found = listed(navigation(PAGES, ["reference/commands.md"]))
    assert sorted(found) == sorted([*PAGES, "reference/commands.md"])


def test_a_page_that_is_missing_is_left_out_and_a_new_one_is_not() -> None:
    nav = navigation([page for page in PAGES if page != "rummy.md"] + ["a-new-page.md"], [])
    assert "rummy.md" not in listed(nav)
    assert nav[-1] == {MORE: ["a-new-page.md"]}


def test_pages_that_are_being_written_have_their_place() -> None:
    placed = {page for pages in SECTIONS.values() for page in pages}
    assert {"search.md", "thinking-players.md", "environments.md", "browser.md"} <= placed


def test_the_command_reference_has_every_command_and_option() -> None:
    page = command_reference()
    for name in COMMANDS:
        assert f"\n## handful {name}\n" in page
    assert "### handful rummy advise" in page
    for option in load_command("simulate").params:
        assert f"`{max(option.opts, key=len)}" in page
    assert "`--games G`" in page
    assert "handful reproduce --full --out report-full" in page
    # Outside of code, a bracket or an underscore of the help must not become a link or emphasis.
    assert not re.search(r"(?<!\\)\[default", page)


def test_the_api_reference_has_the_packages_that_there_are() -> None:
    pages = api_pages()
    assert {f"reference/{name}.md" for name in ("hanabi", "playability", "bots", "rummy", "lab")} <= set(pages)
    assert "::: handful.lab.simulate" in pages["reference/lab.md"]
    for package in PACKAGES:
        assert not any("kernel" in name for name in modules_of(package))


def test_doctests_become_code() -> None:
    text = "Returns two.\n\n>>> one + one\n2\n\nMore.\n\n>>> last"
    assert fenced(text) == "Returns two.\n\n```python\n>>> one + one\n2\n```\n\nMore.\n\n```python\n>>> last\n```"
    assert fenced("No examples.") == "No examples."


@pytest.mark.full
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    for page in PAGES:
        assert (tmp_path / page).with_suffix(".html").exists()
    text = (tmp_path / "index.html").read_text()
    fetched = re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)=["']?(https?:[^"' >]*)""", text)
    assert not fetched, "the site fetches nothing"
