"""Hostile text made fit for a report: short, escaped, ASCII."""

from .inside.wire import Undecodable, decode

MAX_SHOWN = 200


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Printable ASCII of at most `limit` characters; what was cut out of the middle is counted."""
    safe = text.encode("ascii", "backslashreplace").decode("ascii")
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in safe)
    if len(safe) <= limit:
        return safe
    head = limit * 2 // 3
    tail = limit - head
    return f"{safe[:head]}[{len(safe) - limit} more]{safe[-tail:]}"


def show(spelled: str, limit: int = MAX_SHOWN) -> str:
    """A value spelled by wire.py as Python writes it, shortened."""
    try:
        return shorten(repr(decode(spelled)), limit)
    except (Undecodable, ValueError, RecursionError):
        return shorten(spelled, limit)
