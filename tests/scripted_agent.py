"""An agent that does what a test says, call by call, through the real tools, on the tiny bank."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall
from suite_runs import BANKS, episodes_of, run_eval

from inspect_agentbench.bank import load_bank
from inspect_agentbench.logs import Episode

TINY = {"bank": str(BANKS / "tiny"), "family": "tiny"}
CORRECT = load_bank(BANKS / "tiny").family("tiny").fixes("correct")["decimal"].files["adder.py"].decode()

Call = tuple[str, dict[str, Any]]
DONE: Call = ("submit", {"status": "done"})
MEND: Call = ("write_file", {"path": "adder.py", "content": CORRECT})


def sh(text: str) -> Call:
    return "bash", {"command": text}


def scripted(*replies: Call | Exception) -> Model:
    """A model that plays one call a turn, raises what is an exception, and repeats the last."""

    async def reply(input: list[ChatMessage], *_: Any) -> ModelOutput:
        number = sum(message.role == "assistant" for message in input)
        played = replies[min(number, len(replies) - 1)]
        if isinstance(played, Exception):
            raise played
        call = ToolCall(id=f"call-{number}", function=played[0], arguments=played[1])
        return ModelOutput(
            model="scripted",
            choices=[
                ChatCompletionChoice(
                    message=ChatMessageAssistant(content="", tool_calls=[call]), stop_reason="tool_calls"
                )
            ],
            usage=ModelUsage(input_tokens=50, output_tokens=50, total_tokens=100),
        )

    return get_model("mockllm/model", custom_outputs=reply, memoize=False)


def play(folder: Path, *replies: Call | Exception, **options: Any) -> EvalLog:
    (log,) = run_eval(
        "inspect_agentbench/bank",
        scripted(*replies),
        folder,
        task_args={**TINY, **options},  # type: ignore[arg-type]
    )
    return log


def only(log: EvalLog) -> Episode:
    ((episode,),) = episodes_of([log]).values()
    return episode
