"""Hostile text made fit for a report: short, escaped, ASCII."""

import os.path

from .inside.wire import Undecodable, decode

MAX_SHOWN = 200
_CONTEXT = 30
"""Characters shown before the place where two texts part."""


def shorten(text: str, limit: int = MAX_SHOWN) -> str:
    """Printable ASCII of at most `limit` characters; what was cut out of the middle is counted."""
    safe = _escaped(text)
    if len(safe) <= limit:
        return safe
    head = limit * 2 // 3
    tail = limit - head
    return f"{safe[:head]}[{len(safe) - limit} more]{safe[-tail:]}"


def _escaped(text: str) -> str:
    safe = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in safe)


def show(spelled: str, limit: int = MAX_SHOWN) -> str:
    """A value spelled by wire.py as Python writes it, shortened."""
    return shorten(_python(spelled), limit)


def show_pair(expected: str, got: str, limit: int = MAX_SHOWN) -> tuple[str, str]:
    """Two spelled values as Python writes them; where they are long, shown from where they part."""
    texts = (_escaped(_python(expected)), _escaped(_python(got)))
    alike = len(os.path.commonprefix(texts)) - _CONTEXT  # noqa: RUF071 - characters are meant
    if alike <= 0 or max(map(len, texts)) <= limit:
        return shorten(texts[0], limit), shorten(texts[1], limit)
    first, second = (f"[{alike} alike]{shorten(text[alike:], limit)}" for text in texts)
    return first, second


def _python(spelled: str) -> str:
    try:
        return repr(decode(spelled))
    except (Undecodable, ValueError, RecursionError):
        return spelled
