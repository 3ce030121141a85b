"""The agent's tools: bash, read_file, write_file, str_replace, list_files, submit.

All are serial, run as the agent's user, cost one exec each and keep their state in `EpisodeRecord`, so
one instance may serve many samples. Whatever arguments a model sends, it gets an error message:
Inspect refuses what does not fit the schema, the checks here refuse the rest.

The result of `bash` ends with one line in brackets: `[exit status N]`, `[killed by signal N]` or
`[stopped after N seconds …]`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

from inspect_ai.tool import Tool, ToolError, tool
from inspect_ai.util import store_as

from ..integrity.pathlog import COMMAND_BYTES, EPISODE_BYTES, log_path, pipe_path, tracer
from .container import NoReply, run_inside
from .layout import AGENT, ENVIRONMENT, HOME, SHELL, WORKSPACE
from .record import EpisodeRecord
from .replies import printable

TOOLS_VERSION = 1
"""Raised with every change of a tool's name, arguments, description or limits; a held control."""

COMMAND_SECONDS: Final = 120
OUTPUT_CHARS: Final = 10_000
_COMMAND_BYTES: Final = 100_000
"""Linux takes 131,072 bytes as one argument."""
_PATH_BYTES: Final = 4_000
_CONTENT_BYTES: Final = 2_000_000
_LISTED_FILES: Final = 500
_FILE_SECONDS: Final = 30
_SLACK_SECONDS: Final = 60
"""What a busy machine may need to start a command and to bring its result."""
_LAST_LINE: Final = 10**9
_NOT_STARTED: Final = (
    "The command could not be started: the container has no process or memory to spare. "
    "Processes that were left in the background may hold them."
)


Check = Callable[[], Awaitable[str | None]]
"""Answers None if a claim may be accepted, otherwise what the agent is told."""


@tool(max_output=0)
def bash(seconds: int = COMMAND_SECONDS, output_chars: int = OUTPUT_CHARS) -> Tool:
    """A shell command, traced where the container allows it."""

    async def execute(command: str) -> str:
        """Run a shell command in the repository and return what it prints.

        Args:
            command: The command, as for bash -c. It has no input. Processes started with & go on running.
        """
        record = _begin("bash")
        _check_text("command", command, _COMMAND_BYTES)
        record.commands += 1
        request = _command_request(record, command, seconds, output_chars)
        try:
            reply = await run_inside("command", request, user="root", seconds=seconds + _SLACK_SECONDS)
        except NoReply as error:
            record.results_lost += 1
            raise ToolError(f"The command's result was lost: {error}") from error
        if not reply["started"]:
            record.results_lost += 1
            raise ToolError(_NOT_STARTED)
        record.outputs_cut += reply["cut_bytes"] > 0
        return _command_text(reply, seconds)

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
            "first_line": _line(first_line),
            "last_line": None if last_line is None else _line(last_line),
        }
        return await _file(record, "read", path, **lines, chars=output_chars)

    return execute


@tool(max_output=0)
def write_file() -> Tool:
    """A whole file."""

    async def execute(path: str, content: str) -> str:
        """Create a file or replace its whole content.

        Args:
            path: The file, relative to the repository or absolute. Missing folders are made.
            content: The new content, all of it.
        """
        record = _begin("write_file")
        _check_text("content", content, _CONTENT_BYTES)
        return await _file(record, "write", path, content=content)

    return execute


@tool(max_output=0)
def str_replace() -> Tool:
    """An edit."""

    async def execute(path: str, old: str, new: str) -> str:
        """Replace a piece of text that stands in a file exactly once.

        Args:
            path: The file, relative to the repository or absolute.
            old: The text to replace, exactly as in the file, indentation included.
            new: The text to put in its place.
        """
        record = _begin("str_replace")
        _check_text("old", old, _CONTENT_BYTES)
        _check_text("new", new, _CONTENT_BYTES)
        if not old:
            raise ToolError("old is empty: give the text to replace, or use write_file for a whole file.")
        return await _file(record, "replace", path, old=old, new=new)

    return execute


@tool(max_output=0)
def list_files() -> Tool:
    """The files below a folder."""

    async def execute(path: str = ".") -> str:
        """List the files below a folder.

        Args:
            path: The folder, relative to the repository or absolute.
        """
        return await _file(_begin("list_files"), "list", path, entries=_LISTED_FILES)

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
        if status == "done" and check is not None:
            record.completion_checks += 1
            if (report := await check()) is not None:
                raise ToolError(report)
        record.claim, record.claim_reason = status, printable(reason)[:2_000]
        return "Submitted."

    return execute


def _begin(name: str) -> EpisodeRecord:
    """Count the call, unless the episode is over."""
    record = store_as(EpisodeRecord)
    if record.claim is not None:
        raise ToolError(f"{name} was not run: the work was submitted already.")
    if record.tool_call_limit is not None and record.tool_calls >= record.tool_call_limit:
        raise ToolError(f"{name} was not run: the {record.tool_call_limit} tool calls are used up.")
    record.tool_calls += 1
    return record


def _check_text(name: str, text: str, most_bytes: int) -> None:
    if "\0" in text:
        raise ToolError(f"{name} holds a NUL character, which cannot be passed on.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ToolError(f"{name} is no valid Unicode text: it holds half of a surrogate pair.") from None
    if size > most_bytes:
        raise ToolError(f"{name} has {size} bytes; at most {most_bytes} are taken.")


def _line(number: int) -> int:
    return max(1, min(number, _LAST_LINE))


def _command_request(record: EpisodeRecord, command: str, seconds: int, chars: int) -> dict[str, Any]:
    pipe, number = pipe_path(record.commands), record.commands
    trace = {
        "argv": [*tracer(AGENT), pipe],
        "pipe": pipe,
        "log": log_path(number),
        "log_bytes": COMMAND_BYTES,
        "episode_bytes": EPISODE_BYTES,
    }
    return {
        "command": command,
        "shell": SHELL,
        "user": AGENT,
        "workspace": WORKSPACE,
        "home": HOME,
        "environment": ENVIRONMENT,
        "seconds": seconds,
        "output_chars": chars,
        "trace": None if record.path_log == "unavailable" else trace,
    }


def _command_text(reply: dict[str, Any], seconds: int) -> str:
    output: str = reply["output"]
    lines = [output if output.endswith("\n") or not output else output + "\n"]
    if reply["folder"] != WORKSPACE:
        lines.insert(0, f"[{WORKSPACE} cannot be entered; the command ran in {reply['folder']}]\n")
    if reply["timed_out"]:
        lines.append(f"[stopped after {seconds} seconds, the limit of one command]")
    elif reply["signal"]:
        lines.append(f"[killed by signal {reply['signal']}]")
    else:
        lines.append(f"[exit status {reply['exit']}]")
    return "".join(lines)


async def _file(record: EpisodeRecord, operation: str, path: str, **arguments: Any) -> str:
    """Do a file operation. The program runs as the agent, so its reply is the agent's, and is not trusted."""
    _check_text("path", path, _PATH_BYTES)
    request = {"op": operation, "path": path, "workspace": WORKSPACE, "home": HOME, **arguments}
    try:
        reply = await run_inside("files", request, user=AGENT, seconds=_FILE_SECONDS)
    except NoReply as error:
        record.results_lost += 1
        raise ToolError(f"The result was lost: {error}") from error
    if "error" in reply:
        raise ToolError(printable(str(reply["error"]))[:2_000])
    record.outputs_cut += reply.get("cut") is True
    return printable(str(reply.get("text", "")))[: 2 * OUTPUT_CHARS + _LISTED_FILES * 100]
