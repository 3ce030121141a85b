"""From what known code did on fresh trials to findings."""

from inspect_agentbench.bank import Family
from inspect_agentbench.gate.fresh import _disagreements, fresh_seeds
from inspect_agentbench.gate.known import KnownRun, Shown
from inspect_agentbench.gate.reasons import Reason


def run(name: str, wrong: tuple[tuple[int, int], ...] = (), ended: str = "") -> KnownRun:
    first = Shown("1", "2") if wrong else None
    return KnownRun(name, 0 if ended else 24, wrong, 0, first, None, 1.0, ended)


def test_fixes_that_agree_on_everything_have_no_finding(tiny: Family) -> None:
    assert not _disagreements(tiny, [run("one"), run("other")])


def test_a_fix_that_was_not_tried_to_the_end_has_not_agreed(tiny: Family) -> None:
    """No trial that disagrees is not the same as every trial that agrees."""
    (finding,) = _disagreements(tiny, [run("one", ended="out of time"), run("other")])
    assert (finding.reason, finding.where) == (Reason.FRESH_DISAGREEMENT, "correct/one")
    assert "out of time" in finding.detail


def test_two_fixes_wrong_on_one_trial_point_at_the_oracle(tiny: Family) -> None:
    """Each is told with its first trial, and both together as a doubt about the oracle."""
    findings = _disagreements(tiny, [run("one", ((7, 3), (7, 5))), run("other", ((7, 5),))])
    assert [finding.reason for finding in findings] == [
        Reason.FRESH_DISAGREEMENT,
        Reason.FRESH_DISAGREEMENT,
        Reason.ORACLE_SUSPECT,
    ]
    assert "seed 7 trial 3" in findings[0].detail
    assert "7:5" in findings[2].detail


def test_fresh_seeds_are_enough_and_never_the_pinned_one(tiny: Family) -> None:
    """The same number draws the same seeds again."""
    seeds = fresh_seeds(1, tiny, 100)
    assert len(seeds) * tiny.oracle.trials >= 100 > (len(seeds) - 1) * tiny.oracle.trials
    assert seeds == fresh_seeds(1, tiny, 100) != fresh_seeds(2, tiny, 100)
    assert tiny.oracle.seed not in seeds
