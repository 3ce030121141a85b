"""The episode: what the agent gets, its tools, its loop, and what is counted."""

from .agent import INSPECT_LIMITS, SECONDS, TURNS, CompletionCheck, coding_agent, setup_workspace
from .identity import variant_of
from .layout import AGENT, ENVIRONMENT, HOME, ISSUE_PATH, WORKSPACE
from .noting import MOST_SNAPSHOTS, Snapshot
from .prompt import PROMPT_STYLES, PROMPT_VERSION, PromptStyle, sample_messages, visible_test_command
from .record import EpisodeRecord
from .replies import exit_status
from .tools import COMMAND_SECONDS, OUTPUT_CHARS, TOOLS_VERSION

__all__ = [
    "AGENT",
    "COMMAND_SECONDS",
    "ENVIRONMENT",
    "HOME",
    "INSPECT_LIMITS",
    "ISSUE_PATH",
    "MOST_SNAPSHOTS",
    "OUTPUT_CHARS",
    "PROMPT_STYLES",
    "PROMPT_VERSION",
    "SECONDS",
    "TOOLS_VERSION",
    "TURNS",
    "WORKSPACE",
    "CompletionCheck",
    "EpisodeRecord",
    "PromptStyle",
    "Snapshot",
    "coding_agent",
    "exit_status",
    "sample_messages",
    "setup_workspace",
    "variant_of",
    "visible_test_command",
]
