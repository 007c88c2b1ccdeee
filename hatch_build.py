"""How a wheel is built: with the compiled kernels of a folder in it, if HANDFUL_COMPILED names one; else without any.

A wheel with kernels is for one platform and one Python; it still has all sources, and compiles what does not fit.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface[Any]):  # type: ignore[misc]  # it has no types here
    """Puts compiled kernels into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder, and say that the wheel is not for every machine."""
        folder = os.environ.get("HANDFUL_COMPILED")
        if folder and self.target_name == "wheel" and version == "standard":
            build_data["force_include"][os.path.abspath(folder)] = "handful/_compiled"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
