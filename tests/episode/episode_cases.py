"""Runs many scripted episodes in one Inspect eval and keeps all that tests want to look at.

A case is a list of replies; a scripted model plays them by counting its own replies in the conversation. The
trivial scorer kills each container and fetches what it left, as collection does.
"""

import gc
import io
import tarfile
import warnings
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import docker
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Solver, TaskState
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo
from inspect_ai.util import sandbox

from inspect_agentbench import engine
from inspect_agentbench.bank import Variant, load_bank
from inspect_agentbench.episode import EpisodeRecord, coding_agent, sample_messages, setup_workspace

TINY = Path(__file__).parents[1] / "banks" / "tiny"

Call = tuple[str, dict[str, Any]]
Reply = str | list[Call] | ModelOutput | Callable[[], Awaitable[ModelOutput]]

DONE: Call = ("submit", {"status": "done"})


def sh(command: str) -> Call:
    return ("bash", {"command": command})


@dataclass
class Case:
    """One episode; the last reply is repeated for ever."""

    replies: list[Reply]
    options: dict[str, Any] = field(default_factory=dict)
    task: dict[str, Any] = field(default_factory=dict)
    agent: Solver | None = None
    compose: Callable[[str], str] = str


@dataclass
class Episode:
    """What came of a case."""

    sample: EvalSample
    files: dict[str, bytes]
    changes: set[str]
    configs: list[GenerateConfig]

    @property
    def record(self) -> EpisodeRecord:
        return self.sample.store_as(EpisodeRecord)

    @property
    def results(self) -> list[ChatMessageTool]:
        return [m for m in self.sample.messages if isinstance(m, ChatMessageTool)]

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.results]

    @property
    def path_logs(self) -> dict[str, bytes]:
        return {n: c for n, c in self.files.items() if n.startswith("agentbench/")}


def tiny(name: str | None = None) -> Variant:
    return load_bank(TINY).family("tiny").variant(name)


def run_cases(cases: Mapping[str, Case], folder: Path) -> dict[str, Episode]:
    """One eval with a task for each case."""
    player = _Player(cases)
    tasks = [_task(name, case, player, folder) for name, case in cases.items()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Inspect's own: deprecated calls, streams left to the collector
        logs = inspect_eval(
            tasks,
            model=get_model("mockllm/model", custom_outputs=player.reply, memoize=False),
            max_tasks=4,
            display="none",
            fail_on_error=False,
            log_dir=str(folder / "logs"),
            log_level="error",
        )
        gc.collect()
    found = {log.eval.task: log.samples[0] for log in logs if log.samples}
    assert set(found) == set(cases), [log.error for log in logs]
    return {
        name: Episode(sample, *player.left.get(name, ({}, set())), player.configs.get(name, []))
        for name, sample in found.items()
    }


def _task(name: str, case: Case, player: "_Player", folder: Path) -> Task:
    messages = sample_messages(tiny(), bank=str(TINY))
    assert messages[0].metadata is not None
    messages[0].metadata["case"] = name
    compose = folder / name / "compose.yaml"
    compose.parent.mkdir(parents=True)
    compose.write_text(case.compose(engine.agent_compose_text(engine.image_tag())))
    return Task(
        name=name,
        dataset=MemoryDataset([Sample(id=name, input=messages)]),
        setup=setup_workspace(),
        solver=case.agent or coding_agent(**case.options),
        scorer=_collect(name, player.left),
        sandbox=("docker", str(compose)),
        **case.task,
    )


class _Player:
    def __init__(self, cases: Mapping[str, Case]) -> None:
        self.cases = cases
        self.left: dict[str, tuple[dict[str, bytes], set[str]]] = {}
        self.configs: dict[str, list[GenerateConfig]] = {}

    async def reply(
        self, input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        name = next(m.metadata["case"] for m in input if m.metadata and "case" in m.metadata)
        self.configs.setdefault(name, []).append(config)
        replies = self.cases[name].replies
        number = sum(message.role == "assistant" for message in input)
        reply = replies[min(number, len(replies) - 1)]
        if callable(reply):
            return await reply()
        return reply if isinstance(reply, ModelOutput) else output(reply, number)


def output(reply: str | list[Call], number: int = 0, stop_reason: Any = None) -> ModelOutput:
    calls = [] if isinstance(reply, str) else reply
    message = ChatMessageAssistant(
        content=reply if isinstance(reply, str) else "",
        tool_calls=[
            ToolCall(id=f"call-{number}-{index}", function=function, arguments=arguments)
            for index, (function, arguments) in enumerate(calls)
        ],
    )
    reason = stop_reason or ("tool_calls" if calls else "stop")
    return ModelOutput(
        model="scripted",
        choices=[ChatCompletionChoice(message=message, stop_reason=reason)],
        usage=ModelUsage(input_tokens=50, output_tokens=50, total_tokens=100),
    )


@scorer(metrics=[])
def _collect(name: str, left: dict[str, tuple[dict[str, bytes], set[str]]]) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        container = engine.connect().containers.get((await sandbox().connection()).container)
        container.kill()
        files = _archive(container, "/home/agent") | _archive(container, "/var/log/agentbench")
        left[name] = files, {change["Path"] for change in container.diff() or []}
        return Score(value=1)

    return score


def _archive(container: Any, path: str) -> dict[str, bytes]:
    """Regular files below a path, named from its last component on."""
    try:
        stream, _ = container.get_archive(path)
    except docker.errors.NotFound:
        return {}
    with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
        return {
            member.name: file.read()
            for member in archive.getmembers()
            if member.isfile() and (file := archive.extractfile(member))
        }
