"""How much more memory a process needs for an episode of ours than for a bare Inspect sample."""

import subprocess
import sys

from .results import Figure, at_most
from .setting import BenchmarkFailed, Setting
from .timing import alternate

NAME = "memory"
_SECONDS = 300


def measure(setting: Setting) -> list[Figure]:
    """Each in processes of their own, in turns."""
    pairs = alternate(lambda: _peak(setting, "ours"), lambda: _peak(setting, "bare"), setting.repeat)
    return [
        Figure(NAME, "peak, ours less bare", "MB", pairs.differences, at_most(150)),
        Figure(NAME, "peak, ours", "MB", pairs.first),
        Figure(NAME, "peak, bare", "MB", pairs.second),
    ]


def _peak(setting: Setting, what: str) -> float:
    """Megabytes, from the last line that the child prints."""
    command = [sys.executable, "-m", "benchmarks.memory_child", what, str(setting.folder)]
    command.append(setting.image.tag)
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode != 0:
        raise BenchmarkFailed(f"`{' '.join(command)}` failed: {done.stderr.strip()[-500:]}")
    return float(done.stdout.split()[-1])
