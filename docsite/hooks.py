"""What MkDocs calls: the pages that are written from the code are added, and all pages get their place."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
if str(ROOT) not in sys.path:  # MkDocs loads this file by its path
    sys.path.insert(0, str(ROOT))

from docsite.api import api_pages  # noqa: E402
from docsite.commands import command_reference  # noqa: E402
from docsite.navigation import navigation  # noqa: E402

_generated: dict[str, str] = {}


def on_config(config: Any) -> Any:
    """Make the generated pages, and the navigation of all pages that there are."""
    _generated.clear()
    _generated.update({"reference/commands.md": command_reference(), **api_pages()})
    folder = Path(config.docs_dir)
    pages = [path.relative_to(folder).as_posix() for path in folder.rglob("*.md")]
    config.nav = navigation(pages, _generated)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    for path, text in _generated.items():
        files.append(File.generated(config, path, content=text))
    return files
