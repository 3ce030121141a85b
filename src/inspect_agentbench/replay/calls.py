"""Turning a script's actions into calls of the tools that are really offered.

The suite's own tools are used by name; where another agent offers others, everything goes through its
shell, and the end through its `submit`, whatever their parameters are called. Paths are absolute, since
other agents' tools start elsewhere.
"""

import base64
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from inspect_ai.tool import ToolInfo

from ..episode.layout import WORKSPACE
from .scripts import Action, ListFiles, ReadFile, Replace, RunTests, Submit, WriteFile

_SHELLS = ("bash", "shell", "bash_session", "execute", "terminal")
_SHELL_ARGUMENTS = ("command", "cmd", "input", "code")
_REPLACE = (
    "import sys; path, old, new = sys.argv[1:]; text = open(path, newline='').read(); "
    "open(path, 'w', newline='').write(text.replace(old, new, 1))"
)


class Call(NamedTuple):
    """A tool call by name and arguments."""

    tool: str
    arguments: dict[str, Any]


def call_for(action: Action, tools: Mapping[str, ToolInfo]) -> Call | None:
    """The call that does the action; None if no tool offered can."""
    if isinstance(action, Submit):
        return _submit(action, tools)
    own = _own_call(action)
    if own is not None and own.arguments.keys() <= _parameters(tools.get(own.tool)):
        return own
    return _shell(f"cd {shlex.quote(WORKSPACE)} && {_command(action)}", tools)


def _own_call(action: Action) -> Call | None:
    """The call of the suite's file tool; None for what a shell does, or bytes that are no text."""
    match action:
        case ListFiles():
            return Call("list_files", {"path": WORKSPACE})
        case ReadFile(path):
            return Call("read_file", {"path": f"{WORKSPACE}/{path}"})
        case Replace(path, old, new):
            return Call("str_replace", {"path": f"{WORKSPACE}/{path}", "old": old, "new": new})
        case WriteFile(path, content):
            try:
                return Call("write_file", {"path": f"{WORKSPACE}/{path}", "content": content.decode()})
            except UnicodeDecodeError:
                return None
        case RunTests() | Submit():
            return None


def _command(action: Action) -> str:
    """A shell command, run from the workspace, that does the action."""
    match action:
        case ListFiles():
            return "find . -type f -not -path './.git/*' | sort"
        case ReadFile(path):
            return f"cat {shlex.quote(path)}"
        case RunTests(command):
            return command
        case Replace(path, old, new):
            return shlex.join(["python3", "-c", _REPLACE, path, old, new])
        case WriteFile(path, content):
            folder = path.rpartition("/")[0] or "."
            data = base64.b64encode(content).decode()
            return f"mkdir -p {shlex.quote(folder)} && echo {data} | base64 -d > {shlex.quote(path)}"
        case Submit():
            return "true"


def _submit(action: Submit, tools: Mapping[str, ToolInfo]) -> Call | None:
    parameters = _parameters(tools.get("submit"))
    if "status" in parameters:
        return Call("submit", {"status": action.status, "reason": action.reason})
    answer = f"{action.status}: {action.reason}" if action.reason else action.status
    return Call("submit", {min(parameters): answer}) if parameters else None


def _shell(command: str, tools: Mapping[str, ToolInfo]) -> Call | None:
    for name in _SHELLS:
        for argument in _SHELL_ARGUMENTS:
            if argument in _parameters(tools.get(name)):
                return Call(name, {argument: command})
    return None


def _parameters(tool: ToolInfo | None) -> set[str]:
    return set(tool.parameters.properties) if tool else set()
