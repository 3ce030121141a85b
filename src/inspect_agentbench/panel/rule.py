"""The rule of promotion, fixed here and printed with every result.

Three models of different strength, three runs each. A variant is promoted if its solve rate is within the
band; of two the one closer to one half; on a tie the one with fewer hints. Ceilings are looked at first: a
panel whose unsolved runs mostly ended on one measured the budget, and promotes nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..stats import Interval, interval

MODELS, RUNS = 3, 3
LOW, HIGH = 0.3, 0.7
MIDDLE = 0.5
RULE = (
    f"{MODELS} models x {RUNS} runs; promoted if {LOW:g} <= solve rate <= {HIGH:g}; "
    f"of several the closest to {MIDDLE:g}, on a tie the one with fewer hints; "
    "nothing if most unsolved runs ended on a ceiling"
)


class Measured(NamedTuple):
    """One variant's runs in a panel."""

    variant: str
    hints: int
    """Its place in the manifest, from the fewest hints (0) up."""
    runs: dict[str, int]
    """Graded runs by model."""
    solved: int
    ceilings: int
    """Unsolved runs that ended on a ceiling."""
    errored: int = 0
    predicted: float | None = None

    @property
    def of(self) -> int:
        """Graded runs."""
        return sum(self.runs.values())

    @property
    def rate(self) -> float:
        """Solved of graded runs; raises ZeroDivisionError without any."""
        return self.solved / self.of

    @property
    def interval(self) -> Interval:
        """Of the rate, as if runs were independent: a rough guide."""
        return interval(self.solved, self.of)


class Decision(NamedTuple):
    """What the rule says of a family."""

    promoted: str | None
    reasons: dict[str, str]
    """By variant."""


def decide(variants: Sequence[Measured]) -> Decision:
    """Apply the rule to the variants of one family."""
    reasons = {one.variant: _reason(one) for one in variants}
    candidates = [one for one in variants if not reasons[one.variant]]
    if not candidates:
        return Decision(None, reasons)
    best = min(candidates, key=lambda one: (round(abs(one.rate - MIDDLE), 9), one.hints))
    for one in candidates:
        reasons[one.variant] = "promoted" if one is best else _second(one, best)
    return Decision(best.variant, reasons)


def _reason(one: Measured) -> str:
    """Why the variant is no candidate; empty if it is."""
    if one.errored:
        return f"{one.errored} runs errored; run them again"
    if len(one.runs) != MODELS or any(count != RUNS for count in one.runs.values()):
        has = ", ".join(f"{model} {count}" for model, count in one.runs.items())
        return f"not a whole panel of {MODELS} models x {RUNS} runs: {has}"
    unsolved = one.of - one.solved
    if unsolved and 2 * one.ceilings > unsolved:
        return f"{one.ceilings} of {unsolved} unsolved runs ended on a ceiling: the budget was measured"
    if one.rate < LOW:
        return f"too hard: {one.solved} of {one.of}"
    if one.rate > HIGH:
        return f"too easy: {one.solved} of {one.of}"
    return ""


def _second(one: Measured, best: Measured) -> str:
    if round(abs(one.rate - MIDDLE), 9) == round(abs(best.rate - MIDDLE), 9):
        return f"in the band, but {best.variant} gives fewer hints"
    return f"in the band, but {best.variant} is closer to {MIDDLE:g}"


def mean_error(variants: Sequence[Measured]) -> float | None:
    """The mean of |predicted - measured| over the variants with a prediction; None without any."""
    errors = [abs(one.predicted - one.rate) for one in variants if one.predicted is not None and one.of]
    return sum(errors) / len(errors) if errors else None
