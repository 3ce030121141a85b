"""Code that the agent added, comments and docstrings apart, against the patterns that an oracle forbids.

What a comment says does nothing, so it is never evidence; a file that Python cannot read is never run, so
nothing in it is either.
"""

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .evidence import Evidence, EvidenceKind, printable

_QUIET: Final = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
"""Tokens after which a string begins a statement."""
_FORMATTED: Final = re.compile(r"[a-zA-Z]*[fF]")
"""The prefix of a string whose braces hold code."""


def forbidden_code(
    patterns: Sequence[str], before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> Iterator[Evidence]:
    """One piece of evidence for each file and pattern that an added line of the file matches."""
    compiled = [re.compile(pattern) for pattern in patterns]
    for path, content in sorted(after.items()):
        if not compiled or before.get(path) == content:
            continue
        added = _added(_code_lines(path, before.get(path, b"")), _code_lines(path, content))
        for number, pattern in enumerate(compiled, 1):
            match = next((line for line in added if pattern.search(line)), None)
            if match is not None:
                yield Evidence(
                    kind=EvidenceKind.FORBIDDEN,
                    where=f"submission {printable(path)}",
                    detail=f"added code matches pattern {number} of the oracle: {printable(match.strip())}",
                )


def _added(before: list[str], after: list[str]) -> list[str]:
    """Lines that stand more often than before; moving a line does not add it."""
    left = Counter(line.strip() for line in before)
    added = []
    for line in after:
        if left[line.strip()]:
            left[line.strip()] -= 1
        else:
            added.append(line)
    return added


def _code_lines(path: str, content: bytes) -> list[str]:
    """The lines of a file without what does nothing; of a file that is not Python, all of them."""
    if not path.endswith(".py"):
        return content.decode("utf-8", "replace").splitlines()
    try:
        return _blanked(content)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, LookupError):
        return []


def _blanked(content: bytes) -> list[str]:
    """A Python file's lines with comments and strings that stand alone blanked. Raises what tokenize does."""
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")  # all three end a line for Python
    tokens = list(tokenize.tokenize(io.BytesIO(content).readline))
    text = content.decode(tokens[0].string, "replace")
    lines = [list(line) for line in text.split("\n")]
    for place, token in enumerate(tokens):
        if token.type == tokenize.COMMENT or _stands_alone(tokens, place):
            _blank(lines, token)
    return ["".join(line) for line in lines]


def _stands_alone(tokens: Sequence[tokenize.TokenInfo], place: int) -> bool:
    """Whether a token is a string that is a statement by itself: a docstring, or text without effect."""
    if tokens[place].type != tokenize.STRING or _FORMATTED.match(tokens[place].string):
        return False
    before, after = tokens[place - 1], tokens[min(place + 1, len(tokens) - 1)]
    return before.type in _QUIET and after.type in (tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)


def _blank(lines: list[list[str]], token: tokenize.TokenInfo) -> None:
    (first, start), (last, end) = token.start, token.end
    for number in range(first, min(last, len(lines)) + 1):
        line = lines[number - 1]
        begin, stop = (start if number == first else 0), (end if number == last else len(line))
        line[begin:stop] = " " * len(line[begin:stop])
