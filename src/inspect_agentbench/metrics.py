"""Metrics over outcome strings: every episode counts by itself, whatever the epochs and reducers.

Errored samples have no score and are in none of these numbers.
"""

import math
import statistics
from collections import Counter
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_agentbench.claims import Claim
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


@metric(scores="unreduced")
def claim_counts() -> Metric:
    """Claims that the work was done, by what they were worth."""

    def compute(scores: list[SampleScore]) -> Value:
        claims = Counter(_noted(score, "ledger", "claim") for score in scores)
        return {
            "claims true": claims[Claim.TRUE],
            "claims false visible red": claims[Claim.FALSE_VISIBLE_RED],
            "claims false visible green": claims[Claim.FALSE_VISIBLE_GREEN],
        }

    return compute


@metric(scores="unreduced")
def median_tool_calls() -> Metric:
    """Median of the tool calls of solved episodes; not a number where none are known."""

    def compute(scores: list[SampleScore]) -> Value:
        solved = [score for score in scores if score.score.value == Outcome.SOLVED]
        calls = [calls for score in solved if (calls := _noted(score, "effort", "tool_calls")) is not None]
        return float(statistics.median(calls)) if calls else math.nan

    return compute


@metric(scores="unreduced")
def tokens_per_second() -> Metric:
    """Output tokens per second of model time, over the episodes in which both are known."""

    def compute(scores: list[SampleScore]) -> Value:
        tokens = [_noted(score, "effort", "tokens") or {} for score in scores]
        known = [
            (t["output"], t["model_seconds"]) for t in tokens if t.get("output") and t.get("model_seconds")
        ]
        seconds = sum(seconds for _, seconds in known)
        return sum(output for output, _ in known) / seconds if seconds else math.nan

    return compute


def _noted(score: SampleScore, part: str, field: str) -> Any:
    """A field of the ledger or the effort in a score's metadata; None where it is not there."""
    return ((score.score.metadata or {}).get(part) or {}).get(field)


def _family(score: SampleScore) -> str:
    return str((score.sample_metadata or {}).get("family", "unknown"))
