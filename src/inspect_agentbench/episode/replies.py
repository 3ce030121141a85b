"""What can be seen in a reply that held no tool call, and in the results of calls that never ran."""

import re
from collections.abc import Iterable
from typing import Final

from inspect_ai.model import ChatMessage, ChatMessageTool

_SHELL_FENCE: Final = re.compile(
    r"^[ \t]*(?:```|~~~)[ \t]*(?:bash|sh|shell|console|zsh|terminal)\b", re.MULTILINE
)
_ERROR_CHARS: Final = 2_000


def count_shell_blocks(text: str) -> int:
    """Fenced blocks marked as shell: commands that the model only wrote down."""
    return len(_SHELL_FENCE.findall(text))


def count_unparsable(messages: Iterable[ChatMessage]) -> int:
    """Calls that reached no tool: unknown name, broken JSON, arguments that do not fit."""
    errors = (m.error for m in messages if isinstance(m, ChatMessageTool) and m.error)
    return sum(error.type == "parsing" for error in errors)


def shorten_errors(messages: Iterable[ChatMessage]) -> None:
    """Cut error texts in place: Inspect quotes refused arguments in full, whatever their size."""
    for message in messages:
        if isinstance(message, ChatMessageTool) and message.error:
            text = message.error.message
            if len(text) > _ERROR_CHARS:
                half = _ERROR_CHARS // 2
                message.error.message = f"{text[:half]}\n[…]\n{text[-half:]}"
