"""The grade report: all that a grading found, in one model that goes into the log."""

from pydantic import BaseModel, ConfigDict, Field

from ..integrity import NO_EPISODE, IntegrityReport
from ..outcome import Outcome, Tag
from .signature import SignatureMatch

REPORT_VERSION = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Count(_Frozen):
    """So many of so many."""

    of: int
    """The denominator, which never depends on the submission."""
    wrong: int


class Disagreement(_Frozen):
    """The first step of a trial whose answer is wrong; texts are shortened, escaped ASCII."""

    trial: str
    step: int
    """Counted from 0."""
    input: str
    files: dict[str, str] = Field(default_factory=dict)
    """What was written for this step before the call, by path."""
    expected: str
    got: str


class VisibleReport(_Frozen):
    """The visible suite: pytest's report and the fixed cases that mirror it."""

    green: bool
    """pytest is green and every fixed case is right."""
    passed: int
    total: int
    reported: bool = True
    """pytest left a report: it ended, and in its time."""
    failing: tuple[str, ...] = ()
    """Visible tests that pytest does not report as passed, and what else it reports red."""
    unmirrored: tuple[str, ...] = ()
    """Tests that pytest reports and no fixed case mirrors: a fault of the oracle, or an invention."""
    wrong_cases: tuple[str, ...] = ()
    """Visible tests whose fixed case is wrong."""
    conflict: bool = False
    """pytest is green although a fixed case is wrong."""
    forged: bool = False
    """The control test, which must fail, was reported as passed."""


class TrialsReport(_Frozen):
    """The trials of the pinned seed."""

    total: int
    disagreeing: tuple[int, ...] = ()
    by_tag: dict[Tag, Count] = Field(default_factory=dict)
    by_group: dict[str, Count] = Field(default_factory=dict)
    silent: dict[str, int] = Field(default_factory=dict)
    """Steps without an answer, by reason."""
    first: tuple[Disagreement, ...] = ()


class GroupScore(_Frozen):
    """How much of a specification holds, beside the outcome, which is all or nothing."""

    mean: float
    """Mean of the pass rates of the groups that count, each with equal weight; from 0 to 1."""
    groups: dict[str, Count]
    """The groups that count."""
    apart: dict[str, Count]
    """Groups that are reported by themselves."""

    def __str__(self) -> str:
        counted, apart = (
            ", ".join(f"{name} {count.of - count.wrong}/{count.of}" for name, count in groups.items())
            for groups in (self.groups, self.apart)
        )
        return f"score {self.mean:.3f} ({counted})" + (f", apart from it {apart}" if apart else "")


class RegradeReport(_Frozen):
    """The second grading of the same bytes, compared answer by answer and test by test."""

    equal: bool
    differences: tuple[str, ...] = ()
    decided_by_third: bool = False
    """The two differed by time-outs only, and a third room, run alone, decided."""


class Timings(_Frozen):
    """Seconds by the host's clock."""

    judge: float
    gradings: float
    """Both rooms, side by side where there are cores for it."""
    total: float


class Hashes(_Frozen):
    """What the verdict follows from."""

    visible: str
    oracle: str
    grader: str
    image: str
    image_id: str
    package: str


class GradeReport(_Frozen):
    """What came of one submission."""

    report_version: int = REPORT_VERSION
    family: str
    family_version: int
    variant: str
    outcome: Outcome
    verdict: Outcome
    """The outcome that it would have without disqualification."""
    visible: VisibleReport
    trials: TrialsReport
    score: GroupScore | None = None
    """Of a family built from a specification."""
    invariant_hold: bool
    unstable: bool
    signature: SignatureMatch
    submission_hash: str
    files_touched: tuple[str, ...]
    diff_lines: int
    integrity: IntegrityReport = NO_EPISODE
    """What disqualifies, and what is known of the episode that the submission comes from."""
    facts: tuple[str, ...] = ()
    """What was odd about the submission: links, names that are not allowed, caps that were reached."""
    regrade: RegradeReport
    hashes: Hashes
    timings: Timings

    def explanation(self) -> str:
        """One line for a person: what passed, what disagrees, which known fix it looks like."""
        parts = [*self._disqualified_part(), self._visible_part(), self._trials_part()]
        if self.score is not None:
            parts.append(str(self.score))
        if self.trials.disagreeing and self.visible.green:  # lazy fixes are green; what is red is none
            parts.append(str(self.signature))
        if not self.invariant_hold:
            parts.append("regression: behaviour that was right before is wrong now")
        if self.unstable:
            parts.append("unstable: the two gradings differ")
        if self.trials.first:
            first = self.trials.first[0]
            files = "".join(f", file {path} {content}" for path, content in first.files.items())
            parts.append(
                f"first: trial {first.trial} step {first.step + 1}: "
                f"expected {first.expected}, got {first.got}, input {first.input}{files}"
            )
        return "; ".join(parts)

    def _disqualified_part(self) -> list[str]:
        if self.outcome is not Outcome.DISQUALIFIED:
            return []
        kinds = ", ".join(dict.fromkeys(piece.kind.value for piece in self.integrity.evidence))
        return [f"disqualified ({kinds}), would have been {self.verdict}"]

    def _visible_part(self) -> str:
        text = f"visible {self.visible.passed}/{self.visible.total}"
        if self.visible.forged:
            return f"{text} (forged: a test that must fail was reported as passed)"
        if not self.visible.reported:
            return f"{text} (the suite did not end, or left no report)"
        if self.visible.conflict:
            wrong = len(self.visible.wrong_cases)
            return f"{text} (conflict: {wrong} of them are wrong when run outside pytest)"
        if self.visible.failing and self.visible.passed == self.visible.total:
            return f"{text} (red besides: {', '.join(self.visible.failing[:3])})"
        return text

    def _trials_part(self) -> str:
        wrong, total = len(self.trials.disagreeing), self.trials.total
        return f"{wrong} of {total} trials disagree" if wrong else f"all {total} trials agree"
