"""One grading's room: a fresh, locked-down container that answers cases.

What fails before the handshake is the harness's fault. After it, whatever the room does is missing
answers; only an engine that no longer answers, or a container that it no longer has, is a fault.
"""

import base64
import json
import os
import threading
import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import docker

from ..engine import Exchange, ExchangeEnded, room_options
from ..errors import HarnessFault
from .cases import Case
from .inside.children import ANSWERED, END, LEFT, TIMED_OUT, TOO_LONG
from .inside.wire import decode, encode
from .inside.worker import FRAME, HANDSHAKE, VISIBLE
from .sources import worker_program

ROOM_SECONDS = 25.0
"""Wall time of a whole room, from the handshake, by the host's clock."""
ROOM_BYTES = 4_000_000
"""What a room may send beside four times the right answers; it bounds the time that reading it takes."""
HANDSHAKE_SECONDS = 60.0
_SLOTS = threading.BoundedSemaphore(os.cpu_count() or 1)


class Silence(StrEnum):
    """Why a step has no answer."""

    MISSING = "no answer"
    TIMED_OUT = "timed out"
    TOO_LONG = "answer too long"
    UNDECODABLE = "not plain data"


class Answer(NamedTuple):
    """What came back for one step: a canonical spelling, or why there is none."""

    text: str | None
    silence: Silence | None = None


class VisibleRun(NamedTuple):
    """pytest's report, which candidate code could have forged."""

    exit: int
    outcomes: dict[str, str]


class RoomResult(NamedTuple):
    """What a room answered."""

    visible: VisibleRun | None
    answers: dict[str, tuple[Answer, ...]]
    """By case id, one for each step."""
    seconds: float
    """From the handshake to the end."""


class RoomRequest(NamedTuple):
    """What a room is asked: the plan's bytes and the cases in it, in the plan's order."""

    plan: bytes
    cases: Sequence[Case]
    hash_seed: int


def ask_room(client: docker.DockerClient, image: str, request: RoomRequest) -> RoomResult:
    """Run one room to its end and remove it. Rooms running at once are limited to the cores."""
    command = ["/usr/bin/python3", "-sP", "-c", worker_program()]
    options = room_options(image, command, environment=_environment(request.hash_seed))
    frames = _Frames(request.cases)
    with _SLOTS, Exchange(client, options, _max_bytes(request.cases)) as exchange:
        _shake_hands(exchange)
        started = time.monotonic()
        try:
            exchange.send(request.plan, started + ROOM_SECONDS)
            while frames.read(exchange, started + ROOM_SECONDS):
                pass
        except ExchangeEnded as ended:
            if not exchange.is_still_known():
                raise HarnessFault("the engine lost the room while it was answering") from ended
            frames.end(ended)
        seconds = time.monotonic() - started
        answers = frames.answers()  # meanwhile the container ends by itself, and is removed sooner
    return RoomResult(frames.visible, answers, seconds)


def _max_bytes(cases: Sequence[Case]) -> int:
    return ROOM_BYTES + 4 * sum(len(answer) for case in cases for answer in case.answers)


def _environment(hash_seed: int) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/room/home",
        "TMPDIR": "/room/tmp",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def _shake_hands(exchange: Exchange) -> None:
    try:
        greeting = exchange.receive(len(HANDSHAKE), time.monotonic() + HANDSHAKE_SECONDS)
    except ExchangeEnded as ended:
        raise HarnessFault(f"a room did not come up: {ended}") from ended
    if greeting != HANDSHAKE:
        raise HarnessFault(f"a room came up with {greeting!r} instead of its handshake")


class _Frames:
    """Collects the worker's frames. Total: a frame that does not belong is passed over."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._raw: dict[tuple[int, int], tuple[int, bytes]] = {}
        self._left: dict[tuple[int, int], bytes] = {}
        self._silence = Silence.MISSING
        self.visible: VisibleRun | None = None

    def read(self, exchange: Exchange, deadline: float) -> bool:
        """Take one frame; false at the end."""
        case, step, kind, length = FRAME.unpack(exchange.receive(FRAME.size, deadline))
        payload = exchange.receive(length, deadline)
        if kind == END:
            return False
        if case == VISIBLE:
            self.visible = _read_visible(payload) if kind == ANSWERED else None
        elif kind == LEFT:
            self._left[case, step] = payload
        else:
            self._raw.setdefault((case, step), (kind, payload))
        return True

    def end(self, reason: ExchangeEnded) -> None:
        """The room ended early: what it has not answered is missing, or out of time."""
        if str(reason) == "out of time":
            self._silence = Silence.TIMED_OUT

    def answers(self) -> dict[str, tuple[Answer, ...]]:
        """By case id, the answer of every step asked."""
        return {
            case.id: tuple(self._answer(number, position, step) for position, step in enumerate(case.steps))
            for number, case in enumerate(self._cases)
        }

    def _answer(self, number: int, position: int, step: Any) -> Answer:
        kind, payload = self._raw.get((number, position), (-1, b""))
        if kind == TIMED_OUT:
            return Answer(None, Silence.TIMED_OUT)
        if kind == TOO_LONG:
            return Answer(None, Silence.TOO_LONG)
        if kind != ANSWERED:
            return Answer(None, self._silence if kind == -1 else Silence.MISSING)
        left = self._left.get((number, position)) if "read" in step else None
        return read_answer(payload, left, "read" in step)


def read_answer(payload: bytes, left: bytes | None, with_left: bool) -> Answer:
    """The canonical spelling of what a step returned (and of what it left in files), if it has one."""
    try:
        value = decode(payload)
        if not with_left:
            return Answer(payload.decode("ascii"))
        return Answer(encode({"returned": value, "left": _read_left(left)}))
    except Exception:  # hostile text must never become a fault of the harness
        return Answer(None, Silence.UNDECODABLE)


def _read_left(left: bytes | None) -> dict[str, bytes | None]:
    """The worker's own report of files; only their content is the candidate's."""
    files = json.loads(left or b"{}")
    return {path: None if text is None else base64.b64decode(text) for path, text in files.items()}


def _read_visible(payload: bytes) -> VisibleRun | None:
    try:
        report = decode(payload)
        outcomes = {str(test): str(outcome) for test, outcome in report["outcomes"].items()}
        return VisibleRun(int(report["exit"]), outcomes)
    except Exception:  # a report that cannot be read is no report
        return None
