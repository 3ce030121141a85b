"""Reading strace's records: what they say, whatever the names in them, and whatever the bytes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.integrity.pathlog import PathLog, read_states
from inspect_agentbench.integrity.records import parse_records

START = b'11    execve("/bin/bash", ["/bin/bash", "-c", "true"], 0x7f /* 8 vars */) = 0\n'
CWD = b"AT_FDCWD</home/agent>"


def one(log: bytes) -> PathLog:
    return read_states({"0001.log": START + log}, 1)


def test_an_open_shows_the_named_and_the_real_path() -> None:
    """Relative names get their folder, and links are resolved."""
    log = one(b"11 openat(" + CWD + b', "a", O_RDONLY|O_CLOEXEC) = 3</etc/b>\n')
    assert log.opened == {"/home/agent/a", "/etc/b"}
    assert not log.created


def test_failed_calls_are_misses() -> None:
    """A path that was not there was looked for, not reached."""
    log = one(b"11 openat(" + CWD + b', "/oracle", O_RDONLY) = -1 ENOENT (No such file or directory)\n')
    assert log.missed == {"/oracle"}
    assert "/oracle" not in log.reached()


def test_unfinished_calls_are_joined_by_process() -> None:
    """Two processes interleave, and each result goes to its own call."""
    log = one(
        b"11 openat(" + CWD + b', "one" <unfinished ...>\n'
        b"12 openat(" + CWD + b', "two" <unfinished ...>\n'
        b"11 <... openat resumed>, O_RDONLY) = -1 EACCES (Permission denied)\n"
        b"12 <... openat resumed>, O_RDONLY|O_CREAT, 0644) = 3</home/agent/two>\n"
    )
    assert log.missed == {"/home/agent/one"}
    assert log.opened == log.created == {"/home/agent/two"}


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        (b'rename("a", "b") = 0', "renamed", ("a", "b")),
        (
            b'renameat2(AT_FDCWD</x>, "a", AT_FDCWD</y>, "b", RENAME_NOREPLACE) = 0',
            "renamed",
            ("/x/a", "/y/b"),
        ),
        (b'linkat(3</x>, "a", AT_FDCWD</y>, "b", 0) = 0', "linked", ("/x/a", "/y/b")),
        (b'symlink("/etc/passwd", "l") = 0', "linked", ("/etc/passwd", "l")),
        (b'symlinkat("t", AT_FDCWD</y>, "l") = 0', "linked", ("t", "/y/l")),
        (b'unlinkat(AT_FDCWD</y>, "b", AT_REMOVEDIR) = 0', "removed", "/y/b"),
        (b'mkdir("d", 0777) = 0', "created", "d"),
        (b'execve("/usr/bin/id", ["id", "/no/path"], 0x1 /* 1 var */) = 0', "executed", "/usr/bin/id"),
        (b'openat2(5</x>, "f", {flags=O_RDONLY, resolve=0}, 24) = 6</x/f>', "opened", "/x/f"),
    ],
)
def test_each_call_goes_to_its_set(line: bytes, field: str, value: object) -> None:
    """Renames and links are pairs; an execve's arguments are no paths."""
    assert value in getattr(one(b"11 " + line + b"\n"), field)
    failed = one(b"11 " + line.rpartition(b" = ")[0] + b" = -1 EPERM (Operation not permitted)\n")
    assert failed == replace(one(b""), missed=failed.missed)
    assert failed.missed


def test_names_cannot_imitate_structure() -> None:
    """Quotes, brackets, arrows and results inside of names stay names."""
    quoted = rb"x\") = -1 ENOENT (> <unfinished ...>"
    decorated = quoted.replace(b"<", rb"\74").replace(b">", rb"\76")
    log = one(b"11 openat(" + CWD + b', "' + quoted + b'", O_RDONLY) = 3</home/agent/' + decorated + b">\n")
    assert log.opened == {'/home/agent/x") = -1 ENOENT (> <unfinished ...>'}


def test_escapes_are_read() -> None:
    """Octal, hexadecimal and letter escapes give the bytes of the name."""
    log = one(b"11 openat(" + CWD + rb', "/\303\251\x41\n\t\\", O_RDONLY) = 3' + b"\n")
    assert log.opened == {"/éA\n\t\\"}


@pytest.mark.parametrize(
    ("files", "commands", "reason"),
    [
        ({}, 1, "command 1 left no log"),
        ({"0001.log": b""}, 1, "does not hold its start"),
        ({"0001.log": START[:20]}, 1, "does not hold its start"),
        ({"0001.log": START.replace(b"/bin/bash", b"/bin/true")}, 1, "does not hold its start"),
        ({"0001.log": START.replace(b"= 0", b"= -1 ENOSYS (x)")}, 1, "does not hold its start"),
        ({"0001.log": b"11 openat(" + CWD + b', "a", 0) = 3\n' + START}, 1, "does not hold its start"),
        ({"0001.log": START + b"capped\n"}, 1, "is cut at"),
        ({"0001.log": START, "0003.log": START}, 3, "command 2 left no log"),
    ],
)
def test_incomplete_logs(files: dict[str, bytes], commands: int, reason: str) -> None:
    """A log counts only if each command's own start is its first record and nothing was cut."""
    log = read_states(files, commands)
    assert log.state == "incomplete"
    assert reason in log.reason


@pytest.mark.parametrize(
    ("files", "commands"),
    [
        ({}, 0),
        ({"0001.log": START, "0001.pipe": b"", "probe": b"x"}, 1),
        ({"agentbench/0001.log": START, "agentbench/0002.log": b"not started\n"}, 2),
    ],
)
def test_complete_logs(files: dict[str, bytes], commands: int) -> None:
    """No command, names with folders, other files beside them, and a command that never ran."""
    assert read_states(files, commands).state == "complete"


RECORD_BYTES = st.binary(max_size=200) | st.text(
    '0123 \\"<>()=,-?.\n\x01\x02\x03\x04aopenat', max_size=80
).map(str.encode)


@given(st.lists(RECORD_BYTES, max_size=5))
def test_reading_is_total(parts: list[bytes]) -> None:
    """Whatever the bytes, there is an answer, and paths are text."""
    log = b"".join(parts)
    assert all(isinstance(path, str) for record in parse_records(log) for path in record.paths)
    assert read_states({"0001.log": log}, 1).state in ("complete", "incomplete")
    assert read_states({"0001.log": START + log}, 1).state in ("complete", "incomplete")
