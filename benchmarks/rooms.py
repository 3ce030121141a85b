"""Rooms seen from the host: where the time of one goes, and how many steps a second one answers."""

import time
from itertools import pairwise
from typing import NamedTuple

from inspect_agentbench.engine import Exchange, room_options
from inspect_agentbench.grading.cases import Case, Cases
from inspect_agentbench.grading.inside.children import END
from inspect_agentbench.grading.inside.worker import FRAME, HANDSHAKE
from inspect_agentbench.grading.judge import Pins, make_cases
from inspect_agentbench.grading.plan import Control, room_plan
from inspect_agentbench.grading.preload import standard_imports
from inspect_agentbench.grading.room import RoomRequest, _environment, ask_room
from inspect_agentbench.grading.sources import worker_program
from inspect_agentbench.grading.verdict import Judged, judge_room
from inspect_agentbench.outcome import Outcome

from .setting import BenchmarkFailed, Setting

_ROOM_BYTES = 50_000_000
_ROOM_SECONDS = 120.0
_SEED = 20_260_105


class Parts(NamedTuple):
    """Seconds of one room, one after the other."""

    start: float
    """Making and starting the container, up to the handshake."""
    visible: float
    """The plan sent, the tree laid and compiled, pytest run, its report here."""
    cases: float
    """Every step of every case answered."""
    removal: float


def plan_of(setting: Setting, cases: list[Case], control: Control | None) -> bytes:
    """The plan that asks those cases of the known correct fix."""
    variant = setting.variant
    tree = variant.with_submission(setting.submission.files)
    return room_plan(variant, tree, cases, control, standard_imports(variant))


def one_grading(setting: Setting, cases: Cases) -> None:
    """All that one of the two gradings does, in a fresh room. BenchmarkFailed if it is not `solved`."""
    control = Control(setting.variant)
    ordered = [*cases.fixed, *cases.trials]
    request = RoomRequest(plan_of(setting, ordered, control), ordered, hash_seed=1)
    result = ask_room(setting.client, setting.image.id, request)
    _require_solved(judge_room(cases, result, setting.variant.family.oracle, control.test, _no_property))


def room_parts(setting: Setting, cases: Cases) -> Parts:
    """The same room with the host's clock read in between; the answers are dropped."""
    ordered = [*cases.fixed, *cases.trials]
    plan = plan_of(setting, ordered, Control(setting.variant))
    moments = [time.perf_counter()]
    with Exchange(setting.client, _options(setting), _ROOM_BYTES) as exchange:
        deadline = time.monotonic() + _ROOM_SECONDS
        exchange.receive(len(HANDSHAKE), deadline)
        moments.append(time.perf_counter())
        exchange.send(plan, deadline)
        _read_frame(exchange, deadline)  # the visible suite comes first
        moments.append(time.perf_counter())
        while _read_frame(exchange, deadline) != END:
            pass
        moments.append(time.perf_counter())
    moments.append(time.perf_counter())
    return Parts(*(after - before for before, after in pairwise(moments)))


def steps_per_second(setting: Setting, cases: list[Case]) -> float:
    """From the plan's first byte sent to the last answer received, tree laid and compiled included."""
    request = RoomRequest(plan_of(setting, cases, None), cases, hash_seed=1)
    result = ask_room(setting.client, setting.image.id, request)
    answers = [answer for case in cases for answer in result.answers[case.id]]
    if any(answer.text is None for answer in answers):
        raise BenchmarkFailed("a room left steps without an answer; grade the known fixes first")
    return len(answers) / result.seconds


def one_step_trials(setting: Setting, count: int) -> list[Case]:
    """The first steps of so many trials, each a case of its own with a world of its own."""
    trials = make_cases(setting.client, setting.image, setting.variant, Pins(_SEED, count)).trials
    return [case._replace(steps=case.steps[:1], answers=case.answers[:1]) for case in trials]


def _read_frame(exchange: Exchange, deadline: float) -> int:
    """Pass one frame over and give its kind."""
    _, _, kind, length = FRAME.unpack(exchange.receive(FRAME.size, deadline))
    exchange.receive(length, deadline)
    return int(kind)


def _options(setting: Setting) -> dict[str, object]:
    command = ["/usr/bin/python3", "-sP", "-c", worker_program()]
    return room_options(setting.image.id, command, environment=_environment(1))


def _no_property(items: object) -> list[list[bool]]:
    raise BenchmarkFailed("the benchmarks' family is compared by equality; it has no property check")


def _require_solved(judged: Judged) -> None:
    if judged.verdict is not Outcome.SOLVED:
        raise BenchmarkFailed(f"the known correct fix was graded {judged.verdict}; grade it by hand")
