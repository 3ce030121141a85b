"""Process 1 of a room: lays down each trial's world, forks a child for each step, forwards its bytes.

Standard library only; its source is handed to `python3 -c`. It parses nothing that candidate code
made, holds no expected answer, and never imports candidate code itself. Children are the only
processes that do; one of them cannot reach the worker (undumpable before the first fork, no signal
handler, process 1 of its namespace) and is killed with all its kin as soon as it has answered.

Standard input holds one length-prefixed JSON plan (see `room.py`); standard output carries frames.
"""

import base64
import ctypes
import gc
import json
import os
import resource
import select
import signal
import struct
import sys
import time

ROOM = "/room"
TREE, TRIAL, HOME, TEMP = (f"{ROOM}/{name}" for name in ("tree", "trial", "home", "tmp"))
HANDSHAKE = b"agentbench-room-1\n"
FRAME = struct.Struct(">iiBI")  # case, step, kind, length of the payload
LENGTH = struct.Struct(">I")
ANSWERED, NO_ANSWER, TIMED_OUT, TOO_LONG, LEFT, END = range(6)
VISIBLE = -1  # the case number of the visible suite
PR_SET_DUMPABLE = 4
LIBC = ctypes.CDLL(None)


def become_untouchable():
    """Nobody in this room may trace process 1, read its memory or open its descriptors."""
    if os.getpid() != 1:
        raise SystemExit("the worker only runs as process 1 of a room")
    if LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise SystemExit("prctl failed")
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def preload(names):
    """Import the standard modules that the family's own tree imports, so that no child pays for it.

    Only those: every page that the worker holds makes each fork slower.
    """
    for name in names:
        try:
            __import__(name)
        except ImportError:
            continue


def read_exactly(fd, count):
    chunks = []
    while count:
        chunk = os.read(fd, min(count, 1 << 20))
        if not chunk:
            raise SystemExit("the plan ended early")
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def send(case, step, kind, payload=b""):
    data = FRAME.pack(case, step, kind, len(payload)) + payload
    while data:
        data = data[os.write(1, data) :]


# --- the world of a trial ------------------------------------------------------------------------


def write_file(path, content, mode=0o644):
    """Replace the content of a regular file in place, or whatever else is there by a new file."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CREAT | os.O_TRUNC, mode)
    except OSError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            wipe(path)
        fd = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CREAT | os.O_EXCL, mode)
    try:
        while content:
            content = content[os.write(fd, content) :]
    finally:
        os.close(fd)


def wipe(path):
    """Remove whatever is at `path`; a tree that will not go quickly is left to rm."""
    try:
        os.unlink(path)
        return
    except OSError:
        pass
    try:
        _wipe_small_folder(path)
    except OSError:
        wipe_by_force(path)


def _wipe_small_folder(path, budget=200):
    with os.scandir(path) as entries:
        for entry in entries:
            budget -= 1
            if budget < 0:
                raise OSError("too many")
            if entry.is_dir(follow_symlinks=False):
                budget = _wipe_small_folder(entry.path, budget)
            else:
                os.unlink(entry.path)
    os.rmdir(path)
    return budget


def wipe_by_force(path):
    for command in (["/bin/chmod", "-R", "u+rwx", path], ["/bin/rm", "-rf", path]):
        pid = os.posix_spawn(command[0], command, {})
        os.waitpid(pid, 0)


class World:
    """The writable folders as every trial finds them."""

    def __init__(self, tree):
        self.folders = sorted({f"{TREE}/{folder}" for path, _, _ in tree for folder in _parents(path)})
        self.files = [(f"{TREE}/{path}", content, 0o755 if x else 0o644) for path, x, content in tree]

    def lay(self):
        with os.scandir(ROOM) as entries:
            for entry in entries:
                wipe(entry.path)
        for folder in (TREE, TRIAL, HOME, TEMP, *self.folders):
            os.mkdir(folder)
        for path, content, mode in self.files:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            os.write(fd, content)
            os.close(fd)

    def add_compiled(self):
        """Compile the tree's modules in a child and keep the code as part of the world."""
        self.lay()
        pid = os.fork()
        if pid == 0:
            compile_tree([path for path, _, _ in self.files])
        end_everyone(pid, time.monotonic() + 10)
        folders = set(self.folders)
        for path, _, _ in list(self.files):
            self._add_cache_of(path, folders)
        self.folders = sorted(folders)

    def _add_cache_of(self, source, folders):
        folder, name = os.path.split(source)
        cache = f"{folder}/__pycache__"
        compiled = f"{cache}/{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"
        if name.endswith(".py") and os.path.isfile(compiled):
            with open(compiled, "rb") as file:
                self.files.append((compiled, file.read(), 0o644))
            folders.add(cache)


def _parents(path):
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def compile_tree(paths):
    """In a child: compile every module, importing none."""
    import py_compile

    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    try:
        limit_child(10)
        silence()
        for path in paths:
            if path.endswith(".py"):
                try:
                    py_compile.compile(path, doraise=True, invalidation_mode=unchecked)
                except BaseException:
                    continue
    finally:
        os._exit(0)


# --- children ------------------------------------------------------------------------------------


def limit_child(seconds):
    processor = int(seconds) + 1
    for kind, value in (
        (resource.RLIMIT_CPU, processor),
        (resource.RLIMIT_AS, 400 << 20),
        (resource.RLIMIT_FSIZE, 16 << 20),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def silence():
    """Give standard input, output and error to the void; in it nothing is read."""
    void = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(void, fd)
    os.close(void)


def fork(work, seconds):
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


def first_to_die():
    """When memory runs out the kernel is to take a child, never the worker.

    Only a dumpable process owns its files in /proc; a child has nothing to hide from its own kin.
    """
    LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(fd, b"1000")
    os.close(fd)


def write_answer(fd, text):
    data = text.encode("ascii")
    data = LENGTH.pack(len(data)) + data
    while data:
        data = data[os.write(fd, data) :]


def receive(fd, deadline, cap):
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


def end_everyone(pid=None, deadline=None):
    """Kill every other process of the room and collect the dead. With `pid`, let that one end first."""
    while pid is not None and time.monotonic() < deadline:
        if os.waitpid(pid, os.WNOHANG)[0]:
            break
        time.sleep(0.001)
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


# --- steps ---------------------------------------------------------------------------------------


def prepare(step):
    for path in step.get("remove", ()):
        if os.path.lexists(f"{TRIAL}/{path}"):
            wipe(f"{TRIAL}/{path}")
    for path, content in step.get("write", {}).items():
        write_file(f"{TRIAL}/{path}", base64.b64decode(content))


def left_behind(path, cap):
    """The bytes of a regular file that the step left, or None."""
    try:
        fd = os.open(f"{TRIAL}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        with os.fdopen(fd, "rb") as file:
            return base64.b64encode(file.read(cap)).decode("ascii") if _is_regular(fd) else None
    except OSError:
        return None


def _is_regular(fd):
    return (os.fstat(fd).st_mode & 0o170000) == 0o100000


class Room:
    """Answers the plan's cases in their order."""

    def __init__(self, plan):
        self.plan = plan
        self.import_path = os.path.normpath(f"{TREE}/{plan['import_root']}")
        preload(plan["preload"])
        self.wire = load(plan["wire"], "wire")
        self.inputs = [[self.wire["decode"](step["input"]) for step in steps] for steps in plan["cases"]]
        self.driver = compile(plan["driver"], "driver", "exec")
        self.runner = compile(plan["runner"], "runner", "exec")
        self.world = World([(p, x, base64.b64decode(c)) for p, x, c in plan["tree"]])

    def work(self):
        self.world.add_compiled()
        gc.collect()
        gc.freeze()
        if self.plan["visible"]:
            self.run_visible_suite()
        for number, steps in enumerate(self.plan["cases"]):
            self.world.lay()
            for position, step in enumerate(steps):
                self.answer(number, position, step)
        send(VISIBLE, 0, END)

    def run_visible_suite(self):
        self.world.lay()
        self.run_child(VISIBLE, 0, self.visible_suite, self.plan["visible"]["seconds"])

    def answer(self, number, position, step):
        data = self.inputs[number][position]
        try:
            prepare(step)
        except OSError:
            send(number, position, NO_ANSWER)
            return
        self.run_child(number, position, lambda fd: self.call(fd, data), self.plan["step_seconds"])
        if "read" in step:
            left = {path: left_behind(path, self.plan["answer_bytes"]) for path in step["read"]}
            send(number, position, LEFT, json.dumps(left).encode("ascii"))

    def run_child(self, number, position, work, seconds):
        deadline = time.monotonic() + seconds
        _, fd = fork(work, seconds)
        try:
            kind, payload = receive(fd, deadline, self.plan["answer_bytes"])
        finally:
            os.close(fd)
        end_everyone()
        send(number, position, kind, payload)

    def enter(self):
        """In a child: stand where a test would stand."""
        os.chdir(TREE)
        sys.path.insert(0, self.import_path)

    def call(self, fd, data):
        """In a child: hand the step to the driver, which alone imports the candidate."""
        self.enter()
        encode = self.wire["encode"]
        namespace = {"__name__": "driver"}
        exec(self.driver, namespace)
        try:
            answer = namespace["call"](TRIAL, data)
        except Exception as error:
            answer = {"raised": type(error).__name__}
        try:
            answer = encode(answer)
        except Exception:
            answer = '{"!":"not plain data"}'
        write_answer(fd, answer)

    def visible_suite(self, fd):
        """In a child: pytest over the visible tests; a report that candidate code could forge."""
        self.enter()
        namespace = {"__name__": "runner"}
        exec(self.runner, namespace)
        write_answer(fd, self.wire["encode"](namespace["run"](TREE, self.plan["visible"])))


def load(source, name):
    namespace = {"__name__": name}
    exec(compile(source, name, "exec"), namespace)
    return namespace


def main():
    become_untouchable()
    os.write(1, HANDSHAKE)
    plan = json.loads(read_exactly(0, LENGTH.unpack(read_exactly(0, LENGTH.size))[0]))
    Room(plan).work()


if __name__ == "__main__":
    main()
