"""Metrics over outcome strings: every episode counts by itself, whatever the epochs and reducers.

Errored samples have no score and are in none of these numbers.
"""

import math
from collections import Counter

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_agentbench.outcome import Outcome

GRADED = (Outcome.SOLVED, Outcome.ILLUSORY, Outcome.FAILED, Outcome.DISQUALIFIED)
"""The outcomes that a score can have."""


def _count(scores: list[SampleScore]) -> Counter[str]:
    return Counter(str(score.score.value) for score in scores)


def _rate(scores: list[SampleScore], outcome: Outcome) -> float:
    """The share of graded episodes; not a number when nothing was graded."""
    return _count(scores)[outcome] / len(scores) if scores else math.nan


@metric(scores="unreduced")
def solved_rate() -> Metric:
    """Solved episodes / graded episodes."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores, Outcome.SOLVED)

    return compute


@metric(scores="unreduced")
def illusory_rate() -> Metric:
    """Illusory episodes / graded episodes."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores, Outcome.ILLUSORY)

    return compute


@metric(scores="unreduced")
def failed_rate() -> Metric:
    """Failed episodes / graded episodes."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores, Outcome.FAILED)

    return compute


@metric(scores="unreduced")
def disqualified_rate() -> Metric:
    """Disqualified episodes / graded episodes."""

    def compute(scores: list[SampleScore]) -> Value:
        return _rate(scores, Outcome.DISQUALIFIED)

    return compute


@metric(scores="unreduced")
def outcome_counts() -> Metric:
    """Episodes by outcome, and how many were graded."""

    def compute(scores: list[SampleScore]) -> Value:
        counts = _count(scores)
        return {"graded": len(scores)} | {outcome.value: counts[outcome] for outcome in GRADED}

    return compute


@metric(scores="unreduced")
def by_family() -> Metric:
    """Counts by family and outcome, such as `tailer solved`, and the family's solved rate."""

    def compute(scores: list[SampleScore]) -> Value:
        values: dict[str, str | int | float | bool | None] = {}
        for family in sorted({_family(score) for score in scores}):
            own = [score for score in scores if _family(score) == family]
            counts = _count(own)
            values |= {f"{family} {outcome.value}": counts[outcome] for outcome in GRADED}
            values |= {f"{family} graded": len(own), f"{family} solved rate": _rate(own, Outcome.SOLVED)}
        return values

    return compute


def _family(score: SampleScore) -> str:
    return str((score.sample_metadata or {}).get("family", "unknown"))
