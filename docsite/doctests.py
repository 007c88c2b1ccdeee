"""Examples in docstrings are shown as code: a griffe extension that puts a fence around every doctest."""

from __future__ import annotations

from typing import Any

import griffe


class FencedDoctests(griffe.Extension):
    """Puts fences around the doctests of every docstring, before it is read as Markdown."""

    def on_instance(self, *, obj: Any, **_others: Any) -> None:
        """Change the docstring of an object that was just loaded."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with fences around its doctests, each up to the next empty line."""
    lines, is_inside = [], False
    for line in text.splitlines():
        if not is_inside and line.lstrip().startswith(">>>"):
            lines.append("```python")
            is_inside = True
        elif is_inside and not line.strip():
            lines.append("```")
            is_inside = False
        lines.append(line)
    if is_inside:
        lines.append("```")
    return "\n".join(lines)
