"""Noting what the agent does: commands, edits, runs of the visible tests, and states that it saw green.

Everything goes into `EpisodeRecord.steps`. Exit statuses and changes are what root's program in the
container replied, never what a command printed.
"""

import hashlib
import posixpath
import time
from collections.abc import Iterable
from typing import Any, Final, Protocol

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

from ..bank import Variant
from ..effort import Step
from .layout import HOME, WORKSPACE
from .record import EpisodeRecord
from .replies import shell_blocks
from .runs import VisibleSuite, run_outcome

MOST_SNAPSHOTS: Final = 3


class Snapshot(Protocol):
    """Saves the editable files as they are now."""

    async def __call__(self, variant: Variant, turn: int) -> bool:
        """Whether the state is one that was not saved before. Raises nothing."""


class Notes:
    """Notes down the steps of an episode on one variant; keeps nothing of it."""

    def __init__(self, variant: Variant, snapshot: Snapshot | None = None) -> None:
        self._variant = variant
        self._suite = VisibleSuite(variant)
        self._snapshot = snapshot

    async def command(self, record: EpisodeRecord, command: str, reply: dict[str, Any]) -> None:
        """Note a command that was executed, by the reply of `inside/command.py`."""
        ended = not reply["timed_out"] and not reply["signal"]
        status = reply["exit"] if ended else None
        run = self._suite.find(command)
        outcome = run_outcome(run, status, reply["output"]) if run else None
        step = Step(
            kind="command",
            turn=record.turns,
            command=fingerprint(command),
            changed=self._has_changed(reply["changed"]),
            exit=status,
            tests=run.scope if run else None,
            result=outcome.result if outcome else None,
            told_by=outcome.told_by if outcome else None,
        )
        _add(record, step)
        if (step.tests, step.result) == ("whole", "green"):
            await self._save(record)

    def lost(self, record: EpisodeRecord, command: str) -> None:
        """Note a command that was not executed, or whose result was lost, if it should have run tests."""
        if (run := self._suite.find(command)) is not None:
            _add(record, Step(kind="not_executed", turn=record.turns, tests=run.scope))

    def edited(self, record: EpisodeRecord, path: str) -> None:
        """Note an edit through a file tool, if the file is editable."""
        full = posixpath.normpath(posixpath.join(WORKSPACE, HOME + path[1:] if path[:2] == "~/" else path))
        if full.startswith(f"{WORKSPACE}/") and self._is_editable(posixpath.relpath(full, WORKSPACE)):
            _add(record, Step(kind="edit", turn=record.turns, changed=True))

    def written(self, record: EpisodeRecord, reply: str) -> None:
        """Note commands that a reply without a tool call only spelled out."""
        for block in shell_blocks(reply):
            self.lost(record, block)

    def unparsed(self, record: EpisodeRecord, reply: ChatMessageAssistant, results: Iterable[object]) -> None:
        """Note calls that reached no tool, for what their arguments asked for."""
        refused = {
            message.tool_call_id
            for message in results
            if isinstance(message, ChatMessageTool) and message.error and message.error.type == "parsing"
        }
        for call in reply.tool_calls or []:
            if call.id in refused:
                texts = [text for text in call.arguments.values() if isinstance(text, str)]
                self.lost(record, "\n".join(texts))

    async def _save(self, record: EpisodeRecord) -> None:
        if self._snapshot is None or record.snapshots >= MOST_SNAPSHOTS:
            return
        started = time.monotonic()
        record.snapshots += await self._snapshot(self._variant, record.turns)
        record.snapshot_seconds += time.monotonic() - started

    def _has_changed(self, paths: list[str] | None) -> bool | None:
        return None if paths is None else any(map(self._is_editable, paths))

    def _is_editable(self, path: str) -> bool:
        return self._variant.family.is_editable(path)


def _add(record: EpisodeRecord, step: Step) -> None:
    record.steps = [*record.steps, step]


def fingerprint(command: str) -> str:
    """A short mark of a command's text, to see repetitions."""
    return hashlib.sha256(command.strip().encode("utf-8", "replace")).hexdigest()[:12]
