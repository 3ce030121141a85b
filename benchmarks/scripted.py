"""Replies of scripted models, with usage, so that nothing has to load a tokenizer."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage


class Call(NamedTuple):
    """A tool call by name and arguments."""

    tool: str
    arguments: dict[str, Any]


def reply(conversation: Sequence[ChatMessage], calls: Sequence[Call]) -> ModelOutput:
    """The call whose turn it is, by the number of replies in the conversation; the last is repeated."""
    number = sum(message.role == "assistant" for message in conversation)
    call = calls[min(number, len(calls) - 1)]
    output = ModelOutput.for_tool_call(
        model="scripted", tool_name=call.tool, tool_arguments=call.arguments, content=f"Step {number + 1}."
    )
    output.usage = ModelUsage(input_tokens=1000, output_tokens=100, total_tokens=1100)
    return output
