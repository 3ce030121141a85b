"""What a submission changed, as a person reads it."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

MAX_DIFF_CHARACTERS = 60_000
MAX_COMPARISONS = 20_000_000
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
    """The unified diff of two sets of files; undecodable bytes are shown escaped.

    A file whose comparison would take long is shown as removed and written anew.
    """
    touched = tuple(p for p in sorted({*before, *after}) if before.get(p) != after.get(p))
    diffs = [list(_file_diff(path, before.get(path), after.get(path))) for path in touched]
    changed = sum(line.startswith(("+", "-")) for lines in diffs for line in lines[2:])
    text = "\n".join(chain.from_iterable(diffs))
    if len(text) > MAX_DIFF_CHARACTERS:
        text = f"{text[:MAX_DIFF_CHARACTERS]}\n[cut: the diff has {len(text)} characters]"
    return Diff(text, changed, touched)


def _file_diff(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    """The two lines of names, then the hunks."""
    names = (_MISSING if before is None else f"a/{path}", _MISSING if after is None else f"b/{path}")
    old, new = _lines(before), _lines(after)
    if _comparisons(old, new) <= MAX_COMPARISONS:
        return difflib.unified_diff(old, new, *names, lineterm="")
    return _written_anew(old, new, names)


def _comparisons(old: list[str], new: list[str]) -> int:
    """How many pairs of equal lines difflib might visit in the worst case.

    Each match that it finds costs a visit of all pairs that are left. It ignores lines that fill more
    than a hundredth of a long file.
    """
    counts = Counter(new)
    popular = len(new) // 100 + 1 if len(new) >= 200 else len(new)
    pairs = sum(counts[line] for line in old if counts[line] <= popular)
    return pairs * min(len(old), len(new))


def _written_anew(old: list[str], new: list[str], names: tuple[str, str]) -> Iterator[str]:
    yield f"--- {names[0]}"
    yield f"+++ {names[1]}"
    yield f"@@ -1,{len(old)} +1,{len(new)} @@"
    yield from (f"-{line}" for line in old)
    yield from (f"+{line}" for line in new)


def _lines(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8", "backslashreplace")
    return [line.replace("\r", "\\r") for line in text.split("\n")] if text else []
