"""The sources that are sent into rooms and judges by value, and their hash."""

import hashlib
from functools import cache
from pathlib import Path

_INSIDE = Path(__file__).parent / "inside"


@cache
def inside_source(name: str) -> str:
    """The text of `inside/<name>.py`."""
    return (_INSIDE / f"{name}.py").read_text(encoding="utf-8")


@cache
def grader_hash() -> str:
    """SHA-256 (hex) over everything that runs in rooms and judges."""
    digest = hashlib.sha256()
    for name in ("judge", "runner", "wire", "worker"):
        digest.update(f"{name}\0{inside_source(name)}\0".encode())
    return digest.hexdigest()
