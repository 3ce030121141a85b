"""Between a tool's arguments and the container: checks, requests, and what is made of replies."""

from typing import Any, Final

from inspect_ai.tool import ToolError

from ..integrity.pathlog import COMMAND_BYTES, EPISODE_BYTES, log_path, pipe_path, tracer
from .container import NoReply, run_inside
from .layout import AGENT, ENVIRONMENT, HOME, SHELL, WORKSPACE
from .record import EpisodeRecord
from .replies import printable

_PATH_BYTES: Final = 4_000
_FILE_SECONDS: Final = 30
_LAST_LINE: Final = 10**9
_RESULT_CHARS: Final = 100_000
"""A bound on what a reply from the agent's own process may say; honest replies are far smaller."""


def check_text(name: str, text: str, most_bytes: int) -> None:
    """Raise ToolError for text that cannot be passed into the container."""
    if "\0" in text:
        raise ToolError(f"{name} holds a NUL character, which cannot be passed on.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ToolError(f"{name} is no valid Unicode text: it holds half of a surrogate pair.") from None
    if size > most_bytes:
        raise ToolError(f"{name} has {size} bytes; at most {most_bytes} are taken.")


def line_number(number: int) -> int:
    """The line number within reason: models send any integer."""
    return max(1, min(number, _LAST_LINE))


def command_request(record: EpisodeRecord, command: str, seconds: int, chars: int) -> dict[str, Any]:
    """The request to `inside/command.py` for the command that was counted last."""
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


def command_text(reply: dict[str, Any], seconds: int) -> str:
    """What the agent sees of a command: its output, and one line that says how it ended."""
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


async def file_operation(record: EpisodeRecord, operation: str, path: str, **arguments: Any) -> str:
    """Do a file operation. The program runs as the agent, so its reply is the agent's, and is not trusted."""
    check_text("path", path, _PATH_BYTES)
    request = {"op": operation, "path": path, "workspace": WORKSPACE, "home": HOME, **arguments}
    try:
        reply = await run_inside("files", request, user=AGENT, seconds=_FILE_SECONDS)
    except NoReply as error:
        record.results_lost += 1
        raise ToolError(f"The result was lost: {error}") from error
    if "error" in reply:
        raise ToolError(printable(str(reply["error"]))[:2_000])
    record.outputs_cut += reply.get("cut") is True
    return printable(str(reply.get("text", "")))[:_RESULT_CHARS]
