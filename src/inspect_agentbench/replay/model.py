"""The embedded model `replay/<script>`: plays a known fix, or another script, through the real tools.

It keeps nothing: which family it is on stands in the conversation, and which turn it is follows from the
number of its own replies there. So it serves any number of samples at once, in any bank, under any
solver that passes the sample's input on.
"""

from inspect_ai._util.error import PrerequisiteError  # private: guarded by a test
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from ..episode.identity import variant_of
from ..errors import AgentbenchError
from .calls import call_for
from .scripts import Turn, check_script, turns_of

_CHARS_PER_TOKEN = 4
_MAX_CONNECTIONS = 64


class ReplayAPI(ModelAPI):
    """Model provider `replay`; the model's name is the script's."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  # the base class's signature
        **model_args: object,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        try:
            check_script(model_name)
        except AgentbenchError as error:
            raise PrerequisiteError(str(error)) from None

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The script's next reply. Raises AgentbenchError outside the suite's samples."""
        script = turns_of(self.model_name, variant_of(input))
        number = sum(message.role == "assistant" for message in input)
        turn = script[min(number, len(script) - 1)]
        message = _message(turn, number, {tool.name: tool for tool in tools}, self.model_name)
        choice = ChatCompletionChoice(
            message=message, stop_reason="tool_calls" if message.tool_calls else "stop"
        )
        return ModelOutput(
            model=self.model_name,
            choices=[choice],
            usage=_usage(input, message),
        )

    def max_connections(self) -> int:
        """Replies cost nothing, so that samples need not wait for each other."""
        return _MAX_CONNECTIONS


def _message(turn: Turn, number: int, tools: dict[str, ToolInfo], model: str) -> ChatMessageAssistant:
    calls = [call for action in turn.actions if (call := call_for(action, tools)) is not None]
    return ChatMessageAssistant(
        content=turn.text,
        source="generate",
        model=model,
        tool_calls=[
            ToolCall(id=f"replay-{number}-{index}", function=call.tool, arguments=call.arguments)
            for index, call in enumerate(calls)
        ],
    )


def _usage(input: list[ChatMessage], message: ChatMessageAssistant) -> ModelUsage:
    """An estimate from the length, so that nothing has to load a tokenizer."""
    read = sum(len(part.text) for part in input) // _CHARS_PER_TOKEN
    written = len(message.text) + sum(len(str(call.arguments)) for call in message.tool_calls or [])
    return ModelUsage(
        input_tokens=read,
        output_tokens=written // _CHARS_PER_TOKEN,
        total_tokens=read + written // _CHARS_PER_TOKEN,
    )
