"""Which commit of this package runs, where that can be known."""

import functools
import subprocess
from pathlib import Path

_SECONDS = 5.0
_ROOT = Path(__file__).parents[2]


@functools.cache
def package_commit() -> str | None:
    """The commit of the source tree, with `+changed` if files differ from it; None for an installed wheel."""
    if not (_ROOT / ".git").exists():
        return None
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return None
    return f"{commit}+changed" if _git("status", "--porcelain", "--untracked-files=no") else commit


def _git(*words: str) -> str | None:
    command = ["git", "-C", str(_ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
