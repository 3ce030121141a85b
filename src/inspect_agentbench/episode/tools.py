"""The agent's tools: bash, read_file, write_file, str_replace, list_files, submit.

All are serial, run as the agent's user, cost one exec each and keep their state in `EpisodeRecord`, so
one instance may serve many samples. Whatever arguments a model sends, it gets an error message:
Inspect refuses what does not fit the schema, the checks here refuse the rest.

The result of `bash` ends with one line in brackets: `[exit status N]`, `[killed by signal N]` or
`[stopped after N seconds …]`.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from inspect_ai.tool import Tool, ToolError, tool
from inspect_ai.util import store_as

from .calling import check_text, command_request, command_text, file_operation, line_number
from .container import NoReply, run_inside
from .noting import Notes
from .record import EpisodeRecord
from .replies import printable

TOOLS_VERSION = 1
"""Raised with every change of a tool's name, arguments, description or limits; a held control."""

COMMAND_SECONDS: Final = 120
OUTPUT_CHARS: Final = 10_000
_COMMAND_BYTES: Final = 100_000
"""Linux takes 131,072 bytes as one argument."""
_CONTENT_BYTES: Final = 2_000_000
_LISTED_FILES: Final = 500
_SLACK_SECONDS: Final = 60
"""What a busy machine may need to start a command and to bring its result."""
_NOT_STARTED: Final = (
    "The command could not be started: the container has no process or memory to spare. "
    "Processes that were left in the background may hold them."
)


Check = Callable[[], Awaitable[str | None]]
"""Answers None if a claim may be accepted, otherwise what the agent is told."""


@tool(max_output=0)
def bash(
    seconds: int = COMMAND_SECONDS, output_chars: int = OUTPUT_CHARS, notes: Notes | None = None
) -> Tool:
    """A shell command, traced where the container allows it."""

    async def execute(command: str) -> str:
        """Run a shell command in the repository and return what it prints.

        Args:
            command: The command, as for bash -c. It has no input. Processes started with & go on running.
        """
        record = _begin("bash")
        check_text("command", command, _COMMAND_BYTES)
        record.commands += 1
        request = command_request(record, command, seconds, output_chars)
        try:
            reply = await run_inside("command", request, user="root", seconds=seconds + _SLACK_SECONDS)
        except NoReply as error:
            _lost(record, command, notes)
            raise ToolError(f"The command's result was lost: {error}") from error
        if not reply["started"]:
            _lost(record, command, notes)
            raise ToolError(_NOT_STARTED)
        record.outputs_cut += reply["cut_bytes"] > 0
        if notes is not None:
            await notes.command(record, command, reply)
        return command_text(reply, seconds)

    return execute


@tool(max_output=0)
def read_file(output_chars: int = OUTPUT_CHARS) -> Tool:
    """A file's text."""

    async def execute(path: str, first_line: int = 1, last_line: int | None = None) -> str:
        """Read a text file.

        Args:
            path: The file, relative to the repository or absolute.
            first_line: Number of the first line to return, counted from 1.
            last_line: Number of the last line to return; by default the file's last.
        """
        record = _begin("read_file")
        lines = {
            "first_line": line_number(first_line),
            "last_line": None if last_line is None else line_number(last_line),
        }
        return await file_operation(record, "read", path, **lines, chars=output_chars)

    return execute


@tool(max_output=0)
def write_file(notes: Notes | None = None) -> Tool:
    """A whole file."""

    async def execute(path: str, content: str) -> str:
        """Create a file or replace its whole content.

        Args:
            path: The file, relative to the repository or absolute. Missing folders are made.
            content: The new content, all of it.
        """
        record = _begin("write_file")
        check_text("content", content, _CONTENT_BYTES)
        said = await file_operation(record, "write", path, content=content)
        if notes is not None:
            notes.edited(record, path)
        return said

    return execute


@tool(max_output=0)
def str_replace(notes: Notes | None = None) -> Tool:
    """An edit."""

    async def execute(path: str, old: str, new: str) -> str:
        """Replace a piece of text that stands in a file exactly once.

        Args:
            path: The file, relative to the repository or absolute.
            old: The text to replace, exactly as in the file, indentation included.
            new: The text to put in its place.
        """
        record = _begin("str_replace")
        check_text("old", old, _CONTENT_BYTES)
        check_text("new", new, _CONTENT_BYTES)
        if not old:
            raise ToolError("old is empty: give the text to replace, or use write_file for a whole file.")
        said = await file_operation(record, "replace", path, old=old, new=new)
        if notes is not None:
            notes.edited(record, path)
        return said

    return execute


@tool(max_output=0)
def list_files(output_chars: int = OUTPUT_CHARS) -> Tool:
    """The files below a folder."""

    async def execute(path: str = ".") -> str:
        """List the files below a folder.

        Args:
            path: The folder, relative to the repository or absolute.
        """
        return await file_operation(
            _begin("list_files"), "list", path, entries=_LISTED_FILES, chars=output_chars
        )

    return execute


@tool(max_output=0)
def submit(check: Check | None = None) -> Tool:
    """The end of the episode; `check` must be green before a claim is accepted."""

    async def execute(status: Literal["done", "blocked"], reason: str = "") -> str:
        """End the work.

        Args:
            status: "done" if the bug is mended, "blocked" if you cannot mend it.
            reason: With "blocked": what stops you.
        """
        record = _begin("submit")
        if status == "blocked" and not reason.strip():
            raise ToolError('Status "blocked" needs a reason: say in one sentence what stops you.')
        if status == "done" and check is not None and (report := await _checked(record, check)) is not None:
            record.claims_refused += 1
            raise ToolError(report)
        record.claim, record.claim_reason = status, printable(reason)[:2_000]
        return "Submitted."

    return execute


async def _checked(record: EpisodeRecord, check: Check) -> str | None:
    record.completion_checks += 1
    started = time.monotonic()
    try:
        return await check()
    finally:
        record.check_seconds += time.monotonic() - started


def _lost(record: EpisodeRecord, command: str, notes: Notes | None) -> None:
    record.results_lost += 1
    if notes is not None:
        notes.lost(record, command)


def _begin(name: str) -> EpisodeRecord:
    """Count the call, unless the episode is over."""
    record = store_as(EpisodeRecord)
    if record.claim is not None:
        raise ToolError(f"{name} was not run: the work was submitted already.")
    if record.tool_call_limit is not None and record.tool_calls >= record.tool_call_limit:
        raise ToolError(f"{name} was not run: the {record.tool_call_limit} tool calls are used up.")
    record.tool_calls += 1
    return record
