"""Looking at a model's replies: shell blocks never called, calls that reach no tool, text no log can hold."""

import re
from collections.abc import Iterable
from typing import Any, Final

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ContentReasoning, ContentText

_SHELL_FENCE: Final = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?:bash|sh|shell|console|zsh|terminal)\b", re.MULTILINE
)
_FENCE_END: Final = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_EXIT_STATUS: Final = re.compile(r"\[exit status (\d+)\]")
_DIGIT_LIMIT: Final = "integer string conversion"
_ERROR_CHARS: Final = 2_000


def count_shell_blocks(text: str) -> int:
    """Fenced blocks marked as shell: commands that the model only wrote down."""
    return len(_SHELL_FENCE.findall(text))


def shell_blocks(text: str) -> list[str]:
    """What stands in those blocks; prompts in front of the commands are left out."""
    blocks = [text[start.end() :].partition("\n")[2] for start in _SHELL_FENCE.finditer(text)]
    inside = [_FENCE_END.split(block, maxsplit=1)[0] for block in blocks]
    return [re.sub(r"^[ \t]*\$ ", "", block, flags=re.MULTILINE) for block in inside]


def count_unparsable(messages: Iterable[ChatMessage]) -> int:
    """Calls that reached no tool: unknown name, broken JSON, arguments that do not fit."""
    errors = (m.error for m in messages if isinstance(m, ChatMessageTool) and m.error)
    return sum(error.type == "parsing" for error in errors)


def exit_status(result: str) -> int | None:
    """The exit status in a result of `bash`; None if the command was killed, stopped or never ran."""
    match = _EXIT_STATUS.fullmatch(result.rpartition("\n")[2])
    return int(match.group(1)) if match else None


def is_unreadable_reply(error: ValueError) -> bool:
    """Whether Inspect failed on a number of thousands of digits in a call's arguments: the model's doing."""
    return _DIGIT_LIMIT in str(error)


def shorten_errors(messages: Iterable[ChatMessage]) -> None:
    """Cut error texts in place: Inspect quotes refused arguments in full, whatever their size."""
    for message in messages:
        if isinstance(message, ChatMessageTool) and message.error:
            text = message.error.message
            if len(text) > _ERROR_CHARS:
                half = _ERROR_CHARS // 2
                message.error.message = f"{text[:half]}\n[…]\n{text[-half:]}"


def make_loggable(message: ChatMessageAssistant) -> None:
    """Replace lone surrogates in place: JSON arguments can spell them, and a log with one cannot be written.

    A call that held one becomes a call that cannot be parsed, so that the model is told.
    """
    if isinstance(message.content, str):
        message.content = printable(message.content)
    for part in message.content:
        if isinstance(part, ContentText):
            part.text = printable(part.text)
        elif isinstance(part, ContentReasoning):
            part.reasoning = printable(part.reasoning)
    for call in message.tool_calls or []:
        arguments = _printable_data(call.arguments)
        if arguments != call.arguments:
            call.parse_error = "The arguments hold half of a surrogate pair, which is no valid Unicode text."
        call.arguments, call.function = arguments, printable(call.function)


def printable(text: str) -> str:
    """The text with every lone surrogate replaced."""
    return text.encode("utf-8", "replace").decode()


def _printable_data(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable_data(item) for item in value]
    if isinstance(value, dict):
        return {_printable_data(key): _printable_data(item) for key, item in value.items()}
    return value
