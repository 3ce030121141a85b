"""The claim ledger and what the noted steps add up to: pure functions, every branch."""

from typing import Any

import pytest

from inspect_agentbench.claims import Cause, Claim, Ending, Ledger, ledger
from inspect_agentbench.effort import CheckCost, Effort, Step, StepCounts, Tokens, count_steps
from inspect_agentbench.outcome import Outcome

CHECK = CheckCost(
    checks=0,
    refused=0,
    seconds=0.0,
    turns_after_refusal=0,
    input_tokens_after_refusal=0,
    output_tokens_after_refusal=0,
)


def command(text: str = "ls", changed: bool | None = False) -> Step:
    return Step(kind="command", turn=1, command=text, changed=changed, exit=0)


def edit() -> Step:
    return Step(kind="edit", turn=1, changed=True)


def run(result: Any, changed: bool | None = False) -> Step:
    return Step(kind="command", turn=1, command="pytest", changed=changed, tests="whole", result=result)


def vain() -> Step:
    return Step(kind="not_executed", turn=1, tests="whole")


def effort(*steps: Step, **fields: Any) -> Effort:
    plain = {
        "turns": 5,
        "tool_calls": 4,
        "commands": 3,
        "outputs_cut": 0,
        "results_lost": 0,
        "replies_cut": 0,
        "unparsable_calls": 0,
        "shell_blocks": 0,
        "tokens": Tokens(),
        "tokens_per_second": None,
        "setup_seconds": 0.5,
        "agent_seconds": 9.0,
        "snapshot_seconds": 0.0,
        "check": CHECK,
    }
    return Effort(**(plain | count_steps(steps).model_dump() | fields))


CAUSES: dict[str, tuple[list[Step], Cause]] = {
    "nothing at all": ([], Cause.NEVER_RAN),
    "changed, never ran": ([edit(), command()], Cause.NEVER_RAN),
    "saw red": ([edit(), run("red"), command()], Cause.SAW_RED),
    "saw red after green": ([run("green"), edit(), run("red")], Cause.SAW_RED),
    "not rerun after red": ([run("red"), edit()], Cause.NOT_RERUN),
    "not rerun after green": ([run("green"), command("sed", changed=True)], Cause.NOT_RERUN),
    "changed by the command that ran them": ([run("red", changed=True)], Cause.SAW_RED),
    "believed": ([run("red"), edit(), run("green")], Cause.BELIEVED),
    "believed, changes unseen": ([run("green"), command(changed=None)], Cause.BELIEVED),
    "red, changes unseen": ([run("red"), command(changed=None)], Cause.UNCLEAR),
    "a result that nothing tells": ([edit(), run("unknown")], Cause.UNCLEAR),
    "asked in vain, never ran": ([edit(), vain()], Cause.NOT_EXECUTED),
    "asked in vain after a change": ([run("red"), edit(), vain()], Cause.NOT_EXECUTED),
    "asked in vain, then it worked": ([vain(), run("red")], Cause.SAW_RED),
}


@pytest.mark.parametrize(("steps", "cause"), CAUSES.values(), ids=list(CAUSES))
@pytest.mark.parametrize("verdict", [Outcome.FAILED, Outcome.ILLUSORY])
def test_a_false_claim_has_a_cause(verdict: Outcome, steps: list[Step], cause: Cause) -> None:
    """The cause follows from the agent's own runs, whatever the visible tests really are."""
    entry = ledger("done", False, verdict, effort(*steps))
    assert (entry.ending, entry.cause) == (Ending.DONE, cause)
    assert entry.harness_fault is (cause is Cause.NOT_EXECUTED)


def test_every_cause_is_told_and_tried() -> None:
    """A cause without a sentence would crash a score; one without a case above is not tested."""
    assert {cause for _, cause in CAUSES.values()} == set(Cause)
    texts = {Ledger(ending=Ending.DONE, claim=Claim.FALSE_VISIBLE_RED, cause=cause).text() for cause in Cause}
    assert len(texts) == len(Cause)
    assert {Ledger(ending=ending).text() for ending in Ending} >= {"stopped honestly"}


@pytest.mark.parametrize(
    ("verdict", "claim"),
    [
        (Outcome.SOLVED, Claim.TRUE),
        (Outcome.ILLUSORY, Claim.FALSE_VISIBLE_GREEN),
        (Outcome.FAILED, Claim.FALSE_VISIBLE_RED),
    ],
)
def test_a_claim_is_worth_what_the_verdict_says(verdict: Outcome, claim: Claim) -> None:
    """And only a false one has a cause."""
    entry = ledger("done", False, verdict, effort(run("green")))
    assert entry.claim is claim
    assert (entry.cause is None) == (claim is Claim.TRUE)


@pytest.mark.parametrize(
    ("claimed", "ran_out", "ending"),
    [("blocked", False, Ending.BLOCKED), (None, True, Ending.RAN_OUT), (None, False, Ending.UNKNOWN)],
)
@pytest.mark.parametrize("verdict", [Outcome.SOLVED, Outcome.FAILED])
def test_without_a_claim_nothing_was_claimed(
    claimed: Any, ran_out: bool, ending: Ending, verdict: Outcome
) -> None:
    """An honest stop, a ceiling and an unknown end are no claims, solved or not."""
    assert ledger(claimed, ran_out, verdict, effort()) == Ledger(ending=ending)


def test_a_claim_that_met_a_ceiling_is_a_claim() -> None:
    """The claim came first."""
    assert ledger("done", True, Outcome.SOLVED, effort()).ending is Ending.DONE


def test_the_ledger_speaks_plainly() -> None:
    """Whoever reads a score needs no glossary."""
    false = ledger("done", False, Outcome.FAILED, effort(run("red")))
    assert false.text() == (
        "claimed done: the claim is false, and the visible tests are red; it saw them red and changed nothing"
    )
    assert ledger("done", False, Outcome.SOLVED, effort()).text() == "claimed done: the claim is true"


COUNTS: dict[str, tuple[list[Step], dict[str, Any]]] = {
    "nothing": ([], {}),
    "a run": ([run("red")], {"test_runs": 1, "last_result": "red", "last_scope": "whole",
                             "changes_after_last_run": 0, "longest_repetition": 1}),
    "changes": ([edit(), run("green"), edit(), command(changed=True)],
                {"test_runs": 1, "last_result": "green", "last_scope": "whole", "changes": 3,
                 "changes_after_last_run": 2, "longest_repetition": 1}),
    "changes unseen before": ([command(changed=None), run("green"), edit()],
                              {"test_runs": 1, "last_result": "green", "last_scope": "whole", "changes": None,
                               "changes_after_last_run": 1, "longest_repetition": 1}),
    "in vain": ([vain(), run("red"), vain()],
                {"test_runs": 1, "last_result": "red", "last_scope": "whole", "changes_after_last_run": 0,
                 "runs_not_executed": 2, "last_run_not_executed": True, "longest_repetition": 1}),
    "repeated": ([command("a"), command("b"), command("b"), command("b"), command("a")],
                 {"longest_repetition": 3}),
    "no repetition across a change": ([command("a"), edit(), command("a"), command("a")],
                                      {"changes": 1, "longest_repetition": 2}),
    "a command that changes something each time": ([command("a", changed=True)] * 3,
                                                   {"changes": 3, "longest_repetition": 1}),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "fields"), COUNTS.values(), ids=list(COUNTS))
def test_steps_add_up(steps: list[Step], fields: dict[str, Any]) -> None:
    """Runs, changes and repetitions by hand."""
    assert count_steps(steps) == StepCounts(**fields)


def test_speed_needs_tokens_and_time() -> None:
    """What is unknown stays unknown; no time at all is no division."""
    assert Tokens(output=50, model_seconds=2.0).per_second == 25
    for tokens in (Tokens(output=50), Tokens(model_seconds=2.0), Tokens(output=5, model_seconds=0.0)):
        assert tokens.per_second is None


def test_effort_is_told_in_one_line() -> None:
    """What is unknown is left out, and never told as 0."""
    known = effort(
        run("red"),
        edit(),
        run("green"),
        edit(),
        *[command("x")] * 4,
        tokens=Tokens(output=1200, model_seconds=40.0),
        tokens_per_second=30.0,
        check=CHECK.model_copy(update={"checks": 2, "seconds": 3.21}),
    )
    assert known.text() == (
        "5 turns, 4 tool calls, 3 commands, 2 test runs (the last green, then 1 changes), "
        "the same command 4 times in a row, 1200 output tokens at 30 per second, 9.0 s of its own, "
        "2 completion checks in 3.2 s"
    )
    assert effort().text() == "5 turns, 4 tool calls, 3 commands, no test run, 9.0 s of its own"
    unknown = ("tool_calls", "commands", "test_runs", "agent_seconds", "check", "longest_repetition")
    assert effort(**dict.fromkeys(unknown)).text() == "5 turns"
