"""The effort of an episode, from its record and its transcript.

The suite's own agent counts while it works. Of another solver only the transcript is known: what it shows is
counted the same way, and the rest is unknown.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from inspect_ai.event import Event, ModelEvent, ToolEvent

from inspect_agentbench.bank import Variant
from inspect_agentbench.effort import CheckCost, Effort, Step, Tokens, count_steps
from inspect_agentbench.episode import EpisodeRecord
from inspect_agentbench.episode.noting import fingerprint
from inspect_agentbench.episode.replies import count_shell_blocks
from inspect_agentbench.episode.runs import VisibleSuite, run_outcome

_SHELL_TOOLS: Final = {"bash", "shell", "bash_session", "execute", "terminal"}
_SHELL_ARGUMENTS: Final = ("command", "cmd", "input", "code")
_UNSEEN: Final = dict.fromkeys(
    ("changes", "changes_after_last_run", "runs_not_executed", "last_run_not_executed")
)
"""What no transcript of another solver shows."""


def measure(record: EpisodeRecord, events: Sequence[Event], variant: Variant) -> Effort:
    """What the episode took; the first green state is added by whoever confirms it."""
    tokens = _tokens(_whole_replies(events))
    return _own(record, tokens) if record.agent else _foreign(record, events, variant, tokens)


def _own(record: EpisodeRecord, tokens: Tokens) -> Effort:
    own_seconds = record.agent_seconds - record.check_seconds - record.snapshot_seconds
    return Effort(
        **count_steps(record.steps).model_dump(),
        turns=record.turns,
        tool_calls=record.tool_calls,
        commands=record.commands,
        outputs_cut=record.outputs_cut,
        results_lost=record.results_lost,
        replies_cut=record.replies_cut,
        unparsable_calls=record.unparsable_calls,
        shell_blocks=record.shell_blocks,
        tokens=tokens,
        tokens_per_second=tokens.per_second,
        setup_seconds=round(record.setup_seconds, 3),
        agent_seconds=round(max(own_seconds, 0.0), 3),
        snapshot_seconds=round(record.snapshot_seconds, 3),
        check=CheckCost(
            checks=record.completion_checks,
            refused=record.claims_refused,
            seconds=round(record.check_seconds, 3),
            turns_after_refusal=record.turns_after_refusal,
            input_tokens_after_refusal=record.input_tokens_after_refusal,
            output_tokens_after_refusal=record.output_tokens_after_refusal,
        ),
    )


def _foreign(record: EpisodeRecord, events: Sequence[Event], variant: Variant, tokens: Tokens) -> Effort:
    """Changes, lost results and cut outputs do not show; a result shows only in a summary line."""
    replies = _whole_replies(events)
    calls = [event for event in events if isinstance(event, ToolEvent)]
    executed = [event for event in calls if not _is_unparsable(event)]
    steps = list(_steps(executed, variant))
    silent = [reply for reply in replies if not reply.output.message.tool_calls]
    hidden = not calls and len(silent) < len(replies)  # it runs its tools where no transcript reaches
    counted = count_steps(steps).model_dump()
    return Effort(
        **(dict.fromkeys(counted) if hidden else counted | _UNSEEN),
        turns=len(replies) or None,
        tool_calls=None if hidden else len(executed),
        commands=None if hidden else len(steps),
        outputs_cut=None,
        results_lost=None,
        replies_cut=sum(reply.output.stop_reason == "max_tokens" for reply in silent),
        unparsable_calls=None if hidden else len(calls) - len(executed),
        shell_blocks=sum(count_shell_blocks(reply.output.completion) for reply in silent),
        tokens=tokens,
        tokens_per_second=tokens.per_second,
        setup_seconds=round(record.setup_seconds, 3),
        agent_seconds=_span([*replies, *calls]),
        snapshot_seconds=None,
        check=None,
    )


def _steps(calls: Sequence[ToolEvent], variant: Variant) -> Iterator[Step]:
    """The shell commands among another agent's calls."""
    suite = VisibleSuite(variant)
    for call in calls:
        arguments = [call.arguments[name] for name in _SHELL_ARGUMENTS if name in call.arguments]
        if call.function not in _SHELL_TOOLS or not arguments:
            continue
        command = str(arguments[0])
        run = suite.find(command)
        outcome = run_outcome(run._replace(status="none"), None, str(call.result)) if run else None
        yield Step(
            kind="command",
            turn=0,
            command=fingerprint(command),
            tests=run.scope if run else None,
            result=outcome.result if outcome else None,
            told_by=outcome.told_by if outcome else None,
        )


def _tokens(replies: Sequence[ModelEvent]) -> Tokens:
    """Sums over whole replies; None as soon as one of them was not counted by its server."""
    usages = [reply.output.usage for reply in replies]
    if not usages:
        return Tokens()
    reasoning = [usage.reasoning_tokens for usage in usages if usage and usage.reasoning_tokens is not None]
    return Tokens(
        input=_sum([usage.input_tokens if usage else None for usage in usages]),
        output=_sum([usage.output_tokens if usage else None for usage in usages]),
        reasoning=sum(reasoning) if reasoning else None,
        model_seconds=_seconds([reply.working_time for reply in replies]),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _seconds(times: Sequence[float | None]) -> float | None:
    known = [seconds for seconds in times if seconds is not None]
    return round(sum(known), 3) if len(known) == len(times) else None


def _whole_replies(events: Sequence[Event]) -> list[ModelEvent]:
    """Replies that came to their end; one that a limit cut off was counted by nobody."""
    return [
        event
        for event in events
        if isinstance(event, ModelEvent) and not event.pending and not event.error and event.output.choices
    ]


def _is_unparsable(call: ToolEvent) -> bool:
    return call.error is not None and call.error.type == "parsing"


def _span(events: Sequence[ModelEvent | ToolEvent]) -> float | None:
    """From the first call of model or tool to the end of the last."""
    if not events:
        return None
    start = min(event.timestamp for event in events)
    return round((max(event.completed or event.timestamp for event in events) - start).total_seconds(), 3)
