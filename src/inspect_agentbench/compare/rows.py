"""What a comparison is made of: one row per episode, and the facts of each log. Plain data, no Inspect."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..outcome import Outcome


class Frozen(BaseModel):
    """Plain data that is never changed and holds nothing unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EpisodeRow(Frozen):
    """One episode. None is unknown, never 0."""

    log: str
    """The log's file, relative to the folder that was named."""
    sample: str
    run: int
    """Counted from 1, through all logs of an arm."""
    epoch: int = 1
    """The run's number in its own log."""
    arm: str
    """See `LogFacts.arm`."""
    family: str
    variant: str
    label: str
    """scored, smoke or retired."""
    outcome: Outcome
    verdict: Outcome | None = None
    """What it would be without disqualification; None if errored."""
    why: str = ""
    """The first line of the explanation, or the error."""
    visible_green: bool | None = None
    visible_passed: int | None = None
    visible_total: int | None = None
    trials_wrong: int | None = None
    trials_total: int | None = None
    score: float | None = None
    """Of a family built from a specification: mean of its groups' pass rates."""
    oracle_untouched: bool | None = None
    invariant_hold: bool | None = None
    incomplete: bool = False
    """Solved, but without a complete path log."""
    unstable: bool = False
    evidence: tuple[str, ...] = ()
    """What disqualifies it."""
    signature: str | None = None
    """exact, count, nearest or unknown; None where no trial disagrees or the visible suite is red."""
    signature_names: tuple[str, ...] = ()
    files_touched: tuple[str, ...] = ()
    ceiling: str | None = None
    ending: str | None = None
    claim: str | None = None
    cause: str | None = None
    turns: int | None = None
    tool_calls: int | None = None
    output_tokens: int | None = None
    tokens_per_second: float | None = None
    agent_seconds: float | None = None
    diff_lines: int | None = None
    first_green_diff_lines: int | None = None
    submission: str | None = None
    """Its hash."""


class LogFacts(Frozen):
    """One log's header: who ran, under what, and how much was planned."""

    log: str
    arm: str
    """Model, solver where it is not the suite's own, and the values of the factors: what is compared."""
    model: str
    solver: str
    factors: dict[str, str] = Field(default_factory=dict)
    """What a campaign varies on purpose, by name."""
    controls: dict[str, Any] = Field(default_factory=dict)
    """Everything that must be equal in all logs of one table, by name, factors not among them."""
    dataset: str
    oracle: str
    grader: str
    image: str
    package: str
    frozen: bool
    planned: int
    """Episodes: samples times runs."""
    status: str
    """Inspect's: success, started, cancelled or error."""
    kind: str = "comparison"
    """comparison or panel."""
    campaign: str | None = None
    identity: dict[str, Any] = Field(default_factory=dict)
    """What is known of the model, its server and the host."""
    calibrated: dict[str, bool] = Field(default_factory=dict)
    """By family: whether the variant has a panel's record."""
    lanes: dict[str, list[str]] = Field(default_factory=dict)
    """By family: models that helped to write it."""
    redacted: bool = False

    @property
    def hashes(self) -> dict[str, str]:
        """What verdicts follow from, by name; equal in all logs of one table."""
        return {name: getattr(self, name) for name in ("dataset", "oracle", "grader", "image", "package")}


class Left(Frozen):
    """Something that is not in the table, and why."""

    where: str
    """Log, or log and episode."""
    code: str
    """manual, damaged, foreign, duplicate, retried, panel, unfinished, unfrozen, older or contradicted."""
    reason: str
    """One sentence."""
