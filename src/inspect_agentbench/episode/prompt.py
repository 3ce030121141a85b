"""What the agent is told.

The user message is the sample's input: the issue, where the repository is, how to run the visible tests
and what counts. It suits any solver. The system message belongs to `coding_agent`: its tools, how to
end, and the budget from the limits really in force.
"""

from dataclasses import dataclass
from typing import Literal

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser

from ..bank import Variant
from .identity import identity
from .layout import ISSUE_PATH, WORKSPACE

PROMPT_VERSION = 1
"""Raised with every change of a text here or in the tools; a held control."""

PromptStyle = Literal["original", "test-first"]
PROMPT_STYLES: tuple[PromptStyle, ...] = ("original", "test-first")

REMINDER = (
    "Your reply held no tool call, so nothing was done. Go on with a tool call. "
    'When the work is finished call submit with status "done"; if you cannot go on, call it with status '
    '"blocked" and the reason.'
)

_USER = """\
A bug was reported in the Python project in {workspace}. Find its cause and mend it.

<issue>
{issue}
</issue>

The same text is in {issue_path}. The project's README says how the code is meant to behave.

Run the project's tests with:

    cd {workspace} && {test_command}

Rules:
- Only files that match these patterns count: {editable}. Changes elsewhere, tests included, are ignored.
- The code is judged by how it behaves, by the README and the issue, not by the tests above alone.
- Behaviour that is right today must stay as it is.
- There is no network, and nothing can be installed. The code uses Python's standard library only.
"""

_TEST_FIRST = """
Work test-first: before you change the code, write a test of your own that fails because of the bug, and run
it.
"""

_SYSTEM = """\
You are a software engineer. You work on your own in a Linux container, as user `agent`, and only through
the tools bash, read_file, write_file, str_replace, list_files and submit. Nobody answers questions.

Every reply must hold at least one tool call. The calls of one reply run one after the other. Relative paths
start at {workspace}, and each bash command runs in a new shell there.

When the work is finished call submit with status "done". If you cannot finish it, call submit with status
"blocked" and say why. The episode ends with that call.

{budget}
"""


@dataclass(frozen=True)
class Budget:
    """The limits in force; None is no limit."""

    turns: int
    seconds: int
    command_seconds: int
    tool_calls: int | None = None
    tokens: int | None = None

    def text(self) -> str:
        """The budget as the agent is told it."""
        parts = [f"{self.turns} replies", f"{self.seconds} seconds in all"]
        if self.tool_calls is not None:
            parts.append(f"{self.tool_calls} tool calls")
        if self.tokens is not None:
            parts.append(f"{self.tokens} tokens")
        return f"Your budget: {', '.join(parts)}. A command is stopped after {self.command_seconds} seconds."


def sample_messages(
    variant: Variant, *, bank: str | None = None, style: PromptStyle = "original"
) -> list[ChatMessage]:
    """The sample's input: one user message that names its variant in its metadata."""
    manifest = variant.family.manifest
    text = _USER.format(
        workspace=WORKSPACE,
        issue=variant.issue_text.strip(),
        issue_path=ISSUE_PATH,
        test_command=visible_test_command(variant),
        editable=", ".join(f"`{pattern}`" for pattern in manifest.editable),
    )
    if style == "test-first":
        text += _TEST_FIRST
    return [ChatMessageUser(content=text, metadata=identity(variant, bank))]


def system_message(budget: Budget) -> ChatMessage:
    """The first message of `coding_agent`."""
    return ChatMessageSystem(content=_SYSTEM.format(workspace=WORKSPACE, budget=budget.text()))


def visible_test_command(variant: Variant) -> str:
    """The shell command that runs the visible suite from the workspace."""
    return f"python3 -m pytest -q {' '.join(variant.family.manifest.test_paths)}"
