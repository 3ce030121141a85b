"""Runs in a judge: makes the fixed cases and the trials, and computes the right answers.

No candidate code ever comes here; candidates' answers do, as data, for a property check.
Standard input holds one length-prefixed JSON request, standard output one length-prefixed reply:

    {"mode": "make", "oracle", "variant", "seed", "trials"}
        -> {"fixed": [case...], "trials": [case...]}
    {"mode": "check", "oracle", "items": [{"steps", "answers"}...]}
        -> {"accepted": [[bool...]...]}

A case is {"id", "test", "tags", "group", "steps", "answers"}; inputs and answers are spelled by wire.py.
A fault of the oracle comes back as {"fault": text}.
"""

from __future__ import annotations

import base64
import json
import os
import random
import resource
import select
import signal
import struct
import sys
import time
import traceback
from typing import Any

from .wire import decode, encode

LENGTH = struct.Struct(">I")
HANDSHAKE = b"agentbench-judge-1\n"
STEP_KEYS = {"write", "remove", "input", "read"}
CHECK_SECONDS = 2.0
"""Wall time of the property check of one case."""
ALL_CHECKS_SECONDS = 30.0
CHECK_MEMORY_BYTES = 1 << 30


def read_exactly(count: int) -> bytes:
    """So many bytes of standard input, or the end of this process."""
    data = sys.stdin.buffer.read(count)
    if len(data) != count:
        raise SystemExit("the request ended early")
    return data


class Judge:
    """Answers one request with the oracle that came with it."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.oracle: dict[str, Any] = {"__name__": "oracle"}
        exec(compile(request["oracle"], "oracle", "exec"), self.oracle)

    def make(self) -> dict[str, Any]:
        """All cases with their right answers."""
        fixed = self.oracle["fixed_cases"](self.request["variant"])
        numbers = range(self.request["trials"])
        return {
            "fixed": [self.case(f"fixed-{n}", case) for n, case in enumerate(fixed)],
            "trials": [self.case(str(number), self.trial(number)) for number in numbers],
        }

    def trial(self, number: int) -> Any:
        """A trial from a generator of its own, so that it does not depend on how many there are."""
        return self.oracle["trial"](random.Random(f"{self.request['seed']}:{number}"), number)

    def case(self, name: str, case: dict[str, Any]) -> dict[str, Any]:
        """One case as data, its steps answered by the oracle."""
        steps = case["steps"]
        if not steps:
            raise ValueError(f"case {name} has no step")
        spelled = [spell(step) for step in steps]  # before the oracle could change them
        answers = self.oracle["answers"](steps)
        if len(answers) != len(steps):
            raise ValueError(f"case {name} has {len(steps)} steps but {len(answers)} answers")
        return {
            "id": name,
            "test": case.get("test"),
            "tags": list(case.get("tags", ())),
            "group": case.get("group"),
            "steps": spelled,
            "answers": [encode(answer) for answer in answers],
        }

    def check(self) -> dict[str, Any]:
        """What the property check accepts."""
        end = time.monotonic() + ALL_CHECKS_SECONDS
        return {"accepted": [self.accepted(item, end) for item in self.request["items"]]}

    def accepted(self, item: dict[str, Any], end: float) -> list[bool]:
        """One truth value for each step, from a child with bounded time and memory.

        The answers are a candidate's. What the check cannot take, or not in its time, is not accepted:
        no answer may become a fault of the judge.
        """
        deadline = min(time.monotonic() + CHECK_SECONDS, end)
        readable, writable = os.pipe()
        pid = os.fork()
        if pid == 0:
            self.check_in_child(item, writable)
        os.close(writable)
        verdicts = read_until_end(readable, deadline)
        os.close(readable)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        whole = len(verdicts) == len(item["steps"])
        return [verdict == 1 for verdict in verdicts] if whole else [False] * len(item["steps"])

    def check_in_child(self, item: dict[str, Any], fd: int) -> None:
        """Write one byte for each step, all at once, and end."""
        try:
            resource.setrlimit(resource.RLIMIT_AS, (CHECK_MEMORY_BYTES, CHECK_MEMORY_BYTES))
            steps = [unspell(step) for step in item["steps"]]
            verdicts = self.oracle["accept"](steps, [decode(answer) for answer in item["answers"]])
            os.write(fd, bytes(verdict is True for verdict in verdicts))
        finally:
            os._exit(0)


def read_until_end(fd: int, deadline: float) -> bytes:
    """All that comes before the end of the stream, or nothing if that does not come in time."""
    data = b""
    while True:
        ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b""
        chunk = os.read(fd, 1 << 16)
        if not chunk:
            return data
        data += chunk


def spell(step: dict[str, Any]) -> dict[str, Any]:
    """A step of the oracle as JSON data."""
    unknown = set(step) - STEP_KEYS
    if unknown:
        raise ValueError(f"a step has unknown keys: {sorted(unknown)}")
    spelled: dict[str, Any] = {"input": encode(step.get("input"))}
    if "write" in step:
        files = step["write"].items()
        spelled["write"] = {path: base64.b64encode(content).decode("ascii") for path, content in files}
    for key in ("remove", "read"):
        if key in step:
            spelled[key] = list(step[key])
    return spelled


def unspell(step: dict[str, Any]) -> dict[str, Any]:
    """The step again as the oracle wrote it."""
    plain = dict(step, input=decode(step["input"]))
    if "write" in step:
        plain["write"] = {path: base64.b64decode(content) for path, content in step["write"].items()}
    return plain


def main() -> None:
    """Greet, read the request, reply."""
    out = os.dup(1)
    os.dup2(2, 1)  # what an oracle prints is no part of the reply
    os.write(out, HANDSHAKE)
    request = json.loads(read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0]))
    try:
        judge = Judge(request)
        reply = judge.make() if request["mode"] == "make" else judge.check()
    except Exception:
        reply = {"fault": traceback.format_exc(limit=-3)}
    data = json.dumps(reply).encode("ascii")
    with os.fdopen(out, "wb") as file:
        file.write(LENGTH.pack(len(data)) + data)
