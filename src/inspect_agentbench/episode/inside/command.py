"""Run one shell command of the agent, traced or not. Runs as root in the agent's container.

Request: command, shell, user, workspace, home, environment, seconds, output_chars, and trace, which is None
or {argv, pipe, log, log_bytes, episode_bytes}: the tracer's command line, the named pipe it writes, the file
that is kept, and how much of it, alone and with all logs before it.
Reply: started, output, cut_bytes, exit, signal, timed_out, folder (where the command really ran), changed
(files of the workspace that are new, gone or not the same any more; None if they are too many to tell).

The command is a session of its own. Its output is read up to its end or the time limit, whichever comes
first; what it leaves in the background goes on, and a forked copy of this program goes on reading its
output and its path log, so that nothing of it ever blocks or loses its tracer.
"""

# pathlib takes longer to import than all of this.
# ruff: noqa: PTH108, PTH116, PTH120, PTH123, PTH208

import contextlib
import json
import os
import pwd
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

_CHUNK = 65536
_DRAIN_SECONDS = 0.2
_PR_SET_NO_NEW_PRIVS = 38
_CAPPED = b"capped\n"
_NOT_STARTED = b"not started\n"
_WATCHED_ENTRIES = 3_000
_CHANGED_CHARS = 100_000
_UNWATCHED = {".git", "__pycache__", ".pytest_cache"}


class Output:
    """Head and tail of what the command printed, as many bytes as can be needed for so many characters."""

    def __init__(self, chars: int) -> None:
        self._chars = chars
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def write(self, data: bytes) -> None:
        """Take more bytes; of the middle only the number is kept."""
        keep = 4 * self._chars
        self._total += len(data)
        room = keep - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if len(self._tail) > 2 * keep:
            del self._tail[:-keep]

    def clipped(self) -> tuple[str, int]:
        """The text to show, at most the given characters and one line, and how many bytes it leaves out."""
        text = _text(bytes(self._head + self._tail))
        if self._total == len(self._head) + len(self._tail) and len(text) <= self._chars:
            return text, 0
        head, tail = _text(bytes(self._head))[: self._chars // 2], text[-(self._chars // 2) :]
        cut = max(self._total - len(head.encode()) - len(tail.encode()), 1)
        return f"{head}\n[... {cut} bytes cut here ...]\n{tail}", cut


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


class PathLog:
    """The kept beginning of a command's path log; a full one says so in its last line.

    One that holds no record at all says so too: the tracer found no process to run in, and nothing ran.
    """

    def __init__(self, path: str, size: int) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._room = size
        self.empty = True

    def close_unused(self) -> None:
        """Note that nothing ran."""
        os.write(self._fd, _NOT_STARTED)
        self._room = 0

    def write(self, data: bytes) -> None:
        """Keep what fits, whole lines only; drop the rest."""
        self.empty = False
        if self._room <= 0:
            return
        if len(data) > self._room:
            data = data[: data.rfind(b"\n", 0, self._room) + 1] + _CAPPED
            self._room = 0
        self._room -= len(data)
        os.write(self._fd, data)


class Pump:
    """Reads descriptors without blocking and hands their bytes on."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._sinks: dict[int, Callable[[bytes], None]] = {}

    def add(self, fd: int, sink: Callable[[bytes], None]) -> None:
        """Read `fd` from now on."""
        os.set_blocking(fd, False)
        self._sinks[fd] = sink
        self._poll.register(fd, select.POLLIN)

    @property
    def open(self) -> bool:
        """Whether anybody may still write."""
        return bool(self._sinks)

    def run(self, done_fd: int, deadline: float) -> bool:
        """Read until `done_fd` is ready (True) or the deadline has passed (False)."""
        self._poll.register(done_fd, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0:
            ready = {fd for fd, _ in self._poll.poll(left * 1000)}
            self._read(ready)
            if done_fd in ready:
                self._poll.unregister(done_fd)
                return True
        return False

    def drain(self, deadline: float | None) -> None:
        """Read what is there now, or with no deadline all that will ever come."""
        while self._sinks and (deadline is None or time.monotonic() < deadline):
            ready = {fd for fd, _ in self._poll.poll(None if deadline is None else 0)}
            if not ready:
                return
            self._read(ready)

    def _read(self, ready: set[int]) -> None:
        for fd in ready & set(self._sinks):
            with contextlib.suppress(BlockingIOError):
                if data := os.read(fd, _CHUNK):
                    self._sinks[fd](data)
                else:
                    self._close(fd)

    def _close(self, fd: int) -> None:
        del self._sinks[fd]
        self._poll.unregister(fd)
        os.close(fd)


def main() -> None:
    """Answer the request on standard input."""
    request = json.loads(sys.stdin.buffer.read())
    user = pwd.getpwnam(request["user"])
    pump, trace = Pump(), request["trace"]
    log = _open_path_log(pump, trace) if trace else None
    try:
        reply = _run(request, pump, user)
    except OSError as error:  # no process to spare
        reply = {"started": False, "output": str(error)}
    if log is not None:
        os.unlink(trace["pipe"])
        if log.empty:
            log.close_unused()
            reply["started"] = False
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
    if reply["started"]:
        _go_on_in_background(pump)


def _open_path_log(pump: Pump, trace: dict[str, Any]) -> PathLog:
    """The log's named pipe lies in root's folder: no process of the agent ever holds it."""
    used = sum(entry.stat().st_size for entry in os.scandir(os.path.dirname(trace["log"])))
    log = PathLog(trace["log"], min(trace["log_bytes"], trace["episode_bytes"] - used))
    os.mkfifo(trace["pipe"], 0o600)
    pump.add(os.open(trace["pipe"], os.O_RDONLY | os.O_NONBLOCK), log.write)
    return log


def _run(request: dict[str, Any], pump: Pump, user: pwd.struct_passwd) -> dict[str, Any]:
    """Run the command to its end or its time limit."""
    before = _stamps(request["workspace"])
    deadline = time.monotonic() + request["seconds"]
    output = Output(request["output_chars"])
    folder = _first_folder([request["workspace"], request["home"], "/"], user)
    argv = [request["shell"], "-c", request["command"]]
    if request["trace"]:
        argv = [*request["trace"]["argv"], *argv]
    read_end, write_end = os.pipe()
    pump.add(read_end, output.write)
    child = os.fork()
    if child == 0:
        _become(argv, request["environment"], folder, write_end, None if request["trace"] else user)
    os.close(write_end)
    finished = pump.run(os.pidfd_open(child), deadline)
    if not finished:
        _kill_session(child, user.pw_uid)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    pump.drain(time.monotonic() + _DRAIN_SECONDS)
    text, cut = output.clipped()
    reply = {"started": True, "output": text, "cut_bytes": cut, "timed_out": not finished}
    reply["changed"] = _changed(before, _stamps(request["workspace"]))
    return reply | {"exit": max(status, 0), "signal": max(-status, 0), "folder": folder}


Stamps = dict[str, tuple[int, ...]]


def _stamps(workspace: str) -> Stamps | None:
    """What shows a change of each file, by relative path. None if there are too many of them.

    Nothing is opened and no link followed. The change time is the kernel's: no process can set it back.
    """
    found: Stamps = {}
    folders, left = [workspace], _WATCHED_ENTRIES
    while folders:
        folder = folders.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                left -= 1
                if left < 0:
                    return None
                if entry.is_dir(follow_symlinks=False):
                    folders += [entry.path] if entry.name not in _UNWATCHED else []
                else:
                    now = entry.stat(follow_symlinks=False)
                    found[entry.path[len(workspace) + 1 :]] = (
                        now.st_ino,
                        now.st_mode,
                        now.st_size,
                        now.st_ctime_ns,
                    )
    return found


def _changed(before: Stamps | None, after: Stamps | None) -> list[str] | None:
    if before is None or after is None:
        return None
    changed = [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]
    return changed if sum(map(len, changed)) <= _CHANGED_CHARS else None


def _first_folder(folders: list[str], user: pwd.struct_passwd) -> str:
    """The first folder that the agent itself could enter; its workspace may be gone."""
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    try:
        for folder in folders:
            with contextlib.suppress(OSError):
                os.chdir(folder)
                return folder
    finally:
        os.seteuid(0)
        os.setegid(0)
    return "/"


def _become(
    argv: list[str], environment: dict[str, str], folder: str, output_fd: int, user: pwd.struct_passwd | None
) -> None:
    """In the child: turn into the command, as `user` if one is given; otherwise the tracer changes users."""
    try:
        os.setsid()
        os.umask(0o022)
        for name in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and exec would pass that on
            signal.signal(name, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")  # when memory runs out the agent's processes go first, not the harness's
        if user is None:
            _stay_on_this_core()
        else:
            _drop_privileges(user)
        os.execve(argv[0], argv, environment)
    except OSError as error:
        os.write(2, f"the command could not be started: {error.strerror}\n".encode())
    finally:
        os._exit(126)


def _stay_on_this_core() -> None:
    """Keep tracer and traced on one core: waking each other across two costs more than the tracing."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/stat") as file:
        core = int(file.read().rpartition(")")[2].split()[36])  # the field `processor`
        os.sched_setaffinity(0, {core})


def _drop_privileges(user: pwd.struct_passwd) -> None:
    import ctypes  # only here: it costs as much to import as all the rest

    ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    os.initgroups(user.pw_name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def _kill_session(leader: int, uid: int) -> None:
    """Kill what belongs to the command: its session and its descendants. Root's tracer is not touched."""
    for _ in range(100):
        members = _members(leader, uid)
        if not members:
            break
        for pid in members:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError):
        os.kill(leader, signal.SIGKILL)


def _members(leader: int, uid: int) -> list[int]:
    """Living processes of the user in the leader's session or below it."""
    parents: dict[int, int] = {}
    found = {leader}
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, parent, _, session = _stat(pid)
            if os.stat(f"/proc/{pid}").st_uid == uid and state != "Z":
                parents[pid] = int(parent)
                if int(session) == leader:
                    found.add(pid)
    for _ in parents:
        below = {pid for pid, parent in parents.items() if parent in found}
        if below <= found:
            break
        found |= below
    return [pid for pid in found if pid in parents]


def _stat(pid: int) -> list[str]:
    """State, parent, group and session of a process; its name may hold anything, so they start after it."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].decode().split()[:4]


def _go_on_in_background(pump: Pump) -> None:
    """Leave a reader behind for processes that live on; without one they would die of a broken pipe."""
    try:
        if not pump.open or os.fork():
            os._exit(0)
    except OSError:  # no process to spare; this one must not stay in its place, or the result would wait
        os._exit(0)
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    pump.drain(None)
    os._exit(0)


if __name__ == "__main__":
    main()
