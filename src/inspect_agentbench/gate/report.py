"""What the gate found: one model, written as JSON, from which every other form is made."""

import statistics
from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from ..stats import upper_bound
from .reasons import Finding, Reason

REPORT_NAME = "admission.json"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FoundReason(_Frozen):
    """One reason to reject a family."""

    reason: Reason
    where: str
    detail: str


class Fraction(_Frozen):
    """So many of so many."""

    count: int
    of: int

    def __str__(self) -> str:
        return f"{self.count}/{self.of}"


class FreshRun(_Frozen):
    """A correct fix on fresh trials."""

    fix: str
    disagreeing: Fraction
    seconds: float


class DetectionPower(_Frozen):
    """How surely a fresh seed finds a lazy fix."""

    fix: str
    pinned: Fraction
    """Trials of the pinned seed that disagree."""
    fresh: Fraction
    """Fresh trials that disagree."""
    miss_probability: float
    """Upper bound of the probability that a whole fresh set of trials shows no disagreement."""
    trials_needed: int
    """The fewest trials for which that bound would still be small enough."""


class FamilyAdmission(_Frozen):
    """What the gate found of one family."""

    family: str
    version: int
    """0 for a family that cannot be read."""
    hashes: dict[str, str]
    """Of the oracle, and by variant of what an agent is given."""
    admitted: bool
    reasons: tuple[FoundReason, ...]
    fault: str = ""
    """Why the harness could not tell; the family is then neither admitted nor rejected."""
    not_reached: tuple[str, ...] = ()
    """Checks that an earlier rejection left out."""
    flakes: Fraction = Fraction(count=0, of=0)
    """Repeats that differ from the first of their tree."""
    rooms: int = 0
    room_seconds_median: float = 0.0
    room_seconds_largest: float = 0.0
    correct_fixes: Fraction = Fraction(count=0, of=0)
    """Correct fixes that hold everywhere, of those there are."""
    overlap: Fraction = Fraction(count=0, of=0)
    """Hidden trials that are visible cases."""
    making_seconds: float = 0.0
    """Making the fresh trials and their right answers."""
    fresh: tuple[FreshRun, ...] = ()
    power: tuple[DetectionPower, ...] = ()
    seconds: float = 0.0

    @property
    def flake_bound(self) -> float:
        """One-sided 95 % upper bound of the rate of flakes."""
        return upper_bound(self.flakes.count, self.flakes.of)

    @property
    def codes(self) -> tuple[Reason, ...]:
        """Each reason once."""
        return tuple(dict.fromkeys(found.reason for found in self.reasons))


class ControlResult(_Frozen):
    """What the gate said of a family whose fate is known."""

    control: str
    expected: tuple[Reason, ...]
    """Empty for the good family."""
    found: tuple[Reason, ...]
    behaves: bool
    detail: str = ""


class GateReport(_Frozen):
    """One run of the gate."""

    report_version: int = 1
    date: str
    package: str
    grader: str
    image: str
    contract: dict[str, float]
    fresh_seed: int
    controls: tuple[ControlResult, ...]
    network: dict[str, dict[str, str]]
    """By place, by way out."""
    families: tuple[FamilyAdmission, ...]
    seconds: float

    @property
    def misbehaving(self) -> tuple[ControlResult, ...]:
        """The controls that did not come out as they must; with one of them the rest says nothing."""
        return tuple(control for control in self.controls if not control.behaves)

    @property
    def admitted(self) -> Fraction:
        """Admitted of attempted."""
        return Fraction(count=sum(f.admitted for f in self.families), of=len(self.families))

    @property
    def counts(self) -> dict[Reason, int]:
        """How many families each reason rejects."""
        counted = Counter(code for family in self.families for code in family.codes)
        return {reason: counted[reason] for reason in Reason if counted[reason]}

    @property
    def coverage_before(self) -> Fraction:
        """Families with at least two correct fixes on file, of those attempted."""
        return _at_least_two(family.correct_fixes.of for family in self.families)

    @property
    def coverage_after(self) -> Fraction:
        """Families with at least two correct fixes that hold, of those admitted."""
        return _at_least_two(family.correct_fixes.count for family in self.families if family.admitted)


def _at_least_two(counts: Iterable[int]) -> Fraction:
    listed = list(counts)
    return Fraction(count=sum(1 for count in listed if count >= 2), of=len(listed))


def median(seconds: Iterable[float]) -> float:
    """The median, 0 of nothing."""
    listed = list(seconds)
    return statistics.median(listed) if listed else 0.0


def found_reasons(findings: Iterable[Finding]) -> tuple[FoundReason, ...]:
    """Findings as the report keeps them."""
    return tuple(FoundReason(reason=f.reason, where=f.where, detail=f.detail) for f in findings)
