from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import CASES, CONTROL, GREEN, NO_REPORT, TESTS, judged

from inspect_agentbench.grading.inside.wire import encode
from inspect_agentbench.grading.report import GradeReport, Hashes, RegradeReport, Timings
from inspect_agentbench.grading.room import Silence
from inspect_agentbench.grading.shorten import shorten, show
from inspect_agentbench.grading.signature import match


def report(answers: Any = None, outcomes: dict[str, str] | None = None, *, equal: bool = True) -> GradeReport:
    grading = judged(answers, outcomes)
    return GradeReport(
        family="made",
        family_version=1,
        variant="plain",
        outcome=grading.verdict,
        verdict=grading.verdict,
        visible=grading.visible,
        trials=grading.trials,
        invariant_hold=grading.invariant_hold,
        unstable=not equal,
        signature=match(grading.trials.disagreeing, {}),
        submission_hash="0",
        files_touched=("a.py",),
        diff_lines=2,
        regrade=RegradeReport(equal=equal),
        hashes=Hashes(visible="", oracle="", grader="", image="", image_id="", package=""),
        timings=Timings(judge=0, gradings=0, total=0),
    )


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (report(), ["visible 2/2", "all 3 trials agree"]),
        (
            report({"1": ["?"]}),
            ["visible 2/2", "1 of 3 trials disagree", "no known lazy fix", "expected 'c', got '?'"],
        ),
        (report({"2": ["?"]}), ["regression"]),
        (report({"2": [Silence.TIMED_OUT]}), ["got (timed out)"]),
        (report(outcomes={**GREEN, TESTS[0]: "failed"}), ["visible 1/2"]),
        (report({"fixed-0": [9]}), ["conflict: 1 of them"]),
        (report(outcomes={**GREEN, CONTROL: "passed"}), ["forged"]),
        (report(outcomes=dict.fromkeys(TESTS, "passed")), ["visible 2/2", "red besides: the control test"]),
        (report(outcomes={**GREEN, "tests/test_b.py": "error"}), ["red besides: tests/test_b.py"]),
        (report(outcomes=NO_REPORT), ["visible 0/2", "did not end"]),
        (report(equal=False), ["unstable"]),
    ],
)
def test_the_explanation_says_why(made: GradeReport, says: list[str]) -> None:
    """One line tells what passed, what did not, and what kept a green suite from counting."""
    line = made.explanation()
    assert "\n" not in line
    assert all(part in line for part in says), line


def test_a_report_survives_the_log() -> None:
    """It is written as JSON and read again without loss."""
    made = report({"0": ["?", Silence.MISSING], "2": [1]})
    assert GradeReport.model_validate_json(made.model_dump_json()) == made


@given(st.text() | st.binary().map(lambda b: b.decode("utf-8", "surrogateescape")), st.integers(1, 300))
def test_hostile_text_is_short_printable_ascii(text: str, limit: int) -> None:
    """No escape sequence, line break or megabyte of a submission reaches a terminal or a log as it is."""
    shown = shorten(text, limit)
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= limit + len("[999999999 more]")


def test_what_was_cut_is_counted() -> None:
    """Both ends of a long value are shown."""
    assert shorten("a" * 50 + "b" * 50, 30) == "a" * 20 + "[70 more]" + "b" * 10


@pytest.mark.parametrize(
    "value", ["\x1b[2J", "\ud800", "\u202e", "x" * 5000, [[]] * 500, {"a": b"\xff"}, 10**900]
)
def test_values_are_shown_as_python_writes_them(value: Any) -> None:
    """Shown values are bounded, whatever they are."""
    shown = show(encode(value))
    assert len(shown) < 230
    assert shown[:20] == shorten(repr(value))[:20]


def test_what_has_no_value_is_shown_as_it_came() -> None:
    """A spelling that cannot be decoded is still something to look at."""
    assert show('{"!":"no"}') == '{"!":"no"}'
    assert CASES.fixed
