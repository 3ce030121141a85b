"""Which machine a run happened on: processor, memory, graphics cards. Total: what is not known is None."""

import functools
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

_TOOL_SECONDS = 5.0
_GPU_TOOLS = (
    ("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"),
    ("rocm-smi", "--showproductname", "--showdriverversion", "--csv"),
)


@functools.cache
def host() -> dict[str, Any]:
    """CPU model, cores, memory in GiB, system, and what a vendor's tool tells of graphics cards."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gib": _memory_gib(),
        "system": f"{platform.system()} {platform.machine()}",
        "gpus": _gpus(),
    }


def _cpu() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or None
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, None)


def _memory_gib() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (OSError, ValueError):
        return None


def _gpus() -> list[str]:
    """One line for each card, as the first tool that answers puts it."""
    for command in _GPU_TOOLS:
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_TOOL_SECONDS, check=True, errors="replace"
            )
        except (OSError, subprocess.SubprocessError):
            continue
        return [" ".join(line.split()) for line in done.stdout.splitlines() if line.strip()][:16]
    return []
