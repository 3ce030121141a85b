"""What an episode took: the steps that were noted while it ran, and the numbers made of them. Pure.

A number that nobody could count is None, never 0.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

RunResult = Literal["green", "red", "unknown"]
Scope = Literal["whole", "part"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Frozen):
    """One command, edit, or run of the visible tests that was asked for and not executed."""

    kind: Literal["command", "edit", "not_executed"]
    turn: int
    command: str = ""
    """The beginning of the SHA-256 of a command's text, to see repetitions."""
    changed: bool | None = None
    """Whether it changed editable files; None if that could not be seen."""
    exit: int | None = None
    """The command's exit status; None if it was killed or stopped."""
    tests: Scope | None = None
    """How much of the visible suite it ran or was meant to run; None if nothing."""
    result: RunResult | None = None
    """What came of that run; None if there was none."""
    told_by: Literal["status", "summary"] | None = None
    """Whether the exit status tells the result, or only what was printed."""


class StepCounts(_Frozen):
    """What the steps add up to."""

    test_runs: int = 0
    last_result: RunResult | None = None
    """None if there was no run."""
    last_scope: Scope | None = None
    changes: int | None = 0
    changes_after_last_run: int | None = None
    """None if there was no run, or changes could not be seen."""
    runs_not_executed: int = 0
    last_run_not_executed: bool = False
    """The run that was asked for last is one of those."""
    longest_repetition: int = 0
    """The longest run of the same command with no change in between."""


def count_steps(steps: Sequence[Step]) -> StepCounts:
    """Add up the steps, which are in the order in which they happened."""
    runs = [number for number, step in enumerate(steps) if step.result is not None]
    asked = [step for step in steps if step.tests is not None]
    last = steps[runs[-1]] if runs else None
    return StepCounts(
        test_runs=len(runs),
        last_result=last.result if last else None,
        last_scope=last.tests if last else None,
        changes=_changes(steps),
        changes_after_last_run=_changes(steps[runs[-1] + 1 :]) if runs else None,
        runs_not_executed=sum(step.kind == "not_executed" for step in asked),
        last_run_not_executed=bool(asked) and asked[-1].kind == "not_executed",
        longest_repetition=_longest_repetition(steps),
    )


def _changes(steps: Sequence[Step]) -> int | None:
    executed = [step.changed for step in steps if step.kind != "not_executed"]
    return None if None in executed else sum(changed is True for changed in executed)


def _longest_repetition(steps: Sequence[Step]) -> int:
    longest = length = 0
    previous = None
    for step in steps:
        if step.kind == "command":
            length = length + 1 if step.command == previous else 1
            longest = max(longest, length)
            previous = step.command
        if step.changed:
            previous = None
    return longest


class Tokens(_Frozen):
    """What the model's servers reported, over all replies that came to their end."""

    input: int | None = None
    output: int | None = None
    """With the reasoning, as servers count it."""
    reasoning: int | None = None
    model_seconds: float | None = None
    """Time that the model took for these replies, waiting for a free connection not counted."""

    @property
    def per_second(self) -> float | None:
        """Output tokens per second of model time."""
        if self.output is None or not self.model_seconds:
            return None
        return round(self.output / self.model_seconds, 3)


class CheckCost(_Frozen):
    """What the completion check cost; all zero where there was none."""

    checks: int
    refused: int
    seconds: float
    turns_after_refusal: int
    """Turns after the first claim that was refused."""
    input_tokens_after_refusal: int | None
    output_tokens_after_refusal: int | None


class Effort(_Frozen):
    """What one episode took. None is unknown: another solver's transcript does not show everything."""

    turns: int | None
    tool_calls: int | None
    commands: int | None
    test_runs: int | None
    last_result: RunResult | None
    last_scope: Scope | None
    changes: int | None
    changes_after_last_run: int | None
    runs_not_executed: int | None
    last_run_not_executed: bool | None
    longest_repetition: int | None
    outputs_cut: int | None
    results_lost: int | None
    replies_cut: int
    unparsable_calls: int | None
    shell_blocks: int
    tokens: Tokens
    tokens_per_second: float | None
    setup_seconds: float | None
    agent_seconds: float | None
    """The agent's own: set-up, completion check, snapshots and grading are not in it."""
    snapshot_seconds: float | None
    check: CheckCost | None
    first_green_diff_lines: int | None = None
    """Lines of the diff at the first state of which the agent saw the visible suite green."""
    first_green_note: str = ""
    """Why there is none; empty if there is one."""

    def text(self) -> str:
        """One line for a person; what is unknown is left out."""
        counts = (("turns", self.turns), ("tool calls", self.tool_calls), ("commands", self.commands))
        parts = [f"{number} {name}" for name, number in counts if number is not None]
        parts += self._runs()
        if self.longest_repetition and self.longest_repetition > 2:
            parts.append(f"the same command {self.longest_repetition} times in a row")
        if self.tokens.output is not None:
            speed = f" at {self.tokens_per_second:g} per second" if self.tokens_per_second else ""
            parts.append(f"{self.tokens.output} output tokens{speed}")
        if self.agent_seconds is not None:
            parts.append(f"{self.agent_seconds:.1f} s of its own")
        if self.check is not None and self.check.checks:
            parts.append(f"{self.check.checks} completion checks in {self.check.seconds:.1f} s")
        return ", ".join(parts)

    def _runs(self) -> list[str]:
        if not self.test_runs:
            return [] if self.test_runs is None else ["no test run"]
        after = self.changes_after_last_run
        then = "" if after is None else f", then {after} changes"
        return [f"{self.test_runs} test runs (the last {self.last_result}{then})"]
