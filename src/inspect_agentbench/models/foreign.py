"""Reading JSON that a stranger sent: every function here is total.

A missing key, a wrong type, a silly number or text that cannot be encoded gives None (or nothing), never an
exception.
"""

import json
import math

LONGEST_TEXT_CHARS = 200
LARGEST_COUNT = 10**15


def parse(raw: bytes) -> object:
    """The JSON value in `raw`, or None when there is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):  # ValueError covers bad UTF-8, bad JSON and huge integers
        return None


def dig(value: object, *path: str | int) -> object:
    """What lies at `path` (keys and list positions), or None."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def items(value: object) -> list[dict[str, object]]:
    """The objects of a JSON array; whatever else is in it is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str | None:
    """A short, encodable, non-empty string, or None."""
    if not isinstance(value, str) or not value.strip():
        return None
    # A lone surrogate is valid JSON, but neither pydantic nor a log file takes it.
    return value.strip().encode("utf-8", "backslashreplace").decode()[:LONGEST_TEXT_CHARS]


def count(value: object) -> int | None:
    """A positive whole number of sane size, or None; 8192.0 counts, True and "8192" do not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    whole = int(value)
    return whole if whole == value and 0 < whole <= LARGEST_COUNT else None


def excerpt(raw: bytes) -> str:
    """What came back, as one short line of printable ASCII for an error message."""
    line = " ".join(raw[:1000].decode("utf-8", "replace").split())
    shown = line.encode("ascii", "backslashreplace").decode()
    shown = "".join(char if char.isprintable() else "?" for char in shown)
    return shown if len(shown) <= 160 else shown[:157] + "..."
