"""Runs known code, which is trusted, on many trials: one child for a whole tree instead of one for each step.

Modules are imported once for all trials, so what a fix keeps in memory is not reset between them; rooms check
that. Standard input and output are those of a judge:

    {"oracle", "driver", "variant", "import_root", "preload", "seeds", "trials", "step_seconds",
     "tree_seconds", "property", "tolerance", "stop_at_first", "visible": [path...] or null,
     "trees": [[name, files]...]}
        -> {"making": seconds, "runs": [run...]}

A file is [path, executable, base64], a run what `Child.report` says, or {"ended": why it could not say so}.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback

from . import runner
from .children import silence
from .judge import HANDSHAKE, LENGTH, Judge, read_exactly
from .wire import MAX_BYTES, decode, encode
from .world import left_behind, prepare, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROOM = "/room"
AT_ONCE = 2
MEMORY_BYTES = 1 << 30
SHOWN = 10
"""So many disagreements of one tree are told in full; all of them where a tolerance has yet to be asked."""


class TimeIsUp(BaseException):
    """A step took too long; no `except Exception` of the code at work catches it."""


def ring(*_: object) -> None:
    """The alarm."""
    raise TimeIsUp


def make_trials(request: dict[str, Any]) -> list[tuple[int, int, dict[str, Any]]]:
    """Every trial of every seed, with its right answers."""
    made = []
    for seed in request["seeds"]:
        judge = Judge({**request, "seed": seed})
        for number in range(request["trials"]):
            try:
                made.append((seed, number, judge.case(str(number), judge.trial(number))))
            except Exception as error:
                error.add_note(f"seed {seed}, trial {number}")
                raise
    return made


class Child:
    """In a child of its own: one tree on all trials."""

    def __init__(self, request: dict[str, Any], place: str, oracle: dict[str, Any]) -> None:
        self.request = request
        self.place = place
        self.oracle = oracle
        self.driver: dict[str, Any] = {"__name__": "driver"}
        self.mismatches: list[list[Any]] = []
        self.timed_out = 0
        self.trials = 0

    def work(self, trials: list[tuple[int, int, dict[str, Any]]]) -> dict[str, Any]:
        """Every trial, or those up to the first disagreement."""
        started = time.monotonic()
        exec(compile(self.request["driver"], "driver", "exec"), self.driver)
        signal.signal(signal.SIGALRM, ring)
        for seed, number, case in trials:
            self.trials += 1
            self.trial(seed, number, case)
            if self.mismatches and self.request["stop_at_first"]:
                break
        return {
            "trials": self.trials,
            "timed_out": self.timed_out,
            "mismatches": self.mismatches,
            "seconds": time.monotonic() - started,
        }

    def trial(self, seed: int, number: int, case: dict[str, Any]) -> None:
        """One trial in a folder of its own, which is gone afterwards."""
        folder = f"{self.place}/trial-{self.trials}"
        os.mkdir(folder)  # noqa: PTH102
        try:
            answers = [self.answer(folder, step) for step in case["steps"]]
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        wrong = self.wrong_step(case, answers)
        if wrong is not None:
            told = self.request["tolerance"] or len(self.mismatches) < SHOWN
            texts = [case["answers"][wrong], answers[wrong]] if told else ["", ""]
            self.mismatches.append([seed, number, wrong, *texts])

    def wrong_step(self, case: dict[str, Any], answers: list[str | None]) -> int | None:
        """The first step whose answer is not the expected one, by its spelling or by the property check."""
        if self.request["property"] and None not in answers:
            steps = [{**step, "input": decode(step["input"])} for step in case["steps"]]
            verdicts = self.oracle["accept"](steps, [decode(answer or "") for answer in answers])
            return next((n for n, verdict in enumerate(verdicts) if verdict is not True), None)
        pairs = enumerate(zip(case["answers"], answers, strict=True))
        return next((n for n, (expected, got) in pairs if expected != got), None)

    def answer(self, folder: str, step: dict[str, Any]) -> str | None:
        """The spelling of what the driver gives for one step, or None."""
        data = decode(step["input"])
        try:
            prepare(step, folder)
            signal.setitimer(signal.ITIMER_REAL, self.request["step_seconds"])
            try:
                value = self.driver["call"](folder, data)
            except Exception as error:
                value = {"raised": type(error).__name__}
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if "read" in step:
                value = {
                    "returned": value,
                    "left": {path: content(f"{folder}/{path}") for path in step["read"]},
                }
            return encode(value)
        except TimeIsUp:
            self.timed_out += 1
        except (Exception, SystemExit):
            pass
        return None


def content(path: str) -> bytes | None:
    """The bytes of a regular file that a step left, or None."""
    left = left_behind(path, MAX_BYTES)
    return None if left is None else base64.b64decode(left)


class Runner:
    """Starts the children and gathers what they say."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        started = time.monotonic()
        self.trials = make_trials(request)
        self.making = time.monotonic() - started
        self.oracle = Judge({**request, "seed": 0}).oracle if request["property"] else {}
        for name in request["preload"]:
            try:
                __import__(name)
            except ImportError:
                continue

    def run(self) -> list[dict[str, Any]]:
        """One report for each tree, in their order."""
        if self.request["visible"] is not None:
            import pytest  # noqa: F401 - once, before the forks
        gc.collect()
        gc.freeze()
        reports: dict[int, dict[str, Any]] = {}
        waiting = list(enumerate(self.request["trees"]))
        at_work: dict[int, tuple[int, int, bytearray, float]] = {}
        while waiting or at_work:
            while waiting and len(at_work) < AT_ONCE:
                number, (_, files) = waiting.pop(0)
                pid, fd = self.start(number, files)
                deadline = time.monotonic() + self.request["tree_seconds"]
                at_work[fd] = (number, pid, bytearray(), deadline)
            self.listen(at_work, reports)
        return [reports[number] for number in range(len(self.request["trees"]))]

    def listen(
        self,
        at_work: dict[int, tuple[int, int, bytearray, float]],
        reports: dict[int, dict[str, Any]],
    ) -> None:
        """Take in what the children send, and end those that are done or out of time."""
        remaining = min(deadline for _, _, _, deadline in at_work.values()) - time.monotonic()
        ready, _, _ = select.select(list(at_work), [], [], max(0.0, remaining))
        for fd, (number, pid, data, deadline) in list(at_work.items()):
            chunk = os.read(fd, 1 << 20) if fd in ready else None
            if chunk:
                data += chunk
            late = time.monotonic() > deadline
            if chunk == b"" or late:
                del at_work[fd]
                os.close(fd)
                reports[number] = self.ended(number, pid, bytes(data), late and chunk != b"")

    def ended(self, number: int, pid: int, data: bytes, late: bool) -> dict[str, Any]:
        """The report of a child that is over."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        shutil.rmtree(f"{ROOM}/known-{number}", ignore_errors=True)
        try:
            return dict(json.loads(data))
        except ValueError:
            return {"ended": "out of time" if late else f"ended with status {status} and said nothing"}

    def start(self, number: int, files: list[Any]) -> tuple[int, int]:
        """A child for one tree; gives its process id and the end of the pipe to read."""
        readable, writable = os.pipe()
        pid = os.fork()
        if pid:
            os.close(writable)
            return pid, readable
        try:
            os.setsid()
            os.close(readable)
            silence()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            report = json.dumps(self.in_child(number, files)).encode("ascii")
            while report:
                report = report[os.write(writable, report) :]
        finally:
            os._exit(0)

    def in_child(self, number: int, files: list[Any]) -> dict[str, Any]:
        """Lay the tree, run the visible suite in a child of its own, then the trials."""
        place = f"{ROOM}/known-{number}"
        tree = f"{place}/tree"
        lay(tree, files)
        os.chdir(tree)
        sys.path.insert(0, os.path.normpath(f"{tree}/{self.request['import_root']}"))
        visible = self.visible(tree) if self.request["visible"] is not None else None
        return {**Child(self.request, place, self.oracle).work(self.trials), "visible": visible}

    def visible(self, tree: str) -> bool:
        """Whether pytest is green, in time, over the tree."""
        pid = os.fork()
        if pid == 0:
            try:
                signal.setitimer(signal.ITIMER_REAL, 5 * self.request["step_seconds"])  # ends the process
                report = runner.run(tree, self.request["visible"])
                passed = all(outcome == "passed" for outcome in report["outcomes"].values())
                os._exit(0 if passed and report["outcomes"] else 1)
            finally:
                os._exit(1)
        return os.waitpid(pid, 0)[1] == 0


def lay(tree: str, files: list[Any]) -> None:
    """Write a tree."""
    for path, executable, text in files:
        write_file(f"{tree}/{path}", base64.b64decode(text))
        if executable:
            os.chmod(f"{tree}/{path}", 0o755)  # noqa: PTH101


def main() -> None:
    """Greet, read the request, reply."""
    out = os.dup(1)
    os.dup2(2, 1)
    os.write(out, HANDSHAKE)
    request = json.loads(read_exactly(LENGTH.unpack(read_exactly(LENGTH.size))[0]))
    try:
        work = Runner(request)
        reply = {"making": work.making, "runs": work.run()}
    except Exception:
        reply = {"fault": traceback.format_exc(limit=-3)}
    data = json.dumps(reply).encode("ascii")
    with os.fdopen(out, "wb") as file:
        file.write(LENGTH.pack(len(data)) + data)
