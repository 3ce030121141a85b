"""Where this package keeps what it can make again: measured fingerprints, build logs, judge answers."""

import os
import tempfile
from pathlib import Path

import platformdirs

CACHE_VARIABLE = "AGENTBENCH_CACHE"


def cache_folder(name: str) -> Path:
    """A folder of that name in the user's cache (or in AGENTBENCH_CACHE), made if it is missing."""
    named = os.environ.get(CACHE_VARIABLE)
    root = Path(named).expanduser() if named else platformdirs.user_cache_path("inspect_agentbench")
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, content: bytes) -> None:
    """Put the content at the path so that a reader sees the old file or the new one, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
