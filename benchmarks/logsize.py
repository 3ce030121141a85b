"""How large the log of an episode of ten turns is."""

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.tool import ToolChoice, ToolInfo

from inspect_agentbench.episode import WORKSPACE, EpisodeRecord
from inspect_agentbench.episode.prompt import visible_test_command
from inspect_agentbench.outcome import Outcome

from .evals import OURS, run_one
from .results import Figure, at_most
from .scripted import Call, reply
from .setting import BenchmarkFailed, Setting

NAME = "logsize"
TURNS = 10


def measure(setting: Setting) -> list[Figure]:
    """One episode: the size hardly varies, so that one is enough."""
    one = run_one(OURS, _model(setting), setting.folder)
    one.require(Outcome.SOLVED)
    turns = one.sample.store_as(EpisodeRecord).turns
    if turns != TURNS:
        raise BenchmarkFailed(f"the scripted episode took {turns} turns instead of {TURNS}")
    size = one.log_file.stat().st_size / 1000
    return [Figure(NAME, f"log of an episode of {TURNS} turns", "kB", (size,), at_most(150))]


def _model(setting: Setting) -> Model:
    calls = ten_calls(setting)

    def next_reply(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        return reply(input, calls)

    return get_model("mockllm/model", custom_outputs=next_reply, memoize=False)


def ten_calls(setting: Setting) -> list[Call]:
    """One call a turn: look around, read, run the tests, write the known fix, test again, look, submit."""
    path, content = min(setting.fix.files.items())
    tests = Call("bash", {"command": visible_test_command(setting.variant)})
    return [
        Call("list_files", {"path": WORKSPACE}),
        Call("read_file", {"path": "README.md"}),
        Call("read_file", {"path": path}),
        Call("bash", {"command": "cat tests/*.py"}),
        tests,
        Call("write_file", {"path": path, "content": content.decode()}),
        tests,
        Call("bash", {"command": "git diff"}),
        tests,
        Call("submit", {"status": "done"}),
    ]
