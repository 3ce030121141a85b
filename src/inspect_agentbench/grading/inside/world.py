"""The writable folders of a room: as every trial finds them, and what a step leaves in them.

Everything here handles what hostile code left behind, and follows no link that it could have planted in
the last component of a path. Beyond that a link leads nowhere: all that is writable is one tmpfs.
"""

# pathlib is a large import, and hostile trees are a matter for plain system calls.
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH108, PTH113, PTH120, PTH123
from __future__ import annotations

import base64
import os
import stat
import sys

from .children import end_everyone, limit_child, silence, wait_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

ROOM = "/room"
TREE, TRIAL, HOME, TEMP = (f"{ROOM}/{name}" for name in ("tree", "trial", "home", "tmp"))
COMPILE_SECONDS = 10
_FEW_ENTRIES = 200
_IN_PLACE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class World:
    """The writable folders as every trial finds them."""

    def __init__(self, tree: Iterable[tuple[str, bool, bytes]]) -> None:
        listed = list(tree)
        self.folders = sorted({f"{TREE}/{folder}" for path, _, _ in listed for folder in _parents(path)})
        self.files = [(f"{TREE}/{path}", content, 0o755 if x else 0o644) for path, x, content in listed]

    def lay(self) -> None:
        """Remove all that is there, and make it anew."""
        os.chmod(ROOM, 0o700)
        with os.scandir(ROOM) as entries:
            for entry in entries:
                wipe(entry.path)
        for folder in (TREE, TRIAL, HOME, TEMP, *self.folders):
            os.mkdir(folder)
        for path, content, mode in self.files:
            _write(os.open(path, _NEW, mode), content)

    def add_compiled(self) -> None:
        """Compile the tree's modules in a child and keep the code as part of the world."""
        self.lay()
        pid = os.fork()
        if pid == 0:
            compile_tree([path for path, _, _ in self.files])
        wait_for(pid, COMPILE_SECONDS)
        end_everyone()
        folders = set(self.folders)
        for path, _, _ in list(self.files):
            self._add_cache_of(path, folders)
        self.folders = sorted(folders)

    def _add_cache_of(self, source: str, folders: set[str]) -> None:
        folder, name = os.path.split(source)
        cache = f"{folder}/__pycache__"
        compiled = f"{cache}/{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"
        if name.endswith(".py") and os.path.isfile(compiled):
            with open(compiled, "rb") as file:
                self.files.append((compiled, file.read(), 0o644))
            folders.add(cache)


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def compile_tree(paths: Iterable[str]) -> None:
    """In a child, which ends here: compile every module, importing none."""
    import py_compile

    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    try:
        limit_child(COMPILE_SECONDS)
        silence()
        for path in paths:
            if path.endswith(".py"):
                try:
                    py_compile.compile(path, doraise=True, invalidation_mode=unchecked)
                except BaseException:
                    continue
    finally:
        os._exit(0)


# --- files of a step -----------------------------------------------------------------------------


def prepare(step: Mapping[str, Any], folder: str) -> None:
    """Remove and write a step's files in a folder. Raises OSError where an earlier step left no way."""
    for path in step.get("remove", ()):
        if os.path.lexists(f"{folder}/{path}"):
            wipe(f"{folder}/{path}")
    for path, content in step.get("write", {}).items():
        write_file(f"{folder}/{path}", base64.b64decode(content))


def write_file(path: str, content: bytes) -> None:
    """Replace the content of a regular file in place, or whatever else is there by a new file."""
    try:
        fd = os.open(path, _IN_PLACE, 0o644)
    except OSError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            wipe(path)
        fd = os.open(path, _NEW, 0o644)
    _write(fd, content)


def _write(fd: int, content: bytes) -> None:
    try:
        while content:
            content = content[os.write(fd, content) :]
    finally:
        os.close(fd)


def left_behind(path: str, cap: int) -> str | None:
    """The bytes of a regular file that the step left, in base64, or None."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        with open(fd, "rb", closefd=False) as file:
            return base64.b64encode(file.read(cap)).decode("ascii")
    except OSError:
        return None
    finally:
        os.close(fd)


# --- removing ------------------------------------------------------------------------------------


def wipe(path: str) -> None:
    """Remove whatever is at `path`; a tree that will not go quickly is left to rm."""
    try:
        os.unlink(path)
        return
    except OSError:
        pass
    try:
        _wipe_small_folder(path, _FEW_ENTRIES)
    except OSError:
        _wipe_by_force(path)


def _wipe_small_folder(path: str, budget: int) -> int:
    """Gives how many more entries may be removed this way."""
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


def _wipe_by_force(path: str) -> None:
    for command in (["/bin/chmod", "-R", "u+rwx", path], ["/bin/rm", "-rf", path]):
        os.waitpid(os.posix_spawn(command[0], command, {}), 0)
