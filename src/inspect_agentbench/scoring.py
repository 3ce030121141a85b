"""The Inspect scorer: collects the submission first, then grades the saved bytes. A thin layer.

A score's value is the outcome string. The metrics take every episode by itself (Inspect's default epoch
reducer would turn the strings to 0.0). A fault of the harness is raised: the sample is then `errored`.
"""

from typing import Any, NamedTuple

import anyio.to_thread
from inspect_ai.event import ErrorEvent, SampleLimitEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import StoreModel, sandbox
from pydantic import Field

from inspect_agentbench.bank import Variant, open_bank
from inspect_agentbench.claims import Ledger, ledger
from inspect_agentbench.effort import Effort
from inspect_agentbench.engine import connect, ensure_image
from inspect_agentbench.episode import INSPECT_LIMITS, WORKSPACE, EpisodeRecord
from inspect_agentbench.errors import AgentbenchError, HarnessFault
from inspect_agentbench.first_green import GreenStates, first_green
from inspect_agentbench.grading import Grading, grade
from inspect_agentbench.integrity import NO_EPISODE, Hidden, IntegrityReport, hidden_of
from inspect_agentbench.integrity.collect import Examined, Watched, examine
from inspect_agentbench.integrity.left import running
from inspect_agentbench.measuring import measure
from inspect_agentbench.metrics import (
    by_family,
    claim_counts,
    disqualified_rate,
    failed_rate,
    illusory_rate,
    median_tool_calls,
    outcome_counts,
    solved_rate,
    tokens_per_second,
)
from inspect_agentbench.outcome import Outcome
from inspect_agentbench.submission import Submission, collect, freeze, from_data, to_data
from inspect_agentbench.watching import transcript_texts


class SavedSubmission(StoreModel):
    """The submission as it was collected, before anything was graded."""

    saved: dict[str, Any] = Field(default_factory=dict)
    """See submission.to_data; empty before collection."""
    integrity: dict[str, Any] = Field(default_factory=dict)
    """The IntegrityReport of transcript, path log and container, made before anything was graded."""
    paths: dict[str, Any] = Field(default_factory=dict)
    """The path log's paths by kind, the system's folded away; see integrity.paths."""


@scorer(
    metrics=[
        solved_rate(),
        illusory_rate(),
        failed_rate(),
        disqualified_rate(),
        outcome_counts(),
        claim_counts(),
        median_tool_calls(),
        tokens_per_second(),
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
        integrity = IntegrityReport.model_validate(saved.integrity) if saved.integrity else NO_EPISODE
        grading = await anyio.to_thread.run_sync(_grade, variant, submission, integrity)
        return _score(state, saved, grading, await _account(state, variant, grading))

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
    watched = Watched(record.commands, record.path_log, record.path_log_reason)
    hidden = hidden_of(tuple(open_bank(state.metadata.get("bank")).families.values()))
    texts = list(transcript_texts(state, transcript().events))
    submission, examined = await anyio.to_thread.run_sync(
        _take, str(connection.container), variant, watched, hidden, texts
    )
    saved.saved = to_data(submission)
    saved.integrity = examined.report.model_dump(mode="json")
    saved.paths = {kind: paths._asdict() for kind, paths in examined.paths.items()}


def _take(
    container: str, variant: Variant, watched: Watched, hidden: Hidden, texts: list[tuple[str, str]]
) -> tuple[Submission, Examined]:
    client = connect()
    left = running(client, container)
    freeze(client, container)
    submission = collect(client, container, WORKSPACE, variant)
    return submission, examine(client, container, watched, hidden, texts, left)


def _raise_if_broken(state: TaskState) -> None:
    """An episode that ended in an error is errored, not failed; its submission is kept."""
    for event in transcript().events:
        if isinstance(event, ErrorEvent):
            raise HarnessFault(f"the episode ended in an error ({event.error.message}); its files were kept")


def _grade(variant: Variant, submission: Submission, integrity: IntegrityReport) -> Grading:
    return grade(connect(), ensure_image(lambda line: None), variant, submission, integrity=integrity)


class _Account(NamedTuple):
    """What the episode took, and what its claim was worth."""

    effort: Effort
    ledger: Ledger


async def _account(state: TaskState, variant: Variant, grading: Grading) -> _Account:
    record = state.store_as(EpisodeRecord)
    green = await first_green(record, state.store_as(GreenStates), variant, grading)
    effort = measure(record, transcript().events, variant).model_copy(
        update={"first_green_diff_lines": green.diff_lines, "first_green_note": green.note}
    )
    ran_out = _ceiling(record) is not None
    return _Account(effort, ledger(record.claim, ran_out, grading.report.verdict, effort))


def _score(state: TaskState, saved: SavedSubmission, grading: Grading, account: _Account) -> Score:
    record, report = state.store_as(EpisodeRecord), grading.report
    return Score(
        value=report.outcome.value,
        answer=record.claim or "no claim",
        explanation=_explanation(record, saved, grading, account),
        metadata={
            "grade": report.model_dump(mode="json"),
            "diff": grading.diff.text,
            "ledger": account.ledger.model_dump(mode="json"),
            "effort": account.effort.model_dump(mode="json"),
            "claim": record.claim,
            "claim_reason": record.claim_reason,
            "ceiling": _ceiling(record),
            "incomplete": _is_incomplete(grading),
        },
    )


def _ceiling(record: EpisodeRecord) -> str | None:
    """What ended the episode before the agent did; other solvers end on Inspect's own limits."""
    if record.ceiling is not None:
        return record.ceiling.value
    limits = [event.type for event in transcript().events if isinstance(event, SampleLimitEvent)]
    return str(INSPECT_LIMITS.get(limits[-1], limits[-1])) if limits else None


def _is_incomplete(grading: Grading) -> bool:
    """A pass without a complete path log, which tables report apart."""
    report = grading.report
    return report.outcome is Outcome.SOLVED and report.integrity.path_log.state != "complete"


def _agent_line(record: EpisodeRecord) -> str:
    ceiling = _ceiling(record)
    ended = f"ended by {ceiling}" if ceiling else "ended by itself"
    if not record.agent:
        return f"agent: another solver, whose claim and turns are not known, {ended}"
    claim = f"claimed {record.claim}" if record.claim else "claimed nothing"
    return f"agent: {claim}, {ended}, {record.turns} turns, {record.tool_calls} tool calls"


def _explanation(record: EpisodeRecord, saved: SavedSubmission, grading: Grading, account: _Account) -> str:
    report = grading.report
    lines = [report.explanation()]
    lines.append(f"{_agent_line(record)}; path log {report.integrity.path_log.state}")
    lines += [f"disqualified: {piece}" for piece in report.integrity.evidence]
    if _is_incomplete(grading):
        lines.append(
            "incomplete: solved, but without a complete path log nothing is known of what was opened"
        )
    lines += [f"claim: {account.ledger.text()}", f"effort: {account.effort.text()}"]
    touched = ", ".join(report.files_touched) or "none"
    lines.append(f"files touched: {touched} ({report.diff_lines} lines)")
    lines += [f"probing (costs nothing): {what}" for what in report.integrity.probing]
    lines += [f"noted: {fact}" for fact in (*report.facts, *report.integrity.left)]
    if grading.diff.text:
        lines.append(f"```diff\n{grading.diff.text}\n```")
    return "\n\n".join(lines)
