"""From what a room answered to a verdict. Pure functions; nothing here knows docker."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..bank import OracleSettings, Tolerance
from ..outcome import Outcome, Tag
from .cases import Case, Cases, visible_tests
from .compare import close, equal, same
from .report import Count, Disagreement, GroupScore, TrialsReport, VisibleReport
from .room import Answer, RoomResult, Silence, VisibleRun
from .shorten import shorten, show, show_pair

Accept = Callable[[Sequence[tuple[Case, Sequence[str]]]], list[list[bool]]]
"""Asks the judge's property check about cases with complete answers."""
NO_CONTROL = "the control test (it must fail, and has no outcome)"
_SHOWN_DISAGREEMENTS = 3
_SHOWN_TESTS = 20


class Judged(NamedTuple):
    """One grading: which steps of which case are right, and pytest's report."""

    right: dict[str, tuple[bool, ...]]
    """By case id."""
    answers: Mapping[str, tuple[Answer, ...]]
    visible: VisibleReport
    trials: TrialsReport

    @property
    def verdict(self) -> Outcome:
        """What this grading alone says."""
        if not self.visible.green:
            return Outcome.FAILED
        return Outcome.ILLUSORY if self.trials.disagreeing else Outcome.SOLVED

    @property
    def invariant_hold(self) -> bool:
        """Whether every trial tagged `invariant` agrees."""
        invariant = self.trials.by_tag.get(Tag.INVARIANT)
        return invariant is None or invariant.wrong == 0


def judge_room(
    cases: Cases, result: RoomResult, oracle: OracleSettings, control_test: str, accept: Accept
) -> Judged:
    """Compare a room's answers with the right ones."""
    right = (
        _right_by_property(cases, result, accept)
        if oracle.comparison == "property"
        else {
            **_right(cases.fixed, result, equal if oracle.fixed_comparison == "equal" else same),
            **_right(cases.trials, result, _comparison(oracle)),
        }
    )
    visible = _visible_report(cases.fixed, right, result.visible, control_test)
    return Judged(right, result.answers, visible, _trials_report(cases.trials, right, result.answers))


def _comparison(oracle: OracleSettings) -> Callable[[str, str], bool]:
    tolerance = oracle.comparison
    if isinstance(tolerance, Tolerance):
        return lambda expected, got: close(expected, got, tolerance)
    return same


def _right(
    cases: Iterable[Case], result: RoomResult, agree: Callable[[str, str], bool]
) -> dict[str, tuple[bool, ...]]:
    return {
        case.id: tuple(
            answer.text is not None and agree(expected, answer.text)
            for expected, answer in zip(case.answers, result.answers[case.id], strict=True)
        )
        for case in cases
    }


def _right_by_property(cases: Cases, result: RoomResult, accept: Accept) -> dict[str, tuple[bool, ...]]:
    """A case with a missing answer is wrong where it is missing, and nothing of it is asked."""
    every = (*cases.fixed, *cases.trials)
    right = {case.id: (False,) * len(case.steps) for case in every}
    items = [
        (case, [text for answer in result.answers[case.id] if (text := answer.text) is not None])
        for case in every
    ]
    complete = [(case, texts) for case, texts in items if len(texts) == len(case.steps)]
    for (case, _), verdicts in zip(complete, accept(complete), strict=True):
        right[case.id] = tuple(verdicts)
    return right


def _visible_report(
    fixed: Sequence[Case],
    right: Mapping[str, tuple[bool, ...]],
    run: VisibleRun | None,
    control_test: str,
) -> VisibleReport:
    tests = visible_tests(fixed)
    outcomes = run.outcomes if run else {}
    failing = tuple(test for test in tests if outcomes.get(test) != "passed")
    others = {test: outcome for test, outcome in outcomes.items() if test not in {*tests, control_test}}
    red = failing + _listed(test for test, outcome in others.items() if outcome != "passed")
    control = outcomes.get(control_test)
    if run is not None and control not in ("failed", "passed"):
        red += (NO_CONTROL,)
    wrong = tuple(dict.fromkeys(case.test or "" for case in fixed if not all(right[case.id])))
    return VisibleReport(
        green=run is not None and not red and not wrong and control == "failed",
        passed=len(tests) - len(failing),
        total=len(tests),
        reported=run is not None,
        failing=red,
        unmirrored=_listed(others),
        wrong_cases=wrong,
        conflict=bool(wrong) and not red,
        forged=control == "passed",
    )


def _listed(tests: Iterable[str]) -> tuple[str, ...]:
    """Names that may be a submission's invention: shortened, and only some of them."""
    found = sorted(tests)
    listed = tuple(shorten(test) for test in found[:_SHOWN_TESTS])
    return (*listed, f"{len(found) - _SHOWN_TESTS} more") if len(found) > _SHOWN_TESTS else listed


def _trials_report(
    trials: Sequence[Case], right: Mapping[str, tuple[bool, ...]], answers: Mapping[str, tuple[Answer, ...]]
) -> TrialsReport:
    wrong = [case for case in trials if not all(right[case.id])]
    tags = [tag for tag in Tag if any(tag in case.tags for case in trials)]
    groups = dict.fromkeys(case.group for case in trials if case.group is not None)
    silent = Counter(
        (answer.silence or Silence.MISSING).value
        for case in trials
        for answer in answers[case.id]
        if answer.text is None
    )
    return TrialsReport(
        total=len(trials),
        disagreeing=tuple(int(case.id) for case in wrong),
        by_tag={tag: Count(of=_tagged(trials, tag), wrong=_tagged(wrong, tag)) for tag in tags},
        by_group={group: Count(of=_grouped(trials, group), wrong=_grouped(wrong, group)) for group in groups},
        silent=dict(sorted(silent.items())),
        first=tuple(_shown(case, right, answers) for case in wrong[:_SHOWN_DISAGREEMENTS]),
    )


def group_score(trials: TrialsReport, oracle: OracleSettings) -> GroupScore | None:
    """The mean of the pass rates of the oracle's groups, those apart left out; None without groups."""
    if not oracle.groups:
        return None
    counted = {name: trials.by_group[name] for name in oracle.groups if name not in oracle.apart}
    rates = [(count.of - count.wrong) / count.of for count in counted.values()]
    return GroupScore(
        mean=round(sum(rates) / len(rates), 6),
        groups=counted,
        apart={name: trials.by_group[name] for name in oracle.apart},
    )


def _tagged(cases: Sequence[Case], tag: Tag) -> int:
    return sum(tag in case.tags for case in cases)


def _grouped(cases: Sequence[Case], group: str) -> int:
    return sum(case.group == group for case in cases)


def _shown(
    case: Case, right: Mapping[str, tuple[bool, ...]], answers: Mapping[str, tuple[Answer, ...]]
) -> Disagreement:
    step = right[case.id].index(False)
    answer = answers[case.id][step]
    if answer.text is None:
        expected, got = show(case.answers[step]), f"({answer.silence or Silence.MISSING})"
    else:
        expected, got = show_pair(case.answers[step], answer.text)
    asked = case.steps[step]
    return Disagreement(
        trial=case.id,
        step=step,
        input=show(asked["input"]),
        files={shorten(path): _shown_file(content) for path, content in asked.get("write", {}).items()},
        expected=expected,
        got=got,
    )


def _shown_file(content: str) -> str:
    return shorten(repr(base64.b64decode(content)))
