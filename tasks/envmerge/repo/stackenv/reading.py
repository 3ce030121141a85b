"""One environment file, line by line."""

import re
from typing import NamedTuple

SET = "set"
DEFAULT = "default"
UNSET = "unset"

BLANKS = " \t"
KEY = r"[A-Za-z_][A-Za-z0-9_]*"
ASSIGNMENT = re.compile(rf"(?:export[ \t]+)?({KEY})[ \t]*(\??=)(.*)", re.DOTALL)
REMOVAL = re.compile(rf"unset[ \t]+({KEY})")
COMMENT_START = re.compile(r"(?:^|[ \t])#")
ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


class EnvFileError(ValueError):
    """A line that is no comment, assignment, default or removal."""

    def __init__(self, path, number, reason):
        super().__init__(f"{path}:{number}: {reason}")
        self.path = path
        self.number = number
        self.reason = reason


class Entry(NamedTuple):
    """What one line says."""

    action: str  # SET, DEFAULT or UNSET
    key: str
    value: str  # empty for UNSET


def read_entries(path):
    """Yield the entries of a file from top to bottom."""
    with open(path, encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                entry = parse_line(line.removesuffix("\n").removesuffix("\r"))
            except ValueError as error:
                raise EnvFileError(path, number, str(error)) from None
            if entry is not None:
                yield entry


def parse_line(line):
    """Return the entry of a line, None where it says nothing."""
    line = line.strip(BLANKS)
    if not line or line.startswith("#"):
        return None
    removal = REMOVAL.fullmatch(line)
    if removal:
        return Entry(UNSET, removal[1], "")
    assignment = ASSIGNMENT.fullmatch(line)
    if assignment is None:
        raise ValueError(f"cannot read {line!r}")
    key, sign, text = assignment.groups()
    return Entry(SET if sign == "=" else DEFAULT, key, parse_value(text))


def parse_value(text):
    """Return the value that stands after the sign."""
    stripped = text.strip(BLANKS)
    if stripped.startswith("'"):
        return single_quoted(stripped)
    if stripped.startswith('"'):
        return double_quoted(stripped)
    comment = COMMENT_START.search(text)
    return (text[: comment.start()] if comment else text).strip(BLANKS)


def single_quoted(text):
    end = text.find("'", 1)
    if end < 0:
        raise ValueError("a single quote is not closed")
    check_rest(text[end + 1 :])
    return text[1:end]


def double_quoted(text):
    value = []
    position = 1
    while position < len(text):
        character = text[position]
        if character == '"':
            check_rest(text[position + 1 :])
            return "".join(value)
        follower = text[position + 1 : position + 2]
        if character == "\\" and follower in ESCAPES:
            character = ESCAPES[follower]
            position += 1
        value.append(character)
        position += 1
    raise ValueError("a double quote is not closed")


def check_rest(rest):
    """Only blanks and a comment may follow a closing quote."""
    rest = rest.strip(BLANKS)
    if rest and not rest.startswith("#"):
        raise ValueError(f"{rest!r} stands after the closing quote")
