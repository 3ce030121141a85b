"""Read, write, edit and list files for the agent. Runs in the agent's container as the agent itself.

Request: op (`read`, `write`, `replace`, `list`), path, workspace, home and what the operation needs.
Reply: {"text": …, "cut": whether a part is missing} or {"error": …}. Only regular files and folders are
touched.
"""

# pathlib takes longer to import than all of this.
# ruff: noqa: PTH103, PTH112, PTH116, PTH118, PTH120

import json
import os
import stat
import sys
from collections.abc import Iterator
from typing import Any

_READ_BYTES = 8 << 20
_UNLISTED = {".git", "__pycache__", ".pytest_cache"}


class Refused(Exception):
    """The operation cannot be done; the message is for the agent."""


def main() -> None:
    """Answer the request on standard input."""
    request = json.loads(sys.stdin.buffer.read())
    operations = {"read": read, "write": write, "replace": replace, "list": list_folder}
    try:
        path = _absolute(request)
        reply = operations[request["op"]](path, request)
    except Refused as error:
        reply = {"error": str(error)}
    except OSError as error:
        reply = {"error": f"{request['path']}: {error.strerror}"}
    sys.stdout.write(json.dumps(reply) + "\n")


def _absolute(request: dict[str, Any]) -> str:
    path: str = request["path"]
    if path == "~" or path.startswith("~/"):
        return str(request["home"]) + path[1:]
    return os.path.join(request["workspace"], path)


def read(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """The file's lines from `first_line` on, as many whole ones as fit into `chars`."""
    lines = _content(path).decode("utf-8", "replace").splitlines(keepends=True)
    first, limit = max(request["first_line"], 1), request["chars"]
    if first > max(len(lines), 1):
        raise Refused(f"{request['path']} has only {len(lines)} lines")
    wanted = lines[first - 1 : request["last_line"]]
    shown = list(_fitting(wanted, limit))
    text = "".join(shown)[:limit].replace("\0", "\ufffd")
    cut = len(shown) < len(wanted) or len("".join(shown)) > limit
    if cut:
        last = first + len(shown) - 1
        text += f"\n[lines {first} to {last} of {len(lines)}; go on with first_line={last + 1}]"
    return {"text": text, "cut": cut}


def _fitting(lines: list[str], limit: int) -> Iterator[str]:
    """The first line in any case, then those that fit."""
    used = 0
    for number, line in enumerate(lines):
        used += len(line)
        if number and used > limit:
            return
        yield line


def write(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Replace the file's whole content; missing folders are made."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = request["content"].encode()
    _store(path, data)
    return {"text": f"wrote {len(data)} bytes to {request['path']}", "cut": False}


def replace(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Replace the one occurrence of `old`."""
    content, old, where = _content(path), request["old"].encode(), request["path"]
    if old not in content:
        raise Refused(f"old was not found in {where}: it must match the file exactly, white space included")
    if content.find(old) != content.rfind(old):  # places may overlap, which count does not see
        raise Refused(f"old stands more than once in {where}: add lines around it until it is unique")
    _store(path, content.replace(old, request["new"].encode()))
    return {"text": f"replaced 1 occurrence in {request['path']}", "cut": False}


def list_folder(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Every file below the folder, git's own and caches apart."""
    if not os.path.isdir(path):
        os.stat(path)  # says what is wrong, if it is not there
        raise Refused(f"{request['path']} is a file, not a folder")
    names: list[str] = []
    left = request["chars"]
    for name in _files_below(path):
        left -= len(name) + 1
        if len(names) == request["entries"] or left < 0:
            return {"text": "\n".join([*names, f"[only the first {len(names)} files]"]), "cut": True}
        names.append(name)
    return {"text": "\n".join(names) or "[no files]", "cut": False}


def _files_below(folder: str) -> Iterator[str]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - _UNLISTED)
        for name in sorted(files):
            path = os.path.relpath(os.path.join(where, name), folder)
            yield path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _content(path: str) -> bytes:
    """The bytes of a regular file of reasonable size; a pipe or device would block or never end."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(fd, "rb") as file:
        _check_regular(path, fd)
        if os.fstat(fd).st_size > _READ_BYTES:
            raise Refused(f"{path} is larger than {_READ_BYTES} bytes: look at parts of it with bash")
        return file.read(_READ_BYTES)


def _store(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o644)
    with os.fdopen(fd, "wb") as file:
        _check_regular(path, fd)
        os.ftruncate(fd, 0)
        file.write(data)


def _check_regular(path: str, fd: int) -> None:
    mode = os.fstat(fd).st_mode
    if stat.S_ISDIR(mode):
        raise Refused(f"{path} is a folder")
    if not stat.S_ISREG(mode):
        raise Refused(f"{path} is no regular file")


if __name__ == "__main__":
    main()
