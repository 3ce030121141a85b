"""The children of a room's worker: starting one, hearing its answer, ending it with all its kin.

Children alone run candidate code. None can reach the worker: it is process 1 of its namespace, has no
signal handler, and was made undumpable before its first fork.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import struct
import time

TYPE_CHECKING = False  # typing itself would make every fork slower
if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = struct.Struct(">I")
ANSWERED, NO_ANSWER, TIMED_OUT, TOO_LONG, LEFT, END = range(6)
CHILD_MEMORY_BYTES = 400 << 20
CHILD_FILE_BYTES = 16 << 20
CHILD_OPEN_FILES = 256
_PR_SET_DUMPABLE = 4
_WAIT_FOR_ALL = 0x40000000  # __WALL: also what was cloned without SIGCHLD
_LIBC = ctypes.CDLL(None)


def become_untouchable() -> None:
    """Nobody in this room may trace process 1, read its memory or open its descriptors."""
    if os.getpid() != 1:
        raise SystemExit("the worker only runs as process 1 of a room")
    if _LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise SystemExit("prctl failed")
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def fork(work: Callable[[int], None], seconds: float) -> tuple[int, int]:
    """Start `work(answer_fd)` in a child; give its process id and the end of the pipe to read."""
    readable, writable = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writable)
        return pid, readable
    try:
        os.close(readable)
        silence()
        first_to_die()
        limit_child(seconds)
        work(writable)
    finally:
        os._exit(0)


def limit_child(seconds: float) -> None:
    """Bound the processor time, memory and files of this process and of what it starts."""
    for kind, value in (
        (resource.RLIMIT_CPU, int(seconds) + 1),
        (resource.RLIMIT_AS, CHILD_MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, CHILD_FILE_BYTES),
        (resource.RLIMIT_NOFILE, CHILD_OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def silence() -> None:
    """Give standard input, output and error to the void; in it nothing is read."""
    void = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(void, fd)
    os.close(void)


def first_to_die() -> None:
    """When memory runs out the kernel is to take a child, never the worker.

    Only a dumpable process owns its files in /proc; a child has nothing to hide from its own kin.
    """
    _LIBC.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
    fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(fd, b"1000")
    os.close(fd)


def write_answer(fd: int, text: str) -> None:
    """In a child: send the answer, its length first."""
    data = text.encode("ascii")
    data = LENGTH.pack(len(data)) + data
    while data:
        data = data[os.write(fd, data) :]


def receive(fd: int, deadline: float, cap: int) -> tuple[int, bytes]:
    """What the child sent: (kind, bytes). It ends at its stated length, never at end of file."""
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    data, wanted = b"", LENGTH.size
    while len(data) < wanted:
        remaining = deadline - time.monotonic()
        if remaining <= 0 or not poller.poll(remaining * 1000):
            return TIMED_OUT, b""
        chunk = os.read(fd, min(wanted - len(data), 1 << 16))
        if not chunk:
            return NO_ANSWER, b""
        data += chunk
        if wanted == LENGTH.size and len(data) == wanted:
            wanted += LENGTH.unpack(data)[0]
            if wanted > cap:
                return TOO_LONG, b""
    return ANSWERED, data[LENGTH.size :]


def wait_for(pid: int, seconds: float) -> None:
    """Let a child end by itself, for so long at most."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not os.waitpid(pid, os.WNOHANG)[0]:
        time.sleep(0.001)


def end_everyone() -> None:
    """Kill every other process of the room and collect the dead."""
    while True:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            os.waitpid(-1, _WAIT_FOR_ALL)
        except ChildProcessError:
            return
