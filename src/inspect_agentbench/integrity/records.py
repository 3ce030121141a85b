r"""Strace's records, as far as paths go.

    11    openat(AT_FDCWD</home/agent>, "a.py", O_RDONLY) = 3</home/agent/a.py>
    12    openat(AT_FDCWD</home/agent>, "b" <unfinished ...>
    12    <... openat resumed>, O_RDONLY) = -1 ENOENT (No such file or directory)

Quoted strings and names in angle brackets can hold anything an agent can call a file, in C's escapes.
They are taken out before the line's structure is looked at, so that no name can imitate structure.
"""

import re
from typing import Final, NamedTuple

_HIDDEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|<(?:[^<>\\]|\\.)*>')
_FINISHED: Final = re.compile(r"(\w+)\((.*)\)\s+= (-?\d{1,19}|\?)(\x01\d+\x02)?.*")
_RESUMED: Final = re.compile(r"<\.\.\. (\w+) resumed>(.*)")
_LINE: Final = re.compile(r"(\d+)\s+(.*)")
_PATH: Final = re.compile(r"(?:(?:AT_FDCWD|\d+)(\x01\d+\x02), )?\x03(\d+)\x04")
_MARK: Final = re.compile(r"\x01(\d+)\x02")
_PLAIN: Final = bytes(b if b >= 32 or b in b"\t\n" else 63 for b in range(256))
"""Strace escapes control characters; a log that holds one is damaged, and must not hold our marks."""
_UNFINISHED: Final = " <unfinished ...>"
_ESCAPE: Final = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))", re.DOTALL)
_NAMED: Final = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b"}
_TWO_PATHS: Final = {"rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"}


class Record(NamedTuple):
    """One call that names paths."""

    call: str
    paths: tuple[str, ...]
    """As named, absolute where the folder is known; for opens also the real path that was opened."""
    failed: bool
    creates: bool
    """Whether the call may have made the file."""


def parse_records(log: bytes) -> list[Record]:
    """The records of one command's log, in order; lines that are none are passed over."""
    pending: dict[str, str] = {}
    records: list[Record] = []
    for line in log.translate(_PLAIN).decode("ascii", "replace").split("\n"):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        pid, body = match.groups()
        if body.endswith(_UNFINISHED):
            pending[pid] = body.removesuffix(_UNFINISHED)
            continue
        if resumed := _RESUMED.fullmatch(body):
            body = pending.pop(pid, "") + resumed.group(2)
        if (record := _record(body)) is not None:
            records.append(record)
    return records


def _record(body: str) -> Record | None:
    hidden: list[str] = []

    def hide(match: re.Match[str]) -> str:
        text = match.group()
        hidden.append(text)
        return f"\x03{len(hidden) - 1}\x04" if text[0] == '"' else f"\x01{len(hidden) - 1}\x02"

    match = _FINISHED.fullmatch(_HIDDEN.sub(hide, body))
    if match is None:
        return None
    call, arguments, result, real = match.groups()
    found = _PATH.findall(arguments)[: 2 if call in _TWO_PATHS else 1]
    paths = [_joined(_name(folder, hidden), _unquoted(hidden[int(text)])) for folder, text in found]
    if real and call not in ("execve", "execveat"):
        paths.append(_name(real, hidden))
    failed = result == "?" or int(result) < 0
    return Record(call, tuple(dict.fromkeys(paths)), failed, call == "creat" or "O_CREAT" in arguments)


def _name(mark: str, hidden: list[str]) -> str:
    """What stood in angle brackets at a mark."""
    match = _MARK.fullmatch(mark)
    return _unescaped(hidden[int(match.group(1))][1:-1]) if match else ""


def _unquoted(text: str) -> str:
    return _unescaped(text.removesuffix("...")[1:-1])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_byte, text.encode()).decode("utf-8", "surrogateescape")


def _byte(match: re.Match[bytes]) -> bytes:
    hexadecimal, octal, letter = match.groups()
    if letter is not None:
        return _NAMED.get(letter, letter)
    return bytes([(int(octal, 8) if octal else int(hexadecimal, 16)) & 255])


def _joined(folder: str, path: str) -> str:
    return path if path.startswith("/") or not folder else f"{folder.rstrip('/')}/{path}"
