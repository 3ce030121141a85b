"""What is counted in an episode; it lives in the sample's store, so that scorers and logs have it."""

from typing import Literal

from inspect_ai.util import StoreModel
from pydantic import Field

from ..effort import Step
from ..outcome import Ceiling


class EpisodeRecord(StoreModel):
    """One episode's claim, ceiling and effort, up to date whatever ends the episode."""

    agent: str = ""
    """`coding_agent`, or empty where another solver worked."""

    claim: Literal["done", "blocked"] | None = None
    """The status of the accepted `submit`; None if the agent never claimed anything."""
    claim_reason: str = ""
    ceiling: Ceiling | None = None
    """What ended the episode before the agent did; None together with a claim."""

    turns: int = 0
    """Generations asked for."""
    tool_calls: int = 0
    """Tool calls that reached a tool, `submit` included."""
    tool_call_limit: int | None = None
    commands: int = 0
    """Shell commands started; each has a path log of this number, counted from 1."""
    reminders: int = 0
    replies_without_tool_call: int = 0
    shell_blocks: int = 0
    """Fenced shell blocks in replies without any tool call: meant as commands, never run."""
    replies_cut: int = 0
    """Replies that ended at the model's token limit before any tool call."""
    unparsable_calls: int = 0
    """Tool calls with an unknown name or arguments that no tool accepts."""
    outputs_cut: int = 0
    """Results of which the agent saw only a part."""
    results_lost: int = 0
    """Commands that could not be started or gave no result, though the container was alive."""
    steps: list[Step] = Field(default_factory=list)
    """Commands, edits, and runs of the visible tests that were asked for and not executed, in order."""

    completion_checks: int = 0
    """Claims that were checked against the visible suite before they were accepted."""
    claims_refused: int = 0
    """Those that were not."""
    turns_after_refusal: int = 0
    """Turns after the first of them, with the tokens that the model's server reported for these."""
    input_tokens_after_refusal: int | None = 0
    output_tokens_after_refusal: int | None = 0
    snapshots: int = 0
    """Different states saved because the agent saw the whole visible suite green; at most three."""

    setup_seconds: float = 0.0
    agent_seconds: float = 0.0
    """Wall time of the agent's work, container set-up and grading not counted; the next two are in it."""
    check_seconds: float = 0.0
    snapshot_seconds: float = 0.0

    path_log: Literal["unused", "on", "unavailable"] = "unused"
    """`unused`: no command ran through the traced `bash`, so nothing can be said about paths."""
    path_log_reason: str = ""
