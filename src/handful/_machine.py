"""What this machine has to work with: cores and memory."""

from __future__ import annotations

import os
from pathlib import Path


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory_mb() -> float:
    """Return how much memory is free, so far as the system tells; otherwise, that there is little."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return float(lines["MemAvailable"].split()[0]) / 1e3
    except (OSError, KeyError, ValueError, IndexError):
        return 2000.0


def peak_memory_mb() -> float:
    """Return the most memory that this process has had, so far as the system tells."""
    try:
        import resource
    except ImportError:  # not there on Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if os.uname().sysname == "Darwin" else 1e3)
