"""Enough of the shell's grammar to tell which programs a command line runs, and how they are joined.

Quotes, comments, redirections and here-documents are understood; what is nested deeper than that is only
marked as not plain. Nothing here runs anything, and every text has an answer.
"""

import re
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"""
    (?P<blank>(?:[^\S\n]|\\\n)+)
  | (?P<comment>\#[^\n]*)
  | (?P<document><<-?[ \t]*(?P<delimiter>'[^']*'|"[^"]*"|[\w\\.-]+))
  | (?P<redirection>\d*(?:<<<|>>|>\||<>|>&|<&|>|<)|&>>?)
  | (?P<operator>&&|\|\||;;|\|&|[;|&\n()])
  | (?P<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|\$\((?:[^()]|\([^()]*\))*\)|[^\s;|&()<>\\'"`])+)
  | (?P<odd>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED: Final = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_SUBSTITUTION: Final = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`")
_BEFORE_A_COMMAND: Final = {"if", "elif", "then", "else", "while", "until", "do", "!", "{"}
_NO_COMMAND: Final = {"for", "case", "select", "function", "fi", "done", "esac", "}", "in"}


class Command(NamedTuple):
    """One simple command: its words without redirections, and the operators on both sides of it."""

    words: tuple[str, ...]
    before: str
    """Empty at the beginning; line ends are `;`."""
    after: str
    """Empty at the end."""


class Line(NamedTuple):
    """What a command line consists of."""

    commands: tuple[Command, ...]
    plain: bool
    """Without conditions, loops, functions and negations: the operators alone say what runs."""
    inner: tuple[str, ...]
    """The texts of its command substitutions."""


def parse(text: str) -> Line:
    """The commands of a command line, in order."""
    return _Parser(text).line()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._commands: list[Command] = []
        self._inner: list[str] = []
        self._plain = True
        self._words: list[str] = []
        self._before = ""
        self._delimiters: list[str] = []
        self._redirected = False

    def line(self) -> Line:
        position = 0
        while (match := _TOKEN.match(self._text, position)) is not None:
            position = match.end()
            self._take(match)
            if match.group() == "\n" and self._delimiters:
                position = self._skip_documents(position)
        self._end_command("")
        return Line(tuple(self._commands), self._plain, tuple(self._inner))

    def _take(self, match: re.Match[str]) -> None:
        token = match.group()
        if match["document"]:
            self._delimiters.append(_unquoted(match["delimiter"]))
        elif match["redirection"]:
            self._redirected = True
        elif match["operator"]:
            self._operator(token)
        elif match["word"]:
            self._word(token)
        elif match["odd"]:
            self._plain = False  # a quote without its end

    def _word(self, token: str) -> None:
        if self._redirected:
            self._redirected = False
            return
        found = _SUBSTITUTION.findall(re.sub(r"'[^']*'", "", token))
        self._inner += [dollar or backticks for dollar, backticks in found]
        self._words.append(_unquoted(token))

    def _operator(self, operator: str) -> None:
        if operator in "()":
            self._plain &= not (operator == "(" and self._words)  # the name of a function stands before it
        else:
            self._end_command({"\n": ";", ";;": ";", "|&": "|"}.get(operator, operator))

    def _end_command(self, operator: str) -> None:
        while self._words and self._words[0] in _BEFORE_A_COMMAND:
            self._plain, self._words = False, self._words[1:]
        if self._words and self._words[0] in _NO_COMMAND:
            self._plain, self._words = False, []
        if self._words:
            self._commands.append(Command(tuple(self._words), self._before, operator))
            self._words, self._before = [], operator
        elif operator != ";":
            self._before = operator
        self._redirected = False

    def _skip_documents(self, position: int) -> int:
        """The position behind the here-documents that begin there."""
        for delimiter in self._delimiters:
            while position < len(self._text):
                line = self._text[position:].partition("\n")[0]
                position += len(line) + 1
                if line.lstrip("\t") == delimiter:
                    break
        self._delimiters = []
        return position


def _unquoted(word: str) -> str:
    return _QUOTED.sub(_content, word)


def _content(match: re.Match[str]) -> str:
    single, double, escaped = match.groups()
    if double is not None:
        return re.sub(r'\\(["\\$`])', r"\1", double)
    return single if single is not None else escaped
