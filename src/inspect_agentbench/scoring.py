"""The Inspect scorer: collects the submission first, then grades the saved bytes. A thin layer.

A score's value is the outcome string. The metrics take every episode by itself (Inspect's default epoch
reducer would turn the strings to 0.0). A fault of the harness is raised: the sample is then `errored`.
"""

from typing import Any

import anyio.to_thread
from inspect_ai.event import ErrorEvent, SampleLimitEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import StoreModel, sandbox
from pydantic import Field

from inspect_agentbench.bank import Variant, open_bank
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.episode import INSPECT_LIMITS, WORKSPACE, EpisodeRecord
from inspect_agentbench.errors import AgentbenchError, HarnessFault
from inspect_agentbench.grading import Grading, grade
from inspect_agentbench.integrity.collect import collect_path_log
from inspect_agentbench.metrics import (
    by_family,
    disqualified_rate,
    failed_rate,
    illusory_rate,
    outcome_counts,
    solved_rate,
)
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission, collect, freeze, from_data, to_data


class SavedSubmission(StoreModel):
    """The submission as it was collected, before anything was graded."""

    saved: dict[str, Any] = Field(default_factory=dict)
    """See submission.to_data; empty before collection."""
    path_log: dict[str, Any] = Field(default_factory=dict)
    """State, reason and counts of the path log."""


@scorer(
    metrics=[
        solved_rate(),
        illusory_rate(),
        failed_rate(),
        disqualified_rate(),
        outcome_counts(),
        by_family(),
    ]
)
def oracle_grade() -> Scorer:
    """Grade the submission by its family's hidden oracle. Works on live samples and on saved ones."""

    async def score(state: TaskState, target: Target) -> Score:
        variant = _variant(state)
        saved = state.store_as(SavedSubmission)
        if not saved.saved:
            await _collect(state, variant, saved)
        submission = from_data(saved.saved, f"sample {state.sample_id}")
        _raise_if_broken(state)
        grading = await anyio.to_thread.run_sync(_grade, variant, submission)
        return _score(state, saved, grading)

    return score


def _variant(state: TaskState) -> Variant:
    metadata = state.metadata
    if "family" not in metadata:
        raise AgentbenchError(
            f"sample {state.sample_id} names no family in its metadata; "
            "this scorer grades samples of inspect_agentbench's own tasks"
        )
    return open_bank(metadata.get("bank")).family(metadata["family"]).variant(metadata.get("variant"))


async def _collect(state: TaskState, variant: Variant, saved: SavedSubmission) -> None:
    """The scorer's first act: stop everything of the agent's, then save its files."""
    try:
        connection = await sandbox().connection()
    except ProcessLookupError as error:
        raise AgentbenchError(
            f"sample {state.sample_id} has neither a sandbox nor a saved submission; "
            "grade a log that inspect_agentbench wrote"
        ) from error
    except (NotImplementedError, ConnectionError, RuntimeError) as error:
        raise HarnessFault(f"the agent's container cannot be reached: {error}") from error
    record = state.store_as(EpisodeRecord)
    submission, path_log = await anyio.to_thread.run_sync(
        _take, str(connection.container), variant, record.commands, record.path_log, record.path_log_reason
    )
    saved.saved = to_data(submission)
    saved.path_log = path_log


def _take(
    container: str, variant: Variant, commands: int, path_log: str, reason: str
) -> tuple[Submission, dict[str, Any]]:
    client = connect()
    freeze(client, container)
    submission = collect(client, container, WORKSPACE, variant)
    return submission, collect_path_log(client, container, commands, path_log, reason)


def _raise_if_broken(state: TaskState) -> None:
    """An episode that ended in an error is errored, not failed; its submission is kept."""
    for event in transcript().events:
        if isinstance(event, ErrorEvent):
            raise HarnessFault(f"the episode ended in an error ({event.error.message}); its files were kept")


def _grade(variant: Variant, submission: Submission) -> Grading:
    return grade(connect(), ensure_image(lambda line: None), variant, submission)


def _score(state: TaskState, saved: SavedSubmission, grading: Grading) -> Score:
    record, report = state.store_as(EpisodeRecord), grading.report
    return Score(
        value=report.outcome.value,
        answer=record.claim or "no claim",
        explanation=_explanation(record, saved, grading),
        metadata={
            "grade": report.model_dump(mode="json"),
            "diff": grading.diff.text,
            "claim": record.claim,
            "claim_reason": record.claim_reason,
            "ceiling": _ceiling(record),
            "path_log": saved.path_log,
            "incomplete": _is_incomplete(saved, grading),
        },
    )


def _ceiling(record: EpisodeRecord) -> str | None:
    """What ended the episode before the agent did; other solvers end on Inspect's own limits."""
    if record.ceiling is not None:
        return record.ceiling.value
    limits = [event.type for event in transcript().events if isinstance(event, SampleLimitEvent)]
    return str(INSPECT_LIMITS.get(limits[-1], limits[-1])) if limits else None


def _is_incomplete(saved: SavedSubmission, grading: Grading) -> bool:
    """A pass without a complete path log, which tables report apart."""
    return grading.report.outcome is Outcome.SOLVED and saved.path_log.get("state") != "complete"


def _agent_line(record: EpisodeRecord) -> str:
    ceiling = _ceiling(record)
    ended = f"ended by {ceiling}" if ceiling else "ended by itself"
    if not record.agent:
        return f"agent: another solver, whose claim and turns are not known, {ended}"
    claim = f"claimed {record.claim}" if record.claim else "claimed nothing"
    return f"agent: {claim}, {ended}, {record.turns} turns, {record.tool_calls} tool calls"


def _explanation(record: EpisodeRecord, saved: SavedSubmission, grading: Grading) -> str:
    report = grading.report
    lines = [report.explanation()]
    lines.append(f"{_agent_line(record)}; path log {saved.path_log.get('state', 'unavailable')}")
    if _is_incomplete(saved, grading):
        lines.append(
            "incomplete: solved, but without a complete path log nothing is known of what was opened"
        )
    touched = ", ".join(report.files_touched) or "none"
    lines.append(f"files touched: {touched} ({report.diff_lines} lines)")
    lines += [f"noted: {fact}" for fact in report.facts]
    if grading.diff.text:
        lines.append(f"```diff\n{grading.diff.text}\n```")
    return "\n\n".join(lines)
