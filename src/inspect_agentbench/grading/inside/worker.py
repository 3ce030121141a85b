"""Process 1 of a room: lays down each trial's world, forks a child for each step, forwards its bytes.

It parses nothing that candidate code made, holds no expected answer, and never imports candidate code
itself. Children do, and each is killed with all its kin as soon as it has answered.

Standard input holds one length-prefixed JSON plan (see `plan.py`); standard output carries frames.
"""

from __future__ import annotations

import base64
import gc
import json
import os
import struct
import sys
import time

from . import runner
from .children import (
    END,
    LEFT,
    LENGTH,
    NO_ANSWER,
    become_untouchable,
    end_everyone,
    fork,
    receive,
    write_answer,
)
from .wire import decode, encode
from .world import TREE, TRIAL, World, left_behind, prepare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

HANDSHAKE = b"agentbench-room-1\n"
FRAME = struct.Struct(">iiBI")  # case, step, kind, length of the payload
VISIBLE = -1  # the case number of the visible suite
_NO_PLAIN_DATA = '{"!":"not plain data"}'


def preload(names: Iterable[str]) -> None:
    """Import the standard modules that the family's own tree imports, so that no child pays for it.

    Only those: every page that the worker holds makes each fork slower.
    """
    for name in names:
        try:
            __import__(name)
        except ImportError:
            continue


def read_exactly(fd: int, count: int) -> bytes:
    """So many bytes, or the end of this process."""
    chunks = []
    while count:
        chunk = os.read(fd, min(count, 1 << 20))
        if not chunk:
            raise SystemExit("the plan ended early")
        chunks.append(chunk)
        count -= len(chunk)
    return b"".join(chunks)


def send(case: int, step: int, kind: int, payload: bytes = b"") -> None:
    """Write one frame to standard output."""
    data = FRAME.pack(case, step, kind, len(payload)) + payload
    while data:
        data = data[os.write(1, data) :]


class Room:
    """Answers the plan's cases in their order."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.plan = plan
        self.import_path = os.path.normpath(f"{TREE}/{plan['import_root']}")
        preload(plan["preload"])
        self.inputs = [[decode(step["input"]) for step in steps] for steps in plan["cases"]]
        self.driver = compile(plan["driver"], "driver", "exec")
        self.world = World((path, x, base64.b64decode(content)) for path, x, content in plan["tree"])

    def work(self) -> None:
        """Run the visible suite, if the plan has one, and every step of every case."""
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

    def run_visible_suite(self) -> None:
        """Let pytest run in a child, as a test run of its own world."""
        self.world.lay()
        self.run_child(VISIBLE, 0, self.visible_suite, self.plan["visible"]["seconds"])

    def answer(self, number: int, position: int, step: Mapping[str, Any]) -> None:
        """Prepare a step, have it answered, and report the files that it was to leave."""
        data = self.inputs[number][position]
        try:
            prepare(step, TRIAL)
        except OSError:
            send(number, position, NO_ANSWER)
            return
        self.run_child(number, position, lambda fd: self.call(fd, data), self.plan["step_seconds"])
        if "read" in step:
            left = {path: left_behind(f"{TRIAL}/{path}", self.plan["answer_bytes"]) for path in step["read"]}
            send(number, position, LEFT, json.dumps(left).encode("ascii"))

    def run_child(self, number: int, position: int, work: Callable[[int], None], seconds: float) -> None:
        """Forward what a child answers; nothing of it lives when the frame is sent."""
        deadline = time.monotonic() + seconds
        _, fd = fork(work, seconds)
        try:
            kind, payload = receive(fd, deadline, self.plan["answer_bytes"])
        finally:
            os.close(fd)
        end_everyone()
        send(number, position, kind, payload)

    def enter(self) -> None:
        """In a child: stand where a test would stand."""
        gc.enable()
        os.chdir(TREE)
        sys.path.insert(0, self.import_path)

    def call(self, fd: int, data: Any) -> None:
        """In a child: hand the step to the driver, which alone imports the candidate."""
        self.enter()
        namespace: dict[str, Any] = {"__name__": "driver"}
        exec(self.driver, namespace)
        try:
            answer = namespace["call"](TRIAL, data)
        except Exception as error:
            answer = {"raised": type(error).__name__}
        try:
            text = encode(answer)
        except Exception:
            text = _NO_PLAIN_DATA
        write_answer(fd, text)

    def visible_suite(self, fd: int) -> None:
        """In a child: pytest over the visible tests; a report that candidate code could forge."""
        import pytest  # noqa: F401 - before the tree comes first on the path: it may hold a pytest.py

        gc.freeze()  # what was imported without collecting need not be looked through now
        self.enter()
        write_answer(fd, encode(runner.run(TREE, self.plan["visible"]["paths"])))


def main() -> None:
    """Greet, read the plan, answer it."""
    become_untouchable()
    gc.disable()  # nothing here is garbage; children collect as usual, see `enter`
    os.write(1, HANDSHAKE)
    plan = json.loads(read_exactly(0, LENGTH.unpack(read_exactly(0, LENGTH.size))[0]))
    Room(plan).work()
    os._exit(0)  # the host is waiting for the container's end
