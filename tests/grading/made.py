"""Cases, rooms and gradings made by hand, for tests that need no engine."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_agentbench.bank import OracleSettings
from inspect_agentbench.grading.cases import Case, Cases
from inspect_agentbench.grading.inside.wire import encode
from inspect_agentbench.grading.room import Answer, RoomResult, Silence, VisibleRun
from inspect_agentbench.grading.verdict import Judged, judge_room
from inspect_agentbench.outcome import Tag

CONTROL = "tests/test_0f.py::test_control"
TESTS = ("tests/test_a.py::test_one", "tests/test_a.py::test_two")
GREEN = {**dict.fromkeys(TESTS, "passed"), CONTROL: "failed"}
NO_REPORT: dict[str, str] = {}
"""Stands for a suite that did not end."""


def oracle(**settings: Any) -> OracleSettings:
    defaults = {"canary": "canary-made-0123456789ab", "version": 1, "seed": 1, "trials": 1, "obvious": "x"}
    return OracleSettings.model_validate({**defaults, **settings})


def case(
    name: str,
    *answers: Any,
    tags: Sequence[Tag] = (Tag.FAULT,),
    group: str | None = None,
    test: str | None = None,
) -> Case:
    steps = tuple({"input": encode(number)} for number in range(len(answers)))
    return Case(name, steps, tuple(encode(a) for a in answers), frozenset(tags), group, test)


CASES = Cases(
    fixed=(case("fixed-0", 1, tags=(), test=TESTS[0]), case("fixed-1", 2, tags=(), test=TESTS[1])),
    trials=(
        case("0", "a", "b"),
        case("1", "c", tags=(Tag.FAULT, Tag.TRAP), group="deep"),
        case("2", "d", tags=(Tag.INVARIANT,), group="deep"),
    ),
)


def room(
    answers: Mapping[str, Sequence[Any]] | None = None,
    outcomes: Mapping[str, str] | None = None,
    cases: Cases = CASES,
) -> RoomResult:
    """A room that answers everything right but what `answers` says, and whose suite is green by default."""
    visible = VisibleRun(0, dict(GREEN if outcomes is None else outcomes))
    given = {c.id: tuple(Answer(text) for text in c.answers) for c in (*cases.fixed, *cases.trials)} | {
        name: tuple(map(_answer, values)) for name, values in (answers or {}).items()
    }
    return RoomResult(visible if outcomes != NO_REPORT else None, given, 1.0)


def _answer(value: Any) -> Answer:
    return Answer(None, value) if isinstance(value, Silence) else Answer(encode(value))


def judged(
    answers: Mapping[str, Sequence[Any]] | None = None, outcomes: Mapping[str, str] | None = None
) -> Judged:
    return judge_room(CASES, room(answers, outcomes), oracle(), CONTROL, nobody_asks)


def nobody_asks(items: Sequence[tuple[Case, Sequence[str]]]) -> list[list[bool]]:
    raise AssertionError("an exact comparison asks no property check")
