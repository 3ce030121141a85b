import pytest
from made import CONTROL, GREEN, NO_REPORT, TESTS, judged

from inspect_agentbench.grading import regrade
from inspect_agentbench.grading.report import RegradeReport
from inspect_agentbench.grading.room import Silence
from inspect_agentbench.grading.verdict import Judged
from inspect_agentbench.outcome import Outcome

SLOW, GONE = Silence.TIMED_OUT, Silence.MISSING


def decide(first: Judged, second: Judged, *third: Judged) -> tuple[Judged, RegradeReport]:
    """Decide between two gradings; a third is asked for as often as there is one, and no more."""
    waiting = list(third)
    decided = regrade.decide(first, second, waiting.pop)
    assert not waiting, "the third room was not asked"
    return decided


def test_equal_gradings_differ_in_nothing() -> None:
    """The same answers and outcomes, right or wrong, are equal."""
    for answers in (None, {"0": ["?", SLOW]}):
        assert regrade.differences(judged(answers), judged(answers)) == []


def test_different_wrong_answers_differ() -> None:
    """Answers are compared, not verdicts: a code that guesses is unstable though always wrong."""
    found = regrade.differences(judged({"0": ["x", "b"]}), judged({"0": ["y", "b"]}))
    assert [(d.where, d.by_time_out) for d in found] == [("trial 0 step 1", False)]


@pytest.mark.parametrize(
    ("outcomes", "where"),
    [
        ({**GREEN, TESTS[0]: "failed"}, TESTS[0]),
        ({**GREEN, CONTROL: "passed"}, "the control test"),
        (dict.fromkeys(TESTS, "passed"), "the control test (it must fail, and has no outcome)"),
        ({**GREEN, "tests/test_x.py": "error"}, "tests/test_x.py"),
    ],
)
def test_different_reports_differ(outcomes: dict[str, str], where: str) -> None:
    """Test by test, the control among them."""
    found = regrade.differences(judged(), judged(outcomes=outcomes))
    assert [(d.where, d.by_time_out) for d in found] == [(where, False)]


def test_only_a_difference_with_a_time_out_is_one_by_time_out() -> None:
    """An answer that is missing for another reason is no matter of the clock."""
    assert regrade.differences(judged(), judged({"1": [SLOW]}))[0].by_time_out
    assert not regrade.differences(judged(), judged({"1": [GONE]}))[0].by_time_out


def test_many_differences_are_shown_in_part() -> None:
    """A report lists some and counts the rest."""
    found = [regrade.Difference(f"trial {n} step 1", False) for n in range(14)]
    shown = regrade.shown(found)
    assert len(shown) == 11
    assert shown[-1] == "4 more"


@pytest.mark.parametrize("swap", [False, True])
def test_the_worse_of_two_different_gradings_counts(swap: bool) -> None:
    """Whichever room it was."""
    gradings = [judged(), judged({"1": ["?"]})]
    first, second = reversed(gradings) if swap else gradings
    decided, comparison = decide(first, second)
    assert decided.verdict is Outcome.ILLUSORY
    assert not comparison.equal


def test_a_third_room_decides_where_only_time_outs_differ() -> None:
    """A busy machine costs nobody a verdict."""
    decided, comparison = decide(judged(), judged({"1": [SLOW]}, NO_REPORT), judged())
    assert decided.verdict is Outcome.SOLVED
    assert comparison.equal
    assert comparison.decided_by_third
    assert comparison.differences == ("trial 1 step 1", *TESTS)


def test_a_third_room_that_times_out_as_well_decides_too() -> None:
    """Too slow twice is too slow."""
    decided, comparison = decide(judged(), judged({"1": [SLOW]}), judged({"1": [SLOW]}))
    assert decided.verdict is Outcome.ILLUSORY
    assert comparison.decided_by_third


@pytest.mark.parametrize(
    ("third", "verdict"),
    [
        (judged({"0": ["?", "b"]}), Outcome.ILLUSORY),
        (judged(outcomes={**GREEN, TESTS[0]: "failed"}), Outcome.FAILED),
    ],
)
def test_a_third_room_may_not_contradict_the_others(third: Judged, verdict: Outcome) -> None:
    """Otherwise timing out on purpose would buy a guess a second chance without comparison."""
    decided, comparison = decide(judged(), judged({"1": [SLOW]}), third)
    assert decided.verdict is verdict
    assert not comparison.equal


def test_a_third_room_that_contradicts_a_wrong_one_does_not_save_it() -> None:
    """The worst of the three counts."""
    wrong = {"0": ["?", "b"]}
    decided, comparison = decide(judged(wrong), judged({**wrong, "1": [SLOW]}), judged())
    assert decided.verdict is Outcome.ILLUSORY
    assert not comparison.equal
