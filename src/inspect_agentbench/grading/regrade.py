"""Two gradings of the same bytes, compared answer by answer and test by test."""

from collections.abc import Iterator
from typing import NamedTuple

from .room import Answer, Silence
from .verdict import Judged

_SHOWN = 10


class Difference(NamedTuple):
    """One place where two gradings are not the same."""

    where: str
    by_time_out: bool
    """At least one side has no answer because its time was up."""


def differences(first: Judged, second: Judged) -> list[Difference]:
    """Every answer and every visible test that is not the same in both gradings."""
    return [*_answer_differences(first, second), *_test_differences(first, second)]


def _answer_differences(first: Judged, second: Judged) -> Iterator[Difference]:
    for case, answers in first.answers.items():
        for step, (one, other) in enumerate(zip(answers, second.answers[case], strict=True)):
            if one != other:
                yield Difference(f"{_name(case)} step {step + 1}", _timed_out(one, other))


def _name(case: str) -> str:
    return case if case.startswith("fixed") else f"trial {case}"


def _timed_out(*answers: Answer) -> bool:
    return any(answer.silence is Silence.TIMED_OUT for answer in answers)


def _test_differences(first: Judged, second: Judged) -> Iterator[Difference]:
    one, other = first.visible, second.visible
    if one.forged != other.forged:
        yield Difference("the control test", False)
    for test in sorted({*one.failing} ^ {*other.failing}):
        yield Difference(test, _suite_timed_out(first) or _suite_timed_out(second))


def _suite_timed_out(judged: Judged) -> bool:
    """The whole suite is without a report, as when its time was up."""
    return judged.visible.passed == 0 and judged.visible.total > 0


def shown(found: list[Difference]) -> tuple[str, ...]:
    """The first differences by name, and how many more there are."""
    names = [difference.where for difference in found[:_SHOWN]]
    more = len(found) - len(names)
    return (*names, f"{more} more") if more else tuple(names)
