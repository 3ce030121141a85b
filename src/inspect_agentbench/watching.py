"""What an episode's transcript says, as texts to be searched for hidden material."""

from collections.abc import Iterable, Iterator

from inspect_ai.event import Event, ModelEvent, ToolEvent
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ContentReasoning
from inspect_ai.solver import TaskState


def transcript_texts(state: TaskState, events: Iterable[Event]) -> Iterator[tuple[str, str]]:
    """Every text of the agent's or shown to it, with its place.

    Messages are not all: agents that compact their conversation drop some, and agents below an agent have
    their own. What every tool was asked and answered is in the events.
    """
    for number, message in enumerate(state.messages, 1):
        yield f"message {number} ({message.role})", "\n".join(_parts(message))
    for event in events:
        if isinstance(event, ModelEvent):
            yield "reply of the model", event.output.completion
        elif isinstance(event, ToolEvent):
            asked = "\n".join(strings(event.arguments))
            yield f"call of {event.function}", f"{asked}\n{event.result}"


def _parts(message: ChatMessage) -> Iterator[str]:
    yield message.text
    if not isinstance(message.content, str):
        yield from (part.reasoning for part in message.content if isinstance(part, ContentReasoning))
    if isinstance(message, ChatMessageAssistant):
        for call in message.tool_calls or []:
            yield from strings(call.arguments)


def strings(value: object) -> Iterator[str]:
    """Every string in a JSON value, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
