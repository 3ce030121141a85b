"""How a known fix is typed in: a small unique replacement where there is one, otherwise the whole file."""

from difflib import SequenceMatcher
from typing import NamedTuple

_MOST_LINES = 40


class Replacement(NamedTuple):
    """One `str_replace`."""

    old: str
    new: str


def replacement(before: bytes, after: bytes) -> Replacement | None:
    """The edit from `before` to `after` as one replacement of text that stands in `before` once.

    None where the edit is too long, or the file is new or no text: then the whole file is written.
    """
    try:
        old, new = before.decode().splitlines(keepends=True), after.decode().splitlines(keepends=True)
    except UnicodeDecodeError:
        return None
    span = _changed(old, new)
    while span is not None and span.old_end - span.start <= _MOST_LINES:
        piece = "".join(old[span.start : span.old_end])
        if piece and _stands_once(piece, "".join(old)):
            return Replacement(piece, "".join(new[span.start : span.new_end]))
        span = _widened(span, len(old))
    return None


class _Span(NamedTuple):
    """The changed lines: equal before `start`, and equal from the two ends on."""

    start: int
    old_end: int
    new_end: int


def _changed(old: list[str], new: list[str]) -> _Span | None:
    blocks = [op for op in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if op[0] != "equal"]
    return _Span(blocks[0][1], blocks[-1][2], blocks[-1][4]) if blocks else None


def _widened(span: _Span, lines: int) -> _Span | None:
    start, end = max(span.start - 1, 0), min(span.old_end + 1, lines)
    if (start, end) == (span.start, span.old_end):
        return None
    return _Span(start, end, span.new_end + end - span.old_end)


def _stands_once(piece: str, text: str) -> bool:
    """Whether the piece is at one place only; places may overlap, which `str.count` does not see."""
    return text.find(piece) == text.rfind(piece)
