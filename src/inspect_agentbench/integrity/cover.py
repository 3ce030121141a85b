"""Covering hidden material in text that is to be published.

Stricter than evidence: one line that stands only in hidden files is covered, and nobody is accused by it.
"""

import re
from typing import Final

from .hidden import Hidden

CANARY: Final = "[hidden canary]"
LINE: Final = "[hidden line]"
MIN_LINE: Final = 25
"""A hidden line of so many characters, which stands in nothing that is told, is nobody's own by chance."""
_BREAK: Final = re.compile(r"(\r?\n|\\n)")
"""A line break, also as it is spelled inside a JSON string: what a model asked for is logged as such."""
_NUMBERED: Final = re.compile(r"^\s*\d+\s*[\t:|-]\s?")
"""What `cat -n` and `grep -n` put before a line."""


def covered(hidden: Hidden, text: str) -> str:
    """The text without a family's canaries and hidden lines; the same object if there is none."""
    for canary in hidden.canaries:
        text = text.replace(canary, CANARY)
    if not any(_is_hidden(hidden, piece) for piece in _BREAK.split(text)):
        return text
    return "".join(LINE if _is_hidden(hidden, piece) else piece for piece in _BREAK.split(text))


def _is_hidden(hidden: Hidden, piece: str) -> bool:
    line = _NUMBERED.sub("", piece.replace('\\"', '"')).strip()
    return len(line) >= MIN_LINE and line in hidden.own_lines
