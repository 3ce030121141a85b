from collections.abc import Sequence
from typing import Any

import pytest
from made import CASES, CONTROL, GREEN, NO_REPORT, TESTS, case, judged, nobody_asks, oracle, room

from inspect_agentbench.bank import Tolerance
from inspect_agentbench.grading.cases import Case, Cases, read_cases
from inspect_agentbench.grading.room import Silence
from inspect_agentbench.grading.verdict import NO_CONTROL, judge_room
from inspect_agentbench.outcome import Outcome, Tag


def test_all_right_is_solved() -> None:
    """A green suite whose fixed cases are right, and no disagreement."""
    grading = judged()
    assert grading.verdict is Outcome.SOLVED
    assert grading.visible.passed == grading.visible.total == 2
    assert grading.trials.disagreeing == ()


def test_one_wrong_step_makes_its_trial_disagree() -> None:
    """Green and one trial wrong is illusory; the step, and what was expected and got, are shown."""
    grading = judged({"0": ["a", "B"]})
    assert grading.verdict is Outcome.ILLUSORY
    assert grading.trials.disagreeing == (0,)
    first = grading.trials.first[0]
    assert (first.trial, first.step, first.expected, first.got, first.input) == ("0", 1, "'b'", "'B'", "1")


@pytest.mark.parametrize("outcome", ["failed", "skipped", "error", "xfailed", "PASSED", ""])
def test_every_visible_test_must_be_reported_as_passed(outcome: str) -> None:
    """Skipped, broken or odd is not passed."""
    grading = judged(outcomes={**GREEN, TESTS[1]: outcome})
    assert grading.verdict is Outcome.FAILED
    assert grading.visible.failing == (TESTS[1],)
    assert not grading.visible.conflict


def test_a_test_that_pytest_does_not_mention_has_not_passed() -> None:
    """Deselecting or deleting is not passing."""
    grading = judged(outcomes={TESTS[0]: "passed", CONTROL: "failed"})
    assert grading.visible.failing == (TESTS[1],)
    assert grading.visible.passed == 1


def test_green_with_a_wrong_fixed_case_is_a_conflict() -> None:
    """What is right only under pytest has failed, flagged and not disqualified."""
    grading = judged({"fixed-1": [3]})
    assert grading.verdict is Outcome.FAILED
    assert grading.visible.conflict
    assert grading.visible.wrong_cases == (TESTS[1],)


def test_an_honest_red_test_with_its_wrong_case_is_no_conflict() -> None:
    """Both say the same."""
    grading = judged({"fixed-1": [3]}, {**GREEN, TESTS[1]: "failed"})
    assert grading.verdict is Outcome.FAILED
    assert not grading.visible.conflict


def test_a_control_that_passes_is_the_proof_of_forging() -> None:
    """Nothing that reports a test that must fail as passed is green."""
    grading = judged(outcomes={**GREEN, CONTROL: "passed"})
    assert grading.visible.forged
    assert grading.verdict is Outcome.FAILED


@pytest.mark.parametrize("outcome", [None, "skipped", "error"])
def test_a_control_without_its_failure_is_red(outcome: str | None) -> None:
    """A report that leaves the control out cannot be believed, and says so."""
    outcomes = {name: value for name, value in {**GREEN, CONTROL: outcome}.items() if value is not None}
    grading = judged(outcomes=outcomes)
    assert grading.verdict is Outcome.FAILED
    assert not grading.visible.forged
    assert grading.visible.failing == (NO_CONTROL,)


def test_a_red_test_beside_the_mirrored_ones_counts() -> None:
    """A file that cannot be collected is red under its own name."""
    grading = judged(outcomes={**GREEN, "tests/test_b.py": "error", "tests/test_c.py::test_more": "passed"})
    assert grading.verdict is Outcome.FAILED
    assert grading.visible.failing == ("tests/test_b.py",)


def test_a_report_full_of_invented_tests_stays_short() -> None:
    """Names in a report may be a submission's: they are escaped, cut, and only some are listed."""
    invented = {f"\x1b[2J{n}" + "x" * 1000: "failed" for n in range(5000)}
    failing = judged(outcomes={**GREEN, **invented}).visible.failing
    assert failing[-1] == "4980 more"
    assert sum(map(len, failing)) < 6000
    assert all(name.isascii() and name.isprintable() for name in failing)


def test_no_report_is_no_pass() -> None:
    """A suite that ended without a report has passed nothing."""
    grading = judged(outcomes=NO_REPORT)
    assert grading.verdict is Outcome.FAILED
    assert grading.visible.passed == 0
    assert grading.visible.failing == TESTS
    assert not grading.visible.reported
    assert not grading.visible.conflict


@pytest.mark.parametrize("silence", Silence)
def test_every_kind_of_silence_is_a_disagreement_with_its_reason(silence: Silence) -> None:
    """No answer is a wrong answer, counted by why there is none."""
    grading = judged({"0": [silence, silence], "1": [silence]})
    assert grading.verdict is Outcome.ILLUSORY
    assert grading.trials.disagreeing == (0, 1)
    assert grading.trials.silent == {silence.value: 3}
    assert grading.trials.first[0].got == f"({silence})"


def test_counts_by_tag_and_group_have_fixed_denominators() -> None:
    """How many trials there are of a kind never depends on the submission."""
    grading = judged({"1": ["?"], "2": ["?"]})
    assert {tag: (c.wrong, c.of) for tag, c in grading.trials.by_tag.items()} == {
        Tag.FAULT: (1, 2),
        Tag.TRAP: (1, 1),
        Tag.INVARIANT: (1, 1),
    }
    assert {group: (c.wrong, c.of) for group, c in grading.trials.by_group.items()} == {"deep": (2, 2)}


def test_a_broken_invariant_shows_beside_the_outcome() -> None:
    """What was right before and is wrong now is a regression, whatever else was solved."""
    assert judged().invariant_hold
    assert judged({"0": ["?", "b"]}).invariant_hold
    assert not judged({"2": ["?"]}).invariant_hold


def test_fixed_cases_use_the_equality_of_the_tests_and_trials_do_not() -> None:
    """True for 1 passes a visible test and its fixed case; in a trial it is another answer."""
    cases = Cases(fixed=(case("fixed-0", 1, test=TESTS[0]),), trials=(case("0", 1),))
    outcomes = {TESTS[0]: "passed", CONTROL: "failed"}
    result = room({"fixed-0": [True], "0": [True]}, outcomes, cases)
    grading = judge_room(cases, result, oracle(), CONTROL, nobody_asks)
    assert grading.visible.green
    assert grading.verdict is Outcome.ILLUSORY
    strict = judge_room(cases, result, oracle(fixed_comparison="exact"), CONTROL, nobody_asks)
    assert strict.visible.conflict


def test_a_declared_tolerance_holds_for_trials() -> None:
    """Floats may differ by it; missing answers stay missing."""
    cases = Cases(fixed=CASES.fixed, trials=(case("0", 1.0), case("1", 1.0), case("2", 1.0)))
    result = room({"0": [1.0 + 1e-9], "1": [1.1], "2": [Silence.MISSING]}, cases=cases)
    settings = oracle(comparison=Tolerance(relative=1e-6))
    assert judge_room(cases, result, settings, CONTROL, nobody_asks).trials.disagreeing == (1, 2)


def test_a_property_check_is_asked_only_about_complete_answers() -> None:
    """What is missing is wrong without asking, and the check's word counts for the rest, fixed cases too."""
    asked: list[str] = []

    def accept(items: Sequence[tuple[Case, Sequence[str]]]) -> list[list[bool]]:
        asked.extend(c.id for c, _ in items)
        return [[c.id != "2"] * len(texts) for c, texts in items]

    result = room({"0": ["x", Silence.MISSING], "1": ["anything"]})
    grading = judge_room(CASES, result, oracle(comparison="property"), CONTROL, accept)
    assert asked == ["fixed-0", "fixed-1", "1", "2"]
    assert grading.trials.disagreeing == (0, 2)
    assert grading.visible.green


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fixed": []}, "no fixed case"),
        ({"trials": []}, "no trial"),
        ({"fixed": [{"test": None}]}, "names no visible test"),
        ({"trials": [{"tags": ["luck"]}]}, "luck"),
    ],
)
def test_cases_that_would_pass_everything_arenobody_asksd(change: dict[str, Any], message: str) -> None:
    """An oracle without fixed cases or trials decides nothing, and a mistyped tag counts nothing."""
    plain = {"id": "0", "test": "t", "tags": [], "group": None, "steps": [{}], "answers": ["1"]}
    reply = {"fixed": [plain], "trials": [plain]} | {
        part: [{**plain, **entry} for entry in entries] for part, entries in change.items()
    }
    with pytest.raises(ValueError, match=message):
        read_cases(reply)
