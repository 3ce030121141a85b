"""The path log: which paths the agent's commands opened, created, renamed, linked, removed or executed.

Every shell command runs under a root-owned strace. Its records go through a named pipe to a reader of
root's, which keeps the first bytes in a file of its own for each command and drains the rest:

    /var/log/agentbench/0001.log    strace's records of command 1, one a line: pid, call, result
    /var/log/agentbench/0001.pipe   the named pipe, while the command runs (skip it when collecting)

A log that was cut ends with the line `capped`; one whose command never ran is the line `not started`.
Strace is told to name descriptors (`-y`), so a successful open shows the real path behind links, and
relative paths come with their folder.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from .records import Record, parse_records

LOG_FOLDER: Final = "/var/log/agentbench"
COMMAND_BYTES: Final = 2 << 20
"""What is kept of one command's log: some ten thousand paths."""
EPISODE_BYTES: Final = 32 << 20
"""What is kept of all logs of an episode."""
SHELL: Final = "/bin/bash"

_CAPPED: Final = b"capped\n"
_NOT_STARTED: Final = b"not started\n"
_LOG_NAME: Final = re.compile(r"(?:.*/)?(\d{4,9})\.log")

_CALLS: Final = (
    "?open,openat,?openat2,?creat,execve,execveat,?rename,?renameat,renameat2,?unlink,unlinkat,?link,linkat,"
    "?symlink,symlinkat,?mkdir,mkdirat,?truncate,name_to_handle_at,open_by_handle_at"
)
"""Old calls may be absent (`?`). A child that escapes the tracer fails on every call listed here."""


def tracer(user: str) -> list[str]:
    """The tracer's command line; the output file's name and the traced command line follow."""
    return [
        "/usr/bin/strace",
        "-f",
        "-qq",
        "-y",
        "--seccomp-bpf",
        "-DDD",
        "-u",
        user,
        "-e",
        f"trace={_CALLS}",
        "-o",
    ]


def log_path(command: int) -> str:
    """Where the log of a command (counted from 1) is kept in the container."""
    return f"{LOG_FOLDER}/{command:04}.log"


def pipe_path(command: int) -> str:
    """The named pipe between the tracer and the log's reader."""
    return f"{LOG_FOLDER}/{command:04}.pipe"


@dataclass(frozen=True)
class PathLog:
    """What the commands did to paths. Sets hold paths as the agent named them and as they really are."""

    state: Literal["complete", "incomplete", "unavailable"]
    reason: str = ""
    """Why it is not complete."""
    opened: frozenset[str] = field(default_factory=frozenset)
    missed: frozenset[str] = field(default_factory=frozenset)
    """Paths of calls that failed: looking for what is not there."""
    created: frozenset[str] = field(default_factory=frozenset)
    renamed: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    linked: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Target and link, hard and symbolic."""
    removed: frozenset[str] = field(default_factory=frozenset)
    executed: frozenset[str] = field(default_factory=frozenset)

    def reached(self) -> frozenset[str]:
        """Every path of a call that succeeded, both of a pair: evidence, unlike paths that were missed."""
        pairs = {path for pair in self.renamed | self.linked for path in pair}
        return self.opened | self.created | self.removed | self.executed | pairs


def unavailable(reason: str) -> PathLog:
    """The path log of an episode whose commands ran untraced, or through other tools."""
    return PathLog("unavailable", reason)


def read_states(files: Mapping[str, bytes], commands: int) -> PathLog:
    """The path log of an episode from the collected files (by name or path) and the number of its commands.

    Complete only if each command's log is there, uncut, and begins with the command's own start. Total:
    whatever the bytes are, an answer is given.
    """
    logs = {int(m.group(1)): content for name, content in files.items() if (m := _LOG_NAME.fullmatch(name))}
    wanted = range(1, commands + 1)
    records = {number: parse_records(logs.get(number, b"")) for number in wanted}
    faults = [fault for n in wanted if (fault := _fault(n, logs.get(n), records[n]))]
    all_records = [record for number in wanted for record in records[number]]
    return _collect(all_records, "incomplete" if faults else "complete", "; ".join(faults[:3]))


def _fault(number: int, log: bytes | None, records: list[Record]) -> str:
    if log is None:
        return f"command {number} left no log"
    if log == _NOT_STARTED:
        return ""
    if not records or records[0].call != "execve" or records[0].paths[:1] != (SHELL,) or records[0].failed:
        return f"the log of command {number} does not hold its start"
    return f"the log of command {number} is cut at {len(log)} bytes" if log.endswith(_CAPPED) else ""


def _collect(records: list[Record], state: Literal["complete", "incomplete"], reason: str) -> PathLog:
    names = ("opened", "missed", "created", "removed", "executed")
    paths: dict[str, set[str]] = {name: set() for name in names}
    pairs: dict[str, set[tuple[str, str]]] = {"renamed": set(), "linked": set()}
    for record in records:
        kind = "missed" if record.failed else _KINDS.get(record.call, "opened")
        if kind in pairs:
            pairs[kind].update([(record.paths[0], record.paths[1])] if len(record.paths) > 1 else [])
        else:
            paths[kind].update(record.paths)
        if kind == "opened" and record.creates:
            paths["created"].update(record.paths)
    return PathLog(
        state,
        reason,
        opened=frozenset(paths["opened"]),
        missed=frozenset(paths["missed"]),
        created=frozenset(paths["created"]),
        renamed=frozenset(pairs["renamed"]),
        linked=frozenset(pairs["linked"]),
        removed=frozenset(paths["removed"]),
        executed=frozenset(paths["executed"]),
    )


_KINDS: Final = {
    "execve": "executed",
    "execveat": "executed",
    "rename": "renamed",
    "renameat": "renamed",
    "renameat2": "renamed",
    "unlink": "removed",
    "unlinkat": "removed",
    "link": "linked",
    "linkat": "linked",
    "symlink": "linked",
    "symlinkat": "linked",
    "mkdir": "created",
    "mkdirat": "created",
}
