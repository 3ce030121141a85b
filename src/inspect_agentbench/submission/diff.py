"""What a submission changed, as a person reads it."""

import difflib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

MAX_DIFF_CHARACTERS = 60_000
_MISSING = "/dev/null"


class Diff(NamedTuple):
    """The difference between two sets of files."""

    text: str
    """Unified diff, cut at MAX_DIFF_CHARACTERS."""
    lines: int
    """Lines added plus lines removed, of the whole diff."""
    files: tuple[str, ...]
    """Files changed, added or removed."""


def diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Diff:
    """The unified diff of two sets of files; undecodable bytes are shown escaped."""
    touched = tuple(p for p in sorted({*before, *after}) if before.get(p) != after.get(p))
    lines = [line for path in touched for line in _file_diff(path, before.get(path), after.get(path))]
    changed = sum(line.startswith(("+", "-")) and not line.startswith(("+++ ", "--- ")) for line in lines)
    text = "\n".join(lines)
    if len(text) > MAX_DIFF_CHARACTERS:
        text = f"{text[:MAX_DIFF_CHARACTERS]}\n[cut: the diff has {len(text)} characters]"
    return Diff(text, changed, touched)


def _file_diff(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    names = (_MISSING if before is None else f"a/{path}", _MISSING if after is None else f"b/{path}")
    return difflib.unified_diff(_lines(before), _lines(after), *names, lineterm="")


def _lines(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8", "backslashreplace")
    return [line.replace("\r", "\\r") for line in text.split("\n")] if text else []
