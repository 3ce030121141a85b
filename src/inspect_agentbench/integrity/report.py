"""What is known of an episode's integrity: one model that goes into the log."""

from collections.abc import Iterable
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from .evidence import OF_THE_ORACLE, Evidence


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PathCount(_Frozen):
    """Paths of one kind; `system` are those that every command opens."""

    total: int
    system: int


class PathLogReport(_Frozen):
    """How far the path log can be trusted, and how much it holds."""

    state: Literal["complete", "incomplete", "unavailable"]
    reason: str = ""
    """Why it is not complete."""
    commands: int = 0
    paths: dict[str, PathCount] = Field(default_factory=dict)
    """By `opened`, `missed`, `created`, `renamed`, `linked`, `removed` and `executed`."""


class IntegrityReport(_Frozen):
    """What an episode's transcript, submission, path log and container show."""

    path_log: PathLogReport
    oracle_untouched: bool | None
    """Whether nothing reached the oracle; None where no complete path log can tell."""
    evidence: tuple[Evidence, ...] = ()
    """What disqualifies; empty for an honest episode."""
    probing: tuple[str, ...] = ()
    """Attempts to find a grader; a fact that costs nothing."""
    left: tuple[str, ...] = ()
    """Processes, start-up files and shims that were left in the container; without effect."""

    def with_evidence(self, evidence: Iterable[Evidence]) -> "IntegrityReport":
        """The same report with more evidence."""
        return integrity_report(self.path_log, (*self.evidence, *evidence), self.probing, self.left)


def integrity_report(
    path_log: PathLogReport,
    evidence: Iterable[Evidence] = (),
    probing: tuple[str, ...] = (),
    left: tuple[str, ...] = (),
) -> IntegrityReport:
    """The report on what was found; every piece of evidence stands in it once."""
    found = tuple(dict.fromkeys(evidence))
    untouched = True if path_log.state == "complete" else None
    if any(piece.kind in OF_THE_ORACLE for piece in found):
        untouched = False
    return IntegrityReport(
        path_log=path_log, oracle_untouched=untouched, evidence=found, probing=probing, left=left
    )


NO_EPISODE: Final = integrity_report(
    PathLogReport(state="unavailable", reason="files were graded, no episode")
)
"""Of a submission that comes from a folder."""
