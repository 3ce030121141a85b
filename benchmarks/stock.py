"""The thing to compare with: the same episode as Inspect's own parts do it.

`react` with `bash` and `text_editor`, a scorer that reads one file, one container of the same image. Where
there was a choice the cheaper one was taken: the tree arrives in one set-up script and not file by file, no
repository is made, the container has no limits on processor time and memory.
"""

import base64
from collections.abc import Mapping

from inspect_ai import Task
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, GenerateConfig, Model, get_model
from inspect_ai.model import ModelOutput as Output
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolChoice, ToolInfo, bash, text_editor
from inspect_ai.util import sandbox

from inspect_agentbench.episode import WORKSPACE
from inspect_agentbench.episode.layout import HOME
from inspect_agentbench.episode.workspace import workspace_tar
from inspect_agentbench.replay.scripts import (
    Action,
    ListFiles,
    ReadFile,
    Replace,
    RunTests,
    Submit,
    WriteFile,
    turns_of,
)

from .compose import plain_compose
from .scripted import Call, reply
from .setting import Setting

CORRECT = "C"


def stock_task(setting: Setting) -> Task:
    """One sample, scored `C` if the file that the known fix changes reads as it should."""
    sample = Sample(
        id="stock",
        input=setting.variant.issue_text,
        target=CORRECT,
        setup=_setup_script(setting),
    )
    return Task(
        name="stock",
        dataset=MemoryDataset([sample]),
        solver=react(tools=[bash(timeout=180), text_editor(timeout=180)]),
        scorer=one_file(setting.fix.files),
        sandbox=("docker", plain_compose(setting.folder, setting.image.tag)),
    )


def stock_model(setting: Setting) -> Model:
    """Makes the calls of `replay/correct` through the stock tools."""
    calls = [call_for(action) for turn in turns_of("correct", setting.variant) for action in turn.actions]

    def next_reply(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> Output:
        return reply(input, calls)

    return get_model("mockllm/model", custom_outputs=next_reply, memoize=False)


@scorer(metrics=[accuracy()])
def one_file(files: Mapping[str, bytes]) -> Scorer:
    """Reads the first of the files and compares it."""
    path, wanted = min(files.items())

    async def score(state: TaskState, target: Target) -> Score:
        found = await sandbox().read_file(f"{WORKSPACE}/{path}")
        return Score(value=CORRECT if found.strip() == wanted.decode().strip() else "I")

    return score


def _setup_script(setting: Setting) -> str:
    tree = base64.b64encode(workspace_tar(setting.variant)).decode("ascii")
    return f"mkdir -p {HOME} && base64 -d <<'END' | tar -x -C {HOME}\n{tree}\nEND\n"


def call_for(action: Action) -> Call:
    """The stock tools' call that does an action of the script."""
    match action:
        case ListFiles():
            return Call("bash", {"command": f"cd {WORKSPACE} && find . -type f | sort"})
        case RunTests(command):
            return Call("bash", {"command": f"cd {WORKSPACE} && {command}"})
        case ReadFile(path):
            return Call("text_editor", {"command": "view", "path": f"{WORKSPACE}/{path}"})
        case Replace(path, old, new):
            edit = {"command": "str_replace", "path": f"{WORKSPACE}/{path}", "old_str": old, "new_str": new}
            return Call("text_editor", edit)
        case WriteFile(path, content):
            edit = {"command": "create", "path": f"{WORKSPACE}/{path}", "file_text": content.decode()}
            return Call("text_editor", edit)
        case Submit(status):
            return Call("submit", {"answer": status})
