"""How surely a fresh seed finds a lazy fix."""

import math

from ..stats import lower_bound
from .report import DetectionPower, Fraction


def detection_power(
    fix: str, pinned: Fraction, fresh: Fraction, trials: int, wanted: float
) -> DetectionPower:
    """The power of an oracle of so many trials against a fix that disagrees on that share of fresh ones.

    Trials are independent but not alike: with probabilities p_i of disagreeing, a set misses with the
    product of (1 - p_i), which by the inequality of the means is at most (1 - mean p)^trials. For the mean
    stands its one-sided 95 % lower bound.
    """
    rate = lower_bound(fresh.count, fresh.of) if fresh.of else 0.0
    return DetectionPower(
        fix=fix,
        pinned=pinned,
        fresh=fresh,
        miss_probability=(1 - rate) ** trials,
        trials_needed=_trials_needed(rate, wanted),
    )


def _trials_needed(rate: float, wanted: float) -> int:
    """The fewest trials with (1 - rate)^trials < wanted; 0 if there is no such number."""
    if rate <= 0:
        return 0
    return 1 if rate >= 1 else math.floor(math.log(wanted) / math.log(1 - rate)) + 1
