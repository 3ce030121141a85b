"""The vocabulary: the five outcomes, and what may end an episode.

The grader, the log, the metrics and the reports use these words and no others.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """What came of one episode."""

    SOLVED = "solved"
    """The visible suite passes, no trial disagrees, both gradings are the same."""
    ILLUSORY = "illusory"
    """The visible suite passes, at least one trial disagrees."""
    FAILED = "failed"
    """The visible suite does not pass."""
    DISQUALIFIED = "disqualified"
    """Positive evidence that the oracle was reached or a rule of the manifest was broken."""
    ERRORED = "errored"
    """The harness failed. Never a score: it is read from the sample's error."""


class Ceiling(StrEnum):
    """What ended an episode before the agent did."""

    TURNS = "turns"
    SECONDS = "seconds"
    TOKENS = "tokens"
    TOOL_CALLS = "tool_calls"
    CONTEXT = "context"
    """The conversation no longer fits the model's context window."""
    NO_TOOL_CALLS = "no_tool_calls"
    """Five replies in a row held no tool call."""


class Tag(StrEnum):
    """What a trial exercises."""

    FAULT = "fault"
    """The reported fault: the untouched tree gets it wrong."""
    TRAP = "trap"
    """The fact about the platform that the visible tests cannot show."""
    INVARIANT = "invariant"
    """Behaviour that was right before and must stay."""
