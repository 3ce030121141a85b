"""Two gradings of the same bytes, compared answer by answer and test by test."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..outcome import Outcome
from .report import RegradeReport
from .room import Answer, Silence
from .verdict import Judged

_SHOWN = 10
_WORST_FIRST = (Outcome.FAILED, Outcome.ILLUSORY, Outcome.SOLVED)


class Difference(NamedTuple):
    """One place where two gradings are not the same."""

    where: str
    by_time_out: bool
    """At least one side has no answer because its time was up."""


def decide(first: Judged, second: Judged, ask_third: Callable[[], Judged]) -> tuple[Judged, RegradeReport]:
    """The grading that counts: the worst, or a third, run alone, where only time-outs differ.

    The third must not contradict the others in anything that did not time out.
    """
    found = differences(first, second)
    if not found:
        return first, RegradeReport(equal=True)
    gradings = [first, second]
    if all(difference.by_time_out for difference in found):
        third = ask_third()
        gradings.append(third)
        again = [*differences(first, third), *differences(second, third)]
        if all(difference.by_time_out for difference in again):
            return third, RegradeReport(equal=True, differences=shown(found), decided_by_third=True)
        found += [difference for difference in again if not difference.by_time_out]
    worst = min(gradings, key=lambda judged: _WORST_FIRST.index(judged.verdict))
    return worst, RegradeReport(equal=False, differences=shown(found))


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
        yield Difference(test, not (one.reported and other.reported))


def shown(found: list[Difference]) -> tuple[str, ...]:
    """The first differences by name, and how many more there are."""
    names = [difference.where for difference in found[:_SHOWN]]
    more = len(found) - len(names)
    return (*names, f"{more} more") if more else tuple(names)
